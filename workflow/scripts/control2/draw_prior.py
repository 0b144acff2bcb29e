"""What a document adds to a model's own preference, with intervals: the estimate that counts."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control2.tables import EFFECTS
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

SHIFTS = {"veridical": -0.16, "counterfeit": 0.16}


def main(effects: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """One row a model, one mark a document; the preference itself stands at the right. One panel
    a corpus."""
    words = Wording.load(texts).of("control2")
    table = read_table(effects, EFFECTS)
    firsts = table.drop_duplicates(["corpus", "model"])
    fig, panels = style.stacked(firsts, "corpus", width_in=7.4, row_in=0.6, head_in=1.25)
    for panel, corpus, mine in panels:
        draw_panel(panel, table[table["corpus"] == corpus], mine, words)
    for condition in SHIFTS:
        marker = {"marker": style.MARKERS[condition], "color": style.COLORS[condition]}
        panels[0][0].plot([], [], label=words.value("condition", condition), **marker)
    panels[0][0].legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2)
    panels[-1][0].set_xlabel(words("drawing.prior_axis"))
    style.head_panels(fig, panels, words.heading("corpus"))
    style.note(fig, words("drawing.prior_note", n=int(table["n_pairs"].max())))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, firsts: pd.DataFrame, words: Wording) -> None:
    """One corpus's models; `firsts` has one row of each, in the order of the panel."""
    models = list(firsts["model"])
    style.light(panel, grid="x")
    style.reference(panel, 0)
    for row in table.itertuples(index=False):
        draw_mark(panel, models.index(row.model) + SHIFTS[row.condition], row, words)
    for place, first in enumerate(firsts.itertuples(index=False)):
        style.beside(panel, place, preference(first, words))
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(len(models) - 0.5, -0.5)
    panel.set_xlim(-1.02, 1.02)


def draw_mark(panel, y: float, row, words: Wording) -> None:
    """An effect with its interval, or words where nothing was answered."""
    if pd.isna(row.effect):
        color = style.COLORS[row.condition]
        refused = row.finding == "not admitted"
        said = words("drawing.not_admitted" if refused else "drawing.nothing_answered")
        style.label(panel, 0, y, said, color=color)
        return
    style.ranged(panel, y, row.effect, (row.low, row.high), row.condition)


def preference(row, words: Wording) -> str:
    """How often the model prefers the true text with no document; unknown where it is silent."""
    if pd.isna(row.prior_first):
        return words("drawing.no_preference")
    true, first = (words.percent(share, 0) for share in (row.prior_true, row.prior_first))
    return words("drawing.preference", true=true, first=first)


if __name__ == "__main__":
    run(main, snakemake)
