"""Put the tables of all corpora into one, in the config's order."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control3.tables import PROBES, SYMMETRY


def main(parts: Sequence[Path], table: Path, *, of: str) -> None:
    """One below the other; `of` is symmetry or probes."""
    contract = {"symmetry": SYMMETRY, "probes": PROBES}[of]
    write_table(pd.concat([read_table(part, contract) for part in parts]), table, contract)


if __name__ == "__main__":
    run(main, snakemake)
