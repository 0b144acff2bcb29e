"""Is a rollout's final number the right one? Strict: what can't be read for sure is not verified.

The final number is, in this order: the one after the first `####` (headings apart); the last
`\\boxed{}`; the one after the last "the answer is"; and, only where the rollout came to its own
end, its last number. What follows a new question ("\\nQ:") is no part of the rollout.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from veridical.base.numerals import number_of, number_pattern

WAYS = ("hash", "boxed", "phrase", "last", "none", "cut", "empty")

_RUN_ON = re.compile(r"\n\s*(?:Q|Question|Problem|Soru|Domanda)\s*\d*\s*[:.]", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_FRAC = re.compile(r"\\[dt]?frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}")
_PHRASE = re.compile(
    r"(?<!\w)(?:answer|cevap|yanıt|sonuç|risposta|antwort|respuesta|réponse)"
    r"(?:\s+(?:is|was|to (?:the|this) (?:problem|question) is|è|ist|es|est))?\s*[:=]?\s*",
    re.IGNORECASE,
)
_CUES = ("answer", "cevap", "yanıt", "sonuç", "risposta", "antwort", "respuesta", "réponse")
# a line of Markdown's fourth-level heading is no answer line: "#### Step 1: count the eggs"
_HEADING = re.compile(
    r"[ \t*_]*(?!(?:the|final|answer|cevap|yanıt|so|total|is|x|usd|eur|rs)\b)[^\W\d_]",
    re.IGNORECASE,
)
_OPERATION = re.compile(r"\s*(?:[-+*×÷−]|x(?=\s?\d))\s*[$€£₺]?\d")
_DIGIT = re.compile(r"\d")


class Extracted(NamedTuple):
    """The final number of a rollout (None where there is none for sure) and how it was found."""

    number: Fraction | None
    way: str


def gold_answer(answer: str) -> Fraction:
    """The number after `####` in a GSM8K answer. Raises ValueError where there is none."""
    _, mark, tail = answer.rpartition("####")
    number = extract_answer(f"####{tail}").number if mark else None
    if number is None:
        raise ValueError(f"the gold answer has no number after ####: {answer[-60:]!r}")
    return number


def extract_answer(text: str, complete: bool = True, language: str = "en") -> Extracted:
    """The final number of a rollout.

    `complete` is False where the token budget cut the rollout: then its last number may be a step
    of the calculation, and a number at the very end may lack digits, so neither counts. `language`
    decides what comma and point mean. The way is one of `WAYS`.

    >>> extract_answer("So she earns 9 * 2 = $18.\\n#### 18").number
    Fraction(18, 1)
    >>> extract_answer("9 * 2 = 18", complete=False)
    Extracted(number=None, way='cut')
    """
    if not text.strip():
        return Extracted(None, "empty")
    if "\n" in text and (run_on := _RUN_ON.search(text, 1)):
        text, complete = text[: run_on.start()], True
    mark = text.find("####")
    while mark >= 0:
        rest = text[mark:].lstrip("#").lstrip()
        if not (_HEADING.match(rest) and "\n" in rest.rstrip()):
            return _after_hash(rest, complete, language)
        mark = text.find("####", len(text) - len(rest))
    if "\\" in text:
        text = _FRAC.sub(r"\1/\2", text)
        if boxes := _BOXED.findall(text):
            return Extracted(_only(boxes[-1], language), "boxed")
    lowered = text.lower()
    phrase = None
    if any(cue in lowered for cue in _CUES):
        phrase = _final(_PHRASE.finditer(text))
    if phrase:
        number, more = _first(text[phrase.end() :], complete, language)
        if number is not None:
            return Extracted(number, "phrase")
        if more:
            return Extracted(None, "none" if complete else "cut")
    if not complete:
        return Extracted(None, "cut")
    return _last(text, language)


def verify(text: str, gold: Fraction, complete: bool = True, language: str = "en") -> bool:
    """Whether the rollout's final number equals the gold answer exactly (29.00 equals 29)."""
    return extract_answer(text, complete, language).number == gold


def _after_hash(text: str, complete: bool, language: str) -> Extracted:
    """The number on the answer line; a line that still calculates counts after its last `=`."""
    line, newline, _ = text.partition("\n")
    whole = complete or bool(newline)
    line = _FRAC.sub(r"\1/\2", line)
    _, equals, after = line.rpartition("=")
    number, _ = _first(after if equals else line, whole, language, anywhere=True)
    if number is None:
        return Extracted(None, "none" if whole else "cut")
    return Extracted(number, "hash")


def _first(
    text: str, complete: bool, language: str, *, anywhere: bool = False
) -> tuple[Fraction | None, bool]:
    """The number a text starts with (or, on an answer line, its first), and whether digits follow.

    None where an operation follows it (then it is a step) or where it may be cut.
    """
    line = text.partition("\n")[0]
    match = number_pattern(language).search(line)
    if match is None:
        return None, bool(_DIGIT.search(line))
    before = line[: match.start()]
    if _DIGIT.search(before) or (not anywhere and before.strip(" \t*_:$€£₺\"'(`~")):
        return None, True
    if _OPERATION.match(line, match.end()):
        rest = line.rpartition("=")[2] if "=" in line else ""
        return (_first(rest, complete, language)[0] if rest else None), True
    if not complete and not text[match.end() :].strip(" .,/"):
        return None, True
    if "=" in line[match.end() :]:
        return _first(line.rpartition("=")[2], complete, language)[0], True
    return number_of(match), True


def _only(text: str, language: str) -> Fraction | None:
    """The number in a box, which may hold its unit as well."""
    found = list(number_pattern(language).finditer(text.replace("\\$", "$")))
    if len(found) != 1 or len(_DIGIT.findall(text)) != len(_DIGIT.findall(found[0][0])):
        return None
    return number_of(found[0])


def _last(text: str, language: str) -> Extracted:
    end = len(text)
    while end and not text[end - 1].isdecimal() and text[end - 1] not in "½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞":
        end -= 1
    line = text.rfind("\n", 0, end) + 1
    match = _final(number_pattern(language).finditer(text, line))
    # a number of an unknown make after it: better none than the wrong one
    if match is None or _DIGIT.search(text, match.end()):
        return Extracted(None, "none")
    return Extracted(number_of(match), "last")


def _final(matches: Iterable[re.Match[str]]) -> re.Match[str] | None:
    last = deque(matches, maxlen=1)
    return last[0] if last else None
