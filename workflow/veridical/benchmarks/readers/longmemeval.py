"""LongMemEval (Wu et al. 2025): S, M and oracle, as released and as cleaned."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.benchmarks.items import History, Item, Session
from veridical.benchmarks.records import Record, message_turns
from veridical.benchmarks.source import Source

TITLE = "LongMemEval"


def fits(source: Source) -> bool:
    """Whether the first record brings its haystack of sessions."""
    return {"question_id", "haystack_sessions"} <= set(source.first)


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; every question has a history, and so a cluster, of its own.

    Ids that end in `_abs` ask for what was never said. Evidence are sessions.
    """
    for where, data in source.records:
        record = Record(data, where)
        name = record.text("question_id")
        record.where = f"{source.name}, item {name}"
        abstention = name.endswith("_abs")
        yield Item(
            id=name,
            question=record.text("question"),
            answer=record.text("answer"),
            stratum=record.text("question_type"),
            cluster=name,
            evidence=record.names("answer_session_ids"),
            history=_history(name, record),
            date=record.text("question_date", default=""),
            abstention=abstention,
        )


def _history(name: str, record: Record) -> History:
    sessions = record.list("haystack_sessions")
    ids, dates = record.names("haystack_session_ids"), record.names("haystack_dates")
    for field, values in (("haystack_session_ids", ids), ("haystack_dates", dates)):
        if len(values) != len(sessions):
            raise record.wrong(field, f"{len(values)} for {len(sessions)} sessions")
    return History(
        name,
        tuple(
            Session(message_turns(turns, f"{record.where}, session {own}", f"{own}:"), date, own)
            for own, date, turns in zip(ids, dates, sessions, strict=True)
        ),
    )
