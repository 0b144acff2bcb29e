"""Signs of life from a process that waits for something long: its lease is not taken from it."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from veridical.base.processes import Signs, started
from veridical.ledger import beating as signs
from veridical.ledger.beating import beating
from veridical.ledger.ledger import HELD, LEASED, Ledger
from veridical.models.exchange import Call, Model

STALE = 0.4  # seconds: what two minutes are to a study
CALL = Call(Model("m", "openai", "gpt"), ({"role": "user", "content": "hello"},))


@pytest.fixture
def path(tmp_path, monkeypatch) -> Path:
    """A ledger whose owners all count as another host's, since they say so."""
    monkeypatch.setattr(signs, "host", lambda: "far")
    return tmp_path / "l.sqlite"


def looked_at(path: Path, seconds: float) -> list[str]:
    """What a second process is told of the lease, asked every tenth of a second."""
    with Ledger(path) as ours:
        ours._elsewhere = Signs(STALE)
        told, ends = [], time.monotonic() + seconds
        while time.monotonic() < ends:
            told += ours.lease([CALL])
            time.sleep(0.1)
    return told


def beat_of(path: Path, owner: str) -> float:
    with sqlite3.connect(path) as database:
        (beat,) = database.execute(
            "SELECT heartbeat FROM owners WHERE owner = ?", (owner,)
        ).fetchone()
    return beat


def test_a_lease_without_signs_of_life_is_taken(path):
    with Ledger(path) as theirs:
        theirs.lease([CALL])
        told = looked_at(path, 4 * STALE)
    assert told[0] == HELD
    assert LEASED in told


def test_a_lease_is_kept_while_its_owner_says_that_it_lives(path):
    with Ledger(path) as theirs:
        theirs.lease([CALL])
        with beating(theirs.path, theirs.owner, STALE / 4):
            assert set(looked_at(path, 4 * STALE)) == {HELD}
        assert LEASED in looked_at(path, 4 * STALE)  # it stopped with what was waited for


def test_signs_end_where_what_is_waited_for_fails(path):
    with Ledger(path) as theirs:
        theirs.beat()
        before = threading.active_count()

        def fail() -> None:
            with beating(theirs.path, theirs.owner, 0.05):
                time.sleep(0.2)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert threading.active_count() == before
        last = beat_of(path, theirs.owner)
        time.sleep(0.2)
        assert beat_of(path, theirs.owner) == last


def test_signs_are_of_this_process(path):
    with Ledger(path) as theirs:
        with beating(theirs.path, theirs.owner, 0.05):
            time.sleep(0.2)
        with sqlite3.connect(path) as database:
            rows = database.execute("SELECT owner, host, started FROM owners").fetchall()
    assert rows == [(theirs.owner, "far", started(os.getpid()))]


def test_a_ledger_that_is_locked_meanwhile_stops_nothing(path, monkeypatch):
    """A sign that can't be written is left out; the next one is written."""
    real, failed = signs.connect, []

    def connect(where):
        if not failed:
            failed.append(where)
            raise sqlite3.OperationalError("database is locked")
        return real(where)

    monkeypatch.setattr(signs, "connect", connect)
    with Ledger(path) as theirs:
        theirs.beat()
        first = beat_of(path, theirs.owner)
        with beating(theirs.path, theirs.owner, 0.05):
            time.sleep(0.4)
        assert failed == [path]
        assert beat_of(path, theirs.owner) > first


def test_a_ledger_in_memory_has_nobody_to_tell():
    with Ledger(":memory:") as alone, beating(alone.path, alone.owner, 0.01):
        time.sleep(0.05)
    assert not Path(":memory:").exists()


def test_a_forked_process_tells_its_own_start(tmp_path):
    """What was looked up once is a process's own start, not that of the one it forked from."""
    path = tmp_path / "l.sqlite"
    with Ledger(path):
        pass

    def signed(owner: str) -> None:
        with sqlite3.connect(path) as database:
            signs.say_alive(database, owner)

    signed("parent")
    time.sleep(0.05)  # a clock tick has ten milliseconds
    child = os.fork()
    if not child:
        signed("child")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT owner, pid, started FROM owners").fetchall()
    told = {owner: (pid, at) for owner, pid, at in rows}
    assert told["parent"] == (os.getpid(), started(os.getpid()))
    assert told["child"][0] == child
    assert int(told["child"][1]) > int(told["parent"][1])
