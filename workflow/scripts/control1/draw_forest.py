"""Forest plot of Control 1's contrasts: two readings, two methods, the band of the negligible."""

from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.tables import COMPARED, CONTRASTS
from veridical.drawing import style


def main(contrasts: Path, svg: Path, pdf: Path, bound: float) -> None:
    """One panel a metric; above the registered percentile bootstrap, below Student's t."""
    table = read_table(contrasts, CONTRASTS)
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
        draw_panel(panel, table[table["metric"] == metric], bound)
        panel.set_title(metric.replace("_", " "))
    axes[-1, 0].set_xlabel("difference of scores (veridical − counterfeit), score units")
    style.note(
        fig,
        f"n = {int(table['n_items'].max())} items, means over judges and seeds. Thick line 90 %, "
        "thin 95 %.\nFilled: percentile bootstrap (registered); open: Student's t. "
        f"Band: ±{bound:g}.",
    )
    style.save(fig, svg, pdf)


def draw_panel(panel, table: pd.DataFrame, bound: float) -> None:
    """The contrasts of one metric, the first on top."""
    style.light(panel, grid="x")
    style.band(panel, -bound, bound)
    style.reference(panel, 0)
    for place, row in enumerate(table.itertuples(index=False)):
        color = style.COLORS[COMPARED[row.contrast]]
        for shift, head in ((-0.14, ""), (0.2, "t_")):
            ends = [
                getattr(row, f"{head}{end}")
                for end in ("ci90_low", "ci90_high", "ci95_low", "ci95_high")
            ]
            if all(pd.notna(end) for end in ends):
                draw_interval(panel, place + shift, row.estimate, ends, color, filled=not head)
        said = row.verdict + (", not 0" if row.inside_not_zero else "")
        said += f"\nt: {row.t_verdict}" if row.methods_disagree else ""
        style.beside(panel, place, f"{style.signed(row.estimate)}\n{said}")
    panel.set_yticks(range(len(table)), [row_label(row) for row in table.itertuples(index=False)])
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


def row_label(row) -> str:
    """What is compared, read how, and whether that was registered."""
    registered = ", registered" if row.registered else ""
    return f"{row.contrast.replace('-', ' − ')}\n{row.reading}{registered}"


if __name__ == "__main__":
    run(main, snakemake)
