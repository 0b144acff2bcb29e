"""Bring the parts' tables of claims together in one."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.claims.tables import CLAIMS


def main(parts: Sequence[Path], claims: Path) -> None:
    """One row a claim, part by part, in the order of their names; without parts, no row."""
    tables = [read_table(path, CLAIMS) for path in sorted(parts)]
    none = pd.DataFrame(columns=CLAIMS.names)
    full = [table for table in tables if len(table)]
    write_table(pd.concat(full, ignore_index=True) if full else none, claims, CLAIMS)


if __name__ == "__main__":
    run(main, snakemake)
