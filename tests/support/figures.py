"""What a figure shows: the marks, lines, bars and words on an axes, and the words of an SVG."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from matplotlib.axes import Axes
from veridical.drawing import style
from veridical.report.wording import FOLDER, Wording

LANGUAGES = {name: FOLDER / f"text.{name}.yaml" for name in ("en", "it")}


def wording(part: str, language: str = "en") -> Wording:
    """The texts of a part."""
    return Wording.read(language).of(part)


def empty_panel() -> Axes:
    """An axes in the house style."""
    return style.figure()[1]


def marks(panel: Axes, marker: str | None = None) -> list[tuple[float, float]]:
    """Where single points are marked, in the order drawn; those of one marker where given."""
    found = [line for line in panel.lines if len(line.get_xdata()) == 1]
    return [
        (float(line.get_xdata()[0]), float(line.get_ydata()[0]))
        for line in found
        if line.get_marker() not in ("None", None, "")
        and (marker is None or line.get_marker() == marker)
    ]


def spans(panel: Axes) -> list[tuple[float, float, float, float]]:
    """The lines of two points in data units, as (x from, x to, y from, y to)."""
    return [
        (*map(float, line.get_xdata()), *map(float, line.get_ydata()))
        for line in panel.lines
        if len(line.get_xdata()) == 2 and line.get_transform() == panel.transData
    ]


def said(panel: Axes) -> list[str]:
    """What is written on an axes, without title, ticks and legend."""
    return [text.get_text() for text in panel.texts]


def ticks(panel: Axes, axis: str = "y") -> list[str]:
    """What stands at the ticks of an axis."""
    labels = panel.get_yticklabels() if axis == "y" else panel.get_xticklabels()
    return [label.get_text() for label in labels]


def bars(panel: Axes) -> list[tuple[float, float]]:
    """The horizontal bars, as (from, to)."""
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in panel.patches
            if hasattr(bar, "get_width")]  # fmt: skip


def words_of(svg: Path) -> list[str]:
    """Every text of an SVG; raises ParseError where it isn't well-formed."""
    tree = ElementTree.parse(svg)
    texts = tree.iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()).strip() for text in texts]
