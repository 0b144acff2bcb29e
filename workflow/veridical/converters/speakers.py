"""Who said it: a fact that every conversation tells, of each turn that stands in it once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from veridical.converters.life import Event, Fact

SPEAKER = "speaker"
WORDS = (5, 28)  # of a quotation: as few as tell it apart, as many as a question can hold
EACH = 12  # turns that a speaker needs, as many as Control 3 asks of each of two
MOST = 150  # turns of one speaker that are asked about
_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"(?<=[.!?…])\s+")


def who_said_it(events: Sequence[Event]) -> tuple[tuple[Fact, ...], str]:
    """Facts of the attribute `speaker`, as many of each speaker; and why there are none.

    A turn is asked about by its first words, quoted. They must stand in no other turn and name no
    speaker, nor a short form of a speaker's name: "Hey Mel" tells that somebody else speaks. Of a
    speaker with more such turns than another has, turns spread over the whole time are taken.
    """
    names = list(dict.fromkeys(event.speaker for event in events))
    words, hints = _words(names), _hints(names)
    said = Said(events)
    fit: dict[str, list[Fact]] = {name: [] for name in names}
    for event in events:
        text = quotation(event.text)
        if text and not _names_one(text, words, hints) and said.once(text):
            fit[event.speaker].append(Fact(text, SPEAKER, event.speaker, event.id))
    enough = {name: own for name, own in fit.items() if len(own) >= EACH}
    if len(enough) < 2:
        counts = ", ".join(f"{name} {len(own)}" for name, own in fit.items())
        return (), (
            f"who said it: at least two speakers need {EACH} turns of {WORDS[0]} words or more "
            f"that stand once and name nobody who speaks; there are {counts}"
        )
    n = min(MOST, *map(len, enough.values()))
    kept = {fact.event: fact for own in enough.values() for fact in spread(own, n)}
    return tuple(kept[event.id] for event in events if event.id in kept), ""


def quotation(text: str) -> str:
    """The first sentences of a turn, as many words as a question can hold; empty where too few.

    >>> quotation("Hi! I moved the boat to the far quay today.")
    'Hi! I moved the boat to the far quay today.'
    """
    held: list[str] = []
    for sentence in _END.split(text.strip()):
        words = sentence.split()
        if held and len(held) + len(words) > WORDS[1]:
            break
        held += words[: WORDS[1]]
        if len(held) >= 2 * WORDS[0]:
            break
    return " ".join(held) if len(_WORD.findall(" ".join(held))) >= WORDS[0] else ""


def spread(facts: Sequence[Fact], n: int) -> list[Fact]:
    """n of the facts, evenly over their order."""
    return [facts[place * len(facts) // n] for place in range(n)]


def _plain(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


class Said:
    """All turns, to tell whether a quotation stands in them once: looked for only where its first
    words do, or a long talk would take the square of its length."""

    def __init__(self, events: Sequence[Event]):
        self._plain = [_plain(event.text) for event in events]
        self._places: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for number, text in enumerate(self._plain):
            words = text.split()
            for start in range(len(words) - WORDS[0] + 1):
                self._places[tuple(words[start : start + WORDS[0]])].add(number)

    def once(self, quoted: str) -> bool:
        """Whether a quotation, of `WORDS[0]` words at least, stands in one turn, and once there."""
        text = _plain(quoted)
        turns = self._places[tuple(text.split()[: WORDS[0]])]
        return sum(self._plain[number].count(text) for number in turns) == 1


def _words(names: Sequence[str]) -> frozenset[str]:
    """The words of all speakers' names."""
    return frozenset(w for name in names for w in _WORD.findall(name.casefold()) if len(w) > 1)


def _hints(names: Sequence[str]) -> frozenset[str]:
    """The beginnings of these words, from three letters on."""
    return frozenset(
        word[:end] for word in _words(names) for end in range(min(3, len(word)), len(word) + 1)
    )


def _names_one(text: str, words: frozenset[str], hints: frozenset[str]) -> bool:
    """Whether a word is of a speaker's name, however it is written, or, capitalised, the beginning
    of one: without a capital a beginning is any word."""
    return any(
        w.casefold() in words or (w[0].isupper() and w.casefold() in hints)
        for w in _WORD.findall(text)
    )


def repeated(events: Sequence[Event]) -> int:
    """How many turns say what another says too, word for word."""
    counts = Counter(_plain(event.text) for event in events)
    return sum(n for n in counts.values() if n > 1)
