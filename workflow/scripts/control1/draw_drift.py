"""Slope plot of the anchors: the same answers, scored in two judging sessions."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.cells import by_cell, lines_of
from veridical.control1.kinds import role
from veridical.control1.tables import COMPARED, DRIFT, NONE, SESSIONS
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording


def main(
    drift: Path,
    svg: Path,
    pdf: Path,
    *,
    texts: Path = ENGLISH,
    labels: Mapping[str, str] | None = None,
) -> None:
    """One panel a cell, metric and kind: each item's anchor in the source's two sessions."""
    words = Wording.load(texts).naming("metric", labels).of("control1")
    table = read_table(drift, DRIFT)
    judged = len(table)
    table = table[table["contrast"] != f"veridical-{NONE}"]
    if table.empty:
        style.blank(words("drawing.no_counterfeit" if judged else "drawing.not_admitted"), svg, pdf)
        return
    contrasts = list(table["contrast"].drop_duplicates())
    lines = lines_of(table)
    panels = {"nrows": len(lines), "ncols": len(contrasts), "sharex": True, "sharey": True}
    fig, axes = style.figure(7.4, 0.8 + 2.7 * len(lines), squeeze=False, **panels)
    for line, (cell, metric, mine) in zip(axes, lines, strict=True):
        for panel, contrast in zip(line, contrasts, strict=True):
            rows, kind = mine[mine["contrast"] == contrast], COMPARED[contrast]
            draw_panel(panel, rows, kind, words)
            names = {"metric": words.value("metric", metric), "kind": words.value("kind", kind)}
            title = words("drawing.metric_contrast", **names)
            panel.set_title("\n".join(filter(None, (cell, title))), fontsize=9)
    fig.supylabel(words("drawing.anchor_axis"), fontsize=9.5, color=style.MUTED)
    items = max(own["item_id"].nunique() for _, own in by_cell(table))
    style.note(fig, words("drawing.drift_note", n=items))
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def draw_panel(panel, rows: pd.DataFrame, kind: str, words: Wording) -> None:
    """A line an item; the item that moved most is drawn thick and named."""
    style.light(panel, grid="y")
    color = style.COLORS[role(kind)]
    most = rows["drift"].abs().idxmax()
    for index, row in rows.iterrows():
        panel.plot(
            (0, 1),
            (row["anchor_original"], row["anchor_counterfeit"]),
            color=color if index == most else style.MUTED,
            linewidth=2.4 if index == most else 1,
            marker=style.MARKERS["anchor"],
            markersize=5,
            zorder=3 if index == most else 2,
        )
    named = rows.loc[most]
    style.label(
        panel,
        1,
        named["anchor_counterfeit"],
        f"{named['item_id']} {words.number(named['drift'], sign=True)}",
        color=color,
    )
    panel.annotate(
        words("drawing.mean_drift", drift=words.number(rows["drift"].mean(), sign=True)),
        (0.5, 0.02),
        xycoords="axes fraction",
        ha="center",
        fontsize=9,
    )
    panel.set_xticks((0, 1), [words(f"drawing.{session}") for session in SESSIONS])
    panel.set_xlim(-0.2, 1.5)
    panel.margins(y=0.25)


if __name__ == "__main__":
    run(main, snakemake)
