"""Figures inside the page: the SVG files of the study, in the page's fonts and colours.

A figure is drawn in the page's language. Its colours are those of the palette, which a style sheet
(`recolour`) turns into the page's own, so that dark mode turns them too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup, escape

from veridical.drawing.palette import VARIABLES

SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Figure:
    """One figure of the page. `width` is that of its drawing, in points."""

    name: str
    svg: Markup
    caption: str
    alternative: str
    width: float


def recolour() -> str:
    """Style rules that give a drawing's colours and texts the page's variables.

    matplotlib writes an element's colours into its `style`, which only `!important` overrules, and
    those of a hatch into attributes. The rules name no ancestor: what a `use` repeats has none. The
    bold that a figure was measured in is Inter SemiBold.
    """
    rules = [
        f'[style*="{name}: {colour}"],[{name}="{colour}"]{{{name}:var(--{variable})!important}}'
        for colour, variable in VARIABLES.items()
        for name in ("fill", "stroke")
    ]
    bold = ",".join(f'.drawing text[style*="{set_}"]' for set_ in ("font: 700", "weight: 700"))
    rules.append(".drawing text{font-family:var(--sans)!important}")
    rules.append(f"{bold}{{font-weight:600!important}}")
    return "\n".join(rules) + "\n"


def read_figure(path: Path, caption: str, alternative: str) -> Figure:
    """Read an SVG for the page. Raises ValueError where the file is no SVG.

    Its ids get the figure's name in front, so that two figures can't meet in one page; scripts and
    handlers go.
    """
    try:
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    except (ElementTree.ParseError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not an SVG ({error})") from error
    if root.tag != f"{{{SVG}}}svg":
        raise ValueError(f"{path}: not an SVG (its root is {root.tag})")
    _clean(root)
    _prefix(root, path.stem)
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    width = float(root.get("viewBox", "0 0 432 288").split()[2])
    for attribute, value in (("role", "img"), ("aria-label", alternative), ("class", "drawing")):
        root.set(attribute, value)
    ElementTree.register_namespace("", SVG)
    text = ElementTree.tostring(root, encoding="unicode")
    return Figure(path.stem, Markup(text), caption, str(escape(alternative)), width)


def _clean(root: ElementTree.Element) -> None:
    """Drop metadata and whatever could run."""
    for parent in list(root.iter()):
        for child in list(parent):
            name = str(child.tag).rpartition("}")[2]
            if name in ("metadata", "script", "foreignObject"):
                parent.remove(child)
        for attribute in list(parent.attrib):
            if attribute.lower().startswith("on"):
                del parent.attrib[attribute]


def _prefix(root: ElementTree.Element, name: str) -> None:
    """Give every id, and every reference to one, the figure's name in front."""
    for element in root.iter():
        for attribute, value in list(element.attrib.items()):
            if attribute == "id":
                element.set(attribute, f"{name}-{value}")
            elif attribute.endswith("href") and value.startswith("#"):
                del element.attrib[attribute]
                element.set("href", f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(attribute, value.replace("url(#", f"url(#{name}-"))
