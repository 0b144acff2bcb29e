"""Print what collecting would take by stage and model, and how much the ledger holds already."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.ledger.estimating import as_text, estimate, parts
from veridical.ledger.pricing import Prices


def main(
    prices: Path,
    *,
    config: Mapping[str, Any],
    results: Path,
    ledgers: Path,
    corpora: Path = Path("data/corpora"),
) -> None:
    """Estimate every part of the study that `config` describes; asks and writes nothing."""
    named = {config["control1"]["corpus"], *config["control3"]["corpora"]}
    read = {name: read_corpus(corpora / name) for name in named}
    test_day = read[config["control1"]["corpus"]].test_day
    lacking = int((test_day["anchor"].fillna("").str.strip() == "").sum())
    partners = {name: len(corpus.partners) for name, corpus in read.items()}
    table = Prices(prices)
    asked = parts(config, len(test_day), lacking, partners)
    found = [estimate(part, results, ledgers, table) for part in asked]
    print(as_text(found, config.get("budget")), file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
