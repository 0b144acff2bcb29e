"""Dots: by stratum what guessing, words alone, no memory, a counterfeit and the history earn."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.benchmarks.tables import EARNED, STRATA
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

# What is marked where the table has it, and in which style.
MARKS = {
    "chance": "neutral",
    "cues": "shuffled",
    "none": "none",
    "counterfeit": "counterfeit",
    "corrupted": "corrupted",
    "full": "veridical",
}


def main(earned: Path, strata: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """One panel a model, one row a stratum; all items come last."""
    words = Wording.load(texts).of("benchmarks")
    table, cues = read_table(earned, EARNED), read_table(strata, STRATA)
    rows = table.pivot(index=["model", "stratum"], columns="arm", values="accuracy").reset_index()
    rows = rows.merge(cues[["stratum", "chance", "cues"]], on="stratum", how="left")
    rows = rows.merge(table[table["arm"] == "full"][["model", "stratum", "items"]], how="left")
    rows = rows.sort_values(["model", "stratum"], key=lambda c: c.where(c != "", "\uffff"))
    fig, panels = style.stacked(rows, "model", width_in=7.2, row_in=0.42)
    for panel, model, mine in panels:
        draw_panel(panel, mine, words)
        panel.set_title(model)
    for name, kind in MARKS.items():
        if name in rows and rows[name].notna().any():
            marker = {"marker": style.MARKERS[kind], "color": style.COLORS[kind], "markersize": 8}
            label = words(f"drawing.{name}")
            panels[0][0].plot([], [], linestyle="none", label=label, **marker)
    fig.legend(loc="outside upper left", ncols=3)
    panels[-1][0].set_xlabel(words("drawing.axis"))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, rows: pd.DataFrame, words: Wording) -> None:
    """The strata of one model."""
    style.light(panel, grid="x")
    for place, row in enumerate(rows.to_dict("records")):
        for name, kind in MARKS.items():
            if (value := row.get(name)) is not None and value == value:
                style.mark(panel, value, place, kind, size=8 if name != "full" else 10)
        if row["items"] == row["items"]:  # none where no bank of the own history counts
            style.beside(panel, place, f"n = {row['items']:.0f}")
    panel.set_yticks(range(len(rows)), [name or words("all_items") for name in rows["stratum"]])
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set_xlim(-0.03, 1.03)


if __name__ == "__main__":
    run(main, snakemake)
