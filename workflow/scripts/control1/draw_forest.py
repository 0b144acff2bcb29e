"""Forest plot of Control 1's contrasts: two readings, two methods, the band of the negligible."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.cells import cell_names
from veridical.control1.kinds import role
from veridical.control1.tables import COMPARED, CONTRASTS
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

ROW_IN = 0.44  # inches of a cell, or of a contrast's name above its cells


def main(
    contrasts: Path,
    svg: Path,
    pdf: Path,
    bound: float,
    *,
    texts: Path = ENGLISH,
    labels: Mapping[str, str] | None = None,
) -> None:
    """One panel a metric; above the registered percentile bootstrap, below Student's t.

    With several cells a line a cell under the name of its contrast, by the registered reading
    alone: the other stands in the table.
    """
    words = Wording.load(texts).naming("metric", labels).of("control1")
    table = read_table(contrasts, CONTRASTS)
    if table.empty:
        style.blank(words("drawing.not_admitted"), svg, pdf)
        return
    table["cell"] = cell_names(table)
    several = (table["cell"] != "").any()
    if several:
        table = table[table["registered"]].sort_values("contrast", kind="stable")
    metrics = list(table["metric"].drop_duplicates())
    rows = table.groupby("metric").size().max()
    row_in, draw = (ROW_IN, draw_cells) if several else (0.7, draw_panel)
    heads = table["contrast"].nunique() if several else 0
    fig, axes = style.figure(
        7.6,
        1.1 + len(metrics) * (0.5 + row_in * (rows + heads)),
        nrows=len(metrics),
        sharex=True,
        squeeze=False,
    )
    for panel, metric in zip(axes[:, 0], metrics, strict=True):
        draw(panel, table[table["metric"] == metric], bound, words)
        panel.set_title(words.value("metric", metric))
    axes[-1, 0].set_xlabel(words("drawing.difference_axis"))
    told = {"n": int(table["n_items"].max()), "bound": words.setting(bound)}
    style.note(
        fig, words("drawing.forest_note_cells" if several else "drawing.forest_note", **told)
    )
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, bound: float, words: Wording) -> None:
    """The contrasts of one metric, the first on top."""
    style.light(panel, grid="x")
    style.band(panel, -bound, bound)
    style.reference(panel, 0)
    for place, row in enumerate(table.itertuples(index=False)):
        draw_row(panel, place, row)
        style.beside(panel, place, beside(row, words))
    labels = [row_label(row, words) for row in table.itertuples(index=False)]
    panel.set_yticks(range(len(table)), labels)
    panel.set_ylim(len(table) - 0.4, -0.6)


def draw_cells(panel, table: pd.DataFrame, bound: float, words: Wording) -> None:
    """The cells of one metric, contrast by contrast, each contrast's name above its cells."""
    style.light(panel, grid="x")
    style.band(panel, -bound, bound)
    style.reference(panel, 0)
    labels, heads = [], {}
    for contrast, cells in table.groupby("contrast", sort=False):
        kind = COMPARED[contrast]
        heads[len(labels)] = style.COLORS[role(kind)]
        labels.append(words("drawing.contrast", kind=words.value("kind", kind)))
        for row in cells.itertuples(index=False):
            draw_row(panel, len(labels), row)
            style.beside(panel, len(labels), beside(row, words, between="  "))
            labels.append(row.cell)
    panel.set_yticks(range(len(labels)), labels)
    for place, color in heads.items():
        panel.get_yticklabels()[place].set(color=color, fontweight="bold")
    panel.set_ylim(len(labels) - 0.4, -0.6)


def draw_row(panel, place: float, row) -> None:
    """A contrast's estimate with its intervals by both methods, about its place."""
    color = style.COLORS[role(COMPARED[row.contrast])]
    for shift, head in ((-0.14, ""), (0.2, "t_")):
        ends = [
            getattr(row, f"{head}{end}")
            for end in ("ci90_low", "ci90_high", "ci95_low", "ci95_high")
        ]
        if all(pd.notna(end) for end in ends):
            style.intervals(panel, place + shift, row.estimate, ends, color, filled=not head)


def beside(row, words: Wording, between: str = "\n") -> str:
    """The estimate, its verdict, and t's where the methods disagree."""
    said = words.value("verdict", row.verdict)
    said = words("drawing.not_zero", verdict=said) if row.inside_not_zero else said
    lines = [words.number(row.estimate, sign=True) + between + said]
    if row.methods_disagree:
        lines.append(words("drawing.t_says", verdict=words.value("verdict", row.t_verdict)))
    return "\n".join(lines)


def row_label(row, words: Wording) -> str:
    """What is compared, read how, and whether that was registered."""
    reading = words.value("reading", row.reading)
    reading = words("drawing.reading_registered", reading=reading) if row.registered else reading
    kind = words.value("kind", COMPARED[row.contrast])
    return words("drawing.contrast", kind=kind) + "\n" + reading


if __name__ == "__main__":
    run(main, snakemake)
