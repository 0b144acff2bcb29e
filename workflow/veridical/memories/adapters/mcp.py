"""Any MCP server over standard input and output, through the official SDK.

The config names its tools: which one writes an event, which one searches, which one lists all. A
bank is a server of its own with a folder of its own, so that banks are apart whatever the server.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from veridical.memories.adapters import need
from veridical.memories.filling import fill_in, texts_at
from veridical.memories.protocol import Description, Event, Item, Memory, Recalled

GROUP = "mcp"
IMPORTS = ("mcp",)
FILES = ("workflow/veridical/memories/filling.py",)
TOOL = frozenset({"tool", "arguments", "items"})  # what a tool's entry in the settings may hold


class Adapter(Memory):
    """One server a bank, started when it is first needed.

    Parameters
    ----------
    command : sequence of str
        The server and its arguments; `{folder}` in them stands for the bank's folder.
    write, search, list : mapping
        `tool`, its `arguments` (`{id}`, `{at}`, `{speaker}`, `{text}` of the event; `{query}`,
        `{k}`, `{at}` of the recall) and `items`, the path to the texts in its result (the result's
        own texts where not given). `list` may be left out; there is no dump then.
    environment : mapping
        Variables for the server, beside the few that the SDK hands on; `{folder}` as above.
    pass_env : sequence of str
        Variables of our own environment that the server is given too, keys say.
    lasting : bool
        Whether the server keeps what it is told in that folder.
    install : str
        The command that installs the server, told where it can't be started.
    """

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
        write: Mapping[str, Any],
        search: Mapping[str, Any],
        list: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
        pass_env: Sequence[str] = (),
        lasting: bool = False,
        install: str = "",
    ):
        need("mcp", GROUP, "mcp")
        from anyio.from_thread import start_blocking_portal

        self._tools = {"write": write, "search": search} | ({"list": list} if list else {})
        for name, entry in self._tools.items():
            _check(name, entry)
        self.folder, self.command, self.lasting = folder, [*command], lasting
        self.environment, self.pass_env, self.install = environment or {}, [*pass_env], install
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        self._servers: dict[str, tuple[Any, Any]] = {}

    def describe(self) -> Description:
        """The server says name and version; the tools that the config names must be among its."""
        client = self._server("describe")
        told = client.server_info
        offered = [tool["name"] for tool in self._offered(client)]
        for name, entry in self._tools.items():
            if entry["tool"] not in offered:
                known = ", ".join(offered)
                raise ValueError(f"{name}: the server has no tool {entry['tool']!r}, only {known}")
        optional = ("dump", "tools", "call") if "list" in self._tools else ("tools", "call")
        return Description(told.name, told.version, optional=optional, lasting=self.lasting)

    def reset(self, bank: str) -> None:
        """The server ends, and its folder with it: what it is told next is told a new one."""
        self._end(bank)
        shutil.rmtree(self._folder(bank), ignore_errors=True)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        for event in events:
            self._use(bank, "write", vars(event))
        return len(events)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        texts = self._use(bank, "search", {"query": query, "k": k, "at": at})
        return Recalled(tuple(Item(text) for text in texts[:k]))

    def dump(self, bank: str) -> tuple[Item, ...]:
        """All that the server lists."""
        return tuple(Item(text) for text in self._use(bank, "list", {}))

    def tools(self) -> list[dict[str, Any]]:
        """The server's tools."""
        return self._offered(self._server("describe"))

    def call(self, bank: str, name: str, arguments: Mapping[str, Any]) -> str:
        """What one tool says to one call; an error of the tool's own is an answer too."""
        result = self._portal.call(self._server(bank).call_tool, name, dict(arguments))
        return "\n".join(_texts(result))

    def close(self) -> None:
        for bank in [*self._servers]:
            self._end(bank)
        self._stack.close()

    def _use(self, bank: str, name: str, values: Mapping[str, Any]) -> list[str]:
        """Call the tool that the config names for it; the texts of its result."""
        entry = self._tools[name]
        arguments = fill_in(entry.get("arguments", {}), values)
        result = self._portal.call(self._server(bank).call_tool, entry["tool"], arguments)
        texts = _texts(result)
        if result.is_error:
            raise RuntimeError(f"{entry['tool']}: {' '.join(texts)[:1000]}")
        if "items" not in entry:
            return texts
        return [*texts_at(_value(result, texts), entry["items"])]

    def _offered(self, client: Any) -> list[dict[str, Any]]:
        listed = self._portal.call(client.list_tools).tools
        return [
            {"name": tool.name, "description": tool.description or "", "schema": tool.input_schema}
            for tool in listed
        ]

    def _folder(self, bank: str) -> Path:
        return self.folder / hashlib.sha256(bank.encode()).hexdigest()[:24]

    def _server(self, bank: str) -> Any:
        """The bank's server, started where it isn't. Raises RuntimeError where it can't be."""
        if bank not in self._servers:
            folder = self._folder(bank)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                opened = self._portal.wrap_async_context_manager(self._client(folder))
                self._servers[bank] = (opened, opened.__enter__())
            except Exception as error:
                how = f"; install it with `{self.install}`" if self.install else ""
                told = f"{' '.join(self.command)} can't be started: {_innermost(error)}{how}"
                raise RuntimeError(told) from error
        return self._servers[bank][1]

    def _client(self, folder: Path) -> Any:
        from mcp import Client, StdioServerParameters

        values = {"folder": str(folder.resolve())}
        program, *arguments = fill_in(self.command, values)
        passed = {name: os.environ[name] for name in self.pass_env if name in os.environ}
        own = fill_in(self.environment, values)
        return Client(StdioServerParameters(command=program, args=arguments, env=passed | own))

    def _end(self, bank: str) -> None:
        if bank in self._servers:
            opened, _ = self._servers.pop(bank)
            opened.__exit__(None, None, None)


def _check(name: str, entry: Mapping[str, Any]) -> None:
    """Raises ValueError where a tool's entry lacks its tool or holds what is unknown."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("tool"), str):
        raise ValueError(f"{name}: `tool` must name one of the server's tools")
    if strange := sorted(set(entry) - TOOL):
        raise ValueError(f"{name}: {strange[0]!r} is unknown; known are {', '.join(sorted(TOOL))}")


def _texts(result: Any) -> list[str]:
    """The texts of a tool's result, block by block."""
    return [block.text for block in result.content if getattr(block, "type", "") == "text"]


def _value(result: Any, texts: Sequence[str]) -> Any:
    """A tool's result as JSON: its structured content, else its text read as JSON."""
    if result.structured_content is not None:
        return result.structured_content
    try:
        return json.loads("".join(texts))
    except ValueError:
        raise ValueError(f"the result is no JSON, so it has no `items`: {texts!r}"[:500]) from None


def _innermost(error: BaseException) -> str:
    """What is told of an error that others are wrapped around."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
