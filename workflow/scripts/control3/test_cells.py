"""Test every declared cell of Control 3, corrected within each corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control3 import cells as control3

TEXT = ("corpus", "model", "document", "probe_id", "state", "true_partner", "first_option")


def main(answers: Path, cells: Path, *, corpora: Mapping[str, int], models: Sequence[str]) -> None:
    """`corpora` says how many partners each corpus has; each is one Holm family."""
    table = read_table(answers, ["answer", "document_partner", "correct"], text=TEXT)
    declared = [(corpus, model) for corpus in corpora for model in models]
    write_table(control3.cells(table, declared, dict(corpora)), cells)


if __name__ == "__main__":
    run(main, snakemake)
