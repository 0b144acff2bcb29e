"""A heat map: a square a memory and instrument, the fuller the more studies noticed something."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording
from veridical.zoo.tables import RATES

SIDES = ("write", "read", "none", "sound")
GROUPS = ("together", "others", "ours", "yours")
CELL = 0.205  # inches: so narrow that the texts are still legible where the page is a phone
GAP = 0.55  # between groups, in cells
SMALLEST, LARGEST = 0.3, 0.86  # sides of a square, in cells: noticed once, and always


def main(rates: Path, svg: Path, pdf: Path, *, texts: Path = ENGLISH) -> None:
    """Faults by where they sit, sound memories last; what is used together comes first."""
    words = Wording.load(texts).of("zoo")
    table = read_table(rates, RATES)
    rows = places(table, "subject", "side", SIDES)
    columns = places(table, "instrument", "group", GROUPS)
    width, height = max(columns.values()) + 1, max(rows.values()) + 1
    fig, axes = style.figure(2.25 + CELL * width, 1.75 + CELL * height)
    style.light(axes)
    for row in table[table["noticed"] > 0].to_dict("records"):
        draw_square(axes, columns[row["instrument"]], rows[row["subject"]], row)
    never = table[table["noticed"] == 0]
    x, y = never["instrument"].map(columns), never["subject"].map(rows)
    axes.plot(x, y, marker="o", markersize=1.6, color=style.GRID, linestyle="none")
    label_axes(axes, rows, columns, words)
    style.note(fig, words("drawing.note"))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def places(table: pd.DataFrame, name: str, group: str, order: tuple[str, ...]) -> dict[str, float]:
    """Where each name stands on its axis: groups in their order, a gap between them."""
    found: dict[str, float] = {}
    at = 0.0
    heads = table[[name, group]].drop_duplicates()
    for each in order:
        names = list(heads[heads[group] == each][name])
        found |= {one: at + number for number, one in enumerate(names)}
        at += len(names) + GAP if names else 0
    return found


def draw_square(axes, x: float, y: float, row: dict) -> None:
    """One share above nothing; on a sound memory what is noticed is a false alarm."""
    from matplotlib.patches import Rectangle

    share = row["share"]
    side = SMALLEST + (LARGEST - SMALLEST) * share
    kind = "counterfeit" if row["side"] == "sound" else "veridical"
    corner = (x - side / 2, y - side / 2)
    colour = style.COLORS[kind]
    alpha = 1.0 if share >= 0.8 or kind == "counterfeit" else 0.45
    axes.add_patch(Rectangle(corner, side, side, color=colour, alpha=alpha, linewidth=0))


def label_axes(axes, rows: dict, columns: dict, words: Wording) -> None:
    """Name memories on the left, instruments above."""
    named = [words.value("instrument", key) for key in columns]
    axes.set_xticks(list(columns.values()), named, rotation=60, ha="left", rotation_mode="anchor")
    axes.set_yticks(list(rows.values()), [words.value("subject", key) for key in rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelcolor=style.INK, labelsize=11)
    for tick in axes.get_xticklabels()[: 2 if {"controls", "scores"} <= columns.keys() else 0]:
        tick.set_fontweight("bold")
    axes.set_xlim(-0.6, max(columns.values()) + 0.6)
    axes.set_ylim(max(rows.values()) + 0.6, -0.6)
    axes.set_aspect("equal")
    for spine in axes.spines.values():
        spine.set_visible(False)


if __name__ == "__main__":
    run(main, snakemake)
