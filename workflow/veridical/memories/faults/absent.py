"""No store at all: what comes back was made up, or nothing does.

Its strength is the share of queries that the store, were there one, would have been asked.
"""

from __future__ import annotations

from dataclasses import replace

from veridical.memories.faults.base import Fault
from veridical.memories.protocol import Item, Recalled


class _Absent(Fault):
    """Takes everything, and has nothing to show that it did."""

    side = "none"

    def describe(self):
        return replace(self.inner.describe(), optional=())

    def read(self, bank, query, k, at):
        return Recalled()


class Silence(_Absent):
    """Nothing ever comes back."""

    key = "silence"


class FirstOption(_Absent):
    """Nothing comes back, and its reader takes the option offered first."""

    key, answers = "first-option", "first"


class FluentGuess(_Absent):
    """An entry in the right form, about what is asked, with a name that is guessed."""

    key, named = "fluent-guess", True

    def read(self, bank, query, k, at):
        return Recalled((Item(f"{at or '2025-01-01'} — met {self.guess(query)} — {query}"),))

    def guess(self, query: str) -> str:
        """The name that it gives for a query, in whatever bank."""
        return self.pick(self.names, query)


class LikelierName(FluentGuess):
    """The same, always with the name that it holds to be likelier, whatever is asked."""

    key = "likelier-name"

    def guess(self, query):
        return self.pick(self.names)
