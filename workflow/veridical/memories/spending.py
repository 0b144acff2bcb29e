"""What the models inside a memory system are asked: how often at most, of whom, at what length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from veridical.ledger.budget import Budget
from veridical.memories.adapters import DRIVER, adapter_module
from veridical.memories.driving import STEPS
from veridical.memories.protocol import Event, Memory, MemoryFault, Recalled, Usage, Wrapped
from veridical.models.exchange import Call, Model, Raw, Reply

DRIVEN_TOKENS = 450  # read by one step of a model that works tools: measured with an MCP server


@dataclass(frozen=True)
class Inside:
    """A model that a system asks of its own accord.

    At most `write` calls an event, `read` calls a query; `tokens` are read by one of them.
    """

    model: Model
    write: int
    read: int
    tokens: int

    def call(self) -> Call:
        """One of its calls, for a price: as long as they are, with the settings' limit."""
        return Call(self.model, ({"role": "user", "content": "x" * 4 * self.tokens},))


def inside(name: str, adapter: str, settings: Mapping[str, Any]) -> Inside | None:
    """The model in a memory system; None where there is none, or the system doesn't tell.

    An adapter with a model says in `calls(settings)` how many calls an event and a query take, and
    how many tokens one of them reads.
    """
    if driver := settings.get(DRIVER):
        return Inside(_model(name, driver["model"]), 0, driver.get("steps") or STEPS, DRIVEN_TOKENS)
    counted = getattr(adapter_module(adapter), "calls", None)
    if counted is None or not settings.get("model"):
        return None
    return Inside(_model(name, settings["model"]), *counted(settings))


def _model(name: str, given: Mapping[str, Any]) -> Model:
    limit = {"max_tokens": given.get("max_tokens", 400)}
    if given.get("weights"):
        return Model(name, "embedded", given["weights"], parameters=limit)
    address = given.get("base_url")
    return Model(name, "openai-compatible", given["model"], base_url=address, parameters=limit)


class Counted(Wrapped):
    """A memory whose whole use is known once it is closed: `spent` is what it said it took."""

    def __init__(self, inner: Memory):
        super().__init__(inner)
        self.spent = Usage()

    @property
    def ended(self) -> bool:
        """Whether the system's process has ended."""
        return bool(getattr(self.inner, "ended", False))

    def usage(self) -> Usage:
        found = self.inner.usage()
        self.spent = self.spent + found
        return found

    def close(self) -> None:
        """Close it, having asked what it took since it was last asked."""
        try:
            with suppress(MemoryFault):  # what it took is not told, which closes it all the same
                if not self.ended:
                    self.usage()
        finally:
            self.inner.close()


class Metered(Counted):
    """A memory whose model's calls are entered in the study's budget before they are made.

    What a verb may take is entered at the most, and what the system says that it took once it is
    asked; a system that dies in between stays entered at the most. Raises BudgetExceeded before a
    verb that might go beyond, and the system is not asked.
    """

    def __init__(self, inner: Memory, within: Inside, budget: Budget):
        super().__init__(inner)
        self._within, self._budget = within, budget
        self._open: list[str] = []

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        self._reserve(self._within.write * len(events))
        return self.inner.ingest(bank, events)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        self._reserve(min(k, self._within.read))
        return self.inner.recall(bank, query, k, at)

    def usage(self) -> Usage:
        spent = super().usage()
        self._settle(spent)
        return spent

    def _reserve(self, calls: int) -> None:
        if calls > 0:
            self._open += self._budget.reserve([self._within.call()] * calls)

    def _settle(self, spent: Usage) -> None:
        """Enter what was spent, in equal parts, on the first of what is open; the rest goes out."""
        self._reserve(spent.calls - len(self._open))  # it took more than it said that it may
        made, never = self._open[: spent.calls], self._open[spent.calls :]
        self._open = []
        self._budget.release(never)
        replies = [
            Reply("", "ok", None, Raw("", prompt_tokens=read, completion_tokens=written))
            for read, written in zip(
                _parts(spent.prompt_tokens, len(made)),
                _parts(spent.completion_tokens, len(made)),
                strict=True,
            )
        ]
        self._budget.settle([self._within.call()] * len(made), replies, made)


def _parts(whole: int, n: int) -> list[int]:
    """A whole in n parts that differ by one at most.

    >>> _parts(10, 3), _parts(0, 0)
    ([4, 3, 3], [])
    """
    return [whole // n + (place < whole % n) for place in range(n)]
