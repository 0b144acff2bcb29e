"""A process that dies at its n-th step on the disk, as by SIGKILL.

A step is: a file opened for writing, renamed or removed, a folder made or removed, a file or folder
synced (before and after).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

EVENTS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}


def run_until(step: int, work: Callable[[], object]) -> int:
    """Do `work` in a child process that is killed at that step; 0 lets it live.

    Returns the number of steps where it lived to its end, -1 where it was killed.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        steps = _work(step, work)
        os.write(writer, str(steps).encode())
        os._exit(0)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    told = os.read(reader, 64)
    os.close(reader)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert killed or told, f"the child ended with {status}"
    return -1 if killed else int(told)


def _work(limit: int, work: Callable[[], object]) -> int:
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if steps == limit:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(event: str, args: tuple) -> None:
        flags = args[2] if event == "open" and len(args) > 2 else 0
        writing = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
        if event in EVENTS or writing:
            step()

    synced = os.fsync

    def fsync(handle: int) -> None:
        step()
        synced(handle)
        step()

    try:
        os.fsync = fsync
        sys.addaudithook(watch)
        work()
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(1)
    return steps
