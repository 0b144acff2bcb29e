"""Which process is which, whether it still lives, and what it does when it is told to end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path


@cache
def host() -> str:
    """This machine since its last start, and the namespace in which its process numbers count."""
    parts = [socket.gethostname()]
    try:
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        parts.append(os.readlink("/proc/self/ns/pid"))
    except OSError:
        pass  # no Linux: the name must do
    return "/".join(parts)


def started(pid: int) -> str:
    """When the process began, in clock ticks; empty where it ended or the system doesn't tell."""
    try:
        # the command's name, in brackets, may hold anything: count from the last bracket
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    except (OSError, IndexError):
        return ""


def alive(where: str | None, pid: int, began: str, elsewhere: Callable[[], bool]) -> bool:
    """Whether the process lives: looked up on this host; of another's, what `elsewhere` says."""
    if where is None:
        return False
    if where != host():
        return elsewhere()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # someone else's, but alive
    return not began or started(pid) == began


class Signs:
    """Signs of life of processes on other hosts, judged by this one's clock alone.

    Two hosts' clocks may differ by more than a process is waited for, so no sign is read as a time:
    one that is new to us, or has changed since we looked, is fresh; one that stays the same for
    `stale` seconds is not.
    """

    def __init__(self, stale: float, clock: Callable[[], float] = time.monotonic):
        self.stale = stale
        self._clock = clock
        self._seen: dict[str, tuple[object, float]] = {}

    def fresh(self, owner: str, sign: object) -> bool:
        """Whether the owner, whose last sign of life is `sign`, counts as alive."""
        known, since = self._seen.get(owner, (None, 0.0))
        if known != sign:
            self._seen[owner] = (sign, self._clock())
            return True
        return self._clock() - since < self.stale


@contextmanager
def on_interrupt(tell: Callable[[str], None]) -> Iterator[None]:
    """Call `tell` with the signal's name on the first interrupt; the second ends the process.

    Within a running event loop; without signals (not the main thread, not Unix) nothing changes.
    """
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def remove() -> None:
        for number in numbers:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)

    def first(number: signal.Signals) -> None:
        remove()
        tell(number.name)

    for number in numbers:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, first, number)
    try:
        yield
    finally:
        remove()
