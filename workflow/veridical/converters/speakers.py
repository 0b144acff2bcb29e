"""Who said it: a fact that every conversation tells, of each turn that stands in it once."""

from __future__ import annotations

import re
from collections import Counter
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
    hints = _hints(names)
    quoted = [(event, quotation(event.text)) for event in events]
    whole = "\n".join(_plain(event.text) for event in events)
    fit: dict[str, list[Fact]] = {name: [] for name in names}
    for event, text in quoted:
        if text and not _names_one(text, hints) and whole.count(_plain(text)) == 1:
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


def _hints(names: Sequence[str]) -> frozenset[str]:
    """The words of all speakers' names, and their beginnings from three letters on."""
    words = {word for name in names for word in _WORD.findall(name.casefold()) if len(word) > 1}
    return frozenset(
        word[:end] for word in words for end in range(min(3, len(word)), len(word) + 1)
    )


def _names_one(text: str, hints: frozenset[str]) -> bool:
    """Whether a capitalised word is a speaker's name or the beginning of one."""
    return any(w.casefold() in hints for w in _WORD.findall(text) if w[0].isupper())


def repeated(events: Sequence[Event]) -> int:
    """How many turns say what another says too, word for word."""
    counts = Counter(_plain(event.text) for event in events)
    return sum(n for n in counts.values() if n > 1)
