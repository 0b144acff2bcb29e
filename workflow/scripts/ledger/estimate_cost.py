"""Print what each collection would take of each model, and how much the ledger holds already."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.checks import corpora_named
from veridical.base.schema import at_defaults, read_schema
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.ledger.costs import estimates
from veridical.ledger.estimating import as_text


def main(
    prices: Path,
    *,
    config: Mapping[str, Any],
    results: Path,
    ledgers: Path,
    corpora: Path = Path("data/corpora"),
    unsaid: Sequence[str] = (),
) -> None:
    """Estimate every part of the study that `config` describes; asks and writes nothing."""
    read = {name: read_corpus(corpora / name) for name in corpora_named(config)}
    found = [each for _, each in estimates(config, read, results, ledgers, prices)]
    print(as_text(found, config.get("budget")), file=sys.stderr)
    if unsaid:
        values = at_defaults(read_schema(), config)
        told = [f"{key} {json.dumps(values.get(key))}" for key in unsaid if key in values]
        print(f"Left to the defaults (config/README.md): {'; '.join(told)}.", file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
