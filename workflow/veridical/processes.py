"""Which process is which, and whether it still lives: across hosts, reboots and reused numbers."""

from __future__ import annotations

import os
import socket
import time
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
