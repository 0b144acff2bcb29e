"""One look for every figure: size, fonts, colours by role, direct labels, byte-identical files.

A figure starts with `figure`, names its colours by what they stand for (`COLORS["veridical"]`),
labels its marks directly, says its n with `note`, and ends with `save`. Texts stay texts in the
SVG, so that the report can set them in its own fonts and turn the neutral colours for dark mode.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.drawing.marks import (
    above,
    band,
    beside,
    interval,
    intervals,
    label,
    label_ends,
    light,
    mark,
    ranged,
    reference,
    signed,
)
from veridical.drawing.palette import (
    BAND,
    COLORS,
    GRID,
    HATCHES,
    INK,
    MARKERS,
    MUTED,
    PAPER,
    VARIABLES,
    model_style,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "BAND", "COLORS", "GRID", "HATCHES", "INK", "MARKERS", "MUTED", "PAPER", "VARIABLES",
    "above", "band", "beside", "figure", "head_panels", "interval", "intervals", "label",
    "label_ends", "light", "mark", "model_style", "note", "ranged", "reference", "save", "signed",
    "stacked", "text_width",
]  # fmt: skip

WIDTH = 6.0  # inches: at 10 pt the texts are still legible where the page is a phone

_RC: dict[str, Any] = {
    "font.family": ["sans-serif"],
    # The report's own Inter; DejaVu Sans, which ships with matplotlib, for signs that it lacks.
    "font.sans-serif": ["Inter", "DejaVu Sans"],
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelsize": 10,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "axes.facecolor": "none",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 1.8,
    "lines.markersize": 6,
    "lines.solid_capstyle": "round",
    "text.color": INK,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 10,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "veridical",
    "text.parse_math": False,  # model names and answers may hold a dollar sign
}


# Where a viewer lacks Inter, a face as wide as Inter or narrower, so that no text is cut off at the
# edge of a file shown outside the report: Arial is 6 % narrower, DejaVu Sans 7 % wider.
_MEASURED = "'Inter', 'DejaVu Sans', sans-serif"
_SHOWN = "'Inter', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

FONTS = Path(__file__).parents[2] / "report" / "assets" / "fonts"


def _set_up() -> None:
    """Make the house style matplotlib's own, so that whatever a figure draws follows it."""
    import matplotlib
    from matplotlib import font_manager

    known = {Path(entry.fname) for entry in font_manager.fontManager.ttflist}
    for path in sorted(FONTS.glob("inter-*.ttf")):
        if path not in known:
            font_manager.fontManager.addfont(path)
    matplotlib.rcParams.update(_RC)


def figure(width_in: float = WIDTH, height_in: float = 3.2, **subplots: Any) -> tuple[Figure, Any]:
    """Open a figure in the house style.

    `width_in` and `height_in` are inches; `subplots` go to `Figure.subplots` (nrows, ncols, sharex,
    sharey, width_ratios, squeeze, ...). Returns the figure and its axes, as `Figure.subplots` does.
    The layout is constrained: labels never leave the figure.

    >>> fig, axes = figure(6, 3)
    >>> fig, (left, right) = figure(6, 3, ncols=2, sharey=True)
    """
    _set_up()
    from matplotlib.figure import Figure

    fig = Figure(figsize=(width_in, height_in), layout="constrained")
    axes = fig.subplots(**subplots)
    return fig, axes


def stacked(
    table: pd.DataFrame, column: str, *, width_in: float, row_in: float, head_in: float = 1.5
) -> tuple[Figure, list[tuple[Axes, Any, pd.DataFrame]]]:
    """Open a figure of one panel for each value of `column`, one above the other, on one x axis.

    A row of the table has `row_in` inches, and what stands around the panels `head_in`. Returns the
    figure and, for each panel from the top, its axes, its value and its rows of the table.
    """
    parts = [(value, table[table[column] == value]) for value in table[column].drop_duplicates()]
    heights = [len(part) for _, part in parts]
    fig, axes = figure(
        width_in,
        round(head_in + row_in * sum(heights) + 0.35 * len(parts), 6),
        nrows=len(parts),
        sharex=True,
        squeeze=False,
        height_ratios=heights,
    )
    return fig, [(panel, *part) for panel, part in zip(axes[:, 0], parts, strict=True)]


def head_panels(fig: Figure, panels: list[tuple[Axes, Any, pd.DataFrame]], heading: str) -> None:
    """Say above each panel of a `stacked` figure which value it is of; nothing above a single one.

    The first panel's legend then stands above all of them.
    """
    if len(panels) == 1:
        return
    for panel, value, _ in panels:
        panel.set_title(f"{heading} {value}")
    if legend := panels[0][0].get_legend():
        handles, labels = panels[0][0].get_legend_handles_labels()
        legend.remove()
        fig.legend(handles, labels, loc="outside upper left", ncols=len(labels))


def save(fig: Figure, *paths: Path | str, decimal: str = ".") -> None:
    """Write the figure to each path, format by suffix (.svg, .pdf), the same bytes every time.

    `decimal` is the decimal mark of its axes' numbers; its texts are worded by who draws it.
    """
    import matplotlib

    if decimal != ".":
        _mark_decimals(fig, decimal)
    metadata: dict[str, dict[str, Any]] = {
        ".svg": {"Date": None, "Creator": None},
        ".pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    }
    with matplotlib.rc_context(_RC):
        for path in map(Path, paths):
            if path.suffix not in metadata:
                raise ValueError(f"{path}: figures are saved as .svg or .pdf, not {path.suffix!r}")
            path.parent.mkdir(parents=True, exist_ok=True)
            fig.savefig(path, format=path.suffix[1:], metadata=metadata[path.suffix])
            if path.suffix == ".svg":
                drawn = path.read_text(encoding="utf-8")
                path.write_text(drawn.replace(_MEASURED, _SHOWN), encoding="utf-8", newline="\n")


def blank(text: str, *paths: Path | str) -> None:
    """Write a figure that says in words why there is nothing to draw."""
    fig, panel = figure(height_in=1.2)
    panel.set_axis_off()
    panel.text(0.5, 0.5, text, ha="center", va="center", color=MUTED, transform=panel.transAxes)
    save(fig, *paths)


def _mark_decimals(fig: Figure, decimal: str) -> None:
    """Give the numbers of every axis a decimal mark of their own."""
    from matplotlib.ticker import ScalarFormatter

    class Marked(ScalarFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return super().__call__(x, pos).replace(".", decimal)

    for axes in fig.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(Marked())


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is in a figure, in points, at a size in points.

    >>> text_width("inconclusive", 9) < text_width("inconclusive", 9, bold=True)
    True
    """
    from matplotlib.ft2font import FT2Font

    font = FT2Font(str(FONTS / f"inter-{'semibold' if bold else 'regular'}.ttf"))
    font.set_size(1000, 72)  # measured large, or every letter is rounded to whole dots
    font.set_text(text)
    return font.get_width_height()[0] / 64 * size / 1000


def note(fig: Figure, text: str) -> None:
    """Write the small print below the figure: n, units, what the intervals are."""
    fig.supxlabel(text, x=0.01, ha="left", fontsize=9, color=MUTED)
