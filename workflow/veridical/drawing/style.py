"""One look for every figure: size, fonts, colours by role, direct labels, byte-identical files.

A figure starts with `figure`, names its colours by what they stand for (`COLORS["veridical"]`),
labels its marks directly, says its n with `note`, and ends with `save`. Texts stay texts in the
SVG, so that the report can set them in its own fonts and turn the neutral colours for dark mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 6.0  # inches: at 10 pt the texts are still legible where the page is a phone

INK = "#1f2328"  # texts and marks
MUTED = "#5b6470"  # secondary texts, ticks
GRID = "#d9dce1"  # grid and reference lines
BAND = "#eef0f3"  # areas behind the marks: bounds, chance
PAPER = "#ffffff"

# Each passes 4.5:1 on white (so it may colour a label) and stays apart from the others for
# deuteranopes, protanopes and tritanopes; marker or hatch tells the same in greyscale.
COLORS = {
    "veridical": "#1a54c0",
    "counterfeit": "#c8460c",
    "foreign": "#c8460c",
    "shuffled": "#4d3400",
    "corrupted": "#7d2a8e",
    "none": "#6b7280",
    "anchor": "#007d4f",
    "neutral": "#1f2328",
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
    "band": BAND,
}

MARKERS = {
    "veridical": "o",
    "counterfeit": "s",
    "foreign": "s",
    "shuffled": "D",
    "corrupted": "X",
    "none": "v",
    "anchor": "^",
    "neutral": "o",
}

HATCHES = {
    "veridical": "",
    "counterfeit": "////",
    "foreign": "////",
    "shuffled": "xxxx",
    "corrupted": "\\\\\\\\",
    "none": "....",
    "anchor": "----",
    "neutral": "",
}

_MODEL_COLORS = ("#1a54c0", "#c8460c", "#007d4f", "#7d2a8e", "#4d3400", "#1f2328", "#5b6470")
_MODEL_MARKERS = ("o", "s", "^", "X", "D", "v", "P")
_MODEL_LINES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (9, 3)), (0, (3, 1)), "-")

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
    table: pd.DataFrame, column: str, *, width_in: float, row_in: float
) -> tuple[Figure, list[tuple[Axes, Any, pd.DataFrame]]]:
    """Open a figure of one panel for each value of `column`, one above the other, on one x axis.

    A row of the table has `row_in` inches. Returns the figure and, for each panel from the top, its
    axes, its value and its rows of the table.
    """
    parts = [(value, table[table[column] == value]) for value in table[column].drop_duplicates()]
    heights = [len(part) for _, part in parts]
    fig, axes = figure(
        width_in,
        1.5 + row_in * sum(heights) + 0.35 * len(parts),
        nrows=len(parts),
        sharex=True,
        squeeze=False,
        height_ratios=heights,
    )
    return fig, [(panel, *part) for panel, part in zip(axes[:, 0], parts, strict=True)]


def save(fig: Figure, *paths: Path | str) -> None:
    """Write the figure to each path, format by suffix (.svg, .pdf), the same bytes every time."""
    import matplotlib

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


def model_style(i: int) -> dict[str, Any]:
    """Colour, marker and line style of the i-th model (from 0): no two alike below 49."""
    shift = (i // len(_MODEL_COLORS)) % len(_MODEL_MARKERS)
    i %= len(_MODEL_COLORS)
    turned = (i + shift) % len(_MODEL_MARKERS)
    return {
        "color": _MODEL_COLORS[i],
        "marker": _MODEL_MARKERS[turned],
        "linestyle": _MODEL_LINES[turned],
    }


def light(axes: Axes, grid: str | None = None) -> None:
    """Leave only what helps reading: no box, a light grid along `grid` ("x", "y", "both" or None).

    An axis with a grid needs no line of its own on the other side, so that line goes.
    """
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(False)
    if grid:
        axes.grid(True, axis=grid)
    if grid in ("x", "both"):
        axes.spines["left"].set_visible(False)
    if grid in ("y", "both"):
        axes.spines["bottom"].set_visible(False)


def label(axes: Axes, x: float, y: float, text: str, *, color: str = INK, **options: Any) -> Any:
    """Write `text` beside the point (x, y), in data units; `dx`, `dy` shift it, in points.

    Other `options` go to `Axes.annotate` (ha, va, fontsize, fontweight, ...).
    """
    shift = (options.pop("dx", 6), options.pop("dy", 0))
    options = {"va": "center", "fontsize": 9.5, "annotation_clip": False} | options
    return axes.annotate(
        text, (x, y), xytext=shift, textcoords="offset points", color=color, **options
    )


def label_ends(
    axes: Axes,
    x: float,
    ends: Sequence[tuple[float, str, str]],
    *,
    gap: float,
    dx: float = 6,
) -> None:
    """Label lines at their right end: `ends` are (y, text, colour), kept `gap` apart in data units.

    Labels that would overlap are moved apart, in their order, as little as a downward pass needs.
    """
    placed: list[tuple[float, str, str]] = []
    for y, text, color in sorted(ends, key=lambda end: end[0]):
        at = max(y, placed[-1][0] + gap) if placed else y
        placed.append((at, text, color))
    for at, text, color in placed:
        label(axes, x, at, text, color=color, dx=dx)


def beside(axes: Axes, y: float, text: str, *, bold: bool = False) -> None:
    """Write `text` to the right of the plot, level with `y`."""
    axes.annotate(
        text,
        (1.02, y),
        xycoords=axes.get_yaxis_transform(),
        va="center",
        fontsize=9,
        fontweight="bold" if bold else "normal",
    )


def mark(axes: Axes, x: float, y: float, kind: str, *, size: float = 7) -> None:
    """Mark a point with the marker and colour of its kind (a key of `MARKERS`)."""
    axes.plot(
        [x],
        [y],
        marker=MARKERS[kind],
        color=COLORS[kind],
        linestyle="none",
        markersize=size,
        markeredgecolor=PAPER,
        zorder=5,
    )


def ranged(axes: Axes, y: float, x: float, ends: tuple[float, float], kind: str) -> None:
    """Mark an estimate of its kind with one interval, horizontally at `y`."""
    axes.plot(ends, (y, y), color=COLORS[kind], linewidth=1.6)
    mark(axes, x, y, kind)


def interval(
    axes: Axes,
    y: float,
    estimate: float,
    inner: tuple[float, float],
    outer: tuple[float, float] | None = None,
    *,
    color: str = INK,
    marker: str = "o",
) -> None:
    """Draw an estimate with its interval (thick) and a wider one (thin), horizontally at `y`."""
    if outer is not None:
        axes.plot(outer, (y, y), color=color, linewidth=1.1, marker="|", markersize=6)
    axes.plot(inner, (y, y), color=color, linewidth=3.6, solid_capstyle="butt")
    axes.plot(
        [estimate],
        [y],
        linestyle="none",
        marker=marker,
        markersize=8,
        color=color,
        markeredgecolor=PAPER,
        markeredgewidth=1.2,
        zorder=5,
    )


def band(axes: Axes, low: float, high: float, *, along: str = "x", text: str = "") -> None:
    """Shade low…high along `x` or `y` (equivalence bounds, chance) and name it at its edge."""
    span = axes.axvspan if along == "x" else axes.axhspan
    span(low, high, color=BAND, linewidth=0, zorder=0)
    if text:
        middle = (low + high) / 2
        where = (middle, 1.0) if along == "x" else (1.0, middle)
        axes.annotate(
            text,
            where,
            xycoords=axes.get_xaxis_transform() if along == "x" else axes.get_yaxis_transform(),
            xytext=(0, 3) if along == "x" else (3, 0),
            textcoords="offset points",
            ha="center" if along == "x" else "left",
            va="bottom" if along == "x" else "center",
            color=MUTED,
            fontsize=9,
            annotation_clip=False,
        )


def reference(axes: Axes, at: float, *, along: str = "x") -> None:
    """Draw the line of no effect, or of chance, at `at` on the x (or y) axis."""
    line = axes.axvline if along == "x" else axes.axhline
    line(at, color=MUTED, linewidth=0.9, linestyle=(0, (3, 3)), zorder=1)


def note(fig: Figure, text: str) -> None:
    """Write the small print below the figure: n, units, what the intervals are."""
    fig.supxlabel(text, x=0.01, ha="left", fontsize=9, color=MUTED)


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, and a true minus: +0.032, −0.006.

    >>> signed(-0.006)
    '−0.006'
    """
    return f"{value:+.{digits}f}".replace("-", "−")
