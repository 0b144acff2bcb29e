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

    With several cells a row a cell and contrast, by the registered reading alone: the other stands
    in the table.
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
    fig, axes = style.figure(
        7.6,
        1.1 + len(metrics) * (0.5 + 0.7 * rows),
        nrows=len(metrics),
        sharex=True,
        squeeze=False,
    )
    for panel, metric in zip(axes[:, 0], metrics, strict=True):
        draw_panel(panel, table[table["metric"] == metric], bound, words)
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
        color = style.COLORS[role(COMPARED[row.contrast])]
        for shift, head in ((-0.14, ""), (0.2, "t_")):
            ends = [
                getattr(row, f"{head}{end}")
                for end in ("ci90_low", "ci90_high", "ci95_low", "ci95_high")
            ]
            if all(pd.notna(end) for end in ends):
                draw_interval(panel, place + shift, row.estimate, ends, color, filled=not head)
        style.beside(panel, place, beside(row, words))
    labels = [row_label(row, words) for row in table.itertuples(index=False)]
    panel.set_yticks(range(len(table)), labels)
    panel.set_ylim(len(table) - 0.4, -0.6)


def draw_interval(panel, y: float, estimate: float, ends: list[float], color: str, *, filled: bool):
    """An estimate with its 90 % and 95 % intervals; open and dashed where it is t's."""
    line = "-" if filled else (0, (2, 1))
    panel.plot(ends[2:], (y, y), color=color, linewidth=1, linestyle=line, marker="|", markersize=6)
    panel.plot(ends[:2], (y, y), color=color, linewidth=3.4 if filled else 2, solid_capstyle="butt")
    panel.plot(
        [estimate],
        [y],
        marker="o" if filled else "D",
        markersize=7 if filled else 5,
        color=color,
        markerfacecolor=color if filled else style.PAPER,
        linestyle="none",
        zorder=5,
    )


def beside(row, words: Wording) -> str:
    """The estimate, its verdict, and t's where the methods disagree."""
    said = words.value("verdict", row.verdict)
    said = words("drawing.not_zero", verdict=said) if row.inside_not_zero else said
    lines = [words.number(row.estimate, sign=True), said]
    if row.methods_disagree:
        lines.append(words("drawing.t_says", verdict=words.value("verdict", row.t_verdict)))
    return "\n".join(lines)


def row_label(row, words: Wording) -> str:
    """What is compared, read how, and whether that was registered."""
    reading = words.value("reading", row.reading)
    reading = words("drawing.reading_registered", reading=reading) if row.registered else reading
    kind = words.value("kind", COMPARED[row.contrast])
    return words("drawing.contrast", kind=kind) + "\n" + (getattr(row, "cell", "") or reading)


if __name__ == "__main__":
    run(main, snakemake)
