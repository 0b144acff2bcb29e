"""A plain vector store: every event embedded, the nearest by cosine come back.

The baseline that says what an embedding model alone finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from veridical.memories.embedding import VOCABULARY, WEIGHTS, Embedder
from veridical.memories.protocol import Description, Event, Item, Memory, Recalled

GROUP = "embedding"
IMPORTS = ("safetensors", "tokenizers")
NEEDS = (WEIGHTS, VOCABULARY)
FILES = ("workflow/veridical/memories/embedding.py",)


class Adapter(Memory):
    """Banks in this process's memory; `folder` stays empty."""

    def __init__(self, folder: Path):
        self._embedder = Embedder()
        self._items: dict[str, list[Item]] = {}
        self._vectors: dict[str, list[np.ndarray]] = {}

    def describe(self) -> Description:
        return Description("vector store", "1", models=(WEIGHTS,), optional=("dump",))

    def reset(self, bank: str) -> None:
        self._items[bank], self._vectors[bank] = [], []

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        self._vectors.setdefault(bank, []).extend(self._embedder(e.text) for e in events)
        own = self._items.setdefault(bank, [])
        own.extend(Item(event.text, None, event.at, (event.id,)) for event in events)
        return len(events)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        items = self._items.get(bank, [])
        if not items:
            return Recalled()
        near = np.stack(self._vectors[bank]) @ self._embedder(query)
        best = np.argsort(-near, kind="stable")[:k]
        return Recalled(
            tuple(Item(items[n].text, float(near[n]), items[n].at, items[n].sources) for n in best)
        )

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every event, in the order of ingestion."""
        return tuple(self._items.get(bank, ()))
