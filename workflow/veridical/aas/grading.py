"""Score the answers of the age score's two tasks, given as text, in English, Turkish or Italian.

semantic: what day it is (a weekday). episodic: which number this experiment has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.aas.spoken import LANGUAGES, days_in, heard, numbers_in
from veridical.base.calendars import DAYS

MARKS = ("right", "partial", "wrong", "abstained", "ambiguous", "unparseable", "empty")

_ABSTENTIONS = re.compile(
    r"(?<!\w)(?:don't know|do not know|dont know|don't have|do not have|no information"
    r"|not have (?:access|information)|can't|cannot|can not|unable|not sure|uncertain|unknown"
    r"|no idea|don't remember|do not remember|don't recall|do not recall|not (?:given|provided"
    r"|specified|mentioned|known|available)"
    r"|bilmiyorum|bilemiyorum|bilemem|bilinmiyor|bilgim yok|bilgi(?:ye)? (?:sahip degilim|yok)"
    r"|emin degilim|hatirlamiyorum|hatirlayamiyorum|erisimim yok|fikrim yok|belirtilmemis"
    r"|belirtilmedi|verilmedi|verilmemis|soyleyemem|yanitlayamam|mumkun degil"
    r"|non (?:lo )?so|non (?:lo )?saprei|non (?:posso|riesco a|potrei) (?:dirlo|dire|saperlo|sapere"
    r"|stabilirlo|ricordar\w+)|non ho (?:accesso|informazioni|modo|idea)|non (?:mi |lo )?ricordo"
    r"|non sono (?:sicur[oa]|cert[oa]|in grado)|nessuna idea|impossibile"
    r"|non (?:e|viene|risulta) (?:indicato|specificato|noto|dato|disponibile|possibile))(?!\w)"
)
_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|nor|neither|never|no longer|rather than|instead of|non|nicht|ne)|n't)\s+"
    r"(?:(?:a|e|era|number|experiment|session)\s+)*[\"'*]*$"
)
_NEGATED_AFTER = re.compile(r"^[\"'*]*\s+(?:gunu\s+|numara\w*\s+)?degil")
# the day beside the one asked for: "yesterday was Sunday", "the day after Monday"
_ANOTHER_DAY = re.compile(
    r"\b(?:yesterday|tomorrow|after|before|until|since|dun|yarin|ieri|domani|dopo|prima|next|last)\s+"
    r"(?:\w+\s+)?(?:\w+\s+)?[\"'*]*$"
)
_THAN_ANOTHER = re.compile(r"^[\"'*]*(?:'?d[ae]n)?\s+(?:sonra|once)")
_ENGLISH = """the is it this today day number experiment i know don't do not of and my sorry a an
    are you we first session answer as to have was that which what"""
_TURKISH = """bugun gun gunu gunlerden deney deneyin deneyi numara numarasi numarali bu bilmiyorum
    ve ben icin degil degilim yok var olan tarih cevap sanirim uzgunum olarak hakkinda ise hangi
    kac birinci bir oturum oturumun"""
_ITALIAN = """il la lo oggi giorno esperimento numero di del questo questa sessione non so mi
    dispiace un una che ho sono prima primo quale qual risposta come credo domanda abbiamo e"""
_MARKERS = {
    "en": frozenset(_ENGLISH.split()),
    "tr": frozenset(_TURKISH.split()),
    "it": frozenset(_ITALIAN.split()),
}
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


@dataclass(frozen=True)
class ScoredAnswer:
    """What an answer is worth: `x` (1 right, else 0), why (`mark`), what was read, in which words.

    `given` is the canonical answer: a weekday in English, a number in digits, `abstained`, or the
    folded text where neither could be read. `language` is None where nothing tells it ("7").
    """

    x: float
    mark: str
    given: str
    language: str | None


def score_answer(
    task: str, asked: str, expected: str, answer: str, *, complete: bool = True
) -> ScoredAnswer:
    """Score one answer. An abstention scores 0 with a mark of its own.

    A hedge does not count as an abstention where exactly one day or number is given; several
    different ones are `ambiguous` and score 0. Where the answer was cut (not `complete`), what
    stands at its very end may lack a part and isn't read. Raises ValueError where `task`, `asked`
    (en, tr, it) or `expected` can't be read.

    >>> score_answer("semantic", "tr", "Monday", "PAZARTESİ.").x
    1.0
    >>> score_answer("episodic", "en", "7", "I don't know").mark
    'abstained'
    """
    if asked not in LANGUAGES:
        raise ValueError(f"language {asked!r}: it must be one of {', '.join(LANGUAGES)}")
    wanted = expected_value(task, expected)
    folded = heard(answer)
    if not any(c.isalnum() for c in folded):
        return ScoredAnswer(0.0, "empty", "", None)
    found, named_in = _read(task, folded, asked, complete)
    language = _language(folded, named_in)
    if len(found) == 1:
        given = found[0]
        right = given == wanted
        return ScoredAnswer(float(right), "right" if right else "wrong", given, language)
    if abstains(folded):
        return ScoredAnswer(0.0, "abstained", "abstained", language)
    return ScoredAnswer(0.0, "ambiguous" if found else "unparseable", folded[:80], language)


def abstains(folded: str) -> bool:
    """Whether a text that was `heard` says that it can't say."""
    return bool(_ABSTENTIONS.search(folded))


def expected_value(task: str, expected: str) -> str:
    """The expected answer in canonical form: `Monday` … `Sunday`, or a number in digits.

    Raises ValueError where `task` is unknown or `expected` is not exactly one day or number.
    """
    folded = heard(str(expected))
    for found, language in [_read(task, folded, language) for language in LANGUAGES]:
        if len(found) == 1 and language in (None, *LANGUAGES):
            return found[0]
    kind = "day of the week" if task == "semantic" else "whole number"
    raise ValueError(f"expected answer {expected!r}: not a {kind} in English, Turkish or Italian")


def _read(
    task: str, folded: str, asked: str, complete: bool = True
) -> tuple[list[str], str | None]:
    """The distinct answers in a text, canonical, and the language of their words."""
    if task == "semantic":
        days = [day for day in days_in(folded) if not _another_day(folded, *day[2:])]
        found = [(DAYS["en"][day], language, start, stop) for day, language, start, stop in days]
        found = asserted(folded, found, complete)
    elif task == "episodic":
        found = []
        for language in _word_languages(folded, asked):
            numbers = numbers_in(folded, language)
            found = [(f"{value:.15g}", word, start, stop) for value, word, start, stop in numbers]
            if found := asserted(folded, found, complete):
                break
    else:
        raise ValueError(f"task {task!r}: it must be semantic or episodic")
    languages = {language for _, language in found if language}
    named_in = languages.pop() if len(languages) == 1 else None
    return list(dict.fromkeys(value for value, _ in found)), named_in


def numbers_read(folded: str, asked: str, complete: bool = True) -> list[str]:
    """The distinct numbers that a text which was `heard` gives, in digits."""
    return _read("episodic", folded, asked, complete)[0]


def language_told(folded: str) -> str | None:
    """The language that the small words of a text tell; None where they tell none."""
    return _language(folded, None)


def asserted(
    folded: str, found: list[tuple[str, str | None, int, int]], complete: bool
) -> list[tuple[str, str | None]]:
    """What of it is neither denied nor cut at the text's end, as (value, language)."""
    end = len(folded) if complete else len(folded.rstrip(" .,'\"*")) - 1
    return [
        (value, language)
        for value, language, start, stop in found
        if not _negated(folded, start, stop) and stop <= end
    ]


def _another_day(folded: str, start: int, end: int) -> bool:
    return bool(_ANOTHER_DAY.search(folded[:start]) or _THAN_ANOTHER.match(folded[end:]))


def _negated(folded: str, start: int, end: int) -> bool:
    return bool(_NEGATED_BEFORE.search(folded[:start]) or _NEGATED_AFTER.search(folded[end:]))


def _word_languages(folded: str, asked: str) -> tuple[str, ...]:
    # "on" is ten in Turkish and a preposition in English: the words around it decide
    spoken = _language(folded, None)
    if spoken:
        return (spoken,)
    return (asked, *(other for other in LANGUAGES if other != asked))


def _language(folded: str, named_in: str | None) -> str | None:
    """The language of an answer: of the day or number word it gives, else of its small words."""
    if named_in:
        return named_in
    words = _WORD.findall(folded)
    counts = {language: sum(w in _MARKERS[language] for w in words) for language in LANGUAGES}
    best, other, *_ = sorted(counts, key=counts.__getitem__, reverse=True)
    return best if counts[best] > counts[other] else None
