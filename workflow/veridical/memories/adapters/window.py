"""A conversation window: keeps every event and gives back the newest, whatever is asked.

What many agents call their memory. It stores everything and finds what lies near its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veridical.memories.protocol import Description, Event, Item, Memory, Recalled


class Adapter(Memory):
    """Banks in this process's memory; `folder` stays empty."""

    def __init__(self, folder: Path):
        self._banks: dict[str, list[Item]] = {}

    def describe(self) -> Description:
        return Description("conversation window", "1", optional=("dump",))

    def reset(self, bank: str) -> None:
        self._banks.pop(bank, None)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        items = [Item(event.text, None, event.at, (event.id,)) for event in events]
        self._banks.setdefault(bank, []).extend(items)
        return len(items)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        return Recalled(tuple(reversed(self._banks.get(bank, [])[-k:])))

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every event, in the order of ingestion."""
        return tuple(self._banks.get(bank, ()))
