"""A running memory system to put checks to, and the small banks that the checks fill."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from veridical.memories.protocol import Description, Event, Memory, Recalled

WAIT = 120.0  # seconds that a bank of three events may take to settle
PAUSE = 1.0  # seconds after which a system is asked again for what it did not find


class Subject:
    """The system under check, started again where it has ended."""

    def __init__(self, start: Callable[[], Memory], pause: float = PAUSE):
        self._start, self._pause = start, pause
        self._memory: Memory | None = None
        self.described: Description | None = None

    @property
    def memory(self) -> Memory:
        """The running system."""
        if self._memory is None or getattr(self._memory, "ended", False):
            self._memory = self._start()
        return self._memory

    def has(self, verb: str) -> bool:
        """Whether it says that it has an optional verb."""
        return self.described is not None and verb in self.described.optional

    def asked(self) -> bool:
        """Whether it answers queries; one that is read by its tools alone is not asked any."""
        return self.described is None or "query" in self.described.reads

    def fresh(self, bank: str, *texts: str) -> None:
        """The bank emptied, then filled with these texts and settled."""
        self.memory.reset(bank)
        for event in events(texts):
            self.memory.ingest(bank, [event])
        self.memory.settle(bank, WAIT)

    def rest(self) -> None:
        """Give the system time to find what it said it had."""
        if self._pause:
            time.sleep(self._pause)

    def close(self) -> None:
        """Close what is running."""
        if self._memory is not None:
            self._memory.close()


def events(texts: Sequence[str]) -> list[Event]:
    """Texts as events, a day apart."""
    return [
        Event(f"e{number:02}", f"2025-01-{number:02}", "Ada", text)
        for number, text in enumerate(texts, start=1)
    ]


def fact(word: str) -> str:
    """A fact that nothing but the bank which holds it can know."""
    return f"2025-01-09 — The pass-phrase agreed with the keeper of the garden is {word}."


QUERY = "Which pass-phrase was agreed with the keeper of the garden?"
FILLER = (
    "2025-01-07 — The bread was too salty.",
    "2025-01-08 — Rain all day, the walk was put off.",
)


def texts_of(recalled: Recalled) -> list[str]:
    """What was recalled, as text: the items and the context."""
    return [*(item.text for item in recalled.items), *filter(None, [recalled.context])]


def holds(recalled: Recalled, word: str) -> bool:
    """Whether a word is among what was recalled."""
    return any(word in text for text in texts_of(recalled))
