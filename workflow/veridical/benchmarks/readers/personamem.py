"""PersonaMem (Jiang et al. 2025): `questions_32k.csv` (128k, 1M), four options a question.

The conversations lie in `shared_contexts_32k.jsonl`, which is read where it stands beside the
questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from veridical.benchmarks.items import History, Item, Session
from veridical.benchmarks.records import (
    Record,
    find_key,
    listed,
    message_turns,
    option_faults,
    unlabelled,
)
from veridical.benchmarks.source import Source

TITLE = "PersonaMem"


def fits(source: Source) -> bool:
    """Whether the columns are those of the questions file."""
    return {"all_options", "correct_answer", "question_id"} <= set(source.first)


def contexts_beside(source: Source) -> Source | None:
    """The conversations' file of the same length as the questions'."""
    name = source.path.stem.replace("questions", "shared_contexts")
    found = source.beside(f"{name}.jsonl")
    return Source(found) if found and found != source.path else None


def missing(source: Source) -> tuple[str, ...]:
    """What the folder lacks."""
    name = source.path.stem.replace("questions", "shared_contexts")
    return () if contexts_beside(source) else (f"histories: no {name}.jsonl beside the questions",)


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; a persona is a cluster."""
    contexts = _contexts(contexts_beside(source))

    @cache
    def history(name: str, end: int) -> History:
        turns = message_turns(contexts[name][:end], f"context {name}")
        return History(f"{name}:{end}", (Session(turns),))

    for where, row in source.records:
        record = Record(row, where)
        name = record.text("question_id")
        record.where = f"{where} (question {name})"
        options = listed(record.get("all_options"))
        if not options:
            raise record.wrong("all_options", "no list of texts")
        options = unlabelled(options)
        key = find_key(record.text("correct_answer"), options)
        shared = record.text("shared_context_id", default="")
        if contexts and shared not in contexts:
            raise record.wrong("shared_context_id", f"{shared!r} is no conversation of the file")
        yield Item(
            id=name,
            question=record.text("user_question_or_message", "question"),
            answer=options[key] if key is not None else record.text("correct_answer"),
            options=options,
            key=key,
            stratum=record.text("question_type", default=""),
            topic=record.text("topic", default=""),
            cluster=record.text("persona_id", "shared_context_id", default=""),
            history=history(shared, _end(record)) if contexts else None,
            faults=option_faults(options, key),
        )


def _end(record: Record) -> int:
    text = record.text("end_index_in_shared_context")
    if not text.isdigit():
        raise record.wrong("end_index_in_shared_context", f"{text!r} is no whole number")
    return int(text)


def _contexts(source: Source | None) -> dict[str, list[Any]]:
    """Each line holds one conversation or several, by id."""
    found: dict[str, list[Any]] = {}
    for where, line in source.records if source else ():
        record = Record(line, where)
        for name in record.data:
            found[name] = list(record.list(name))
    return found
