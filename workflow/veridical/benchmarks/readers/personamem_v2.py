"""PersonaMem-v2 (Jiang et al. 2025): `benchmark.csv`, one right answer and its wrong ones.

The file gives the options no order. A chat's history is read where its link leads to a file,
from the questions' folder or one above.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from veridical.benchmarks.items import BenchmarkError, History, Item, Session
from veridical.benchmarks.records import Record, listed, message_turns, option_faults
from veridical.benchmarks.source import Source

TITLE = "PersonaMem-v2"
ORDERED = False


def fits(source: Source) -> bool:
    """Whether the columns are those of the benchmark's table."""
    return {"user_query", "correct_answer", "incorrect_answers"} <= set(source.first)


def missing(source: Source) -> tuple[str, ...]:
    """What can't be found from where the table lies."""
    link = str(source.first.get("chat_history_32k_link") or "")
    if link and _found(source.path, link):
        return ()
    return (f"histories: {link or 'chat_history_32k_link'} can't be found from the table",)


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; a persona is a cluster, the preference's topic the topic.

    The right answer stands first here, since the file gives no order; nothing reads its place.
    """
    history = cache(_history)
    for number, (where, row) in enumerate(source.records, start=1):
        record = Record(row, where)
        wrong = listed(record.get("incorrect_answers"))
        if not wrong:
            raise record.wrong("incorrect_answers", "no list of texts")
        options = (record.text("correct_answer"), *wrong)
        link = record.text("chat_history_32k_link", "chat_history_128k_link", default="")
        path = _found(source.path, link) if link else None
        yield Item(
            id=str(number),
            question=_query(record),
            answer=options[0],
            options=options,
            key=0,
            stratum=record.text("pref_type", default=""),
            topic=record.text("topic_preference", "topic_query", default=""),
            cluster=record.text("persona_id"),
            history=history(path) if path else None,
            faults=option_faults(options, 0),
        )


def _query(record: Record) -> str:
    """The user's message: an object with its `content`, as JSON or as Python writes it; or text."""
    text = record.text("user_query")
    for parse in (json.loads, ast.literal_eval):
        try:
            found = parse(text)
        except (ValueError, SyntaxError):
            continue
        if isinstance(found, dict):
            return Record(found, f"{record.where}, user_query").text("content")
        break
    return text


def _found(table: Path, link: str) -> Path | None:
    folders = [table.parent, *table.resolve().parents[1:4]]
    return next((folder / link for folder in folders if (folder / link).is_file()), None)


def _history(path: Path) -> History:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BenchmarkError(f"{path}: not JSON ({error})") from error
    turns = message_turns(Record(data, path.name).list("chat_history"), path.name)
    return History(path.stem, (Session(turns),))
