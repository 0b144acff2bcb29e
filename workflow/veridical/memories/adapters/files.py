"""Files as memory: a folder a bank, worked by a model through the file-memory tools.

Every question is answered by what the model chose to look at. What is written is each event as it
stands, a file a month (`write: verbatim`), or what the model chose to write (`write: model`).
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.memories.chat import Chat
from veridical.memories.driving import DRIVING, STEPS, Call, drive, says_anything, worded
from veridical.memories.folder_tools import ROOT, TOOLS, FolderTools
from veridical.memories.protocol import Description, Event, Item, Memory, Recalled, Usage

FILES = (*DRIVING, "workflow/veridical/memories/folder_tools.py")
WRITES = {"verbatim": "verbatim", "model": "extracted"}
READING = ("view",)
WRITING = ("view", "create", "insert", "str_replace")


READ_TOKENS = 600  # of one step's prompt, with a month's file in it: measured


def calls(settings: Mapping[str, Any]) -> tuple[int, int, int]:
    """Calls of its model an event and a query at most, and tokens that one reads."""
    steps = settings.get("steps") or STEPS
    return steps if settings.get("write") == "model" else 0, steps, READ_TOKENS


class Adapter(Memory):
    """`model` is who works the tools (see `chat.Chat`), `steps` how many calls it may make for one
    question or event, `write` who writes: `verbatim` or `model`."""

    def __init__(
        self, folder: Path, model: Mapping[str, Any], write: str = "verbatim", steps: int = STEPS
    ):
        if write not in WRITES:
            raise ValueError(f"write is {write!r}; known are {', '.join(WRITES)}")
        self.folder, self._write, self._steps = folder, write, steps
        self._chat = Chat(model)

    def describe(self) -> Description:
        return Description(
            "files",
            "1",
            writes=WRITES[self._write],
            reads=("query", "tools"),
            models=(self._chat.model,),
            optional=("dump", "tools", "call"),
            lasting=True,
        )

    def reset(self, bank: str) -> None:
        shutil.rmtree(self._path(bank), ignore_errors=True)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        for event in events:
            if self._write == "verbatim":
                self._append(bank, event)
            else:
                task = worded("keep", {"text": event.text})
                self._drive(bank, WRITING, task, self._tools(bank).call)
        return len(events)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        """What the files that the model looked into hold; a folder's list is no memory."""
        looked: list[str] = []
        tools = self._tools(bank)

        def call(name: str, arguments: Mapping[str, Any]) -> str:
            said = tools.call(name, arguments)
            if tools.is_file(arguments.get("path")) and says_anything(said):
                looked.append(said)
            return said

        self._drive(bank, READING, worded("find", {"query": query}), call, min(k, self._steps))
        return Recalled(tuple(Item(text) for text in looked))

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every line of every file, by the files' names."""
        texts = [path.read_text(encoding="utf-8") for path in self._tools(bank).files()]
        return tuple(Item(line) for text in texts for line in text.split("\n") if line)

    def tools(self) -> list[dict[str, Any]]:
        """The file-memory tools."""
        return [dict(tool) for tool in TOOLS]

    def call(self, bank: str, name: str, arguments: Mapping[str, Any]) -> str:
        """What one tool says to one call."""
        return self._tools(bank).call(name, arguments)

    def usage(self) -> Usage:
        return self._chat.usage()

    def close(self) -> None:
        self._chat.close()

    def _append(self, bank: str, event: Event) -> None:
        path = self._path(bank) / f"{event.at[:7]}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.write(f"{event.text}\n")

    def _drive(
        self, bank: str, names: Sequence[str], task: str, call: Call, steps: int = 0
    ) -> None:
        """Have the model work the tools of these names; it is told first which files there are."""
        offered = [tool for tool in TOOLS if tool["name"] in names]
        listed = self._tools(bank).call("view", {"path": ROOT})
        drive(self._chat, offered, call, f"{task}\n\n{listed}", steps or self._steps)

    def _tools(self, bank: str) -> FolderTools:
        return FolderTools(self._path(bank))

    def _path(self, bank: str) -> Path:
        return self.folder / hashlib.sha256(bank.encode()).hexdigest()[:24]
