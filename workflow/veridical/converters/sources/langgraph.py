"""A dump of LangGraph: states of a thread (`get_state_history`), or items of its store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veridical.benchmarks.records import Record
from veridical.converters.life import ConversionError, Event, Life, Wish
from veridical.converters.messages import events_of, minutes_on, read_json, said
from veridical.converters.moments import time_of
from veridical.converters.talk import as_life
from veridical.corpora.moments import order

PARTS = {
    "human": "user",
    "ai": "assistant",
    "HumanMessage": "user",
    "HumanMessageChunk": "user",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
}


def convert(wish: Wish) -> Life:
    """A thread's messages, each at the time of the first state that has it; or a store's items."""
    found = read_json(wish.file)
    found = found if isinstance(found, list) else [found]
    if found and isinstance(found[0], Mapping) and "namespace" in found[0]:
        return as_life(list(_items(found, wish)), wish, {})
    if all(isinstance(each, Mapping) and _values(each) is not None for each in found) and found:
        return as_life(list(_states(found, wish)), wish, {})
    raise ConversionError(
        f"{wish.file}: neither states (each with `values` and their `messages`) nor items of a "
        "store (each with `namespace`, `key` and `value`)"
    )


def _values(state: Mapping[str, Any]) -> list[Any] | None:
    values = state.get("values", state.get("channel_values"))
    values = values if isinstance(values, Mapping) else state
    messages = values.get("messages")
    return messages if isinstance(messages, list) else None


def _states(states: Sequence[Mapping[str, Any]], wish: Wish) -> Iterator[Event]:
    """The oldest state first, whichever way they are listed; a message counts once."""
    timed = [(time_of(each.get("created_at") or each.get("ts")), each) for each in states]
    if all(time for time, _ in timed):
        timed.sort(key=lambda pair: order(str(pair[0])))
    seen: set[str] = set()
    count = 0
    for number, (time, state) in enumerate(timed, start=1):
        for place, message in enumerate(_values(state) or ()):
            where = f"{wish.file}, state {number}, message {place + 1}"
            plain = _plain(Record(message, where))
            key = str(plain.get("id") or (place, plain["role"], plain["content"]))
            if key in seen:
                continue
            seen.add(key)
            at = time or (minutes_on(wish["start"], count) if wish["start"] else None)
            count += 1
            yield from events_of([{**plain, "time": at} if at else plain], where, None)


def _plain(record: Record) -> dict[str, Any]:
    """A message as role and content; LangChain's own form holds them under `data` or `kwargs`."""
    data = record.data
    inner = data.get("data") or data.get("kwargs") or data
    kind = data.get("type") if data.get("type") != "constructor" else data.get("id", [""])[-1]
    role = str(inner.get("role") or kind or inner.get("type") or "")
    if not role:
        raise record.wrong("type", "missing; who says it isn't told")
    return {
        "id": inner.get("id") if isinstance(inner.get("id"), str) else None,
        "role": PARTS.get(role, role),
        "content": said(inner.get("content")),
    }


def _items(items: Sequence[Any], wish: Wish) -> Iterator[Event]:
    """Each item as an event, said by whom its namespace's last part names."""
    for number, each in enumerate(items, start=1):
        record = Record(each, f"{wish.file}, item {number}")
        space = [str(part) for part in record.list("namespace")]
        value = record.get("value")
        fields = value.values() if isinstance(value, Mapping) else [value]
        text = " ".join(part if isinstance(part, str) else said(part) for part in fields)
        time = time_of(each.get("updated_at") or each.get("created_at"))
        if time is None and wish["start"]:
            time = minutes_on(wish["start"], number - 1)
        if time is None:
            raise record.wrong("created_at", "no time that is sure; write it, or give `start`")
        if text.strip():
            session = "/".join(space)
            yield Event(time, space[-1] if space else "store", text, session, "")
