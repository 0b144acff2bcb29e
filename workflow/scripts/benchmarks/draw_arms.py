"""Dots: by stratum what guessing, words alone, no memory, a counterfeit and the history earn."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.benchmarks.tables import EARNED, STRATA
from veridical.drawing import style

# What is marked where the table has it: its name here, its style, what it is called.
MARKS = (
    ("chance", "neutral", "guessing"),
    ("cues", "shuffled", "words alone"),
    ("none", "none", "no memory"),
    ("counterfeit", "counterfeit", "another's memory"),
    ("corrupted", "corrupted", "corrupted memory"),
    ("full", "veridical", "own memory"),
)


def main(earned: Path, strata: Path, svg: Path, pdf: Path) -> None:
    """One panel a model, one row a stratum; all items come last."""
    table, cues = read_table(earned, EARNED), read_table(strata, STRATA)
    rows = table.pivot(index=["model", "stratum"], columns="arm", values="accuracy").reset_index()
    rows = rows.merge(cues[["stratum", "chance", "cues"]], on="stratum", how="left")
    rows = rows.merge(table[table["arm"] == "full"][["model", "stratum", "items"]], how="left")
    rows = rows.sort_values(["model", "stratum"], key=lambda c: c.where(c != "", "\uffff"))
    fig, panels = style.stacked(rows, "model", width_in=7.2, row_in=0.42)
    for panel, model, mine in panels:
        draw_panel(panel, mine)
        panel.set_title(model)
    shown = [mark for mark in MARKS if mark[0] in rows and rows[mark[0]].notna().any()]
    for _, kind, name in shown:
        marker = {"marker": style.MARKERS[kind], "color": style.COLORS[kind], "markersize": 8}
        panels[0][0].plot([], [], linestyle="none", label=name, **marker)
    fig.legend(loc="outside upper left", ncols=3)
    panels[-1][0].set_xlabel("share of items answered rightly")
    style.save(fig, svg, pdf)


def draw_panel(panel, rows: pd.DataFrame) -> None:
    """The strata of one model."""
    style.light(panel, grid="x")
    for place, row in enumerate(rows.to_dict("records")):
        for name, kind, _ in MARKS:
            if (value := row.get(name)) is not None and value == value:
                style.mark(panel, value, place, kind, size=8 if name != "full" else 10)
        style.beside(panel, place, f"n = {row['items']:.0f}")
    panel.set_yticks(range(len(rows)), [name or "all items" for name in rows["stratum"]])
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set_xlim(-0.03, 1.03)


if __name__ == "__main__":
    run(main, snakemake)
