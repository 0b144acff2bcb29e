"""Accuracy by model in three conditions, with Wilson intervals, the chance line and the verdict."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control2.tables import CONDITIONS, VALIDITY
from veridical.control2.validity import CHANCE
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

SHIFTS = {"veridical": -0.25, "counterfeit": 0.0, "none": 0.25}


def main(validity: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """One row a model, worst without a document on top; its verdict stands at the right. One panel
    a corpus."""
    words = Wording.load(texts).of("control2")
    table = read_table(validity, VALIDITY)
    none = table[table["condition"] == "none"].sort_values("accuracy_answered", ascending=False)
    none = pd.concat([none[none["corpus"] == name] for name in table["corpus"].drop_duplicates()])
    fig, panels = style.stacked(none, "corpus", width_in=7.4, row_in=0.75, head_in=1.15)
    for panel, corpus, mine in panels:
        draw_panel(panel, table[table["corpus"] == corpus], mine, words)
    bottom, models = panels[-1][0], len(panels[-1][2])
    look = {"color": style.MUTED, "fontsize": 8.5, "dx": 4}
    style.label(bottom, CHANCE, models - 0.55, words("drawing.chance"), **look)
    bottom.set_xlabel(words("drawing.accuracy_axis"))
    add_legend(panels[0][0], words)
    style.head_panels(fig, panels, words.heading("corpus"))
    style.note(fig, words("drawing.accuracy_note", n=int(table["n"].max())))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, none: pd.DataFrame, words: Wording) -> None:
    """One corpus's models; `none` are their rows with no document, in the order of the panel."""
    models = list(none["model"])
    style.light(panel, grid="x")
    style.reference(panel, CHANCE)
    for row in table.itertuples(index=False):
        draw_mark(panel, models.index(row.model) + SHIFTS[row.condition], row, words)
    for place, row in enumerate(none.itertuples(index=False)):
        style.beside(panel, place, verdict(row, words), bold=row.finding == "solves")
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(len(models) - 0.45, -0.7)
    panel.set_xlim(-0.02, 1.02)


def draw_mark(panel, y: float, row, words: Wording) -> None:
    """A share with its interval; where nothing was answered, words instead of a mark at 0."""
    if pd.isna(row.accuracy_answered):
        color = style.COLORS[row.condition]
        asked = row.n + row.n_left_out > 0
        said = words("drawing.nothing_answered" if asked else "drawing.not_admitted")
        style.label(panel, CHANCE, y, said, color=color, dx=8)
        return
    ends = (row.wilson_low, row.wilson_high)
    style.ranged(panel, y, row.accuracy_answered, ends, row.condition)


def verdict(row, words: Wording) -> str:
    """What was found without a document, and what it was read on."""
    answered = int(row.correct + row.wrong)
    if row.finding == "not admitted":
        return words("drawing.not_admitted")
    if row.finding == "not testable":
        return words("drawing.few_answered" if answered else "drawing.none_answered", n=answered)
    key = "drawing.solved" if row.finding == "solves" else "drawing.not_solved"
    return words(key, right=int(row.correct), answered=answered)


def add_legend(panel, words: Wording) -> None:
    """Name the three conditions above the plot, with colour and marker."""
    for condition in CONDITIONS:
        none = condition == "none"
        panel.plot(
            [],
            [],
            marker=style.MARKERS[condition],
            color=style.COLORS[condition],
            label=words("drawing.no_document") if none else words.value("condition", condition),
        )
    panel.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(CONDITIONS))


if __name__ == "__main__":
    run(main, snakemake)
