"""The plain form: one question a line (JSONL), an element (JSON) or a row (CSV).

`question` and `answer`; where they apply `options`, `evidence`, `stratum`, `topic`, `cluster`,
`abstention`, `date`, `id` and `history`. A JSONL line with `sessions` instead of a question is a
history; items name it by its `history`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.benchmarks.items import History, Item, Session, Turn
from veridical.benchmarks.records import (
    Record,
    find_key,
    listed,
    option_faults,
    unlabelled,
)
from veridical.benchmarks.source import Source

TITLE = "plain form"
YES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}


def fits(source: Source) -> bool:
    """Whether the first record is a question with its answer, or a history."""
    first = source.first
    return {"question", "answer"} <= set(first) or {"history", "sessions"} <= set(first)


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; histories may stand anywhere before the items naming them."""
    histories: dict[str, History] = {}
    number = 0
    for where, data in source.records:
        record = Record(data, where)
        if "sessions" in record and "question" not in record:
            name = record.text("history")
            if name in histories:
                raise record.wrong("history", f"{name!r} is defined twice")
            histories[name] = _history(name, record.list("sessions"), where)
            continue
        number += 1
        yield _item(record, histories, number)


def _item(record: Record, histories: dict[str, History], number: int) -> Item:
    abstention = _flag(record, "abstention")
    options = _options(record)
    answer = record.text("answer", **({"default": ""} if abstention and not options else {}))
    key = find_key(answer, options) if options else None
    return Item(
        id=record.text("id", "item_id", default=str(number)),
        question=record.text("question"),
        answer=options[key] if key is not None else answer,
        options=options,
        key=key,
        stratum=record.text("stratum", default=""),
        topic=record.text("topic", default=""),
        cluster=record.text("cluster", default=""),
        evidence=_evidence(record),
        history=_of(record, histories),
        date=record.text("date", default=""),
        abstention=abstention,
        faults=option_faults(options, key) if options else (),
    )


def _flag(record: Record, name: str) -> bool:
    value = record.text(name, default="").casefold()
    if value not in YES:
        raise record.wrong(name, f"{value!r} is neither true nor false")
    return YES[value]


def _options(record: Record) -> tuple[str, ...]:
    value = record.data.get("options")
    if value in (None, "", []):
        return ()
    if isinstance(value, str) and not value.lstrip().startswith("["):
        found: list[str] | None = [part.strip() for part in value.split("|")]
    else:
        found = listed(value)
    if found is None:
        raise record.wrong("options", "neither a list nor texts parted by |")
    return unlabelled(found)


def _evidence(record: Record) -> tuple[str, ...]:
    value = record.data.get("evidence")
    if isinstance(value, str):
        found = listed(value) if value.lstrip().startswith("[") else value.split("|")
        return tuple(part.strip() for part in found or [value] if part.strip())
    return record.names("evidence")


def _of(record: Record, histories: dict[str, History]) -> History | None:
    """The item's history: by name, or written out in the item itself."""
    value = record.data.get("history")
    if value in (None, "", []):
        return None
    if isinstance(value, list):
        return _history(record.where, value, record.where)
    name = record.text("history")
    if name in histories:
        return histories[name]
    if histories or len(name) < 100:
        raise record.wrong(
            "history", f"no line before this one defines {name!r} (a line with its sessions)"
        )
    return _history(record.where, [str(value)], record.where)


def _history(name: str, sessions: Sequence[Any], where: str) -> History:
    """Sessions: texts, lists of turns, or objects with `turns` (or `text`), `date` and `id`."""
    return History(name, tuple(_session(each, where, n) for n, each in enumerate(sessions, 1)))


def _session(value: Any, where: str, number: int) -> Session:
    where = f"{where}, session {number}"
    if isinstance(value, str):
        return Session((Turn("", value),), id=str(number))
    if isinstance(value, list):
        return Session(_turns(value, where), id=str(number))
    record = Record(value, where)
    turns = (
        _turns(record.list("turns"), where)
        if "turns" in record
        else (Turn("", record.text("text")),)
    )
    return Session(turns, record.text("date", default=""), record.text("id", default=str(number)))


def _turns(values: Sequence[Any], where: str) -> tuple[Turn, ...]:
    turns = []
    for number, value in enumerate(values, start=1):
        if isinstance(value, str):
            turns.append(Turn("", value))
            continue
        turn = Record(value, f"{where}, turn {number}")
        speaker = turn.text("speaker", "role", default="")
        text = turn.text("text", "content", default="")
        turns.append(Turn(speaker, text, turn.text("id", default="")))
    return tuple(turns)
