"""Accuracy by model in three conditions, with Wilson intervals, the chance line and the verdict."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control2.tables import CONDITIONS, VALIDITY
from veridical.control2.validity import CHANCE
from veridical.drawing import style

SHIFTS = {"veridical": -0.25, "counterfeit": 0.0, "none": 0.25}


def main(validity: Path, svg: Path, pdf: Path) -> None:
    """One row a model, worst without a document on top; its verdict stands at the right."""
    table = read_table(validity, VALIDITY)
    none = table[table["condition"] == "none"].sort_values("accuracy_answered", ascending=False)
    models = list(none["model"])
    fig, panel = style.figure(7.4, 1.5 + 0.75 * len(models))
    style.light(panel, grid="x")
    style.reference(panel, CHANCE)
    for row in table.itertuples(index=False):
        draw_mark(panel, models.index(row.model) + SHIFTS[row.condition], row)
    for place, row in enumerate(none.itertuples(index=False)):
        style.beside(panel, place, verdict(row), bold=row.finding == "solves")
    style.label(panel, CHANCE, len(models) - 0.55, "chance", color=style.MUTED, fontsize=8.5, dx=4)
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(len(models) - 0.45, -0.7)
    panel.set_xlim(-0.02, 1.02)
    panel.set_xlabel("share of the answered probes that are right")
    add_legend(panel)
    style.note(fig, f"n = {int(table['n'].max())} probes a condition. Lines: Wilson 95 %.")
    style.save(fig, svg, pdf)


def draw_mark(panel, y: float, row) -> None:
    """A share with its interval; where nothing was answered, words instead of a mark at 0."""
    if pd.isna(row.accuracy_answered):
        color = style.COLORS[row.condition]
        style.label(panel, CHANCE, y, "nothing answered", color=color, dx=8)
        return
    ends = (row.wilson_low, row.wilson_high)
    style.ranged(panel, y, row.accuracy_answered, ends, row.condition)


def verdict(row) -> str:
    """What was found without a document, and what it was read on."""
    if row.finding == "not testable":
        answered = int(row.correct + row.wrong)
        return f"not testable:\n{answered or 'nothing'} answered"
    word = "solved without" if row.finding == "solves" else "not shown to solve"
    return f"{word}\n{int(row.correct)} of {int(row.correct + row.wrong)} right"


def add_legend(panel) -> None:
    """Name the three conditions above the plot, with colour and marker."""
    for condition in CONDITIONS:
        panel.plot(
            [],
            [],
            marker=style.MARKERS[condition],
            color=style.COLORS[condition],
            label={"none": "no document"}.get(condition, condition),
        )
    panel.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(CONDITIONS))


if __name__ == "__main__":
    run(main, snakemake)
