"""Put the tables of all corpora into one, in the config's order."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table


def main(parts: Sequence[Path], table: Path, *, text: Sequence[str]) -> None:
    """One below the other; `text` names the columns that stay as they are written."""
    write_table(pd.concat([read_table(part, text=text) for part in parts]), table)


if __name__ == "__main__":
    run(main, snakemake)
