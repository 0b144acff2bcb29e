"""A model that works a memory by its tools: which it calls, and with what, is the model's to say.

At each step the model answers with one JSON object, bound to a schema: a tool with its arguments
or, once it has called one, that it is done. What the tools say in reply is what was recalled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.documents.texts import TEXTS, fill, load_text
from veridical.memories.chat import Chat
from veridical.memories.protocol import Description, Item, Memory, Recalled, Usage, Wrapped

Call = Callable[[str, Mapping[str, Any]], str]  # a tool's name and arguments → what it says
STEPS = 3  # calls for one question, or for one event
DONE = "done"
LONGEST = 6000  # characters of a tool's reply that the model is shown
# What decides how a model drives a memory: this, the client that asks it, and the words.
DRIVING = (
    *(f"workflow/veridical/memories/{name}.py" for name in ("chat", "driving")),
    *sorted(f"workflow/veridical/texts/{path.name}" for path in TEXTS.glob("drive-*.txt")),
)
LANGUAGE = "MEMORY_LANGUAGE"  # the environment variable that tells a system what goes in is in


def worded(name: str, values: Mapping[str, str]) -> str:
    """One of the texts that a model is driven with, `drive-<name>`, in the language of what goes
    in: English where nothing says which. Raises ValueError where the language has no such text."""
    return fill(load_text(f"drive-{name}", os.environ.get(LANGUAGE, "en")), dict(values))


def drive(
    chat: Chat,
    tools: Sequence[Mapping[str, Any]],
    call: Call,
    task: str,
    steps: int = STEPS,
) -> list[str]:
    """What the tools said, call by call, to a model with a task.

    It ends when the model says so, when it has made `steps` calls, when it repeats one, or when its
    reply is none of the forms asked for: a model may be too small for tools, and that is a finding.
    """
    listed = "\n".join(json.dumps(dict(tool), ensure_ascii=False) for tool in tools)
    messages = [
        {"role": "system", "content": worded("tools", {"tools": listed})},
        {"role": "user", "content": task},
    ]
    said: list[str] = []
    made: list[str] = []
    while len(said) < steps:
        reply = chat.ask(messages, schema_of(tools, end=bool(made)))
        asked = read_call(reply, tools)
        if asked is None or reply in made:
            break
        made.append(reply)
        said.append(call(*asked))
        messages += [
            {"role": "assistant", "content": reply},
            {"role": "user", "content": worded("said", {"said": said[-1][:LONGEST]})},
        ]
    return said


def schema_of(tools: Sequence[Mapping[str, Any]], *, end: bool) -> dict[str, Any]:
    """The JSON schema of one step: a tool with its arguments or, where it may be, the end."""
    forms = [
        _form({"tool": {"const": tool["name"]}, "arguments": tool.get("schema") or {}})
        for tool in tools
    ]
    return {"anyOf": [*forms, *([_form({"tool": {"const": DONE}})] if end else [])]}


def _form(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read_call(
    reply: str, tools: Sequence[Mapping[str, Any]]
) -> tuple[str, Mapping[str, Any]] | None:
    """The call that a reply asks for; None where it asks for none of the tools.

    >>> read_call('{"tool": "view", "arguments": {"path": "/"}}', [{"name": "view"}])
    ('view', {'path': '/'})
    >>> read_call('{"tool": "done"}', [{"name": "view"}]) is None
    True
    """
    try:
        asked = json.loads(reply)
    except ValueError:
        return None
    name = asked.get("tool") if isinstance(asked, dict) else None
    if name not in [tool["name"] for tool in tools]:
        return None
    arguments = asked.get("arguments")
    return name, arguments if isinstance(arguments, dict) else {}


def says_anything(text: str) -> bool:
    """Whether a tool's reply holds anything: JSON with no text in it, or nothing at all, doesn't.

    >>> says_anything('{"nodes": [], "left": 0}'), says_anything('{"nodes": ["tea"]}')
    (False, True)
    """
    try:
        value = json.loads(text)
    except ValueError:
        return bool(text.strip())
    return any(said.strip() for said in _leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)


class Driven(Wrapped):
    """A memory with tools that is asked through a model: `recall` gives what its calls gave.

    `offered` names the tools that the model may call, for reading alone. Raises ValueError where
    the memory has no such tool.
    """

    def __init__(self, inner: Memory, chat: Chat, offered: Sequence[str], steps: int = STEPS):
        super().__init__(inner)
        self._chat, self._offered, self._steps = chat, list(offered), steps

    def describe(self) -> Description:
        found = self.inner.describe()
        self._tools()
        return replace(found, reads=("query", "tools"), models=(*found.models, self._chat.model))

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        def call(name: str, arguments: Mapping[str, Any]) -> str:
            return self.inner.call(bank, name, arguments)

        task = worded("find", {"query": query})
        said = drive(self._chat, self._tools(), call, task, min(k, self._steps))
        return Recalled(tuple(Item(text) for text in said if says_anything(text)))

    def usage(self) -> Usage:
        return self.inner.usage() + self._chat.usage()

    def close(self) -> None:
        self._chat.close()
        self.inner.close()

    def _tools(self) -> list[dict[str, Any]]:
        there = {tool["name"]: tool for tool in self.inner.tools()}
        if missing := [name for name in self._offered if name not in there]:
            known = ", ".join(there)
            raise ValueError(f"tools: there is no tool {missing[0]!r} to offer, only {known}")
        return [there[name] for name in self._offered]
