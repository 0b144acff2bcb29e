"""Slope plot of the anchors: the same answers, scored in two judging sessions."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.tables import COMPARED, DRIFT
from veridical.drawing import style


def main(drift: Path, svg: Path, pdf: Path) -> None:
    """One panel a metric: each item's anchor in the original and in the counterfeit session."""
    table = read_table(drift, DRIFT)
    metrics = list(table["metric"].drop_duplicates())
    contrasts = list(table["contrast"].drop_duplicates())
    panels = {"nrows": len(metrics), "ncols": len(contrasts), "sharex": True, "sharey": True}
    fig, axes = style.figure(7.4, 0.8 + 2.7 * len(metrics), squeeze=False, **panels)
    for line, metric in zip(axes, metrics, strict=True):
        for panel, contrast in zip(line, contrasts, strict=True):
            rows = table[(table["metric"] == metric) & (table["contrast"] == contrast)]
            draw_panel(panel, rows, COMPARED[contrast])
            panel.set_title(
                f"{metric.replace('_', ' ')}, {contrast.replace('-', ' − ')}", fontsize=9
            )
    fig.supylabel("mean score of the anchor, 0 to 1", fontsize=9.5, color=style.MUTED)
    style.note(
        fig,
        f"n = {table['item_id'].nunique()} items, means over judges. The texts are the same in "
        "both sessions: what\nmoves is the judges. Drift = original − counterfeit session.",
    )
    style.save(fig, svg, pdf)


def draw_panel(panel, rows: pd.DataFrame, kind: str) -> None:
    """A line an item; the item that moved most is drawn thick and named."""
    style.light(panel, grid="y")
    color = style.COLORS[kind]
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
        f"{named['item_id']} {style.signed(named['drift'])}",
        color=color,
    )
    panel.annotate(
        f"mean drift {style.signed(rows['drift'].mean())}",
        (0.5, 0.02),
        xycoords="axes fraction",
        ha="center",
        fontsize=9,
    )
    panel.set_xticks((0, 1), ("original\nsession", "counterfeit\nsession"))
    panel.set_xlim(-0.2, 1.5)
    panel.margins(y=0.25)


if __name__ == "__main__":
    run(main, snakemake)
