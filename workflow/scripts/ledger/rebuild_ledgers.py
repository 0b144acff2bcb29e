"""Rebuild a study's ledgers from its replies files alone, for a replay where there are no ledgers.

python workflow/scripts/ledger/rebuild_ledgers.py results/demo data/ledger/demo
"""

import sys
from pathlib import Path

from veridical.ledger.replies import rebuild_all


def main(results: Path, ledgers: Path) -> None:
    """Put the exchanges of all replies files under `results` back into `ledgers`."""
    for path, new in rebuild_all(results, ledgers).items():
        print(f"{path}: {new} exchanges put back")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
