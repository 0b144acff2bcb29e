"""Say what the study's design could find, and what it would cost; no model is asked."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.checks import corpora_named
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.benchmarks.tables import ITEMS
from veridical.claims.design import designs
from veridical.claims.planning import as_text
from veridical.claims.planning import plan as planned
from veridical.claims.tables import PLAN
from veridical.corpora.corpus import read_corpus
from veridical.ledger.costs import by_part


def main(
    asked: Path | None,
    prices: Path,
    plan: Path,
    *,
    config: Mapping[str, Any],
    corpora: Path,
    results: Path,
    ledgers: Path,
    studies: int,
    seed: int,
) -> None:
    """Power of every claim at small, medium and large effects, then calls, tokens and money."""
    items = read_table(asked, ITEMS) if asked else None
    table = planned(designs(config, corpora, items), studies, seed)
    write_table(table, plan, PLAN)
    read = {name: read_corpus(corpora / name) for name in corpora_named(config)}
    print(as_text(table, by_part(config, read, results, ledgers, prices)), file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
