"""Set the verdicts of the benchmark's judges beside exact match."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.benchmarks.judging import agreement
from veridical.benchmarks.tables import AGREEMENT, JUDGED


def main(judged: Path, agreed: Path) -> None:
    """One row a judge, and one for all together."""
    rows = pd.DataFrame(agreement(read_table(judged, JUDGED)))
    write_table(rows[AGREEMENT.names], agreed, AGREEMENT)


if __name__ == "__main__":
    run(main, snakemake)
