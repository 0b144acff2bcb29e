"""Is a rollout's final number the right one? Strict: what can't be read for sure is not verified.

The final number is, in this order: the one after the first `####` (headings apart); the last
`\\boxed{}`; the one that "the answer is" or a last line "A:" gives; and, only where the rollout
came to its own end, the one number of its last sentence. In a rollout that was cut only a whole
answer line counts: it is the first, while what is last there isn't known. What follows a new
question ("\\nQ:") is no part of the rollout.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from veridical.base.numerals import PART
from veridical.vpe.claims import UNREADABLE, Claim, claimed, spelled_in
from veridical.vpe.markup import unmarked

WAYS = ("hash", "boxed", "phrase", "last", "none", "cut", "empty")

_RUN_ON = re.compile(
    r"\n[ \t]*(?:Q|Question|Problem|Soru|Domanda|Problema)\s*\d*\s*[:.]", re.IGNORECASE
)
# a line of Markdown's fourth-level heading is no answer line: "#### Step 1: count the eggs"
_HEADING = re.compile(
    r"[ \t]*(?!(?:the|final|answer|cevap|yanıt|risposta|so|total|is|x|usd|eur|rs)\b)[^\W\d_]",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\d))")
_IS = r"(?:is|was|are|equals?|(?:would|will|should|must)\s+be|comes?\s+(?:out\s+)?to|becomes)"
_PHRASE = re.compile(
    rf"(?:^[ \t]*(?:final\s+)?|(?<=[.!?,;:(]\s)|\b(?:(?:the|my|our|his|her|their|this)\s+"
    rf"(?:final\s+|correct\s+|right\s+)?|final\s+|so\s+|thus\s+))[\"'(<{{[]*answer[\"'>]*(?:\s+(?:to|in|for|of|here|then)\b[^.\n:=?!]{{0,80}}?)?,?\s*"
    rf"(?:\b{_IS}\b\s*[:=]?|[:=]+|(?=\s[$€£]?\d))"
    r"|(?<!\w)(?:risposta|soluzione)(?:\s+(?:finale|corretta|giusta|alla domanda))*\s*"
    r"(?:(?:è|sarà|era)\s*:?|[:=]|(?=\s[$€£]?\d))"
    r"|(?<!\w)(?:cevap|cevab[ıi](?:m[ıi]z?)?|yan[ıi]t|yan[ıi]t[ıi](?:m[ıi]z?)?|sonuç|sonucu?)"
    r"\s*(?:[:=]|(?=\s[$€£₺]?-?\d))"
    r"|(?<!\w)(?:antwort|lösung)\s+(?:ist|lautet|beträgt)\s*:?|(?<!\w)(?:antwort|lösung)\s*[:=]"
    r"|(?<!\w)respuesta(?:\s+(?:final|correcta))?\s*(?:es\b\s*:?|[:=])"
    r"|(?<!\w)réponse(?:\s+(?:finale|correcte))?\s*(?:est\b\s*:?|[:=])",
    re.IGNORECASE | re.MULTILINE,
)
_CUES = ("answer", "cevap", "cevab", "yan", "sonu", "rispost", "soluzione", "antwort", "lösung")
_CUES += ("respuesta", "réponse")
_LAST_LINE = re.compile(r"\n?[ \t]*(?:A|Ans|R|C|S)\.?\s*[:=](?P<said>[^\n]*)\s*\Z")
_LAST_DIGIT = re.compile(rf"[\d{PART}](?=[^\d{PART}]*\Z)")
_UNKNOWN = re.compile(
    r"\b(?:don't know|do not know|can(?:'t|not) (?:be )?(?:tell|say|told|known?|determined?)|"
    r"impossible to|not enough information|unknown|non lo so|non si può|bilmiyorum|bilinemez)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"\s*[A-Z]\s*[:)]")  # one of several answers: "A: 5" and "B: 7"
# where a sentence ends: not behind "approx." or "Rs.", nor within a number
_STOP = re.compile(
    r"(?<!\bapprox)(?<!\bca)(?<!\bno)(?<!\bnr)(?<!\brs)(?<!\bvs)(?<!\bst)"
    r"[.!?](?=[\"')\]]*(?:\s|$))|\n",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\bwait\b(?!\s+(?:for|to|un|at|in|a\s+(?!min|sec|mom)))|\b(?:actually|correction|oops|"
    r"scratch that|i mean|mistake|sorry|my bad|hold on|on second thought)\b|\bno\s*[,:.!—]|"
    r"\blet me (?:re|double|check|correct|fix|try)|\bshould (?:have been|be) \d"
    r"|\b(?:that|this|it)(?:'s| is| was) (?:wrong|not right|incorrect)"
    r"|\b(?:aspetta|anzi|scusa|mi correggo|correggo|errore|volevo dire|sbaglia\w*)\b"
    r"|\b(?:bekle|hayır|düzelt\w*|pardon|yanlış\w*|aslında|hata\w*)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"[\s,.:;!—-]*(?:no[\s,.:;!—-]+)?(?:wait|i mean|(?:it|that)(?:'s| is)|(?:it )?should be|"
    r"make that|è|intendo|sono)?[\s,.:;!—-]*(?P<said>[^\n.!?]*\d[^\n!?]*)\Z",
    re.IGNORECASE,
)


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


def extract_answer(
    text: str, complete: bool = True, language: str = "en", *, stopped: bool = False
) -> Extracted:
    """The final number of a rollout.

    `complete` is False where the token budget cut the rollout: then only an answer line that was
    finished counts. `stopped` is True where a stop text ended it, so that its last number may be a
    step of the calculation: then the number must be given as the answer. `language` decides what
    comma and point mean. The way is one of `WAYS`.

    >>> extract_answer("So she earns 9 * 2 = $18.\\n#### 18").number
    Fraction(18, 1)
    >>> extract_answer("9 * 2 = 18", complete=False)
    Extracted(number=None, way='cut')
    """
    if not text.strip():
        return Extracted(None, "empty")
    text = unmarked(text)
    if run_on := _RUN_ON.search(text, 1):
        text, complete, stopped = text[: run_on.start() + 1], True, False
    given = _given(text, language) if complete else _hash(text, language, complete)
    if given is None:
        return Extracted(None, "cut") if stopped or not complete else _last(text, language)
    claim, way = _unless_taken_back(given, text, language)
    if claim.value is None:
        return Extracted(None, "none" if complete else "cut")
    return Extracted(claim.value, way)


def begins_question(stop: str) -> bool:
    """Whether a stop text is the beginning of a new question, which is no part of a rollout."""
    return _RUN_ON.match(stop) is not None


def verify(text: str, gold: Fraction, complete: bool = True, language: str = "en") -> bool:
    """Whether the rollout's final number equals the gold answer exactly (29.00 equals 29)."""
    return extract_answer(text, complete, language).number == gold


class _Given(NamedTuple):
    """A number given as the answer: what is claimed, in which way, and where the text goes on."""

    claim: Claim
    way: str
    end: int


def _given(text: str, language: str) -> _Given | None:
    """What the text gives as its answer; None where it nowhere says what the answer is."""
    return _hash(text, language) or _boxed(text, language) or _phrase(text, language)


def _hash(text: str, language: str, complete: bool = True) -> _Given | None:
    """The first answer line; None where there is none, or where it may have been cut."""
    mark = text.find("####")
    while mark >= 0:
        rest = text[mark:].lstrip("#").lstrip()
        if not (_HEADING.match(rest) and "\n" in rest.rstrip()):
            break
        mark = text.find("####", len(text) - len(rest))
    if mark < 0:
        return None
    start = len(text) - len(rest)
    line = re.match(r"[^\n]*?(?=\n|####|\Z)", rest)[0]
    if not complete and len(line) == len(rest):
        return None
    return _Given(claimed(_unboxed(line), language), "hash", start + len(line))


def _boxed(text: str, language: str) -> _Given | None:
    """The last box; where several stand on its line, what all of them hold."""
    boxes = list(_BOXED.finditer(text))
    if not boxes:
        return None
    start = text.rfind("\n", 0, boxes[-1].start()) + 1
    held = {claimed(box[1] or box[2] or "", language) for box in boxes if box.start() >= start}
    return _Given(held.pop() if len(held) == 1 else UNREADABLE, "boxed", boxes[-1].end())


def _phrase(text: str, language: str) -> _Given | None:
    """What the text says the answer is, where all that it says of it is one number."""
    lowered = text.lower()
    cues = list(_PHRASE.finditer(text)) if any(cue in lowered for cue in _CUES) else []
    said = []
    for cue in cues:
        end = _STOP.search(text, cue.end())
        said.append((claimed(text[cue.end() : end.end() if end else None], language), cue.end()))
    if line := _LAST_LINE.search(text):
        said.append((claimed(line["said"], language), line.end()))
    said = [(claim, at) for claim, at in said if claim.given]
    if not said:
        return None
    claim, at = said[-1]
    others = [there for other, there in said if other != claim]
    if others and not _TAKEN_BACK.search(text, others[-1], at):
        claim = UNREADABLE
    return _Given(claim, "phrase", at)


def _unless_taken_back(given: _Given, text: str, language: str) -> tuple[Claim, str]:
    """The claim, or what the text says in its place where it takes it back ("No wait, 14")."""
    backs = list(_TAKEN_BACK.finditer(text, given.end))
    if not backs or not given.claim.given:
        return given.claim, given.way
    rest = text[backs[-1].end() :]
    if again := _given(rest, language):
        return again.claim, again.way
    instead = _INSTEAD.match(rest)
    return (claimed(instead["said"], language) if instead else UNREADABLE), given.way


def _last(text: str, language: str) -> Extracted:
    """The one number of the last sentence that has any."""
    digit = _LAST_DIGIT.search(text)
    if digit is None:
        return Extracted(None, "none")
    stops = list(_STOP.finditer(text))
    start = max((stop.end() for stop in stops if stop.start() < digit.start()), default=0)
    end = min((stop.start() for stop in stops if stop.start() > digit.start()), default=len(text))
    sentence, rest = text[start:end], text[end:]
    doubtful = _TAKEN_BACK.search(text, start) or _UNKNOWN.search(text)
    if doubtful or rest.startswith("?") or _LABELLED.match(sentence):
        return Extracted(None, "none")
    claim = claimed(sentence, language, prose=True)
    if {Fraction(n) for n in spelled_in(rest, language)} - {claim.value}:
        return Extracted(None, "none")
    return Extracted(claim.value, "last" if claim.value is not None else "none")


def _unboxed(line: str) -> str:
    return _BOXED.sub(lambda box: box[1] or box[2] or "", line) if "\\boxed" in line else line
