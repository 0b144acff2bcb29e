"""Print what each collection would take of each model, and how much the ledger holds already."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veridical.base.checks import corpora_named
from veridical.base.config import parts_on
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.ledger.estimating import as_text, estimate
from veridical.ledger.pricing import Prices


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
    asking = [f"veridical.{part}.asks" for part in ["documents", *parts_on(config)]]
    rooms = [import_module(name) for name in asking if find_spec(name)]
    table = Prices(prices)
    found = [
        estimate(ask, results, ledgers, table) for room in rooms for ask in room.asks(config, read)
    ]
    print(as_text(found, config.get("budget")), file=sys.stderr)
    if unsaid:
        print(f"Left to the defaults: {', '.join(unsaid)} (config/README.md).", file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
