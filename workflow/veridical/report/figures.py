"""Figures inside the page: the SVG files of the study, in the page's fonts and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup, escape

from veridical.drawing import style
from veridical.report.wording import Wording

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"

# The style's neutral and role colours, which the page turns for dark mode.
_VARIABLES = {
    style.INK: "ink",
    style.MUTED: "soft",
    style.GRID: "line",
    style.BAND: "band",
    style.PAPER: "paper",
    **{
        style.COLORS[role]: role
        for role in ("veridical", "counterfeit", "shuffled", "corrupted", "none", "anchor")
    },
}
_COLOUR = re.compile("|".join(map(re.escape, _VARIABLES)), re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.\-])([+−-]?\d+)\.(\d+)(?![\w.\-]*[A-Za-z])")

# Where a text that isn't turned stands, how large it is, and how much of it is before that place.
_PLACE = re.compile(r"(?:translate\(|rotate\(-?0 )([-\d.]+)")
_SIZE = re.compile(r"font-size: ([\d.]+)px")
_ANCHOR = re.compile(r"text-anchor: (start|middle|end)")
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
_GAP = 3.0  # points between such a text and the edge


@dataclass(frozen=True)
class Figure:
    """One figure of the page. `width` is that of its drawing, in points."""

    name: str
    svg: Markup
    caption: str
    alternative: str
    width: float


def read_figure(path: Path, words: Wording, caption: str, alternative: str) -> Figure:
    """Read an SVG for the page. Raises ValueError where the file is no SVG.

    Its ids get the figure's name in front, so that two figures can't meet in one page; its texts
    are set in the page's language where `figure_words` knows them; scripts and handlers go.
    """
    try:
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    except (ElementTree.ParseError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not an SVG ({error})") from error
    if root.tag != f"{{{SVG}}}svg":
        raise ValueError(f"{path}: not an SVG (its root is {root.tag})")
    box = [float(number) for number in root.get("viewBox", "0 0 432 288").split()]
    _clean(root)
    _prefix(root, path.stem)
    box = _widened(box, _translate(root, words))
    root.set("viewBox", " ".join(f"{number:g}" for number in box))
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("role", "img")
    root.set("aria-label", alternative)
    root.set("class", "drawing")
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    text = ElementTree.tostring(root, encoding="unicode")
    text = re.sub(r'\s+xmlns:xlink="[^"]*"', "", text).replace("xlink:href", "href")
    text = re.sub(r"font-family: [^;\"]*", "font-family: var(--sans)", text)
    # The bold that the figure was measured in is Inter SemiBold.
    text = re.sub(r"font-weight: (?:bold|700)", "font-weight: 600", text)
    text = re.sub(r"font: (?:bold|700) ", "font: 600 ", text)
    text = _COLOUR.sub(lambda match: f"var(--{_VARIABLES[match.group().lower()]})", text)
    return Figure(path.stem, Markup(text), caption, str(escape(alternative)), box[2])


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
                element.set(attribute, f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(attribute, value.replace("url(#", f"url(#{name}-"))


def _translate(root: ElementTree.Element, words: Wording) -> list[tuple[ElementTree.Element, str]]:
    """Set known texts and decimal numbers in the page's language; returns the texts that changed,
    each with what it was."""
    phrases: Mapping[str, str] = words.raw("figure_words") or {}
    ordered = sorted(phrases, key=len, reverse=True)
    changed = []
    for element in root.iter():
        if element.text and str(element.tag).rpartition("}")[2] in ("text", "tspan"):
            was = element.text
            element.text = _in_language(was, phrases, ordered, words)
            if element.text != was:
                changed.append((element, was))
    return changed


def _widened(box: list[float], changed: Iterable[tuple[ElementTree.Element, str]]) -> list[float]:
    """The drawing's frame (x, y, width, height), wide enough for texts that grew in translation."""
    left, right = box[0], box[0] + box[2]
    for element, was in changed:
        place, text = _PLACE.search(element.get("transform", "")), str(element.text)
        if place is None or len(text) <= len(was):
            continue
        drawn = element.get("style", "")
        size = _SIZE.search(drawn)
        bold = "font-weight: 700" in drawn or "font-weight: bold" in drawn
        width = style.text_width(text, float(size[1]) if size else 10.0, bold=bold)
        anchor = _ANCHOR.search(drawn)
        start = float(place[1]) - width * _BEFORE[anchor[1] if anchor else "start"]
        left, right = min(left, start - _GAP), max(right, start + width + _GAP)
    return [left, box[1], right - left, box[3]]


def _in_language(
    text: str, phrases: Mapping[str, str], ordered: Iterable[str], words: Wording
) -> str:
    for phrase in ordered:
        text = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", phrases[phrase], text)
    decimal = words.raw("formats.decimal")
    return _NUMBER.sub(rf"\1{decimal}\2", text) if decimal != "." else text
