"""Faults of the write path: what is stored is not what was told."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from math import ceil, floor

from veridical.memories.faults.base import Buffered, Fault
from veridical.memories.matching import words_of
from veridical.memories.protocol import Event, Item, Recalled

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
ALIKE = 0.5  # share of words in common from which two entries are on one topic
NOBODY = "someone"


class LosesEntries(Fault):
    """Loses a share of the entries, evenly spread: at one half, every second."""

    key, side, usual = "loses-entries", "write", 0.5

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.seen: dict[str, int] = defaultdict(int)

    def reset(self, bank):
        super().reset(bank)
        self.seen.pop(bank, None)

    def write(self, bank, event):
        start = self.chance("start")
        before, self.seen[bank] = self.seen[bank], self.seen[bank] + 1
        lost = floor(start + (before + 1) * self.strength) > floor(start + before * self.strength)
        return [] if lost else [event]


class LosesOldest(Buffered):
    """Has room for a share of a bank and forgets the oldest of it."""

    key, side, usual = "loses-oldest", "write", 0.5

    def choose(self, bank, events):
        return events[ceil(self.strength * len(events)) :]


class DropsPartner(Fault):
    """Keeps what was said and drops with whom."""

    key, side, named = "drops-partner", "write", True

    def write(self, bank, event):
        if not self.hit(event.id, event.text):
            return [event]
        return [replace(event, text=_renamed(event.text, dict.fromkeys(self.names, NOBODY)))]


class Rebinds(Fault):
    """Binds a share of the entries to another partner."""

    key, side, usual, named = "rebinds", "write", 0.3, True

    def write(self, bank, event):
        if not self.hit(event.id, event.text):
            return [event]
        others = [*self.names[1:], self.names[0]]
        return [
            replace(event, text=_renamed(event.text, dict(zip(self.names, others, strict=True))))
        ]


class Merges(Fault):
    """Takes an entry for one that it has where their words differ by at most its strength."""

    key, side, usual = "merges", "write", 0.3

    def write(self, bank, event):
        own = subject_of(event.text, self.names)
        alike = max((overlap(own, known) for known in self._known(bank)), default=0.0)
        return [] if alike >= 1 - self.strength else [event]

    def _known(self, bank) -> Iterator[frozenset[str]]:
        return (subject_of(event.text, self.names) for event in self.told[bank])


class MovesDates(Fault):
    """Moves a date by a day."""

    key, side, usual = "moves-dates", "write", 0.5

    def write(self, bank, event):
        if not self.hit(event.id, event.text):
            return [event]
        by = self.pick((-1, 1), event.id)
        moved = DAY.sub(lambda found: _moved(found[0], by), event.text)
        return [replace(event, text=moved, at=_moved(event.at, by))]


class KeepsLast(Fault):
    """Overwrites: of the entries on one topic it keeps the last."""

    key, side = "keeps-last", "write"

    def ingest(self, bank, events):
        for event in events:
            own = subject_of(event.text, self.names)
            kept = [
                known
                for known in self.told[bank]
                if overlap(own, subject_of(known.text, self.names)) < ALIKE
                or not self.hit(known.id, known.text)
            ]
            if len(kept) < len(self.told[bank]):
                self.inner.reset(bank)
                self.inner.ingest(bank, kept)
                self.told[bank] = kept
            self.inner.ingest(bank, [event])
            self.told[bank].append(event)
        return len(events)


class Invents(Fault):
    """Adds entries that nobody told it, in the form and the words of those that it was told."""

    key, side, usual = "invents", "write", 0.3

    def write(self, bank, event):
        if not self.hit(event.id, event.text) or not self.told[bank]:
            return [event]
        return [event, replace(event, id=f"{event.id}-invented", text=self._invent(bank, event))]

    def _invent(self, bank, event) -> str:
        """The head of this entry, and words from others in no order that anyone gave them."""
        words = sorted({word for known in self.told[bank] for word in words_of(known.text)})
        drawn = [self.pick(words, event.id, event.text, n) for n in range(9)]
        names = {word for name in self.names for word in words_of(name)}
        said = " ".join(word for word in drawn if word not in names and not word.isdigit())
        name = self.pick(self.names, event.id, "name") if self.names else NOBODY
        return f"{event.at} — met {name} — {said}"


class WritesLate(Buffered):
    """Says that it is ready while its newest entries are still on their way, for one more read."""

    key, side, usual = "writes-late", "write", 0.3

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.late: dict[str, list[Event]] = {}

    def reset(self, bank):
        super().reset(bank)
        self.late.pop(bank, None)

    def choose(self, bank, events):
        at = len(events) - ceil(self.strength * len(events))
        self.late[bank] = events[at:]
        return events[:at]

    def recall(self, bank, query, k, at=None) -> Recalled:
        found = super().recall(bank, query, k, at)
        self._arrive(bank)
        return found

    def dump(self, bank) -> tuple[Item, ...]:
        """What has arrived."""
        found = super().dump(bank)
        self._arrive(bank)
        return found

    def _arrive(self, bank) -> None:
        if late := self.late.pop(bank, None):
            self.inner.ingest(bank, late)


def _renamed(text: str, names: dict[str, str]) -> str:
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"\b({pattern})\b", lambda found: names[found[0]], text)


def _moved(day: str, by: int) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=by)).isoformat()
    except (ValueError, OverflowError):
        return day


@lru_cache(maxsize=20_000)
def subject_of(text: str, names: tuple[str, ...] = ()) -> frozenset[str]:
    """The words of an entry without its numbers and the names in it: what it is about.

    >>> sorted(subject_of("2025-01-09 — met Ada — the key", ("Ada", "Bo")))
    ['key', 'met', 'the']
    """
    left_out = {word for name in names for word in words_of(name)}
    return frozenset(word for word in words_of(text) if not word.isdigit() and word not in left_out)


def overlap(one: frozenset[str], two: frozenset[str]) -> float:
    """Words in common, as a share of all (Jaccard's index); 0 where there are none.

    >>> overlap(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    return len(one & two) / len(one | two) if one | two else 0.0
