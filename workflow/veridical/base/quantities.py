"""The numbers that a text gives, each with what follows it: 1.5 million, 10², 5 to 7, 2 dozen.

What follows a number belongs to it. Where the whole can't be read for sure the number has no value:
never that of the part which happened to be legible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from veridical.base.numerals import CURRENCY, PART, number_of, number_pattern

# What a word after a number makes of it, where the language is sure of it.
_MULTIPLES = {
    "en": "hundred 1e2 hundreds 1e2 thousand 1e3 thousands 1e3 million 1e6 millions 1e6 "
    "billion 1e9 billions 1e9 trillion 1e12 trillions 1e12 dozen 12 dozens 12 lakh 1e5 crore 1e7 "
    "mln 1e6 bn 1e9",
    "it": "cento 1e2 mila 1e3 milione 1e6 milioni 1e6 miliardo 1e9 miliardi 1e9 bilione 1e12 "
    "bilioni 1e12 dozzina 12 dozzine 12 mln 1e6 mld 1e9",
    "tr": "yüz 1e2 bin 1e3 milyon 1e6 milyar 1e9 trilyon 1e12 düzine 12 mln 1e6",
    "de": "tausend 1e3 million 1e6 millionen 1e6 milliarde 1e9 milliarden 1e9 dutzend 12 mio 1e6",
    "fr": "mille 1e3 million 1e6 millions 1e6 milliard 1e9 milliards 1e9 douzaine 12",
    "es": "mil 1e3 millón 1e6 millones 1e6 docena 12",
}
# Words that mean another thing elsewhere, so that only their own language takes them as numbers.
_HOMONYMS = {"bin", "mil", "mille", "cento", "yüz"}
# Words that change the number before them in a way not known for sure: 3 quarters, 2 score.
_UNSURE = (
    "half halves thirds quarter quarters fourths fifths sixths eighths tenths hundredths "
    "thousandths score gross grand mn mrd terzi quarti quinti decimi centesimi millesimi"
)
# One letter after an amount of money; after another number it is a unit, or not known.
_LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TURKISH_IS = re.compile(r"'?[dt][iıuü]r\Z")

_SCIENTIFIC = re.compile(
    r"(?:[eE]|\s*[×xX*·]\s*10\s*\^\s*[{(]?\s*)([-+]?\d{1,2})\s*[)}]?(?![\w.^]\d|\w)"
    rf"|\s*[×xX*·]\s*10([⁻⁺]?[{_SUPER}]{{1,2}})(?![\w^])"
)
_POWER = re.compile(rf"\s?\^\s?[{{(]?(\d{{1,2}})[)}}]?(?![\w^]|\.\d)|([{_SUPER}]{{1,2}})(?![\w^])")
_AND_PART = re.compile(
    r"\s+(?:(?:and|e|y)\s+(?:an?\s+|one[\s-]+|un[ao]?\s+)?(?P<word>half|quarter|mezz[oa]|quarto)\b"
    r"|(?P<tr>buçuk)\b"
    r"|(?:and|e|y)\s+(?P<top>\d+)\s?/\s?(?P<bottom>\d+)(?![\d/]))"
)
_PARTS = {"half": 2, "mezzo": 2, "mezza": 2, "quarter": 4, "quarto": 4, "buçuk": 2}
_WORD = re.compile(r"(\s?-?\s?)([^\W\d_]+)")
# an operation, a range, a time, a ratio: what ties this number to the next
_BOUND = re.compile(
    rf"\s*(?:[-+*×·÷/:–—±]|\+/-|\.\.+|x(?=\s?[\d.]))\s*{CURRENCY}?\s?[-(]?(?:\.?\d|[{PART}])"
)
# what no number known for sure is followed by: a period, a factor, an index, an end left out
_BROKEN = re.compile(
    rf"\s?[±^]|\.{{2,}}|[.,]\(\d|[(\[{{]\w|_[\d{{]|'\d|\+(?!\s?\d)|[‰‱√|\u0300-\u036f{_SUPER}]"
)
# and by what none is preceded: a bound, a root, a function, a dash that may be a minus
_BEFORE = re.compile(r"(?:[±√<>≤≥≠|]|\w\()\s?\Z|(?:^|[^\d\s]\s|^\s)[-–]\s\Z")
_DIGIT = re.compile(rf"[\d{PART}]")
_REST = re.compile(r"\S+")


class Quantity(NamedTuple):
    """A number and where it stands. `value` is None where it can't be read for sure; `bound` says
    that an operation or a range ties it to the next one, so that the two are no number.
    """

    value: Fraction | None
    start: int
    end: int
    bound: bool = False


def quantities(text: str, language: str = "en", *, spaced: bool = True) -> list[Quantity]:
    """Every number of a text (`numerals.plain_numbers` of it), as the language writes it, in order.

    With `spaced` false a group of three digits after a plain space ("day 3 250 came") is not known
    to be a part of the number, which then has no value.

    >>> [q.value for q in quantities("$1,200.50, then 2 dozen, 10^2 and 9,5")]
    [Fraction(2401, 2), Fraction(24, 1), Fraction(100, 1), None]
    >>> [q.value for q in quantities("5-7")]
    [None, Fraction(7, 1)]
    """
    return list(_scan(text, language, spaced))


def _scan(text: str, language: str, spaced: bool) -> Iterator[Quantity]:
    at, pattern = 0, number_pattern(language)
    while digit := _DIGIT.search(text, at):
        match = pattern.search(text, at)
        if match is None or match.start() > digit.start():  # digits of no known make
            end = _REST.match(text, digit.start()).end()
            yield Quantity(None, digit.start(), end)
        else:
            start = match.end() - len(match[0].lstrip())
            value, end = _with_what_follows(match, text, language)
            if not spaced and match["sep"] == " ":
                value = None
            bound = _BOUND.match(text, end) is not None
            before = text[max(0, start - 4) : start]
            if bound or _BROKEN.match(text, end) or _BEFORE.search(before):
                value = None
            yield Quantity(value, start, end, bound)
        at = end


def _with_what_follows(
    match: re.Match[str], text: str, language: str
) -> tuple[Fraction | None, int]:
    value, end = number_of(match), match.end()
    if value is None:
        return None, end
    if found := _SCIENTIFIC.match(text, end):
        value *= Fraction(10) ** int((found[1] or found[2]).translate(_RAISED))
        end = found.end()
    elif found := _POWER.match(text, end):
        value, end = _power(match, value, found), found.end()
    elif value.denominator == 1 and (found := _AND_PART.match(text, end)):
        part = _part(found)
        value, end = (None if part is None else value + part), found.end()
    return _multiplied(value, end, text, language, money=match["currency"] is not None)


def _power(match: re.Match[str], value: Fraction, found: re.Match[str]) -> Fraction | None:
    """A power of a plain whole number; −3² and 5.00^12 are left to those who wrote them."""
    plain = match["integer"] is not None and not match["sign"] and not match["sign2"]
    exponent = int((found[1] or found[2]).translate(_RAISED))
    return value**exponent if plain and value <= 1000 and exponent <= 30 else None


def _part(found: re.Match[str]) -> Fraction | None:
    if word := found["word"] or found["tr"]:
        return Fraction(1, _PARTS[word])
    top, bottom = int(found["top"]), int(found["bottom"])
    return Fraction(top, bottom) if top < bottom else None


@cache
def _multiples(language: str) -> dict[str, Fraction | None]:
    foreign = {word for words in _MULTIPLES.values() for word in words.split()[::2]} - _HOMONYMS
    known: dict[str, Fraction | None] = dict.fromkeys([*foreign, *_UNSURE.split()])
    own = _MULTIPLES.get(language, "").split()
    return known | {word: Fraction(value) for word, value in zip(own[::2], own[1::2], strict=True)}


def _multiplied(
    value: Fraction | None, end: int, text: str, language: str, *, money: bool
) -> tuple[Fraction | None, int]:
    """The value times the words after it (5 hundred thousand), and where they end."""
    known = _multiples(language)
    while found := _WORD.match(text, end):
        gap, word = found.groups()
        if not gap and text[found.end() : found.end() + 1].isdigit():  # 5h30
            return None, _REST.match(text, end).end()
        if len(word) == 1:
            return _lettered(value, word, attached=not gap, money=money), end
        word = word.lower()
        if language == "tr":
            word = _TURKISH_IS.sub("", word)
        if word not in known:
            break
        factor = known[word]
        value = None if value is None or factor is None else value * factor
        end = found.end()
    return value, end


def _lettered(
    value: Fraction | None, letter: str, *, attached: bool, money: bool
) -> Fraction | None:
    """A number with one letter after it: $5M, 2k; 5 m is a unit; 5K, 3B and 2x are not known."""
    if value is None or (letter.lower() not in _LETTERS and letter not in "xyzn"):
        return value
    if money and letter.lower() in _LETTERS:
        return value * _LETTERS[letter.lower()]
    if letter == "k" and attached:
        return value * 1000
    unit = letter in ("m", "t") or (not attached and letter not in "kKMBTx")
    return value if unit else None
