"""LoCoMo (Maharana et al. 2024): `locomo10.json`, ten conversations and questions about each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.benchmarks.items import History, Item, Session, Turn
from veridical.benchmarks.records import Record
from veridical.benchmarks.source import Source

TITLE = "LoCoMo"

CATEGORIES = {
    "1": "multi-hop",
    "2": "temporal",
    "3": "open-domain",
    "4": "single-hop",
    "5": "adversarial",
}


def fits(source: Source) -> bool:
    """Whether the first record holds a conversation and questions about it."""
    return {"conversation", "qa"} <= set(source.first)


def read(source: Source) -> Iterator[Item]:
    """The items of every conversation; a conversation is a cluster.

    Category 5 asks for what nobody said; the right answer is that it isn't mentioned.
    """
    for where, data in source.records:
        sample = Record(data, where)
        name = sample.text("sample_id")
        history = _history(name, sample.record("conversation"))
        for number, asked in enumerate(sample.records("qa")):
            asked = Record(asked.data, f"{source.name}, item {name}:{number}")
            category = asked.text("category")
            if category not in CATEGORIES:
                raise asked.wrong("category", f"{category!r} is none of {', '.join(CATEGORIES)}")
            adversarial = category == "5"
            yield Item(
                id=f"{name}:{number}",
                question=asked.text("question"),
                answer="" if adversarial else asked.text("answer"),
                stratum=CATEGORIES[category],
                cluster=name,
                evidence=asked.names("evidence"),
                history=history,
                abstention=adversarial,
            )


def _history(name: str, conversation: Record) -> History:
    """Sessions are the keys `session_1`, `session_2`, ... that hold a list of turns."""
    numbers = [re.fullmatch(r"session_(\d+)", key) for key in conversation.data]
    sessions = []
    for number in sorted(int(match[1]) for match in numbers if match):
        turns = tuple(_turn(each) for each in conversation.records(f"session_{number}"))
        date = conversation.text(f"session_{number}_date_time", default="")
        sessions.append(Session(turns, date, f"S{number}"))
    if not sessions:
        raise conversation.wrong("session_1", "missing; the conversation has no session")
    return History(name, tuple(sessions))


def _turn(record: Record) -> Turn:
    text = record.text("text", default="")
    if "blip_caption" in record:
        text = f"{text} [shares {record.text('blip_caption')}]".strip()
    return Turn(record.text("speaker"), text, record.text("dia_id"))
