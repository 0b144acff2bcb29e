"""The writing hand of ledger and budget: what several calls want written is one synced commit."""

from __future__ import annotations

import asyncio
import errno
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
    """What a call wants written, and whether it must outlast a power cut."""

    action: Callable[[], Any]
    lasting: bool


class Book(Protocol):
    """A file that is written in transactions: a ledger, or the study's budget."""

    path: Path

    def together(self, *, lasting: bool = True) -> AbstractContextManager[None]:
        """All that is written inside is committed at once, or not at all."""


class Scribe:
    """Writes to a ledger or budget from asyncio, in one thread, many wishes to a commit.

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
        self._wishes: list[tuple[asyncio.Future, Wish]] = []
        self._writing: asyncio.Task | None = None
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

    async def write(self, action: Callable[[], Any], *, lasting: bool = True) -> Any:
        """Have the ledger do something; returns what it returned, once that is written."""
        future = asyncio.get_running_loop().create_future()
        self._wishes.append((future, Wish(action, lasting)))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await future

    async def _write_all(self) -> None:
        while self._wishes:
            batch, self._wishes = self._wishes, []
            results = await self._grant([wish for _, wish in batch])
            for (future, _), result in zip(batch, results, strict=True):
                if not future.done():
                    if isinstance(result, Exception):
                        future.set_exception(result)
                    else:
                        future.set_result(result)
        self._writing = None

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
                return await loop.run_in_executor(self._thread, self._together, wishes)
            except (sqlite3.OperationalError, OSError) as error:
                problem = LedgerError(
                    f"{self._book.path}: can't be written ({error}); what was answered before "
                    "is kept. Make room and run again"
                )
                self._full(problem)
                if not self._reserve.closed:
                    self._reserve.close()  # gives back the space
                elif left:
                    await asyncio.sleep(1)
                else:
                    raise problem from error
        raise AssertionError("unreachable")

    def _together(self, wishes: list[Wish]) -> list[Any]:
        with self._book.together(lasting=any(wish.lasting for wish in wishes)):
            return [wish.action() for wish in wishes]

    async def close(self) -> None:
        """Finish what is being written, then let go of the thread and the reserve."""
        while self._writing is not None:
            await asyncio.wait([self._writing])
        self._thread.shutdown()
        self._reserve.close()
