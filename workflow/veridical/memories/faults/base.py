"""What every faulty memory shares: its strength, its seed, and what it was told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from typing import ClassVar, TypeVar

from veridical.memories.protocol import Event, Item, Memory, Recalled, Wrapped

Choice = TypeVar("Choice")


class Fault(Wrapped):
    """A sound memory with one fault.

    key: the fault's name. side: where it sits, `write`, `read` or `none` (there is no store).
    usual: its strength where none is given. named: whether it must know whom entries can be bound
    to. answers: how a reader of it answers where nothing came back, `first` (the option offered
    first); None where an ideal reader is silent.
    """

    key: ClassVar[str]
    side: ClassVar[str]
    usual: ClassVar[float] = 1.0
    named: ClassVar[bool] = False
    answers: ClassVar[str | None] = None

    def __init__(
        self,
        inner: Memory,
        strength: float | None = None,
        seed: int = 0,
        names: Sequence[str] = (),
    ):
        super().__init__(inner)
        self.strength = self.usual if strength is None else float(strength)
        if not 0 < self.strength <= 1:
            raise ValueError(f"fault {self.key}: strength {self.strength:g} is not in (0, 1]")
        if self.named and len(set(names)) < 2:
            raise ValueError(
                f"fault {self.key}: it needs two names or more that entries can be bound to, and "
                f"was given {', '.join(names) or 'none'}"
            )
        self.seed, self.names = seed, tuple(names)
        self.told: dict[str, list[Event]] = defaultdict(list)
        self._drawn: dict[tuple[object, ...], int] = {}

    def reset(self, bank: str) -> None:
        self.inner.reset(bank)
        self.told.pop(bank, None)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        kept = [each for event in events for each in self.write(bank, event)]
        refused = len(kept) - self.inner.ingest(bank, kept) if kept else 0
        self.told[bank] += kept
        return len(events) - refused

    def write(self, bank: str, event: Event) -> list[Event]:
        """What goes into the store for an event."""
        return [event]

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        if self.hit(query):
            return self.read(bank, query, k, at)
        return self.inner.recall(bank, query, k, at)

    def read(self, bank: str, query: str, k: int, at: str | None) -> Recalled:
        """What comes back for a query that is hit."""
        return self.inner.recall(bank, query, k, at)

    def chance(self, *what: object) -> float:
        """A number in [0, 1) that depends on the seed, the fault and `what` alone."""
        if what not in self._drawn:
            text = "\x1f".join(map(str, (self.seed, self.key, *what)))
            self._drawn[what] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        return self._drawn[what] / 2**64

    def hit(self, *what: object) -> bool:
        """Whether `what` is among the share that the fault hits."""
        return self.chance(*what) < self.strength

    def pick(self, choices: Sequence[Choice], *what: object) -> Choice:
        """One of the choices, the same whenever asked."""
        return choices[int(self.chance("pick", *what) * len(choices))]

    def held(self, bank: str) -> list[Item]:
        """What the bank holds, in the order of ingestion."""
        if "dump" in self.inner.describe().optional:
            return list(self.inner.dump(bank))
        return [Item(event.text, None, event.at, (event.id,)) for event in self.told[bank]]


class Buffered(Fault):
    """A fault that needs a bank whole: events reach the store when it settles, or is first read."""

    def __init__(self, *given: object, **more: object):
        super().__init__(*given, **more)  # type: ignore[arg-type]
        self.waiting: dict[str, list[Event]] = defaultdict(list)

    def reset(self, bank: str) -> None:
        super().reset(bank)
        self.waiting.pop(bank, None)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        self.waiting[bank] += events
        return len(events)

    def settle(self, bank: str, timeout: float):
        self.flush(bank)
        return self.inner.settle(bank, timeout)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        self.flush(bank)
        return self.inner.recall(bank, query, k, at)

    def dump(self, bank: str) -> tuple[Item, ...]:
        """What the store holds."""
        self.flush(bank)
        return self.inner.dump(bank)

    def flush(self, bank: str) -> None:
        """Hand the store what it gets of what waits."""
        waiting = self.waiting.pop(bank, [])
        kept = self.choose(bank, waiting) if waiting else []
        if kept:
            self.inner.ingest(bank, kept)

    def choose(self, bank: str, events: list[Event]) -> list[Event]:
        """What of a bank's events the store gets."""
        return events
