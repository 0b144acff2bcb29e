"""The writing hand of ledger and budget: what several calls want written is one commit.

Written comes before synced: what is written outlasts a kill, what is synced a power cut. Writing
takes a fraction of a millisecond, waiting for a disk several, so that is a thread's of its own.
"""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from veridical.ledger.file import LedgerError

RESERVE = 4 * 2**20  # bytes held on the disk for the replies under way when it fills up
PATIENCE = 5  # further tries, a second apart, before a reply that can't be written is given up


class Wish(NamedTuple):
    """What a call wants written, whether it must outlast a power cut, and what is to be done once
    it outlasts a kill."""

    action: Callable[[], Any]
    lasting: bool
    written: Callable[[], None] = lambda: None


class Book(Protocol):
    """A file that is written in transactions: a ledger, or the study's budget.

    `log` is what must be synced before a transaction outlasts a power cut; None where a commit that
    is to last waits for that itself.
    """

    path: Path
    log: Path | None

    def together(
        self, *, lasting: bool = True, patient: bool = True
    ) -> AbstractContextManager[None]:
        """All that is written inside is committed at once, or not at all."""

    def leave_log(self) -> None:
        """Keep what room there is for transactions."""


class Scribe:
    """Writes to a ledger or budget from asyncio, many wishes to a commit, many commits to a sync.

    A wish is granted once it is on disk; one that isn't `lasting` (a lease, a sign of life) once
    other processes can see it. While a collection runs, some space is held in reserve
    (`reserve` bytes): when the disk fills up it is given back, so that replies already paid for
    still get written, and `full` is called with the error, once.
    """

    def __init__(self, book: Book, full: Callable[[LedgerError], None], reserve: int = RESERVE):
        self._book = book
        self._full = full
        self._held = reserve
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._syncer = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._wishes: list[tuple[asyncio.Future, Wish]] = []
        self._written: list[tuple[asyncio.Future, Any]] = []
        self._writing: asyncio.Task | None = None
        self._syncing: asyncio.Task | None = None
        self._reserve = self._hold()

    def _hold(self) -> Any:
        reserve = tempfile.TemporaryFile(dir=self._book.path.parent, buffering=0)  # noqa: SIM115
        try:
            if reserve.write(bytes(self._held)) < self._held:
                raise OSError(errno.ENOSPC, "no space left on device")
        except OSError as error:
            reserve.close()
            raise LedgerError(
                f"{self._book.path}: the disk has no {self._held >> 20} MB left ({error}); "
                "nothing was asked"
            ) from error
        return reserve

    async def write(
        self,
        action: Callable[[], Any],
        *,
        lasting: bool = True,
        written: Callable[[], None] = lambda: None,
    ) -> Any:
        """Have the ledger do something; returns what it returned, once that is granted. `written`
        is called before, once a kill can't undo it."""
        future = asyncio.get_running_loop().create_future()
        self._wishes.append((future, Wish(action, lasting, written)))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await future

    async def _write_all(self) -> None:
        while self._wishes:
            batch, self._wishes = self._wishes, []
            results = await self._grant([wish for _, wish in batch])
            for (future, wish), result in zip(batch, results, strict=True):
                if isinstance(result, Exception):
                    _settle(future, result)
                    continue
                wish.written()
                if wish.lasting and self._book.log is not None:
                    self._written.append((future, result))
                else:
                    _settle(future, result)
            if self._written and self._syncing is None:
                self._syncing = asyncio.create_task(self._sync_all())
        self._writing = None

    async def _sync_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._written:
            batch, self._written = self._written, []
            problem = None
            try:
                await loop.run_in_executor(self._syncer, _sync, self._book.log)
            except OSError as error:
                problem = self._unwritable(error)
                self._full(problem)
            for future, result in batch:
                _settle(future, problem or result)
        self._syncing = None

    async def _grant(self, wishes: list[Wish]) -> list[Any]:
        try:
            return await self._commit(wishes)
        except LedgerError as error:
            return [error] * len(wishes)
        except Exception as error:  # one wish is at fault: don't let the others suffer for it
            if len(wishes) == 1:
                return [error]
            return [result for wish in wishes for result in await self._grant([wish])]

    async def _commit(self, wishes: list[Wish]) -> list[Any]:
        loop = asyncio.get_running_loop()
        for left in range(PATIENCE, -1, -1):
            try:
                return self._at_once(wishes) or await loop.run_in_executor(
                    self._thread, self._together, wishes
                )
            except (sqlite3.OperationalError, OSError) as error:
                problem = self._unwritable(error)
                self._full(problem)
                if not self._reserve.closed:
                    self._book.leave_log()
                    self._reserve.close()  # gives back the space
                elif len(wishes) > 1:
                    raise  # there may be room for some of them
                elif left:
                    await asyncio.sleep(1)
                else:
                    raise problem from error
        raise AssertionError("unreachable")

    def _at_once(self, wishes: list[Wish]) -> list[Any] | None:
        """Write without leaving the event loop, which is quicker than another thread's turn; None
        where that would mean waiting, for the disk or for another process."""
        if self._book.log is None:
            return None
        try:
            with self._book.together(lasting=False, patient=False):
                return [wish.action() for wish in wishes]
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                return None
            raise

    def _unwritable(self, error: Exception) -> LedgerError:
        return LedgerError(
            f"{self._book.path}: can't be written ({error}); what was answered before is kept. "
            "Make room and run again"
        )

    def _together(self, wishes: list[Wish]) -> list[Any]:
        lasting = self._book.log is None and any(wish.lasting for wish in wishes)
        with self._book.together(lasting=lasting):
            return [wish.action() for wish in wishes]

    async def close(self) -> None:
        """Finish what is being written, then let go of the threads and the reserve."""
        while tasks := [*filter(None, (self._writing, self._syncing))]:
            await asyncio.wait(tasks)
        self._thread.shutdown()
        self._syncer.shutdown()
        self._reserve.close()


def _sync(log: Path) -> None:
    """Wait until a file's content is on the disk."""
    handle = os.open(log, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _settle(future: asyncio.Future, result: Any) -> None:
    """Give a future its result or error, unless whoever waited has gone."""
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
