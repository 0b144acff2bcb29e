"""HaluMem (Chen et al. 2025): one user a line, questions after the sessions they ask about."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.benchmarks.items import History, Item, Session, Turn
from veridical.benchmarks.records import Record
from veridical.benchmarks.source import Source

TITLE = "HaluMem"
UNANSWERABLE = "Memory Boundary"


def fits(source: Source) -> bool:
    """Whether the first record is a user with sessions."""
    return {"uuid", "sessions"} <= set(source.first)


def read(source: Source) -> Iterator[Item]:
    """The items, user by user; a user is a cluster.

    A question's history ends with the session it stands in. Evidence are memory points, quoted:
    each is given as the place of its session, or as it is where no session up to there holds it.
    """
    for where, data in source.records:
        user = Record(data, where)
        name = user.text("uuid")
        sessions: list[Session] = []
        points: dict[str, str] = {}
        for session in user.records("sessions"):
            own = str(len(sessions) + 1)
            sessions.append(_session(session, own))
            for point in session.records("memory_points", optional=True):
                points[point.text("memory_content", default="")] = own
            asked = list(session.records("questions", optional=True))
            history = History(f"{name}:{own}", tuple(sessions)) if asked else None
            for number, question in enumerate(asked):
                kind = question.text("question_type", default="")
                yield Item(
                    id=f"{name}:{own}:{number}",
                    question=question.text("question"),
                    answer=question.text("answer"),
                    stratum=kind,
                    cluster=name,
                    evidence=_evidence(question, points),
                    history=history,
                    abstention=kind == UNANSWERABLE,
                )


def _session(session: Record, own: str) -> Session:
    turns = tuple(
        Turn(turn.text("role", default=""), turn.text("content", default=""))
        for turn in session.records("dialogue", optional=True)
    )
    return Session(turns, session.text("start_time", default=""), own)


def _evidence(question: Record, points: dict[str, str]) -> tuple[str, ...]:
    quoted = [
        each.text("memory_content", default="")
        for each in question.records("evidence", optional=True)
    ]
    return tuple(dict.fromkeys(points.get(text, text) for text in quoted if text))
