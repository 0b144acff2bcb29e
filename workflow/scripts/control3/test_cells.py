"""Test every declared cell of Control 3, corrected within each corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control3 import cells as control3
from veridical.control3.tables import ANSWERS, CELLS


def main(answers: Path, cells: Path, *, corpora: Mapping[str, int], models: Sequence[str]) -> None:
    """`corpora` says how many partners each corpus has; each is one Holm family."""
    table = read_table(answers, ANSWERS)
    declared = [(corpus, model) for corpus in corpora for model in models]
    write_table(control3.cells(table, declared, dict(corpora)), cells, CELLS)


if __name__ == "__main__":
    run(main, snakemake)
