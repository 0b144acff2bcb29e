"""Bridge to the provider classes of the Agent Memory Benchmark (AMB).

Such a class has `prepare`, `ingest(documents)`, `retrieve(query, k, user_id, query_timestamp)` and,
if it answers itself, `direct_answer`. It is imported from where it lies when the system starts, and
nothing of it is copied here. AMB has no verb that empties a store, so a bank is an instance of its
own with a folder of its own.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.memories.protocol import Description, Event, Item, Memory, Recalled


@dataclass
class Document:
    """What goes in and comes out, with the fields of AMB's own."""

    id: str
    content: str
    user_id: str | None = None
    messages: list[dict] | None = None
    timestamp: str | None = None
    context: str | None = None


class Adapter(Memory):
    """One instance a bank of the class that `provider` names: `package.module:Class`, or
    `tools/mine.py:Class` from the project's folder (name the file among the system's `files`).

    `settings` are its keyword arguments, `version` what its version is, `answers` whether its
    `direct_answer` is to be asked.
    """

    def __init__(
        self,
        folder: Path,
        provider: str,
        version: str,
        settings: Mapping[str, Any] | None = None,
        answers: bool = False,
    ):
        self.folder, self._version, self._answers = folder, str(version), answers
        self._class, self._settings = find_class(provider), settings or {}
        self._instances: dict[str, Any] = {}

    def describe(self) -> Description:
        name = getattr(self._class, "name", "") or self._class.__name__
        reads = ("query", "answer") if self._answers else ("query",)
        optional = ("answer",) if self._answers else ()
        return Description(name, self._version, reads=reads, optional=optional)

    def reset(self, bank: str) -> None:
        if bank in self._instances:
            _ask(self._instances.pop(bank), "cleanup")
        shutil.rmtree(self._store(bank), ignore_errors=True)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        documents = [
            Document(
                event.id,
                event.text,
                user_id=bank,
                messages=[{"role": "user", "content": event.text, "name": event.speaker}],
                timestamp=event.at,
            )
            for event in events
        ]
        self._instance(bank).ingest(documents)
        return len(documents)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        asked = {"k": k, "user_id": bank, "query_timestamp": at}
        documents, _ = self._instance(bank).retrieve(query, **asked)
        return Recalled(
            tuple(Item(each.content, None, each.timestamp, (each.id,)) for each in documents[:k])
        )

    def answer(self, bank: str, messages: Sequence[Mapping[str, str]]) -> str:
        """What the provider itself answers to the last message."""
        return self._instance(bank).direct_answer(messages[-1]["content"], user_id=bank)[0]

    def close(self) -> None:
        while self._instances:
            _ask(self._instances.popitem()[1], "cleanup")

    def _store(self, bank: str) -> Path:
        return self.folder / hashlib.sha256(bank.encode()).hexdigest()[:24]

    def _instance(self, bank: str) -> Any:
        if bank not in self._instances:
            made = self._class(**self._settings)
            _ask(made, "initialize")
            self._store(bank).mkdir(parents=True, exist_ok=True)
            if hasattr(made, "prepare"):
                made.prepare(self._store(bank), unit_ids={bank}, reset=True)
            self._instances[bank] = made
        return self._instances[bank]


def _ask(instance: Any, hook: str) -> None:
    """Call a hook that a provider may lack."""
    getattr(instance, hook, lambda: None)()


def find_class(named: str) -> type:
    """The class that `module:Class` or `path.py:Class` names. Raises ValueError saying what of it
    isn't there."""
    where, _, name = named.rpartition(":")
    if not where or not name:
        raise ValueError(f"{named!r} names no class; write package.module:Class or file.py:Class")
    module = _from_file(Path(where)) if where.endswith(".py") else _by_name(where)
    found = getattr(module, name, None)
    if not isinstance(found, type):
        raise ValueError(f"{where} has no class {name!r}")
    return found


def _by_name(dotted: str) -> Any:
    try:
        return importlib.import_module(dotted)
    except ModuleNotFoundError as error:
        raise ValueError(f"{dotted} can't be imported ({error}); install what it lies in") from None


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise ValueError(f"{path} is not there; it is looked for from the project's folder")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # as its own dataclasses expect
    spec.loader.exec_module(module)
    return module
