"""Small multiples: the age score of each session, a row a model, a column a phase."""

from pathlib import Path

import pandas as pd
from veridical.aas.tables import BY_SESSION
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.drawing import style

LOOK = {  # by redundancy: R = 0 is the score at its highest
    "zero": {"color": style.COLORS["veridical"], "marker": "o", "linestyle": "-"},
    "estimated": {"color": style.COLORS["counterfeit"], "marker": "x", "linestyle": (0, (3, 2))},
}
NAMES = {"zero": "R = 0", "estimated": "R estimated"}


def main(by_session: Path, svg: Path, pdf: Path) -> None:
    """Only the registered reading is drawn; the others differ by a factor."""
    table = read_table(by_session, BY_SESSION)
    table = table[table["registered"]]
    models, phases = list(table["model"].unique()), list(table["phase"].unique())
    shape = {"nrows": len(models), "ncols": len(phases), "squeeze": False}
    fig, axes = style.figure(7.4, 1.1 + 1.6 * len(models), **shape, sharex=True, sharey=True)
    for line, model in zip(axes, models, strict=True):
        for panel, phase in zip(line, phases, strict=True):
            rows = table[(table["model"] == model) & (table["phase"] == phase)]
            if len(rows):
                draw_panel(panel, rows, first=panel is axes[0][0])
            panel.set_title(f"{model}, {phase}", fontsize=9)
            panel.set_ylim(-1, table["bound"].max() * 1.18)
            if rows.empty:
                panel.annotate("no session", (0.5, 0.5), xycoords="axes fraction", ha="center")
    fig.supylabel("Artificial Age Score, bits", fontsize=9.5, color=style.MUTED)
    for panel in axes[-1]:
        panel.set_xlabel("session")
    n = table.groupby(["model", "phase"])["session"].nunique()
    style.note(
        fig,
        f"n = {n.min()} sessions a phase; {table['reading'].iloc[0]} parameters. Dashed line: the "
        "bound, nothing recalled.\nDots: R = 0; crosses: R estimated from the answers so far, "
        "which lowers the score\nof a system that repeats itself.",
    )
    style.save(fig, svg, pdf)


def draw_panel(panel, rows: pd.DataFrame, *, first: bool) -> None:
    """The two redundancies and the bound."""
    style.light(panel, grid="y")
    bound = rows["bound"].max()
    style.reference(panel, bound, along="y")
    for redundancy, look in LOOK.items():
        own = rows[rows["redundancy"] == redundancy].sort_values("session")
        panel.plot(own["session"], own["aas"], **look, linewidth=1.2, markersize=4.5, clip_on=False)
        if len(own) and own["aas"].notna().any():
            panel.annotate(
                f"mean {own['aas'].mean():.2f}\n{NAMES[redundancy]}",
                (1.02, 0.95 if redundancy == "zero" else 0.5),
                xycoords="axes fraction",
                va="top",
                fontsize=8,
                color=look["color"],
            )
    if first:
        style.label(panel, rows["session"].min(), bound, f"bound {bound:.1f}", dx=0, dy=6,
                    fontsize=8, color=style.MUTED)  # fmt: skip
    panel.set_xticks([n for n in sorted(rows["session"].unique()) if n == 1 or n % 5 == 0])


if __name__ == "__main__":
    run(main, snakemake)
