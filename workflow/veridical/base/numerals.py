"""Numbers in running text, read exactly: 2,125 and $29.00 and −3 and 1 1/2 and 1.234,5.

This is the grammar of one number as written in digits; what may follow it (a power, a word like
million, another number) is read by `quantities`.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from veridical.base.characters import alike

DECIMAL_COMMA = frozenset({"cs", "da", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "uk"})

VULGAR = {
    part: Fraction(unicodedata.normalize("NFKC", part).replace("⁄", "/"))
    for part in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
}
PART = "".join(VULGAR)
LONGEST = 60  # characters of a number, signs and separators included
CURRENCY = (
    r"(?:\b(?:US|AU?|CA?|NZ|HK|S|R)?\$|[$€£₺¥₹₩₽]|\b(?:USD|EUR|GBP|TRY|INR|TL|Rs\.?)(?![^\W\d]))"
)
# a space that doesn't break, before three digits, can only group them
_FIXED_SPACE = re.compile(r"(?<=\d)[\u00a0\u202f\u2009\u2007](?=\d{3}(?!\d))")
# m², cm^2, ft3: the digit belongs to the unit
_UNIT = re.compile(
    r"\b([kcdm]?m|ft|in|yds?|mi|inch(?:es)?|feet|foot|met(?:er|re)s?|metri|units?)"
    r"(?:\s?\^\s?\{?[23]\}?|[²³]|(?<=m)[23](?!\d))"
)


def _grammar(group: str, decimal: str) -> re.Pattern[str]:
    # a group separator stands before every three digits, or nowhere
    integer = rf"\d{{1,3}}(?:(?P<sep>[{group}' ])\d{{3}})(?:(?P=sep)\d{{3}})*(?!\d)|\d+"
    return re.compile(
        rf"(?<![\w.,/^])(?<!\w-)(?P<sign>[-+–](?=[$€£₺¥\d.{PART}]))?"
        rf"(?P<currency>{CURRENCY})?\s?(?P<sign2>[-–](?=[\d.]))?"
        rf"(?:(?P<whole>\d+)\s+(?P<top2>\d+)\s?/\s?(?P<bottom2>\d+)"
        rf"|(?P<top>\d+)\s?/\s?(?P<bottom>\d+)"
        rf"|(?P<integer>{integer})(?P<rest>[{decimal}]\d+)?(?:\s?(?P<vulgar>[{PART}]))?"
        rf"|(?P<point>[{decimal}]\d+)|(?P<alone>[{PART}]))"
        rf"(?![\d{PART}]|[.,]\d|\s?/\s?\d)"
    )


_POINT = _grammar(",", ".")
# where the comma is the decimal mark a point groups by three; another point can only be decimal
_COMMA = _grammar(".", ",.")


def plain_numbers(text: str) -> str:
    """The text with its numbers in plain characters, as `number_pattern` expects it.

    >>> plain_numbers("12\u202f500 m² − １２⁄５")
    "12'500 m - 12/5"
    """
    if not text.isascii():
        text = alike(_FIXED_SPACE.sub("'", text)).replace("⁄", "/").replace("∕", "/")
    return _UNIT.sub(r"\1", text)


def number_pattern(language: str = "en") -> re.Pattern[str]:
    """The pattern of one number as the language writes it; read its matches with `number_of`."""
    return _COMMA if language in DECIMAL_COMMA else _POINT


def number_of(match: re.Match[str]) -> Fraction | None:
    """The exact value of a match of `number_pattern`; None for a fraction with bottom 0.

    None as well where it has more than `LONGEST` characters: a loop of digits is no number.
    """
    g = match.group
    if len(match[0]) > LONGEST:
        return None
    if (text := g("integer")) is not None:
        if not text.isdigit():
            text = re.sub(r"\D", "", text)
        rest = g("rest")
        value = Fraction(f"{text}.{rest[1:]}") if rest else Fraction(int(text))
        if g("vulgar"):
            value += VULGAR[g("vulgar")]
    elif g("top") is not None or g("whole") is not None:
        top, bottom = int(g("top") or g("top2")), int(g("bottom") or g("bottom2"))
        if bottom == 0:
            return None
        value = int(g("whole") or 0) + Fraction(top, bottom)
    elif g("point") is not None:
        value = Fraction(f"0.{g('point')[1:]}")
    else:
        value = VULGAR[g("alone")]
    negative = g("sign") not in (None, "+") or g("sign2")
    return -value if negative else value


def parse_number(text: str, language: str = "en") -> Fraction | None:
    """The number a text consists of (currency and sign included), else None.

    >>> parse_number("$29.00"), parse_number("−3"), parse_number("1.234,5", "tr")
    (Fraction(29, 1), Fraction(-3, 1), Fraction(2469, 2))
    """
    match = number_pattern(language).fullmatch(plain_numbers(text).strip())
    return number_of(match) if match else None
