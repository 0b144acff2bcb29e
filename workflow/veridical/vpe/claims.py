"""What a stretch of a rollout claims as its number: one value, or none that is read for sure."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from veridical.base.characters import folded
from veridical.base.number_words import LANGUAGES, spelled
from veridical.base.quantities import Quantity, quantities
from veridical.vpe.markup import UNREAD

_EQUALS = re.compile(r"(?<![<>!≠=])(?:[=-]>|[→⇒≈]|==?)(?![=<>])")
# a remark in parentheses, which stand apart: f(3) and 5(3) are no remarks
_PARENTHESIS = re.compile(r"(?<![\w.,])(?:\([^()]*\)|\[[^\[\]]*\])")
_OPENED = re.compile(r"(?<!\w)[(\[]|(?<=[\w.!?])[)\]](?!\w)")
# a variable in a sum, or with a factor: "x + 3 = 10" and "2x = 14" don't say what x is
_VARIABLE = re.compile(
    r"(?<![\w'])(?<!\d\s)[a-zA-Z]\s?[-+*/^·÷]|[-+*^·÷]\s?[a-zA-Z](?![\w'])|\d\s?[xyz](?!\s?\d)(?!\w)"
)
# where the clause of an answer ends: what follows explains it, and its numbers are no answer
_EXPLAINS = re.compile(
    r"[,;]?\s(?:because|since|so|which|where|given|if|when|that is|for|after|perché|poiché|siccome|"
    r"dato che|çünkü|zira)\b"
    r"|[,;]\s(?!(?:or|and|to|o|e|ve|veya|ya da|plus|minus)\b)(?=[^\W\d])|\s[-–—]\s?(?=[^\W\d])",
    re.IGNORECASE,
)
# words right before a number that make it a bound, another number, or no claim at all
_CHANGED_BEFORE = re.compile(
    r"(?:\b(?:(?:more|less|fewer|greater|higher|lower|larger|smaller|other|rather) than|over|under|"
    r"above|below|almost|nearly|beyond|twice|double|triple|thrice|half(?: of)?|per|step|part|"
    r"log|ln|sin|cos|tan|sqrt|mod|base|"
    r"(?:third|quarter|fifth|tenth|root|square|cube|multiple|percent|cent) of|"
    r"più di|meno di|oltre|quasi|doppio di|metà di|neredeyse)|%\s?of)\s+(?:the |a |an )?\W{0,3}$",
    re.IGNORECASE,
)
_CHANGED_AFTER = re.compile(
    r"\s*\?|\W{0,3}(?:[^\W\d]+\s+){0,2}(?:(?:is|was) (?:wrong|incorrect|not)\b|değil|yok|"
    r"or (?:more|less|so|fewer)\b|and (?:more|counting)\b|o più\b|o meno\b)|"
    r"'?[dt][ae]n\s+(?:fazla|az|çok)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|cannot|non|neither|nor|né|could|might|may|maybe|perhaps|possibly|forse|"
    r"potrebbe\w*|belki)\b|n't\b",
    re.IGNORECASE,
)
_HALVED = re.compile(
    r"\b(?:hal(?:f|ves)|quarters?|mezz[oa]|quarti?o?|buçuk|çeyrek)\b", re.IGNORECASE
)
_MINUS = re.compile(r"\b(?:minus|negative|meno|eksi)\s+\W{0,2}$", re.IGNORECASE)
_JOINED = re.compile(r"(?:\b(?:and|or|to|plus|e|o|ve|veya)\b|[,&-])\s*(?=[^\W\d])", re.IGNORECASE)
_MORE = re.compile(r"\W*(?:million|billion|trillion|dozen|milion|miliard|milyon|and a|half|buçuk)")
_PRONOUNS = {"one", "bir", "uno"}  # a number only where it stands alone


class Claim(NamedTuple):
    """The number claimed (None where it can't be read) and whether there was one to read."""

    value: Fraction | None
    given: bool


NOTHING = Claim(None, False)
UNREADABLE = Claim(None, True)


def claimed(text: str, language: str = "en", *, prose: bool = False) -> Claim:
    """The one number of a stretch of plain text: that after its equality sign, where it has one.

    What stands in parentheses is passed over, and what explains a number ("18, because …"), but
    not in `prose`, where the number is a part of a sentence. Two numbers, a range, two units ("5
    hours and 30 minutes"), a bound ("more than 5"), a denial are no number. Where there are no
    digits, a number in words is read.

    >>> claimed("5 + 3 = 8 apples (not 9)").value
    Fraction(8, 1)
    >>> claimed("5 hours and 30 minutes"), claimed("many")
    (Claim(value=None, given=True), Claim(value=None, given=False))
    """
    outside = _PARENTHESIS.sub(" ", text)
    if not re.search(r"\d", outside) and not spelled_in(outside, language):
        outside = _OPENED.sub(" ", text)
    if UNREAD in outside:
        return UNREADABLE
    first = re.search(r"\d", outside)
    end = None if prose else _EXPLAINS.search(outside, first.end() if first else 0)
    return _equation(_EQUALS.split(outside[: end.start()] if end else outside), language, prose)


def _equation(sides: list[str], language: str, prose: bool) -> Claim:
    """The value that the sides of an equation agree on; sums are no values, they lead to one."""
    read = [quantities(side, language, spaced=not prose) for side in sides]
    if not any(read):
        return _in_words(sides[-1], language)
    if any(_VARIABLE.search(side) for side, found in zip(sides[:-1], read, strict=False) if found):
        return UNREADABLE
    values = [_value(side, found, language) for side, found in zip(sides, read, strict=True)]
    last = max(n for n, found in enumerate(read) if found)
    if values[last] is None and not any(quantity.bound for quantity in read[last]):
        return UNREADABLE
    plain = {value for value in values if value is not None}
    return Claim(plain.pop(), True) if len(plain) == 1 else UNREADABLE


def _value(side: str, found: list[Quantity], language: str) -> Fraction | None:
    """The value of a side of an equation that is one number, said as such; else None."""
    if len({quantity.value for quantity in found}) != 1 or found[0].value is None:
        return None
    value, before, after = found[0].value, side[: found[0].start], side[found[-1].end :]
    if _DENIED.search(before) or _CHANGED_BEFORE.search(before):
        return None
    if _CHANGED_AFTER.match(after) or _HALVED.search(after):
        return None
    if _MINUS.search(before):
        value = -value
    joined = _JOINED.split(after)[1:]  # "5 hours and thirty minutes", but "5 for the two weeks"
    words = [n for part in (before, *joined) for n in spelled_in(part, language)]
    return None if set(words) - {value} else value


def _in_words(text: str, language: str) -> Claim:
    """A number in words that is the claim and no part of it: "eighteen", "forty-two apples"."""
    plain = folded(text)
    found = spelled(plain, language if language in LANGUAGES else "en")
    if not found:
        return NOTHING
    start, end = found[0].start, found[0].end
    if len(found) > 1 or plain[:start].strip(" \t:*_\"'$-") or _MORE.match(plain[end:]):
        return UNREADABLE
    if plain[start:end] in _PRONOUNS and plain[end:].strip(" .!*\"'"):
        return UNREADABLE
    return Claim(Fraction(found[0].value), True)


def spelled_in(text: str, language: str) -> list[int]:
    """The numbers that a text has in words, apart from pronouns, articles and ordinals."""
    plain = folded(text)
    found = spelled(plain, language if language in LANGUAGES else "en")
    return [n.value for n in found if not n.ordinal and plain[n.start : n.end] not in _PRONOUNS]
