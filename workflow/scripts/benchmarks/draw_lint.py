"""Dots: what each stratum gives away to guessing, to one constant answer, and to words alone."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.benchmarks.tables import STRATA
from veridical.drawing import style

# What is marked, in which style, and what it is called.
MARKS = (
    ("chance", "none", "guessing among the options"),
    ("constant", "shuffled", "one constant answer, the best"),
    ("cues", "counterfeit", "words and length alone"),
)


def main(strata: Path, svg: Path, pdf: Path) -> None:
    """One row a stratum, in the table's order."""
    table = read_table(strata, STRATA)
    fig, axes = style.figure(7.2, 1.7 + 0.34 * len(table))
    style.light(axes, grid="x")
    for place, row in enumerate(table.itertuples(index=False)):
        for column, kind, _ in MARKS:
            if (value := getattr(row, column)) == value:
                style.mark(axes, value, place, kind, size=8)
        style.beside(axes, place, f"n = {row.items:,}")
    for _, kind, name in MARKS:
        marker = {"marker": style.MARKERS[kind], "color": style.COLORS[kind], "markersize": 8}
        axes.plot([], [], linestyle="none", label=name, **marker)
    axes.set_yticks(range(len(table)), [name or "all items" for name in table["stratum"]])
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlim(-0.03, 1.03)
    axes.set_xlabel("share of items answered rightly without any memory")
    fig.legend(loc="outside upper left", ncols=3)
    style.save(fig, svg, pdf)


if __name__ == "__main__":
    run(main, snakemake)
