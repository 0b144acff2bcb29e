"""Memory protocol 1: what a memory system is asked to do, and what it may answer.

The same verbs in two dresses: `Memory`, an object in Python, and one JSON object a line between two
processes (`wire.py`, `workflow/notes/memories.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

PROTOCOL = 1
VERBS = ("describe", "reset", "ingest", "settle", "recall", "usage", "close")
OPTIONAL = ("dump", "tools", "call", "answer")
WRITES = ("verbatim", "extracted")
READS = ("query", "tools", "answer")


class MemoryFault(Exception):
    """A memory system that did not do what it was asked: which verb, which bank, its last words.

    `gone` says that the program has ended (or was ended) and that nothing it held can be had.
    """

    def __init__(self, message: str, *, verb: str = "", bank: str = "", gone: bool = False):
        super().__init__(message)
        self.verb, self.bank, self.gone = verb, bank, gone


@dataclass(frozen=True)
class Event:
    """What is ingested, in date order: `at` is a date (2025-03-31), `speaker` who says it."""

    id: str
    at: str
    speaker: str
    text: str


@dataclass(frozen=True)
class Item:
    """One thing that a system gave back, best first; only its text is sure to be there."""

    text: str
    score: float | None = None
    at: str | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recalled:
    """What came back for a query: the items, and the context that the system would itself put
    before a model (None where it has none of its own)."""

    items: tuple[Item, ...] = ()
    context: str | None = None


@dataclass(frozen=True)
class Description:
    """What a system says of itself.

    `writes` is verbatim or extracted, `reads` lists query, tools, answer; `models` names the models
    it uses, `optional` its optional verbs; `lasting` says whether a bank outlives the process.
    """

    name: str
    version: str
    writes: str = "verbatim"
    reads: tuple[str, ...] = ("query",)
    models: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    lasting: bool = False


@dataclass(frozen=True)
class Settled:
    """Whether everything ingested can be recalled by now, and how many events are still on their
    way."""

    ready: bool = True
    pending: int = 0


@dataclass(frozen=True)
class Usage:
    """What was spent since it was last asked: calls of models, tokens read and written, seconds."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            *(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True))
        )


class Memory:
    """A memory system in Python: subclass it and define the verbs.

    A bank is one memory of the system, named by text; `ingest` is the only door in. The optional
    verbs `dump(bank)`, `tools()`, `call(bank, name, arguments)` and `answer(bank, messages)` are
    there where a subclass defines them, and it lists them in `describe().optional`.
    """

    def describe(self) -> Description:
        """What the system is."""
        raise NotImplementedError

    def reset(self, bank: str) -> None:
        """Leave the bank empty, whatever was in it."""
        raise NotImplementedError

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        """Take the events, in date order; returns how many were accepted."""
        raise NotImplementedError

    def settle(self, bank: str, timeout: float) -> Settled:
        """Wait, at most `timeout` seconds, until what was ingested can be recalled."""
        return Settled()

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        """At most k items for the query, best first; `at` is the day on which it is asked."""
        raise NotImplementedError

    def usage(self) -> Usage:
        """What was spent since this was last asked."""
        return Usage()

    def close(self) -> None:
        """Let go of everything."""


class Wrapped(Memory):
    """A memory around another one: every verb is handed on, the optional ones too.

    A subclass changes what it overrides and nothing else.
    """

    def __init__(self, inner: Memory):
        self.inner = inner

    def describe(self) -> Description:
        return self.inner.describe()

    def reset(self, bank: str) -> None:
        self.inner.reset(bank)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        return self.inner.ingest(bank, events)

    def settle(self, bank: str, timeout: float) -> Settled:
        return self.inner.settle(bank, timeout)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        return self.inner.recall(bank, query, k, at)

    def usage(self) -> Usage:
        return self.inner.usage()

    def close(self) -> None:
        self.inner.close()

    def __getattr__(self, name: str) -> Any:
        if name not in OPTIONAL:
            raise AttributeError(name)
        return getattr(self.inner, name)
