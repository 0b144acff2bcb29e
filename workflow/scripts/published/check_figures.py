"""Recompute every figure that the sources print and that their counts allow."""

from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_cells, write_table
from veridical.published.check import as_table, open_row
from veridical.published.controls import (
    check_binding,
    check_contrasts,
    check_design,
    check_recognition,
    check_second_corpus,
)
from veridical.published.methods import check_methods
from veridical.published.scores import check_ages, check_entropies
from veridical.published.tables import CHECK


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a table as text, so that +0.032 stays +0.032."""
    return read_cells(path).to_dict("records")


def main(folder: Path, check: Path) -> None:
    """Read the tables in `folder` and write the check."""
    names = ("control1_contrasts", "control2", "control3_a", "control3_b", "design")
    contrasts, control2, control3, second, design = (
        rows_of(folder / f"kairos_{name}.csv") for name in names
    )
    drift, ages = (
        {row["quantity"]: row["value"] for row in rows_of(folder / name)}
        for name in ("kairos_control1_drift.csv", "aas.csv")
    )
    worst = next(row["value"] for row in second if row["quantity"] == "worst p")
    checks = [
        *check_contrasts(contrasts, drift),
        *check_recognition(control2),
        *check_binding(control3),
        *check_second_corpus(second),
        *check_design(design, control2, control3, worst),
        *check_ages(ages),
        *check_entropies(rows_of(folder / "vpe.csv")),
        *check_methods(rows_of(folder / "methods.csv")),
        *(open_row(**row) for row in rows_of(folder / "unrecomputable.csv")),
    ]
    write_table(as_table(checks), check, CHECK)
    for each in checks:
        if each.agrees is False:
            print(f"{each.source}, {each.quantity}: {each.printed} is not {each.computed}")


if __name__ == "__main__":
    run(main, snakemake)
