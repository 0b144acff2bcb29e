"""Messages as chat programs and agent stores keep them: who, what and when, under many names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from veridical.benchmarks.records import Record
from veridical.converters.life import ConversionError, Event
from veridical.converters.moments import time_of
from veridical.corpora.corpus_files import read_text

SPEAKER = ("speaker", "role", "author", "sender", "from", "name", "user", "username", "type")
NAMED = ("name", "username", "role", "id")  # where who says it is an object of its own
TEXT = ("content", "text", "message", "body")
TIME = ("time", "timestamp", "created_at", "createdAt", "create_time", "date", "at", "ts")
SESSION = ("session", "session_id", "conversation_id", "thread_id", "chat_id", "conversation")
SILENT = ("system", "tool", "function")  # parts that are no turns of a talk


def read_json(path: Path | str) -> Any:
    """A JSON file's value, or the list of its lines. Raises ConversionError naming the line."""
    text = read_text(Path(path))
    try:
        return json.loads(text)
    except ValueError as whole:
        lines = [line for line in enumerate(text.split("\n"), start=1) if line[1].strip()]
        if not lines or not lines[0][1].lstrip().startswith("{"):
            raise ConversionError(f"{path}: not JSON ({whole})") from whole
        found = []
        for number, line in lines:
            try:
                found.append(json.loads(line))
            except ValueError as error:
                raise ConversionError(f"{path}, line {number}: not JSON ({error})") from error
        return found


def event_of(record: Record, time: str | None = None, session: str = "") -> Event | None:
    """A message as an event; None where it is empty, or no turn of a talk.

    Without a time of its own it has the one given. Raises ConversionError where neither is there,
    or its own can't be read.
    """
    speaker = _speaker(record)
    if speaker in SILENT:
        return None
    where = _first(record, TEXT)
    text = said(record.data[where]) if where else ""
    if not text.strip():
        return None
    if speaker is None:
        raise ConversionError(f"{record.where}: who says it? None of {', '.join(SPEAKER)} is there")
    own = _first(record, TIME)
    found = time_of(record.data[own]) if own else time
    if found is None:
        told = f"{own!r}, {record.data[own]!r}, is no time that is sure" if own else "no time"
        raise ConversionError(
            f"{record.where}: {told}; give every message its time, as 2025-03-31T14:05, or say "
            "when they began (`start`), and they stand a minute apart"
        )
    named = _first(record, SESSION)
    return Event(found, speaker, text, record.text(named) if named else session or found[:10])


def _speaker(record: Record) -> str | None:
    """Who says it; None where it isn't told. That it is a message is no speaker."""
    name = _first(record, SPEAKER)
    if name is None or (name == "type" and record.data["type"] == "message"):
        return None
    if isinstance(record.data[name], dict):
        inner = Record(record.data[name], f"{record.where}, {name}")
        return inner.text(*NAMED)
    return record.text(name)


def said(content: Any) -> str:
    """The text of a content: itself, or its parts' texts (`{"type": "text", "text": …}`)."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return said(content.get("parts") or content.get("text") or content.get("value") or "")
    if isinstance(content, list):
        return " ".join(filter(None, (said(part) for part in content)))
    return ""


def events_of(
    messages: Sequence[Any], where: str, start: str | None = None, session: str = ""
) -> Iterator[Event]:
    """The events of a list of messages; those without a time stand a minute apart from `start`."""
    for number, message in enumerate(messages):
        record = Record(message, f"{where}, message {number + 1}")
        event = event_of(record, minutes_on(start, number) if start else None, session)
        if event is not None:
            yield event


def minutes_on(start: str, minutes: int) -> str:
    """A time so many minutes after another. Raises ConversionError where that is no time."""
    import datetime as dt

    found = time_of(start)
    if found is None:
        raise ConversionError(f"convert/start: {start!r} is no time of the form 2025-03-31T14:05")
    then = dt.datetime.fromisoformat(found) + dt.timedelta(minutes=minutes)
    return then.isoformat(timespec="minutes")


def _first(record: Record, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in record), None)
