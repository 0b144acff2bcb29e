"""Memory protocol 1 on the wire: results of verbs in JSON's types, and replies read and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.memories.protocol import (
    OPTIONAL,
    PROTOCOL,
    READS,
    WRITES,
    Description,
    Event,
    Item,
    MemoryFault,
    Recalled,
    Settled,
    Usage,
)

PLAIN = (Event, Description, Settled, Usage)


def to_wire(value: Any) -> Any:
    """A result of a verb in JSON's types, without what is not set.

    >>> to_wire(Recalled((Item("a", 0.5),)))
    {'items': [{'text': 'a', 'score': 0.5}]}
    """
    if isinstance(value, Item):
        return _item(value)
    if isinstance(value, Recalled):
        context = {} if value.context is None else {"context": value.context}
        return {"items": [_item(item) for item in value.items], **context}
    if isinstance(value, PLAIN):
        plain = {
            name: list(each) if isinstance(each, tuple) else each
            for name, each in vars(value).items()
        }
        return {name: each for name, each in plain.items() if each is not None and each != []}
    return value


def _item(item: Item) -> dict[str, Any]:
    plain: dict[str, Any] = {"text": item.text}
    if item.score is not None:
        plain["score"] = item.score
    if item.at is not None:
        plain["at"] = item.at
    if item.sources:
        plain["sources"] = list(item.sources)
    return plain


@dataclass(frozen=True)
class Reading:
    """How the reply to a verb is read: what it must hold, and what is made of it."""

    fields: Mapping[str, type | tuple[type, ...]]
    make: Callable[[Mapping[str, Any]], Any]
    required: tuple[str, ...] = field(default=())


def read_reply(verb: str, reply: Any) -> Any:
    """The result of a verb from a reply as it came over the wire.

    Raises MemoryFault saying in words what is wrong: no object, an `error`, a field that is missing
    or of another type, an item without text.
    """
    if not isinstance(reply, dict):
        raise MemoryFault(f"the reply is no JSON object but {_shown(reply)}", verb=verb)
    if reply.get("error"):
        raise MemoryFault(f"it says: {str(reply['error'])[:2000]}", verb=verb)
    reading = READINGS[verb]
    for name in reading.required:
        if reply.get(name) is None:
            raise MemoryFault(f"its reply has no `{name}`: {_shown(reply)}", verb=verb)
    for name, kind in reading.fields.items():
        value = reply.get(name)
        if value is not None and (not isinstance(value, kind) or _sly(value, kind)):
            raise MemoryFault(
                f"`{name}` of its reply is {_shown(value)}, not {_named(kind)}", verb=verb
            )
    try:
        return reading.make(reply)
    except MemoryFault as fault:
        fault.verb = verb
        raise


def _sly(value: Any, kind: type | tuple[type, ...]) -> bool:
    """A truth value where a number is wanted: for Python the one is the other."""
    return isinstance(value, bool) and kind is not bool


def _named(kind: type | tuple[type, ...]) -> str:
    names = {
        str: "text",
        int: "a whole number",
        list: "a list",
        dict: "an object",
        bool: "true or false",
    }
    return names.get(kind, "a number") if isinstance(kind, type) else "a number"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(each) for each in value or ())


def _description(reply: Mapping[str, Any]) -> Description:
    if reply["protocol"] != PROTOCOL:
        raise MemoryFault(
            f"it speaks memory protocol {reply['protocol']}; this is protocol {PROTOCOL}"
        )
    found = Description(
        name=reply["name"],
        version=reply["version"],
        writes=reply.get("writes") or "verbatim",
        reads=_texts(reply.get("reads")) or ("query",),
        models=_texts(reply.get("models")),
        optional=_texts(reply.get("optional")),
        lasting=reply.get("lasting") or False,
    )
    listed = (("writes", (found.writes,), WRITES), ("reads", found.reads, READS))
    for name, given, known in (*listed, ("optional", found.optional, OPTIONAL)):
        if strange := [each for each in given if each not in known]:
            raise MemoryFault(f"`{name}` holds {strange[0]!r}; known are {', '.join(known)}")
    return found


def _items(entries: Any) -> tuple[Item, ...]:
    found = []
    for number, entry in enumerate(entries or (), start=1):
        text = entry.get("text") if isinstance(entry, dict) else None
        if not isinstance(text, str):
            raise MemoryFault(f"item {number} has no text: {_shown(entry)}")
        score = entry.get("score")
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
            raise MemoryFault(f"the score of item {number} is {_shown(score)}, not a number")
        found.append(Item(text, score, entry.get("at"), _texts(entry.get("sources"))))
    return tuple(found)


NUMBER = (int, float)
READINGS = {
    "describe": Reading(
        {
            "protocol": int,
            "name": str,
            "version": str,
            "writes": str,
            "reads": list,
            "models": list,
            "optional": list,
            "lasting": bool,
        },
        _description,
        ("protocol", "name", "version"),
    ),
    "reset": Reading({}, lambda reply: None),
    "ingest": Reading({"accepted": int}, lambda reply: reply["accepted"], ("accepted",)),
    "settle": Reading(
        {"ready": bool, "pending": int},
        lambda reply: Settled(reply["ready"], reply.get("pending") or 0),
        ("ready",),
    ),
    "recall": Reading(
        {"items": list, "context": str},
        lambda reply: Recalled(_items(reply["items"]), reply.get("context")),
        ("items",),
    ),
    "usage": Reading(
        {"calls": int, "prompt_tokens": int, "completion_tokens": int, "seconds": NUMBER},
        lambda reply: Usage(*(reply.get(name) or 0 for name in vars(Usage()))),
    ),
    "close": Reading({}, lambda reply: None),
    "dump": Reading({"items": list}, lambda reply: _items(reply["items"]), ("items",)),
    "tools": Reading({"tools": list}, lambda reply: list(reply["tools"]), ("tools",)),
    "call": Reading({"text": str}, lambda reply: reply["text"], ("text",)),
    "answer": Reading({"text": str}, lambda reply: reply["text"], ("text",)),
}
