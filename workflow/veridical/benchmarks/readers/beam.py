"""BEAM (Tavakoli et al. 2025): a folder of conversations, each with its probing questions.

`chats/100K`, or one conversation's folder, or its `probing_questions.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridical.benchmarks.items import BenchmarkError, History, Item, Session, Turn
from veridical.benchmarks.records import Record
from veridical.benchmarks.source import Source

TITLE = "BEAM"

# What each ability's right answer is called; two of them say what a good reply does.
ANSWERS = ("answer", "ideal_response", "ideal_answer", "ideal_summary", "expected_compliance")
PROBES = "probing_questions"


def fits(source: Source) -> bool:
    """Whether it is a folder of conversations, or one conversation's probing questions."""
    if source.kind == "folder":
        return bool(_folders(source.path))
    first = source.first
    return source.kind == "json" and {"abstention", "event_ordering"} <= set(first)


def read(source: Source) -> Iterator[Item]:
    """The items by conversation, which is a cluster; an ability is a stratum."""
    for folder in _folders(source.path):
        name, file = folder.name, folder / PROBES / f"{PROBES}.json"
        history = _history(name, folder / "chat.json")
        abilities = Record(_json(file), f"{name}/{file.name}")
        topic = _topic(folder)
        for ability in abilities.data:
            for number, asked in enumerate(abilities.records(ability)):
                yield Item(
                    id=f"{name}/{ability}/{number}",
                    question=asked.text("question"),
                    answer=asked.text(*ANSWERS),
                    stratum=ability,
                    topic=topic,
                    cluster=name,
                    evidence=asked.names("source_chat_ids"),
                    history=history,
                    abstention=ability == "abstention",
                )


def _folders(path: Path) -> list[Path]:
    """The conversations' folders in the order of their numbers."""
    if path.is_file():
        return [path.parent.parent]
    found = (
        [path]
        if (path / PROBES).is_dir()
        else [each for each in path.iterdir() if (each / PROBES / f"{PROBES}.json").is_file()]
    )
    return sorted(found, key=lambda each: (len(each.name), each.name))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path}: not JSON ({error})") from error


def _topic(folder: Path) -> str:
    path = folder / "topic.json"
    if not path.is_file():
        return ""
    found = _json(path)
    return str(found.get("category", "")) if isinstance(found, dict) else ""


def _history(name: str, path: Path) -> History | None:
    """A batch is a session, dated by its time anchor; the longest chats part batches into plans."""
    if not path.is_file():
        return None
    sessions = []
    for batch in _batches(_json(path), f"{name}/chat.json"):
        turns = [turn for group in batch.list("turns") for turn in group]
        where = batch.where
        said = tuple(_turn(Record(turn, where)) for turn in turns)
        number = batch.text("batch_number", default=str(len(sessions) + 1))
        date = re.sub("-", " ", batch.text("time_anchor", default=""))
        sessions.append(Session(said, date, f"batch {number}"))
    return History(name, tuple(sessions))


def _batches(value: Any, where: str) -> Iterator[Record]:
    if not isinstance(value, list):
        raise BenchmarkError(f"{where}: no list of batches")
    for number, each in enumerate(value, start=1):
        record = Record(each, f"{where}, batch {number}")
        if "turns" in record:
            yield record
            continue
        for plan in record.data:
            yield from record.records(plan, optional=True)


def _turn(record: Record) -> Turn:
    return Turn(record.text("role"), record.text("content", default=""), record.text("id"))
