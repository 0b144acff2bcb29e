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


def alive(where: str | None, pid: int, began: str, heartbeat: float, *, stale: float) -> bool:
    """Whether the process lives: looked up on this host, by its heartbeat's age elsewhere."""
    if where is None:
        return False
    if where != host():
        return time.time() - heartbeat < stale
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # someone else's, but alive
    return not began or started(pid) == began


@contextmanager
def on_interrupt(told: Callable[[str], None]) -> Iterator[None]:
    """Call `told` with the signal's name on the first interrupt; the second ends the process.

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
        told(number.name)

    for number in numbers:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, first, number)
    try:
        yield
    finally:
        remove()
