"""A benchmark's history of sessions, as its reader gives it, made a life."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veridical.benchmarks.items import History, Item
from veridical.benchmarks.reading import read_benchmark
from veridical.converters.life import ConversionError, Event, Life, Wish
from veridical.converters.moments import time_of
from veridical.converters.talk import as_life

INPUTS = 7  # of the test day: as many as the first study had


def from_benchmark(wish: Wish, form: str, known: Mapping[str, str]) -> Life:
    """The life behind one history of a benchmark's file; its questions are the test day's inputs.

    `which` names the history, by its id; the first where it isn't given. Raises ConversionError
    naming the histories there are, or the session whose date can't be read.
    """
    items = read_benchmark(Path(wish.file), form).items
    histories = {item.history.id: item.history for item in items if item.history}
    which = str(wish["which"] or next(iter(histories), ""))
    if which not in histories:
        there = ", ".join(list(histories)[:8]) + (", …" if len(histories) > 8 else "")
        raise ConversionError(f"{wish.file}: no history {which!r}; `which` is one of {there}")
    events = tuple(_events(wish, histories[which]))
    return as_life(events, wish, known, inputs=_inputs(items, which))


def _events(wish: Wish, history: History) -> Iterator[Event]:
    for number, session in enumerate(history.sessions, start=1):
        where = f"{wish.file}, history {history.id}, session {session.id or number}"
        time = time_of(session.date)
        if time is None:
            raise ConversionError(
                f"{where}, date: {session.date!r} is no day that is sure; write it as 2025-03-31 "
                "or 2025-03-31T14:05"
            )
        for place, turn in enumerate(session.turns):
            if turn.text.strip():
                own = turn.id or f"{number}.{place + 1}"
                name = session.id or str(number)
                yield Event(time, turn.speaker, turn.text, name, own)


def _inputs(items: Sequence[Item], which: str) -> tuple[str, ...]:
    """Questions about this history, spread over the file's order; none that can't be answered."""
    own = [each for each in items if each.history and each.history.id == which]
    asked = list(dict.fromkeys(each.question for each in own if not each.abstention))
    n = min(INPUTS, len(asked))
    return tuple(asked[place * len(asked) // n] for place in range(n))
