"""mem0: `add`, `search` and `get_all` of its open-source edition, on its embedded Qdrant.

`infer: false` keeps what it is told, `infer: true` has a model extract from it. A bank is one
`user_id` in a store that all banks share, as mem0 is meant to be used. Telemetry is off, and what
it writes of its own accord goes to the system's folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from veridical.memories.adapters import need
from veridical.memories.chat import Chat
from veridical.memories.embedding import DIMENSIONS, VOCABULARY, WEIGHTS, Embedder
from veridical.memories.protocol import Description, Event, Item, Memory, Recalled, Usage

GROUP = "mem0"
PACKAGE = "mem0ai"
IMPORTS = ("mem0", "qdrant_client", "safetensors", "tokenizers")
NEEDS = (WEIGHTS, VOCABULARY)
FILES = tuple(f"workflow/veridical/memories/{name}.py" for name in ("embedding", "chat"))
NOWHERE = "http://127.0.0.1:9/v1"  # what is never asked is sent nowhere
DIVERTING = ("OPENROUTER_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE")  # they change who is asked
MOST = 100_000  # memories that a dump reads at most


READ_TOKENS = 8300  # of the prompt that it puts before an event, with the event: measured


def calls(settings: Mapping[str, Any]) -> tuple[int, int, int]:
    """Calls of its model an event and a query, and tokens that one reads."""
    return int(bool(settings.get("infer"))), 0, READ_TOKENS


class Adapter(Memory):
    """`infer` says whether a model extracts; `model` is that model (see `chat.Chat`)."""

    def __init__(self, folder: Path, infer: bool = False, model: Mapping[str, Any] | None = None):
        if infer != bool(model):
            raise ValueError("mem0 with `infer: true` needs `model`, and without it takes none")
        self.infer = infer
        self._chat = Chat(model) if model else None
        embedder = Embedder(adapter="mem0")
        store = folder / "mem0"  # a bank does not outlive the process: nothing old may be found
        shutil.rmtree(store, ignore_errors=True)
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(store)}
        for name in DIVERTING:
            os.environ.pop(name, None)
        self._memory = need("mem0", GROUP, "mem0").Memory.from_config(self._config(store))
        self._memory.embedding_model = Embeddings(embedder)
        self._counted(self._memory.llm.client.chat.completions)
        self._takes: dict[str, int] = {}

    def _config(self, store: Path) -> dict[str, Any]:
        chat = self._chat
        asked = {"openai_base_url": NOWHERE, "api_key": "none"}
        model = asked | {"model": "none"}
        if chat:
            model = {"model": chat.model, "openai_base_url": chat.base_url, "api_key": chat.key}
            model |= {"temperature": 0.0, "max_tokens": chat.max_tokens}
        qdrant = {"path": str(store / "qdrant"), "collection_name": "memories"}
        qdrant |= {"embedding_model_dims": DIMENSIONS, "on_disk": True}
        return {
            "llm": {"provider": "openai", "config": model},
            "embedder": {"provider": "openai", "config": asked},
            "vector_store": {"provider": "qdrant", "config": qdrant},
            "history_db_path": ":memory:",
        }

    def describe(self) -> Description:
        extracting = (self._chat.model,) if self._chat else ()
        return Description(
            "mem0",
            version(PACKAGE),
            writes="extracted" if self.infer else "verbatim",
            models=(WEIGHTS, *extracting),
            optional=("dump",),
        )

    def reset(self, bank: str) -> None:
        """Delete all; what follows is another user's, for the messages that mem0 shows its model
        beside the newest one are kept by user and not deleted."""
        self._memory.delete_all(user_id=self._user(bank))
        self._takes[bank] = self._takes.get(bank, 0) + 1

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        for event in events:
            message = {"role": "user", "content": event.text, "name": event.speaker}
            self._memory.add(
                [message],
                user_id=self._user(bank),
                infer=self.infer,
                metadata={"event": event.id, "day": event.at},
            )
        return len(events)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        found = self._memory.search(query, filters={"user_id": self._user(bank)}, top_k=k)
        return Recalled(tuple(map(_item, found["results"])))

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every memory of the bank, the oldest first."""
        found = self._memory.get_all(filters={"user_id": self._user(bank)}, top_k=MOST)["results"]
        return tuple(map(_item, sorted(found, key=lambda each: each.get("created_at") or "")))

    def usage(self) -> Usage:
        return self._chat.usage() if self._chat else Usage()

    def close(self) -> None:
        self._memory.vector_store.client.close()
        if self._chat:
            self._chat.close()

    def _user(self, bank: str) -> str:
        return f"{bank}-{self._takes.get(bank, 0)}"

    def _counted(self, completions: Any) -> None:
        """Count what mem0 asks its model; the package itself tells nobody."""
        ask = completions.create

        def create(**request: Any) -> Any:
            reply = ask(**request)
            self._chat.count(vars(reply.usage) if reply.usage else {})
            return reply

        completions.create = create


class Embeddings:
    """Our embedding model in the place of mem0's."""

    def __init__(self, embedder: Embedder):
        self._embedder = embedder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The vector of a text."""
        return self._embedder(text).tolist()

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list:
        """A vector a text."""
        return self._embedder.embed(texts)


def _item(found: Mapping[str, Any]) -> Item:
    told = found.get("metadata") or {}
    sources = (told["event"],) if told.get("event") else ()
    return Item(found["memory"], found.get("score"), told.get("day"), sources)
