"""Print when each collection asked which model, how long it took, and how many asked at once."""

import sys
from pathlib import Path

from veridical.base.script import run
from veridical.ledger.pricing import Prices
from veridical.ledger.timeline import as_text, spells


def main(prices: Path, *, ledgers: Path) -> None:
    """Read the ledgers below `ledgers`; asks and writes nothing."""
    print(as_text(spells(ledgers, Prices(prices))), file=sys.stderr)


if __name__ == "__main__":
    run(main, snakemake, show=True)
