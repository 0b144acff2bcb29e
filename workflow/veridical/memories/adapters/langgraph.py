"""A LangGraph store: `put` and `search` of its `InMemoryStore`, with a real embedding model.

One namespace a bank. The package is pinned; its version is in the key of every recall.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from veridical.memories.adapters import need
from veridical.memories.embedding import DIMENSIONS, VOCABULARY, WEIGHTS, Embedder
from veridical.memories.protocol import Description, Event, Item, Memory, Recalled

GROUP = PACKAGE = "langgraph"
IMPORTS = ("langgraph", "safetensors", "tokenizers")
NEEDS = (WEIGHTS, VOCABULARY)
FILES = ("workflow/veridical/memories/embedding.py",)
MOST = 100_000  # items that a dump reads at most


class Adapter(Memory):
    """Banks in this process's memory; `folder` stays empty."""

    def __init__(self, folder: Path):
        store = need("langgraph.store.memory", GROUP, "langgraph").InMemoryStore
        embed = Embedder(adapter="langgraph").embed
        self._store = store(index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]})
        self._next = 0

    def describe(self) -> Description:
        return Description(
            "LangGraph InMemoryStore", version(PACKAGE), models=(WEIGHTS,), optional=("dump",)
        )

    def reset(self, bank: str) -> None:
        for item in self._all(bank):
            self._store.delete((bank,), item.key)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        for event in events:
            self._next += 1  # two events with one id are two
            value = {"text": event.text, "at": event.at, "id": event.id}
            self._store.put((bank,), f"{self._next:08}", value)
        return len(events)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        found = self._store.search((bank,), query=query, limit=k)
        return Recalled(tuple(map(_item, found)))

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every item of the namespace, in the order of ingestion."""
        return tuple(map(_item, sorted(self._all(bank), key=lambda each: each.key)))

    def _all(self, bank: str) -> list:
        return self._store.search((bank,), limit=MOST)


def _item(found: Any) -> Item:
    value = found.value
    return Item(value["text"], getattr(found, "score", None), value["at"], (value["id"],))
