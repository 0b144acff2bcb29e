"""SQLite's full-text index, from the standard library: every event as it is, found by its words.

A bank is a database file of its own. A query's words are joined by OR and ranked by BM25.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from veridical.memories.protocol import Description, Event, Item, Memory, Recalled

SCHEMA = "CREATE VIRTUAL TABLE events USING fts5 (text, at UNINDEXED, id UNINDEXED)"
CACHED = 64  # banks whose files are held open


class Adapter(Memory):
    """Banks in `folder`. Raises RuntimeError where this Python's SQLite has no FTS5."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._open: dict[str, sqlite3.Connection] = {}
        try:
            sqlite3.connect(":memory:").execute(SCHEMA)
        except sqlite3.OperationalError as error:
            raise RuntimeError(f"this Python's SQLite has no FTS5 ({error})") from error

    def describe(self) -> Description:
        return Description("SQLite FTS5", sqlite3.sqlite_version, optional=("dump",), lasting=True)

    def reset(self, bank: str) -> None:
        if bank in self._open:
            self._open.pop(bank).close()
        for end in (
            "",
            "-wal",
            "-shm",
        ):  # a journal that a killed process left belongs to the old bank
            self._path(bank, end).unlink(missing_ok=True)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        rows = [(event.text, event.at, event.id) for event in events]
        self._bank(bank).executemany("INSERT INTO events (text, at, id) VALUES (?, ?, ?)", rows)
        return len(rows)

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        words = dict.fromkeys(re.findall(r"\w+", query))
        if not words:
            return Recalled()
        rows = self._bank(bank).execute(
            "SELECT text, at, id, bm25(events) AS score FROM events WHERE events MATCH ?"
            " ORDER BY score, rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), k),
        )
        return Recalled(tuple(Item(text, -score, day, (id,)) for text, day, id, score in rows))

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Every row, in the order of ingestion."""
        rows = self._bank(bank).execute("SELECT text, at, id FROM events ORDER BY rowid")
        return tuple(Item(text, None, day, (id,)) for text, day, id in rows)

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()

    def _path(self, bank: str, end: str = "") -> Path:
        return self.folder / f"{hashlib.sha256(bank.encode()).hexdigest()[:24]}.sqlite{end}"

    def _bank(self, bank: str) -> sqlite3.Connection:
        if bank not in self._open:
            while len(self._open) >= CACHED:
                self._open.pop(next(iter(self._open))).close()
            new = not self._path(bank).exists()
            self._open[bank] = sqlite3.connect(self._path(bank), isolation_level=None)
            # A bank can be ingested again at any time: it need not outlast a power cut.
            self._open[bank].execute("PRAGMA synchronous = OFF")
            self._open[bank].execute("PRAGMA journal_mode = WAL")
            if new:
                self._open[bank].execute(SCHEMA)
        return self._open[bank]
