"""What every benchmark is read into: items, the histories they ask about, one table of both."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


class BenchmarkError(ValueError):
    """A benchmark's file can't be read; the message names the file, the item and the field."""


@dataclass(frozen=True)
class Turn:
    """Something said: by whom, and under which id the benchmark points to it."""

    speaker: str
    text: str
    id: str = ""


@dataclass(frozen=True)
class Session:
    """What was said in one sitting, in order. `date` is as the benchmark writes it, or empty."""

    turns: tuple[Turn, ...]
    date: str = ""
    id: str = ""

    @cached_property
    def text(self) -> str:
        """The session as lines `speaker: what they said`."""
        return "\n".join(f"{t.speaker}: {t.text}" if t.speaker else t.text for t in self.turns)


@dataclass(frozen=True)
class History:
    """What a memory system is given before the question, oldest session first as in the file."""

    id: str
    sessions: tuple[Session, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        """The ids of all its sessions and turns: what evidence may point to."""
        turns = (turn.id for session in self.sessions for turn in session.turns)
        return frozenset({*turns, *(session.id for session in self.sessions)} - {""})

    @cached_property
    def characters(self) -> int:
        """How long it is, speakers included."""
        return sum(len(session.text) for session in self.sessions)


@dataclass(frozen=True)
class Item:
    """One question of a benchmark.

    `answer` is the right answer's wording (the right option's text where there are options), empty
    where abstaining is right and the file words no answer; `accepted` are further wordings. `key`
    is the right option's place from 0, None where there are no options or the key names none of
    them. `faults` are inconsistencies that the reader noticed, in words.
    """

    id: str
    question: str
    answer: str
    accepted: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    key: int | None = None
    stratum: str = ""
    topic: str = ""
    cluster: str = ""
    evidence: tuple[str, ...] = ()
    history: History | None = None
    date: str = ""
    abstention: bool = False
    faults: tuple[str, ...] = ()

    @property
    def chance(self) -> float:
        """What guessing among the options earns; 0 for an open question."""
        return 1 / len(self.options) if self.options else 0.0


@dataclass(frozen=True)
class Benchmark:
    """A benchmark as read: its items in the file's order.

    `ordered` is false where the file gives the options no order of their own; `missing` says, in
    words, what the file as given lacks that some check would use.
    """

    path: Path
    format: str
    title: str
    sha256: str
    items: tuple[Item, ...]
    release: str = ""
    ordered: bool = True
    missing: tuple[str, ...] = field(default=())


def items_table(items: tuple[Item, ...]) -> pd.DataFrame:
    """One row an item, in the file's order.

    Returns
    -------
    pandas.DataFrame
        `item_id` (unique), `stratum`, `topic`, `cluster`, `question`, `answer`, `options` (a JSON
        list), `key` (right option's place from 0, missing where there is none), `chance` (0 to 1; 0
        for an open question), `abstention`, `evidence` (a JSON list of ids), `history_id`,
        `sessions` (at least 0), `history_characters` (at least 0), `date`.
    """
    import pandas as pd

    rows = [
        {
            "item_id": item.id,
            "stratum": item.stratum,
            "topic": item.topic,
            "cluster": item.cluster,
            "question": item.question,
            "answer": item.answer,
            "options": json.dumps(item.options, ensure_ascii=False),
            "key": item.key,
            "chance": item.chance,
            "abstention": item.abstention,
            "evidence": json.dumps(item.evidence, ensure_ascii=False),
            "history_id": item.history.id if item.history else "",
            "sessions": len(item.history.sessions) if item.history else 0,
            "history_characters": item.history.characters if item.history else 0,
            "date": item.date,
        }
        for item in items
    ]
    return pd.DataFrame(rows).astype({"key": "Int64"})
