"""Written comes before synced: what a kill can undo, and what waits for the disk."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from veridical.ledger import writer
from veridical.ledger.collecting import collect
from veridical.ledger.file import LedgerError
from veridical.ledger.ledger import Ledger
from veridical.ledger.writer import Scribe
from veridical.models.exchange import Call, Model, Raw, Reply
from veridical.models.prompts import Prompt, Turn

MODEL = Model("m", "openai", "gpt")


def call(text: str) -> Call:
    return Call(MODEL, ({"role": "user", "content": text},))


def keep(ledger: Ledger, text: str = "a"):
    asked = call(text)
    return lambda: ledger.keep(asked, Reply(asked.key, "ok", "yes", Raw("yes")))


def kept_in(path: Path) -> int:
    """What another process sees: what outlasts a kill of this one."""
    with sqlite3.connect(path) as database:
        return database.execute("SELECT COUNT(*) FROM attempts WHERE served").fetchone()[0]


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "stage" / "m.sqlite"


@pytest.fixture
def disk(monkeypatch) -> threading.Event:
    """A disk on which nothing lasts until the event is set."""
    ready = threading.Event()
    monkeypatch.setattr(writer, "_sync", lambda log: ready.wait(20))
    return ready


def test_a_reply_is_written_at_once_and_counts_when_it_is_on_the_disk(path, disk):
    order = []

    async def main(ledger: Ledger) -> None:
        scribe = Scribe(ledger, order.append, reserve=0)
        work = scribe.write(keep(ledger), written=lambda: order.append(f"written {kept_in(path)}"))
        waiting = asyncio.create_task(work)
        await asyncio.sleep(0.05)
        order.append("on disk" if waiting.done() else "not on disk")
        disk.set()
        await waiting
        await scribe.close()

    with Ledger(path) as ledger:
        asyncio.run(main(ledger))
    assert order == ["written 1", "not on disk"]


def test_what_need_not_last_waits_for_no_disk(path, disk):
    async def main(ledger: Ledger) -> bool:
        scribe = Scribe(ledger, print, reserve=0)
        asked = [call("a")]
        states = await asyncio.wait_for(
            scribe.write(lambda: ledger.lease(asked), lasting=False), timeout=2
        )
        await scribe.close()
        return states

    with Ledger(path) as ledger:
        assert asyncio.run(main(ledger)) == ["leased"]


def test_many_replies_share_a_sync(path, monkeypatch):
    synced = []
    monkeypatch.setattr(writer, "_sync", lambda log: (time.sleep(0.05), synced.append(log)))

    async def main(ledger: Ledger) -> None:
        scribe = Scribe(ledger, print, reserve=0)
        await asyncio.gather(*(scribe.write(keep(ledger, f"{n}")) for n in range(40)))
        await scribe.close()

    with Ledger(path) as ledger:
        asyncio.run(main(ledger))
    assert kept_in(path) == 40
    assert 1 <= len(synced) <= 2
    assert synced[0] == path.with_name("m.sqlite-wal")


def test_a_disk_that_refuses_to_sync_stops_the_collection(path, monkeypatch):
    def broken(log: Path) -> None:
        raise OSError(5, "Input/output error")

    told = []

    async def main(ledger: Ledger) -> None:
        scribe = Scribe(ledger, told.append, reserve=0)
        try:
            with pytest.raises(LedgerError, match="Input/output error"):
                await scribe.write(keep(ledger))
        finally:
            await scribe.close()

    monkeypatch.setattr(writer, "_sync", broken)
    with Ledger(path) as ledger:
        asyncio.run(main(ledger))
    assert [type(each) for each in told] == [LedgerError]


def test_another_process_that_writes_is_waited_for_beside_the_event_loop(path):
    ticks = []

    async def tick() -> None:
        while True:
            ticks.append(time.monotonic())
            await asyncio.sleep(0.01)

    async def main(ledger: Ledger, other: sqlite3.Connection) -> None:
        scribe = Scribe(ledger, print, reserve=0)
        other.execute("BEGIN IMMEDIATE")
        ticking = asyncio.create_task(tick())
        waiting = asyncio.create_task(scribe.write(keep(ledger)))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        assert len(ticks) > 5
        other.execute("COMMIT")
        await waiting
        ticking.cancel()
        await scribe.close()

    with Ledger(path) as ledger:
        other = sqlite3.connect(path, isolation_level=None)
        asyncio.run(main(ledger, other))
        other.close()
    assert kept_in(path) == 1


def test_an_older_journal_syncs_with_each_commit(path, monkeypatch):
    """On a network file system there is no log to be synced apart."""
    monkeypatch.setattr("veridical.ledger.databases.journal", lambda path: "DELETE")
    monkeypatch.setattr(writer, "_sync", lambda log: pytest.fail("nothing to sync apart"))
    levels = []

    async def main(ledger: Ledger) -> None:
        scribe = Scribe(ledger, print, reserve=0)

        def action() -> None:
            levels.append(ledger._db.execute("PRAGMA synchronous").fetchone()[0])
            keep(ledger)()

        await scribe.write(action)
        await scribe.close()

    with Ledger(path) as ledger:
        assert ledger.log is None
        asyncio.run(main(ledger))
    assert levels == [2]  # FULL
    assert kept_in(path) == 1


class Counting:
    """A provider that notes, at each request, how many that reached it are not written yet."""

    block = 1

    def __init__(self, path: Path, concurrency: int):
        self.path, self.concurrency = path, concurrency
        self.asked = 0
        self.unkept: list[int] = []

    async def __aenter__(self) -> Counting:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def ask(self, call: Call) -> Raw:
        self.asked += 1
        self.unkept.append(self.asked - kept_in(self.path))
        await asyncio.sleep(0.005)
        return Raw("yes", finish="stop")


@pytest.mark.parametrize("places", [1, 4])
def test_a_kill_at_any_moment_undoes_no_more_than_was_under_way(tmp_path, monkeypatch, places):
    """Whatever the disk takes: here 50 ms, ten times a reply. And it holds no place meanwhile."""
    monkeypatch.setattr(writer, "_sync", lambda log: time.sleep(0.05))
    ledger = tmp_path / "stage/m.sqlite"
    provider = Counting(ledger, places)
    prompts = [Prompt(f"p{n}", (Turn(f"question {n}"),)) for n in range(60)]
    collect(prompts, MODEL, ledger, out=tmp_path / "r.jsonl", provider=provider)
    assert provider.asked == 60
    assert max(provider.unkept) == places
