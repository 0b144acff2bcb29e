"""Marks and labels in the house style: estimates with intervals, bands, words beside the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veridical.drawing.palette import BAND, COLORS, INK, MARKERS, MUTED, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def intervals(
    axes: Axes, y: float, estimate: float, ends: Sequence[float], color: str, *, filled: bool
) -> None:
    """An estimate with two intervals; `ends` are those of the narrow one and those of the wide one.

    Where not `filled`, the estimate is open and the wide one dashed: a second method's.
    """
    line = "-" if filled else (0, (2, 1))
    axes.plot(ends[2:], (y, y), color=color, linewidth=1, linestyle=line, marker="|", markersize=6)
    axes.plot(ends[:2], (y, y), color=color, linewidth=3.4 if filled else 2, solid_capstyle="butt")
    axes.plot(
        [estimate],
        [y],
        marker="o" if filled else "D",
        markersize=7 if filled else 5,
        color=color,
        markerfacecolor=color if filled else PAPER,
        linestyle="none",
        zorder=5,
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


def above(axes: Axes, y: float, text: str) -> None:
    """Write `text` over a group of bars whose top is at `y`, from the left edge of the plot."""
    axes.annotate(
        text,
        (0, y),
        xycoords=axes.get_yaxis_transform(),
        xytext=(0, 2),
        textcoords="offset points",
        va="center",
        fontsize=9.5,
        fontweight="bold",
    )


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, and a true minus: +0.032, −0.006.

    >>> signed(-0.006)
    '−0.006'
    """
    return f"{value:+.{digits}f}".replace("-", "−")
