"""Opening SQLite files so that they stay whole, wherever they lie."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

NETWORK = {"nfs", "nfs4", "cifs", "smb3", "lustre", "gpfs", "beegfs", "ceph", "fuse.sshfs", "afs"}
PATIENCE = 60.0  # seconds to wait for another process's transaction


def journal(path: Path) -> str:
    """The journal that keeps a file at `path` whole.

    A write-ahead log, except on network file systems: the log's index is memory that processes
    share, and two machines share none. There the older rollback journal does, more slowly.
    """
    best, kind = "", ""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "WAL"
    for line in mounts:
        _, point, system, *_ = line.split(" ")
        inside = Path(os.path.abspath(path)).is_relative_to(point.replace("\\040", " "))
        if inside and len(point) >= len(best):
            best, kind = point, system
    return "DELETE" if kind in NETWORK else "WAL"


def fixed(path: Path) -> bool:
    """Whether a file lies on a medium that can't be written to."""
    return str(path) != ":memory:" and not os.access(path.parent, os.W_OK)


def connect(path: Path) -> sqlite3.Connection:
    """Open a database, with the journal that suits the place and every commit synced.

    Transactions are the caller's, and so is keeping threads apart. On a medium that can't be
    written to the file is read as it is. Raises sqlite3.DatabaseError where it can't be opened or
    is no database.
    """
    still = fixed(path)
    address = f"file:{quote(os.path.abspath(path))}?immutable=1" if still else path
    database = sqlite3.connect(
        address, uri=still, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        if still:
            database.execute("PRAGMA user_version")
        else:
            _patiently(database, f"PRAGMA journal_mode = {journal(path)}")
            database.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database


def _patiently(database: sqlite3.Connection, statement: str) -> None:
    """Execute a statement for which SQLite itself doesn't wait: a change of journal fails at once
    where another process opens the same new file at that moment."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            database.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > ends:
                raise
        time.sleep(0.02)


def begin(database: sqlite3.Connection, *, patient: bool) -> None:
    """Begin to write; another process's transaction is waited for, or is an error."""
    if patient:
        database.execute("BEGIN IMMEDIATE")
        return
    database.execute("PRAGMA busy_timeout = 0")
    try:
        database.execute("BEGIN IMMEDIATE")
    finally:
        database.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")


def leave_log(database: sqlite3.Connection) -> None:
    """Don't copy the log into the file any more: on a full disk the copy would take the room that
    the next transaction needs. The log is as good as the file, and the next who opens it copies."""
    database.execute("PRAGMA wal_autocheckpoint = 0")
