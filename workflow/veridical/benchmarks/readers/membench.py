"""MemBench (Tan et al. 2025): trajectories by kind and scenario, one four-option question each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from veridical.benchmarks.items import BenchmarkError, History, Item, Session, Turn
from veridical.benchmarks.records import Record, find_key, option_faults
from veridical.benchmarks.source import Source

TITLE = "MemBench"


def fits(source: Source) -> bool:
    """Whether the first trajectory found holds messages and their question."""
    found = source.value if source.kind == "json" else None
    while isinstance(found, dict) and found:
        found = next(iter(found.values()))
    first = found[0] if isinstance(found, list) and found else None
    return isinstance(first, dict) and {"message_list", "QA"} <= set(first)


def read(source: Source) -> Iterator[Item]:
    """The items in the file's order; each has a history, and so a cluster, of its own.

    A stratum is the kind and the scenario (`simple/roles`); the scenario is the topic.
    """
    kinds = Record(source.value, source.name).data
    for number, (path, data) in enumerate(_trajectories(kinds, ()), start=1):
        name = "/".join(path)
        trajectory = Record(data, f"{source.name}, item {number} ({name})")
        own = f"{name}/{trajectory.text('tid', default=str(number))}"
        asked = trajectory.record("QA")
        choices = asked.record("choices")
        options = tuple(choices.text(letter) for letter in sorted(choices.data))
        key = find_key(asked.text("ground_truth"), options)
        yield Item(
            id=own,
            question=asked.text("question"),
            answer=options[key] if key is not None else asked.text("answer"),
            options=options,
            key=key,
            stratum=name,
            topic=path[-1] if path else "",
            cluster=own,
            evidence=_steps(asked),
            history=_history(own, trajectory),
            date=asked.text("time", default=""),
            faults=option_faults(options, key),
        )


def _trajectories(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every element of the lists that lie under one or two levels of names."""
    if len(path) > 3:
        raise BenchmarkError(f"{'/'.join(path)}: nested deeper than kind and scenario")
    for name, below in value.items():
        if isinstance(below, dict):
            yield from _trajectories(below, (*path, name))
        elif isinstance(below, list):
            for each in below:
                yield (*path, name), each
        else:
            raise BenchmarkError(f"{'/'.join((*path, name))}: neither scenarios nor trajectories")


def _steps(asked: Record) -> tuple[str, ...]:
    """Evidence as message ids; of a pair, the message's own id is the first."""
    steps = asked.list("target_step_id", optional=True)
    return tuple(str(step[0] if isinstance(step, list) and step else step) for step in steps)


def _history(name: str, trajectory: Record) -> History:
    """Messages one after another, or in sessions; numbered through where they bear no id."""
    sessions, count = [], 0
    messages = trajectory.list("message_list")
    nested = bool(messages) and all(isinstance(each, list) for each in messages)
    for group in messages if nested else [messages]:
        turns: list[Turn] = []
        for message in group:
            turns += _turns(message, str(count), trajectory.where)
            count += 1
        sessions.append(Session(tuple(turns)))
    return History(name, tuple(sessions))


def _turns(message: Any, number: str, where: str) -> list[Turn]:
    if isinstance(message, str):
        return [Turn("", message, number)]
    record = Record(message, f"{where}, message {number}")
    own = record.text("mid", "sid", default=number)
    when = ", ".join(record.text(name, default="") for name in ("time", "place") if name in record)
    if "message" in record:
        return [
            Turn("", f"[{when}] {record.text('message')}" if when else record.text("message"), own)
        ]
    said = record.text("user", "user_message")
    reply = record.text("assistant", "assistant_message", "agent", default="")
    return [Turn("user", f"[{when}] {said}" if when else said, own), Turn("assistant", reply, own)]
