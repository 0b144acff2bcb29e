"""Numbers in running text, read exactly: 2,125 and $29.00 and −3 and 1 1/2 and 1.234,5."""

from __future__ import annotations

import re
from fractions import Fraction

DECIMAL_COMMA = frozenset({"cs", "da", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "uk"})

_SPACE = "\u00a0\u202f\u2009 "  # no-break, narrow no-break, thin, plain
_VULGAR = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    "⅕": Fraction(1, 5),
    "⅖": Fraction(2, 5),
    "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5),
    "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8),
    "⅝": Fraction(5, 8),
    "⅞": Fraction(7, 8),
}
_MINUS = "-−‐‑–"


def _grammar(group: str, decimal: str) -> re.Pattern[str]:
    # a group separator stands before every three digits, or nowhere
    integer = rf"\d{{1,3}}(?:(?P<sep>[{group}{_SPACE}'’])\d{{3}})(?:(?P=sep)\d{{3}})*(?!\d)|\d+"
    return re.compile(
        rf"(?<![\w.,/^])(?P<sign>[{_MINUS}](?=[$€£₺¥\d.½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞]))?"
        rf"(?:[$€£₺¥]|\\\$)?\s?(?P<sign2>[{_MINUS}](?=[\d.]))?"
        rf"(?:(?P<whole>\d+)\s+(?P<top2>\d+)/(?P<bottom2>\d+)"
        rf"|(?P<top>\d+)\s?/\s?(?P<bottom>\d+)"
        rf"|(?P<integer>{integer})(?P<rest>[{decimal}]\d+)?(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞])?"
        rf"|(?P<point>[{decimal}]\d+)|(?P<alone>[½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞]))"
        rf"(?![\d½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞]|[.,/]\d|\^|[eE][-+]?\d|\s?/\s?\d)"
    )


_POINT = _grammar(",", ".")
# where the comma is the decimal mark a point groups by three; another point can only be decimal
_COMMA = _grammar(".", ",.")


def number_pattern(language: str = "en") -> re.Pattern[str]:
    """The pattern of one number as the language writes it; read its matches with `number_of`."""
    return _COMMA if language in DECIMAL_COMMA else _POINT


def number_of(match: re.Match[str]) -> Fraction | None:
    """The exact value of a match of `number_pattern`; None for a fraction with bottom 0."""
    g = match.group
    if (text := g("integer")) is not None:
        if not text.isdigit():
            text = re.sub(r"\D", "", text)
        rest = g("rest")
        value = Fraction(f"{text}.{rest[1:]}") if rest else Fraction(int(text))
        if g("vulgar"):
            value += _VULGAR[g("vulgar")]
    elif g("top") is not None or g("whole") is not None:
        top, bottom = int(g("top") or g("top2")), int(g("bottom") or g("bottom2"))
        if bottom == 0:
            return None
        value = int(g("whole") or 0) + Fraction(top, bottom)
    elif g("point") is not None:
        value = Fraction(f"0.{g('point')[1:]}")
    else:
        value = _VULGAR[g("alone")]
    return -value if g("sign") or g("sign2") else value


def parse_number(text: str, language: str = "en") -> Fraction | None:
    """The number a text consists of (currency and sign included), else None.

    >>> parse_number("$29.00"), parse_number("−3"), parse_number("1.234,5", "tr")
    (Fraction(29, 1), Fraction(-3, 1), Fraction(2469, 2))
    """
    match = number_pattern(language).fullmatch(text.strip())
    return number_of(match) if match else None
