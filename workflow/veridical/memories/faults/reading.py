"""Faults of the read path: everything is stored, and something else comes back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from veridical.memories.faults.base import Fault
from veridical.memories.protocol import Item, Recalled


class IgnoresQuery(Fault):
    """Gives back the same entries whatever is asked."""

    key, side = "ignores-query", "read"

    def read(self, bank, query, k, at):
        held = self.held(bank)
        return Recalled(tuple(sorted(held, key=lambda item: self.chance(item.text))[:k]))


class ReturnsOldest(Fault):
    """Gives back the oldest entries."""

    key, side = "returns-oldest", "read"

    def read(self, bank, query, k, at):
        return Recalled(tuple(self.held(bank)[:k]))


class ReturnsNewest(Fault):
    """Gives back the newest entries, the newest first."""

    key, side = "returns-newest", "read"

    def read(self, bank, query, k, at):
        return Recalled(tuple(reversed(self.held(bank)[-k:])))


class RanksByLength(Fault):
    """Gives back the longest entries."""

    key, side = "ranks-by-length", "read"

    def read(self, bank, query, k, at):
        return Recalled(tuple(sorted(self.held(bank), key=lambda item: -len(item.text))[:k]))


class Truncates(Fault):
    """Cuts what it gives back before the name."""

    key, side, named = "truncates", "read", True

    def read(self, bank, query, k, at):
        found = self.inner.recall(bank, query, k, at)
        items = tuple(replace(item, text=self._cut(item.text)) for item in found.items)
        lines = None if found.context is None else found.context.split("\n")
        return Recalled(items, lines and "\n".join(map(self._cut, lines)))

    def _cut(self, text: str) -> str:
        ends = [place for name in self.names if (place := text.find(name)) >= 0]
        return text[: min(ends)] if ends else text


class MixesBanks(Fault):
    """Puts another bank's entries before its own, half of what is asked for."""

    key, side, usual = "mixes-banks", "read", 0.5

    def read(self, bank, query, k, at):
        own = self.inner.recall(bank, query, k, at)
        others = sorted(name for name in self.told if name != bank)
        if not others:
            return own
        strange = self.inner.recall(self.pick(others, bank), query, k, at)
        items = (*strange.items[: (k + 1) // 2], *own.items)[:k]
        said = [text for text in (strange.context, own.context) if text is not None]
        return Recalled(items, "\n".join(said) if said else None)


class FirstLife(Fault):
    """Answers every bank from the first life that it was told."""

    key, side = "first-life", "read"
    FIRST = "the-first-life"

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.first: str | None = None
        self.whole = False

    def reset(self, bank):
        super().reset(bank)
        self.whole |= bank == self.first

    def ingest(self, bank, events):
        if self.first is None:
            self.first = bank
            self.inner.reset(self.FIRST)
        self.whole |= bank != self.first
        if not self.whole:
            self.inner.ingest(self.FIRST, events)
        return super().ingest(bank, events)

    def read(self, bank, query, k, at):
        return self.inner.recall(bank if self.first is None else self.FIRST, query, k, at)


class StaleCache(Fault):
    """Gives back what it once gave for a query, whatever the bank has been filled with since."""

    key, side = "stale-cache", "read"

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.cached: dict[tuple[str, str, int], Recalled] = {}

    def read(self, bank, query, k, at):
        now = self.inner.recall(bank, query, k, at)
        if not now.items and not now.context:  # an emptied bank is seen to be empty
            return now
        return self.cached.setdefault((bank, query, k), now)


class NeverResets(Fault):
    """Does nothing when it is told to empty a bank."""

    key, side = "never-resets", "read"

    def reset(self, bank):
        if not self.hit(bank):
            super().reset(bank)


class Unstable(Fault):
    """Gives back entries drawn anew at each call."""

    key, side, usual = "unstable", "read", 0.5

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.random = Random(f"{self.seed} {self.key}")

    def recall(self, bank, query, k, at=None):
        found = self.inner.recall(bank, query, k, at)
        if self.random.random() >= self.strength:
            return found
        held: list[Item] = self.held(bank)
        return Recalled(tuple(self.random.sample(held, min(k, len(held)))))
