"""Signs of life: what a process writes into a ledger so that others know that it still asks."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from veridical.base.processes import host, started
from veridical.ledger.databases import connect

BEAT = 20.0  # seconds between signs of life
_began = cache(started)  # asked for this process alone: by its number, since a fork has another


def say_alive(database: sqlite3.Connection, owner: str) -> None:
    """Write a sign of life of this process, under the name by which it holds its leases."""
    database.execute(
        "INSERT INTO owners VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (owner) DO UPDATE SET heartbeat = excluded.heartbeat",
        (owner, host(), os.getpid(), _began(os.getpid()), datetime.now(UTC).timestamp()),
    )


@contextmanager
def beating(path: Path, owner: str, every: float = BEAT) -> Iterator[None]:
    """While inside, say every so many seconds that the owner of leases in a ledger is alive.

    For what is long and leaves the ledger nothing to do. A thread does it, with a connection of its
    own, so that no transaction is mixed with the caller's. A sign that can't be written is left out
    and the next one tried: the worst that can come of it is a lease which another host takes.
    """
    if not path.is_file():  # in memory: nobody else looks on
        yield
        return
    over = threading.Event()
    hand = threading.Thread(target=_beat, args=(path, owner, every, over), daemon=True)
    hand.start()
    try:
        yield
    finally:
        over.set()
        hand.join()


def _beat(path: Path, owner: str, every: float, over: threading.Event) -> None:
    while not over.wait(every):
        with suppress(sqlite3.Error), closing(connect(path)) as database:
            say_alive(database, owner)
