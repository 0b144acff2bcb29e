"""Write what every table of the study holds, column by column."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.parts import CONTRACTS
from veridical.report.codebook import CODEBOOK
from veridical.report.codebook import codebook as rows_of


def main(codebook: Path) -> None:
    """One row a table and one a column, from the contracts."""
    write_table(rows_of(CONTRACTS), codebook, CODEBOOK)


if __name__ == "__main__":
    run(main, snakemake)
