"""Reading a choice: which one of the options listed does a reply in free text name?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridical.models.mentions import TRIM, marked, seen
from veridical.models.stances import ARTICLE, FIRST, MARKS, Stance, stances

_SHORT = "".join(rf"(?<!\b{short}\.)" for short in ("vs", "no", "nr", "dr", "mr", r"e\.g", r"i\.e"))
_SENTENCE = re.compile(rf"(?<=[.!?…]){_SHORT}[\"')\]]*\s+|;\s+|\n+")
_LEAD = re.compile(
    r"(?:[-*•>#]+\s+|\d{1,2}[.)]\s+(?=\D)|"
    r"(?P<back>(?:no(?=\s*[,:;.!-])|wait|actually|sorry|correction|i mean|rather|oops|anzi|pardon|"
    r"scusa|cioe|volevo dire|daha dogrusu|duzeltiyorum|hayir)\b[\s,:;.!-]+(?!\Z))|"
    r"(?P<cue>(?:so|therefore|thus|hence|in conclusion|quindi|dunque|percio|in conclusione|yani|"
    r"dolayisiyla|bu nedenle|sonuc olarak)\b[\s,:]*|"
    r"(?:(?:my|the|your|final|correct|right|so|la|mia|il|dogru|son)\s+)*"
    r"(?:answer|partner|option|choice|response|risposta|interlocutore|opzione|scelta|cevap|cevabim|"
    r"yanit|yanitim|ortak|secenek)(?:\s+(?:finale|corretta|final))?"
    r"(?:\s+(?:is|was|would be|e|era))?(?:\s*[:=]|\b)[\s,]*)|"
    r"(?:(?:it|that)(?:'s| was| is| must be)|i(?:'d)? (?:choose|pick|say|mean|think)|"
    r"(?:e|era) stato|era|with|con|text|option|testo)\b\s*)",
)
# an option alone, with what Turkish hangs on it: X'dır, X ile, X metni
_ALONE = re.compile(
    rf"{MARKS}(?:'?(?:[dt][iu]r|y?l[ae]|y?d[iu])|\s+(?:ile|idi|metni|sikki|secenegi))?"
)
_LABELLED = re.compile(rf"{MARKS}\s*[):]|{MARKS}\s[-–—]\s")  # "A) the text about bread"
_CONCLUDED = re.compile(  # "…, so the answer is X."
    rf"\b(?:answer|risposta|cevap|yanit)(?:\s+(?:is|e)|\s*:)?\s+[\"']?(?P<mark>{MARKS})\W*\Z"
)
_EXPLAINED = re.compile(  # "X, because Y was met on another day"
    rf"{MARKS},?\s+(?:because|since|as|while|whereas|perche|poiche|mentre|cunku|zira)\b"
)
_MARK = re.compile(MARKS)
_REMARK = re.compile(r"\([^()]*\)")
# not to know which of them it was is an abstention, though both are named
_WHETHER = (
    r"{none}\s+(?:whether|if|who|which|what|se|chi|quale|con chi)\b|\bm[iu]\b[^.?]*{none}\W*\Z"
)
_BACK = re.compile(
    r"\b(?:wait|actually|sorry|correction|i mean|on second thought|scratch that|oops|mistake|"
    r"that(?:'s| is| was) (?:wrong|not right|incorrect)|anzi|pardon|scusa|mi correggo|sbagli\w+|"
    r"volevo dire|duzelt\w+|hata|yanlis\w*|hayir)\b|\bno\s*[,:]"
)
_UNSURE = re.compile(
    r"\b(?:not (?:\w+ )?(?:sure|certain)|unsure|uncertain|just a guess|only a guess|i'm guessing|"
    r"(?:can't|cannot|can not) (?:be (?:sure|certain)|say|tell|know|determine|confirm|answer)|"
    r"don't know|do not know|no idea|non (?:lo )?so|non (?:ne )?sono sicur\w|"
    r"non posso (?:dir|esser)\w*|emin degil\w*|bilmiyorum|bilemem|soyleyemem|tahmin)\b"
    r"|^\W*(?:no|nope|hayir)\W*$"
)


class _Sentence(NamedTuple):
    """A sentence, what it says of the options, and, where it gives one as the answer, which."""

    text: str
    stances: list[Stance]
    states: str  # the mark of the option that the sentence states, else empty
    called: bool  # whether it calls it the answer, rather than just naming it

    def of(self, *wanted: str) -> set[str]:
        """The options of which it says one of these."""
        return {mark for mark, stance in self.stances if stance in wanted}


def choose(reply: str, listed: Sequence[str], abstention: str | None = None) -> str | None:
    """The one option that a reply names as its answer; None where none is sure.

    A sentence that is an option, or gives one as the answer ("Answer: X", "so it was X"), states
    it; where any does, all must state one, but for what is taken back ("X. No, wait: Y"), and what
    else the reply says explains it. Where none does, the option must be the only one of which the
    reply says anything. Nothing is named by what is denied, asked, doubted or offered ("X or Y"),
    nor by a part of another word.
    """
    text = marked(seen(reply), listed)
    names = {chr(FIRST + n): option for n, option in enumerate(listed)}
    none = next((mark for mark, option in names.items() if option == abstention), "")
    sentences = [_read(each, none) for each in _SENTENCE.split(text) if each.strip()]
    stated = [n for n, sentence in enumerate(sentences) if sentence.states]
    mark = _stated(sentences, stated) if stated else _told(sentences, none)
    if mark and mark != none and _unsure(sentences):
        return None
    return names[mark] if mark else None


def choose_begun(text: str, listed: Sequence[str], begin: str) -> str | None:
    """The option that a text goes on to name where its beginning was given.

    What was begun is an entry, and its words after the name ("met X — bread: it never rose") say
    nothing of the answer; a denial or a doubt before the name does.
    """
    text = marked(seen(text).strip().removeprefix(seen(begin).strip()), listed)
    found = _MARK.search(text)
    if found is None or ARTICLE in text[: found.start()]:
        return None
    entry = re.match(r"[^\n—?]*", text[found.start() :])[0]
    before = stances(text[: found.end()])
    if before[-1].stance != "said" or len(set(_MARK.findall(entry))) > 1 or "?" in text:
        return None
    return listed[ord(found[0]) - FIRST]


def _read(sentence: str, none: str) -> _Sentence:
    """What one sentence says, and what it states; a hedged abstention is no less one."""
    rest, called, text = sentence.strip(), False, sentence
    while lead := _LEAD.match(rest):
        called = called or lead["cue"] is not None
        rest = rest[lead.end() :].lstrip(" \t:,\"'-")
        sentence = rest if lead["back"] else sentence  # "no, wait: X" denies what was said before
    found = stances(sentence)
    if not sentence.rstrip().endswith("?"):
        found = [
            Stance(mark, "said") if mark == none else each for each in found for mark in each.mark
        ]
    first = _MARK.match(rest)
    if first and _EXPLAINED.match(rest) and Stance(first[0], "said") in found:
        return _Sentence(text, found, first[0], called)
    if (last := _CONCLUDED.search(rest)) and found[-1] == Stance(last["mark"], "said"):
        return _Sentence(text, found, last["mark"], True)
    alone = _ALONE.fullmatch(_REMARK.sub("", rest).strip(TRIM)) and not rest.endswith("?")
    said = {mark for mark, stance in found if stance == "said"}
    sure = len(said) == 1 and all(stance != "doubted" for _, stance in found)
    states = sure and (alone or called or _LABELLED.match(rest))
    return _Sentence(text, found, said.pop() if states else "", called)


def _stated(sentences: Sequence[_Sentence], stated: Sequence[int]) -> str | None:
    """The one option that the statements give; None where they differ and none is taken back."""
    called = [n for n in stated if sentences[n].called]
    if called:  # options repeated before the answer are no answers
        repeated = [n for n in stated if n < called[0]]
        if len({sentences[n].states for n in repeated}) > 1:
            stated = stated[len(repeated) :]
    last = stated[-1]
    mark = sentences[last].states
    others = [n for n in stated if sentences[n].states != mark]
    if others and not any(_BACK.search(each.text) for each in sentences[others[-1] + 1 : last + 1]):
        return None
    for sentence in sentences[last + 1 :]:
        other = sentence.of("doubted") - {mark} or mark in sentence.of("denied", "doubted")
        if other or _BACK.search(sentence.text):
            return None
    return mark


def _told(sentences: Sequence[_Sentence], none: str) -> str | None:
    """The one option of which the reply says something; a question before it only repeats."""
    said = set().union(*(sentence.of("said") for sentence in sentences))
    if len(said) != 1:
        return None
    (mark,) = said
    first = next(n for n, sentence in enumerate(sentences) if mark in sentence.of("said"))
    for n, sentence in enumerate(sentences):
        if mark == none and re.search(_WHETHER.format(none=none), sentence.text):
            continue
        asked = n < first and sentence.text.rstrip(" \"')").endswith("?")
        if (sentence.of("doubted") and not asked) or mark in sentence.of("denied"):
            return None
        if n > first and _BACK.search(sentence.text):
            return None
    return mark


def _unsure(sentences: Sequence[_Sentence]) -> bool:
    """Whether a sentence that names no option says that the speaker doesn't know."""
    return any(_UNSURE.search(each.text) for each in sentences if not each.stances)
