"""Power curves: how many items would make a contrast conclusive."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.tables import COMPARED, POWER
from veridical.drawing import style
from veridical.statistics.power import WANTED


def main(power: Path, svg: Path, pdf: Path) -> None:
    """One panel a metric and reading; a curve a contrast and assumed difference, by t."""
    table = read_table(power, POWER)
    metrics = list(table["metric"].drop_duplicates())
    readings = list(table["reading"].drop_duplicates())
    fig, axes = style.figure(
        7.6,
        0.9 + 2.7 * len(metrics),
        nrows=len(metrics),
        ncols=len(readings),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for line, metric in zip(axes, metrics, strict=True):
        for panel, reading in zip(line, readings, strict=True):
            draw_panel(panel, table[(table["metric"] == metric) & (table["reading"] == reading)])
            panel.set_title(f"{metric.replace('_', ' ')}, {reading}", fontsize=9)
    fig.supylabel("probability of a conclusive verdict", fontsize=9.5, color=style.MUTED)
    for panel in axes[-1]:
        panel.set_xlabel("items (log scale)")
    style.note(
        fig,
        "Simulated from the spread the items showed; verdicts by Student's t. Solid: true\n"
        "difference 0; dashed: the observed one. Number: the first on the grid at "
        f"{WANTED:.0%} or above.",
    )
    style.save(fig, svg, pdf)


def draw_panel(panel, table: pd.DataFrame) -> None:
    """The curves of one metric and reading."""
    style.light(panel, grid="y")
    style.reference(panel, WANTED, along="y")
    curves = table[table["method"] == "t"].groupby(["contrast", "assumed"], sort=False)
    for (contrast, assumed), curve in curves:
        kind = COMPARED[contrast]
        line = "-" if assumed == "zero" else (0, (4, 2))
        truth = curve["true_difference"].iloc[0]
        needed = curve["items_for_80"].iloc[0]
        said = f"{int(needed)} items" if pd.notna(needed) else f"not by {curve['n_items'].max()}"
        panel.plot(
            curve["n_items"],
            curve["probability_conclusive"],
            color=style.COLORS[kind],
            marker=style.MARKERS[kind],
            markersize=4,
            linestyle=line,
            label=f"{kind}, {style.signed(truth, 2)}: {said}",
        )
    without = table[table["method"].isna()]
    for place, row in enumerate(without.itertuples()):
        panel.annotate(
            f"{row.contrast}: no spread among items",
            (0.03, 0.1 + 0.1 * place),
            xycoords="axes fraction",
            fontsize=8.5,
        )
    panel.set_xscale("log")
    ticks = [5, 10, 20, 40, 80, 160]
    panel.set_xticks(ticks, [str(tick) for tick in ticks])
    panel.minorticks_off()
    panel.set_ylim(-0.03, 1.05)
    if panel.get_legend_handles_labels()[0]:
        panel.legend(loc="best", fontsize=7.5)


if __name__ == "__main__":
    run(main, snakemake)
