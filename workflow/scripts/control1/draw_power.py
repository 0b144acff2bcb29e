"""Power curves: how many items would make a contrast conclusive."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.cells import lines_of
from veridical.control1.kinds import MARKS, role
from veridical.control1.panel_tables import POWER
from veridical.control1.tables import COMPARED
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording
from veridical.statistics.power import WANTED


def main(
    power: Path,
    svg: Path,
    pdf: Path,
    *,
    texts: Path = ENGLISH,
    labels: Mapping[str, str] | None = None,
) -> None:
    """One panel a cell, metric and reading; a curve a contrast and assumed difference, by t."""
    words = Wording.load(texts).naming("metric", labels).of("control1")
    table = read_table(power, POWER)
    if table.empty:
        style.blank(words("drawing.not_admitted"), svg, pdf)
        return
    lines = lines_of(table)
    readings = list(table["reading"].drop_duplicates())
    named = len(table[["contrast", "assumed"]].drop_duplicates())
    fig, axes = style.figure(
        7.6,
        0.9 + (2.1 + 0.19 * named) * len(lines),
        nrows=len(lines),
        ncols=len(readings),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for line, (cell, metric, mine) in zip(axes, lines, strict=True):
        for panel, reading in zip(line, readings, strict=True):
            rows = mine[mine["reading"] == reading]
            draw_panel(panel, rows, words, last=line is axes[-1])
            title = ", ".join((words.value("metric", metric), words.value("reading", reading)))
            panel.set_title("\n".join(filter(None, (cell, title))), fontsize=9)
    fig.supylabel(words("drawing.conclusive_axis"), fontsize=9.5, color=style.MUTED)
    for panel in axes[-1]:
        panel.set_xlabel(words("drawing.items_axis"))
    style.note(fig, words("drawing.power_note", wanted=words.percent(WANTED, 0)))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, table: pd.DataFrame, words: Wording, *, last: bool) -> None:
    """The curves of one metric and reading."""
    style.light(panel, grid="y")
    style.reference(panel, WANTED, along="y")
    curves = table[table["method"] == "t"].groupby(["contrast", "assumed"], sort=False)
    for (contrast, assumed), curve in curves:
        kind = COMPARED[contrast]
        line = "-" if assumed == "zero" else (0, (4, 2))
        panel.plot(
            curve["n_items"],
            curve["probability_conclusive"],
            color=style.COLORS[role(kind)],
            marker=MARKS.get(kind) or style.MARKERS[kind],
            markersize=4,
            linestyle=line,
            label=curve_label(kind, curve.iloc[-1], words),
        )
    for place, row in enumerate(table[table["method"].isna()].itertuples()):
        kind = words.value("kind", COMPARED[row.contrast])
        said = words("drawing.no_spread", kind=kind)
        panel.annotate(said, (0.03, 0.1 + 0.1 * place), xycoords="axes fraction", fontsize=8.5)
    panel.set_xscale("log")
    ticks = [5, 10, 20, 40, 80, 160]
    panel.set_xticks(ticks, [str(tick) for tick in ticks])
    panel.minorticks_off()
    panel.set_ylim(-0.03, 1.05)
    if panel.get_legend_handles_labels()[0]:  # below the curves, which fill the panel
        below = -0.3 if last else -0.04  # the numbers of the axis stand under the last row
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, below), fontsize=7.5)


def curve_label(kind: str, last, words: Wording) -> str:
    """What a curve is of, what it takes for true, and how many items it asks for."""
    items, most = last["items_for_80"], int(last["n_items"])
    needed = (
        words("drawing.needed_beyond", items=most)
        if pd.isna(items)
        else words("drawing.needed", items=int(items))
    )
    truth = words.number(last["true_difference"], 2, sign=True)
    return words("drawing.curve", kind=words.value("kind", kind), truth=truth, needed=needed)


if __name__ == "__main__":
    run(main, snakemake)
