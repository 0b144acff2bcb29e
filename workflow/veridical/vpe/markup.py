r"""What a rollout says, without the marks it is set in: LaTeX, Markdown, HTML, GSM8K's `<<…>>`."""

from __future__ import annotations

import html
import re

from veridical.base.numerals import plain_numbers

_BLANK = re.compile(r"([ \n])\1{2,}")
_ANNOTATED = re.compile(r"<<[^<>\n]*>>")
_STRUCK = re.compile(r"~~[^~\n]*~~|<(del|s|strike)>.*?</\1>", re.IGNORECASE)
_RAISED = re.compile(r"<sup>\s*(-?\d+)\s*</sup>", re.IGNORECASE)
_ANSWER_TAG = re.compile(r"<(?:final_?)?answer>(.*?)(?:</(?:final_?)?answer>|\Z)", re.I | re.S)
_BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr)\s*/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|code|mark|big|small|ul|ol|td|sub)\b[^<>]*>", re.IGNORECASE
)
_EMPHASIS = re.compile(r"\*\*|__|`")
_ITALIC = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]*?)(?<=\S)\*(?![\w*])")
_UNDERLINED = re.compile(r"(?<!\w)_(?=\S)([^_\n]*?)(?<=\S)_(?!\w)")
_CITED = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)

_SIMPLE = r"\s*\{\s*(-?[\d.,]+)\s*\}"
_FRACTION = re.compile(rf"(?:(\d)\s*)?\\[dtc]?frac(?:{_SIMPLE}{_SIMPLE}|\s*(\d)\s*(\d))")
_GROUPED = re.compile(r"(?<=\d)(?:\\[,;: ]|\{\\[,;: ]\}|~|\\thinspace\s?)(?=\d{3}(?!\d))")
_TEXT = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:rm|bf|it|sf|tt)|operatorname|mbox|emph|underline)"
    r"\s*\{([^{}]*)\}"
)
_SIGNS = {
    "times": "×",
    "cdot": "·",
    "div": "÷",
    "pm": "±",
    "neq": "≠",
    "ne": "≠",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "lt": "<",
    "gt": ">",
    "approx": "≈",
    "simeq": "≈",
    "sim": "≈",
    "rightarrow": "=",
    "Rightarrow": "=",
    "implies": "=",
    "to": "=",
    "therefore": " ",
    "degree": "°",
    "circ": "°",
    "ldots": "...",
    "dots": "...",
    "cdots": "...",
    "euro": "€",
    "pounds": "£",
    "quad": " ",
    "qquad": " ",
    "left": "",
    "right": "",
    "displaystyle": "",
    "large": "",
    "Large": "",
    "huge": "",
    "bf": "",
    "rm": "",
    "newline": "\n",
    "boxed": r"\boxed",
    "fbox": r"\boxed",
}
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_DEGREES = re.compile(r"\s?\^\s?\{?°\}?")
_ESCAPED = re.compile(r"\\([$%#&_])")
_SPACING = re.compile(r"\\[,;: \[\]()]|(?<=\d)~(?=\D)")
UNREAD = "√"  # stands for a command that can't be read: no number beside it can be either


def unmarked(text: str) -> str:
    r"""The text in plain characters, its LaTeX, Markdown and HTML read; `\boxed{…}` stays.

    What was struck out is left out. A LaTeX command that isn't known leaves `UNREAD` behind.

    >>> unmarked(r"**So** $9{,}500 + \frac{1}{2} \approx 9\,500\text{ eggs}$")
    'So $9,500 + 1/2 ≈ 9'500 eggs$'
    """
    if "   " in text or "\n\n\n" in text:
        text = _BLANK.sub(r"\1\1", text)
    if "<" in text or "&" in text:
        text = _without_html(text)
    if "\\" in text or "{" in text or "~" in text:
        text = _without_latex(text)
    if "*" in text or "_" in text or "`" in text:
        text = _UNDERLINED.sub(r"\1", _ITALIC.sub(r"\1", _EMPHASIS.sub("", text)))
    if ">" in text:
        text = _CITED.sub("", text)
    return plain_numbers(text)


def _without_html(text: str) -> str:
    text = _ANNOTATED.sub("", text)
    text = _RAISED.sub(r"^\1", _STRUCK.sub("", text))
    text = _ANSWER_TAG.sub(r"\nAnswer: \1\n", text)
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text)))


def _without_latex(text: str) -> str:
    text = _STRUCK.sub("", text)
    while (plainer := _TEXT.sub(r"\1", text)) != text:
        text = plainer
    text = _GROUPED.sub("'", text).replace("{,}", ",").replace("{.}", ".").replace("\\!", "")
    text = _FRACTION.sub(_fraction, text)
    text = _SPACING.sub(" ", _ESCAPED.sub(r"\1", text))
    text = _COMMAND.sub(lambda found: _SIGNS.get(found[1], UNREAD), text)
    return _DEGREES.sub("°", text)


def _fraction(found: re.Match[str]) -> str:
    whole, top, bottom, short_top, short_bottom = found.groups()
    part = f"{top or short_top}/{bottom or short_bottom}"
    return f"{whole} {part}" if whole else part
