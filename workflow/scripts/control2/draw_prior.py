"""What a document adds to a model's own preference, with intervals: the estimate that counts."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control2.tables import EFFECTS
from veridical.drawing import style

SHIFTS = {"veridical": -0.16, "counterfeit": 0.16}


def main(effects: Path, svg: Path, pdf: Path) -> None:
    """One row a model, one mark a document; the preference itself stands at the right."""
    table = read_table(effects, EFFECTS)
    models = list(table["model"].drop_duplicates())
    fig, panel = style.figure(7.4, 1.6 + 0.6 * len(models))
    style.light(panel, grid="x")
    style.reference(panel, 0)
    for row in table.itertuples(index=False):
        draw_mark(panel, models.index(row.model) + SHIFTS[row.condition], row)
    for place, model in enumerate(models):
        first = table[table["model"] == model].iloc[0]
        style.beside(panel, place, preference(first))
    for condition in SHIFTS:
        marker = {"marker": style.MARKERS[condition], "color": style.COLORS[condition]}
        panel.plot([], [], label=condition, **marker)
    panel.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2)
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(len(models) - 0.5, -0.5)
    panel.set_xlim(-1.02, 1.02)
    panel.set_xlabel("right with the document − preference for the true text without one")
    note = f"{int(table['n_pairs'].max())} answered probes at most, paired. Lines: 95 % (Newcombe)."
    style.note(fig, note)
    style.save(fig, svg, pdf)


def draw_mark(panel, y: float, row) -> None:
    """An effect with its interval, or words where nothing was answered."""
    if pd.isna(row.effect):
        style.label(panel, 0, y, "nothing answered", color=style.COLORS[row.condition])
        return
    style.ranged(panel, y, row.effect, (row.low, row.high), row.condition)


def preference(row) -> str:
    """How often the model prefers the true text with no document; unknown where it is silent."""
    if pd.isna(row.prior_first):
        return "without: no answer,\nchance assumed"
    return f"without: true {100 * row.prior_true:.0f} %,\nfirst {100 * row.prior_first:.0f} %"


if __name__ == "__main__":
    run(main, snakemake)
