"""Slope plot of the anchors: the same answers, scored in two judging sessions."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.cells import by_cell, cell_names
from veridical.control1.kinds import role
from veridical.control1.tables import COMPARED, DRIFT, NONE, SESSIONS
from veridical.drawing import style
from veridical.report.wording import ENGLISH, Wording

LABEL_IN = 0.16  # inches of a cell's label where they are many


def main(
    drift: Path,
    svg: Path,
    pdf: Path,
    *,
    texts: Path = ENGLISH,
    labels: Mapping[str, str] | None = None,
) -> None:
    """One panel a metric and kind: each item's anchor in the source's two sessions.

    With several cells a line a cell, the mean over its items: these stand in the table.
    """
    words = Wording.load(texts).naming("metric", labels).of("control1")
    table = read_table(drift, DRIFT)
    judged = len(table)
    table = table[table["contrast"] != f"veridical-{NONE}"]
    if table.empty:
        style.blank(words("drawing.no_counterfeit" if judged else "drawing.not_admitted"), svg, pdf)
        return
    contrasts = list(table["contrast"].drop_duplicates())
    table = table.assign(cell=cell_names(table))
    cells, metrics = table["cell"].nunique(), list(table["metric"].drop_duplicates())
    panels = {"nrows": len(metrics), "ncols": len(contrasts), "sharex": True, "sharey": True}
    height = 2.7 + LABEL_IN * max(0, cells - 4)
    fig, axes = style.figure(7.4, 0.8 + height * len(metrics), squeeze=False, **panels)
    for line, metric in zip(axes, metrics, strict=True):
        for panel, contrast in zip(line, contrasts, strict=True):
            mine = (table["metric"] == metric) & (table["contrast"] == contrast)
            kind = COMPARED[contrast]
            if cells > 1:
                draw_cells(panel, table[mine], kind, words, label_gap(table, height))
            else:
                draw_panel(panel, table[mine], kind, words)
            names = {"metric": words.value("metric", metric), "kind": words.value("kind", kind)}
            panel.set_title(words("drawing.metric_contrast", **names), fontsize=9)
    fig.supylabel(words("drawing.anchor_axis"), fontsize=9.5, color=style.MUTED)
    items = max(own["item_id"].nunique() for _, own in by_cell(table))
    style.note(
        fig, words("drawing.drift_note_cells" if cells > 1 else "drawing.drift_note", n=items)
    )
    style.save(fig, svg, pdf, decimal=words.raw("formats.decimal"))


def label_gap(table: pd.DataFrame, height: float) -> float:
    """How far labels must lie apart on the panels' one axis, in score units, not to overlap."""
    means = table.groupby(["metric", "contrast", "cell"])[["anchor_original", "anchor_counterfeit"]]
    scores = means.mean().to_numpy()
    return 1.3 * max(float(scores.max() - scores.min()), 0.05) * LABEL_IN / (height - 0.6)


def draw_cells(panel, rows: pd.DataFrame, kind: str, words: Wording, gap: float) -> None:
    """A line a cell, from its mean in one session to that in the other, and how far it drifted.

    Their labels stand `gap` apart.
    """
    style.light(panel, grid="y")
    color, ends = style.COLORS[role(kind)], []
    for cell, own in rows.groupby("cell", sort=False):
        first, second = own["anchor_original"].mean(), own["anchor_counterfeit"].mean()
        panel.plot(
            (0, 1), (first, second), color=color, marker=style.MARKERS["anchor"], markersize=5
        )
        ends.append((second, f"{cell} {words.number(own['drift'].mean(), sign=True)}", color))
    style.label_ends(panel, 1, ends, gap=gap)
    panel.set_xticks((0, 1), [words(f"drawing.{session}") for session in SESSIONS])
    panel.set_xlim(-0.2, 2.1)
    panel.margins(y=0.15)


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
