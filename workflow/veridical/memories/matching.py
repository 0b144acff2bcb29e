"""What a piece of text says about a topic: does it mention it, and which partner does it name?

By string match alone, so that nothing but the store is measured. A topic is mentioned where its
words stand in a row, case and punctuation aside; failing that, where all its longer words stand in
the same line, so that an extracted fact which words it a little otherwise still counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

LONGER = 4  # letters from which a word of a topic counts by itself


@lru_cache(maxsize=50_000)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in one form and lower case.

    >>> words_of("Wenna's first—WEEK")
    ('wenna', 's', 'first', 'week')
    """
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def lines_of(text: str) -> list[str]:
    """The lines of a text that hold a word, for what is said of a topic is said in one line."""
    return [line for line in text.splitlines() if re.search(r"\w", line)]


@dataclass(frozen=True)
class Line:
    """One line of a store: its words, and the partners that it names."""

    text: str
    words: tuple[str, ...]
    partners: frozenset[str]

    @classmethod
    def of(cls, text: str, partners: Sequence[str]) -> Line:
        """Read a line."""
        return _read_line(text, tuple(partners))


@lru_cache(maxsize=20_000)  # a store is read bank by bank and probe by probe: the same lines again
def _read_line(text: str, partners: tuple[str, ...]) -> Line:
    words = words_of(text)
    named = {partner for partner in partners if follows(words, words_of(partner))}
    return Line(text, words, frozenset(named))


def follows(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the wanted words stand in a row.

    >>> follows(("met", "bo", "on", "monday"), ("bo", "on")), follows(("bo",), ())
    (True, False)
    """
    return bool(wanted) and _joined(tuple(wanted)) in _joined(tuple(words))


@lru_cache(maxsize=50_000)
def _joined(words: tuple[str, ...]) -> str:
    """Words with a space, which none of them holds, on either side of each."""
    return f" {' '.join(words)} "


def mentions(line: Line, topic: Sequence[str], *, loosely: bool = False) -> bool:
    """Whether a line mentions the topic: its words in a row or, loosely, its longer words."""
    if not loosely:
        return follows(line.words, topic)
    longer = _longer(tuple(topic))
    return bool(longer) and longer <= _set(line.words)


@lru_cache(maxsize=5_000)
def _longer(topic: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for word in topic if len(word) >= LONGER) or frozenset(topic)


_set: Callable[[tuple[str, ...]], frozenset[str]] = lru_cache(maxsize=20_000)(frozenset)


class Store:
    """Lines that can be asked which of them mention a topic, however many there are."""

    def __init__(self, texts: Iterable[str], partners: Sequence[str]):
        self.lines = [Line.of(line, partners) for text in texts for line in lines_of(text)]
        self._at: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self.lines):
            for word in set(line.words):
                self._at[word].append(number)

    def about(self, topic: str) -> list[int]:
        """Numbers of the lines that mention a topic; loosely where none has its very words."""
        words = words_of(topic)
        longer = [word for word in words if len(word) >= LONGER] or list(words)
        if not longer:
            return []
        rarest = min((self._at.get(word, []) for word in longer), key=len)
        exactly = [n for n in rarest if mentions(self.lines[n], words)]
        return exactly or [n for n in rarest if mentions(self.lines[n], words, loosely=True)]


@dataclass(frozen=True)
class Read:
    """What recalled items say about a topic: the place (from 1) of the first that mentions it, and
    of each that names exactly one partner for it, with that partner, in the order recalled."""

    mentioned: int | None
    named: tuple[tuple[int, str], ...]

    @property
    def partner(self) -> str | None:
        """What an ideal reader answers: the first partner named; None where none is."""
        return self.named[0][1] if self.named else None

    def rank(self, partner: str | None) -> int | None:
        """The place of the first item that binds the topic to this partner."""
        return next((place for place, named in self.named if named == partner), None)


def read_items(texts: Sequence[str], topic: str, partners: Sequence[str]) -> Read:
    """Read what was recalled about a topic, item by item, by string match alone.

    >>> read_items(["met Bo: soup", "met Al: tea"], "tea", ["Al", "Bo"])
    Read(mentioned=2, named=((2, 'Al'),))
    """
    words = words_of(topic)
    items = [[Line.of(line, partners) for line in lines_of(text)] for text in texts]
    exact = any(mentions(line, words) for lines in items for line in lines)
    mentioned, named = None, []
    for place, lines in enumerate(items, start=1):
        about = [line for line in lines if mentions(line, words, loosely=not exact)]
        if about:
            mentioned = mentioned or place
            who = frozenset().union(*(line.partners for line in about))
            named += [(place, *who)] if len(who) == 1 else []
    return Read(mentioned, tuple(named))
