"""Slope plot of the anchors: the same answers, scored in two judging sessions."""

from pathlib import Path

import pandas as pd
from veridical import style
from veridical.tables import read_table


def main(drift: Path, *paths: Path) -> None:
    """One panel a metric: each item's anchor in the original and in the counterfeit session."""
    table = read_table(drift, ["metric", "contrast", "drift"], text=["item_id"])
    metrics = list(table["metric"].drop_duplicates())
    fig, axes = style.figure(
        3.9 * len(metrics), 4.4, ncols=len(metrics), sharey=True, squeeze=False
    )
    for panel, metric in zip(axes[0], metrics, strict=True):
        draw_panel(panel, table[table["metric"] == metric])
        panel.set_title(metric.replace("_", " "))
    axes[0, 0].set_ylabel("mean score of the anchor, 0 to 1")
    n = table["item_id"].nunique()
    style.note(
        fig,
        f"n = {n} items, means over judges. The texts are the same in every session: what\n"
        "moves is the judges. Drift = original − counterfeit session.",
    )
    style.save(fig, *paths)


def draw_panel(panel, table: pd.DataFrame) -> None:
    """A line an item and counterfeit kind; the item that moved most is named."""
    style.light(panel, grid="y")
    for contrast, rows in table.groupby("contrast", sort=False):
        kind = contrast.rpartition("-")[2]
        look = {"color": style.COLORS[kind], "marker": style.MARKERS[kind]}
        line = "-" if kind == "foreign" else (0, (4, 2))
        for row in rows.itertuples():
            ends = (row.anchor_original, row.anchor_counterfeit)
            panel.plot((0, 1), ends, linewidth=1.1, linestyle=line, markersize=5, **look)
        most = rows.loc[rows["drift"].abs().idxmax()]
        style.label(
            panel,
            1,
            most["anchor_counterfeit"],
            f"{most['item_id']} {style.signed(most['drift'])}",
            color=look["color"],
        )
        panel.plot(
            [],
            [],
            linestyle=line,
            label=f"{kind}: mean {style.signed(rows['drift'].mean())}",
            **look,
        )
    panel.set_xticks((0, 1), ("original", "counterfeit"))
    panel.set_xlim(-0.15, 1.45)
    panel.set_ylim(-0.03, 1.03)
    panel.legend(loc="upper left", bbox_to_anchor=(0, -0.08))


if __name__ == "__main__":
    from veridical.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.drift),  # noqa: F821
        Path(snakemake.output.svg),  # noqa: F821
        Path(snakemake.output.pdf),  # noqa: F821
    )
