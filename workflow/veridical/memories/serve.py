"""An adapter in a process of its own: memory protocol 1 on standard input and output.

    python -m veridical.memories.serve fts5 '{}'
    python -m veridical.memories.serve fts5 '{}' '{"name": "silence"}'     # with a planted fault

Whatever an adapter or a library under it prints goes to standard error, so that standard output
holds replies and nothing else.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import IO, Any

from veridical.memories.protocol import OPTIONAL, PROTOCOL, VERBS, Event, Memory
from veridical.memories.wire import to_wire


def act(memory: Memory, asked: Any) -> dict[str, Any]:
    """The reply to one request. Raises ValueError where the request is none of the protocol's."""
    if not isinstance(asked, Mapping) or asked.get("verb") not in (*VERBS, *OPTIONAL):
        raise ValueError(f"no verb of memory protocol {PROTOCOL}: {str(asked)[:200]}")
    verb, bank = asked["verb"], asked.get("bank")
    if verb == "describe":
        return {"protocol": PROTOCOL, **to_wire(memory.describe())}
    if verb == "usage":
        return to_wire(memory.usage())
    if verb == "tools":
        return {"tools": memory.tools()}
    if verb == "close":
        memory.close()
        return {}
    if not isinstance(bank, str) or not bank:
        raise ValueError(f"`{verb}` needs a bank")
    return BANK_VERBS[verb](memory, bank, asked)


def _ingest(memory: Memory, bank: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    names = tuple(Event.__dataclass_fields__)
    for entry in asked["events"]:
        if strange := [name for name in names if not isinstance(entry.get(name), str)]:
            raise ValueError(f"an event's {strange[0]} is missing or no text: {str(entry)[:200]}")
    events = [Event(*(entry[name] for name in names)) for entry in asked["events"]]
    return {"accepted": memory.ingest(bank, events)}


def _recall(memory: Memory, bank: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    k = asked["k"]
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ValueError(f"k is {k!r}; it must be a whole number from 1")
    return to_wire(memory.recall(bank, asked["query"], k, asked.get("at")))


BANK_VERBS: dict[str, Callable[[Memory, str, Mapping[str, Any]], dict[str, Any]]] = {
    "reset": lambda memory, bank, asked: memory.reset(bank) or {},
    "ingest": _ingest,
    "settle": lambda memory, bank, asked: to_wire(memory.settle(bank, float(asked["timeout"]))),
    "recall": _recall,
    "dump": lambda memory, bank, asked: {"items": [to_wire(item) for item in memory.dump(bank)]},
    "call": lambda memory, bank, asked: {
        "text": memory.call(bank, asked["name"], asked["arguments"])
    },
    "answer": lambda memory, bank, asked: {"text": memory.answer(bank, asked["messages"])},
}


def serve(memory: Memory, given: IO[str], out: IO[str]) -> None:
    """Answer every line until `close` or the end of the input; an error is a reply like another."""
    for line in given:
        asked = None
        try:
            asked = json.loads(line)
            reply = act(memory, asked)
        except Exception as error:
            traceback.print_exc()
            reply = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(reply) + "\n")
        out.flush()
        if isinstance(asked, dict) and asked.get("verb") == "close":
            return


def main(adapter: str, settings: str, fault: str = "") -> None:
    """Serve the adapter of that name, with its settings as JSON; `fault` are the name, strength,
    seed and names of one to plant, as JSON."""
    from veridical.memories.adapters import open_adapter
    from veridical.memories.process import FOLDER

    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print, C code too, is no reply
    sys.stdout = sys.stderr
    memory = open_adapter(adapter, json.loads(settings), os.environ[FOLDER])
    if fault:
        memory = planted(memory, json.loads(fault))
    given = os.fdopen(os.dup(0), encoding="utf-8", newline="\n")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # a server that an adapter starts must not read it
    serve(memory, given, out)


def planted(memory: Memory, fault: Mapping[str, Any]) -> Memory:
    """The memory with a fault; raises ValueError where there is no such one."""
    from veridical.memories.faults import plant

    given = dict(fault)
    return plant(given.pop("name"), memory, given.pop("strength", None), **given)


if __name__ == "__main__":
    main(*sys.argv[1:])
