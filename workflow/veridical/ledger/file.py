"""The ledger's file: its tables and version, how it is opened, and what is wrong with one."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from veridical.ledger.databases import connect

SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    key TEXT PRIMARY KEY,           -- SHA-256 of the request
    request TEXT NOT NULL           -- canonical JSON: everything that decides the answer
);
CREATE TABLE IF NOT EXISTS attempts (
    key TEXT NOT NULL REFERENCES requests (key),
    attempt INTEGER NOT NULL,       -- 1, 2, ... for each key
    uid TEXT NOT NULL,              -- names the attempt in the study's budget
    served INTEGER NOT NULL,        -- 1: the answer to this request; 0: kept, never served
    reply TEXT NOT NULL,            -- JSON of the reply; state `failed` where none came
    digest TEXT NOT NULL,           -- SHA-256 of key and reply
    PRIMARY KEY (key, attempt)
);
CREATE UNIQUE INDEX IF NOT EXISTS one_answer ON attempts (key) WHERE served;
CREATE TABLE IF NOT EXISTS owners (
    owner TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL,
    heartbeat REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS claims (  -- the leases of calls under way
    key TEXT PRIMARY KEY, owner TEXT NOT NULL
) WITHOUT ROWID;
"""
VERSION = 1


class LedgerError(RuntimeError):
    """The ledger can't be read or written; the message says why and what to do."""


def compact(content: Any) -> str:
    """JSON in the one way that is kept: sorted keys, no blanks, every letter as it is."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(key: str, reply: str) -> str:
    """What a reply is known again by: the SHA-256 of the request's key and the reply's text."""
    return hashlib.sha256(f"{key}\n{reply}".encode()).hexdigest()


def open_file(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open a ledger's file, with its tables made where it is new.

    Raises LedgerError where the file is missing and `create` is false, or is no ledger, or one of
    another version.
    """
    if str(path) != ":memory:":
        if not create and not path.is_file():
            raise LedgerError(f"{path}: no such ledger")
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
    try:
        database = connect(path)
    except sqlite3.DatabaseError as error:
        raise LedgerError(f"{path}: can't be opened as a ledger ({error})") from error
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        _make_tables(database)
    elif version != VERSION:
        database.close()
        raise LedgerError(f"{path}: ledger version {version}; this code reads {VERSION}")
    return database


def _make_tables(database: sqlite3.Connection) -> None:
    """All tables at once or none; another process that makes them meanwhile is waited for."""
    database.execute("BEGIN IMMEDIATE")
    try:
        for statement in SCHEMA.split(";\n"):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    except sqlite3.Error:
        database.close()  # which undoes what was begun
        raise


def damage(database: sqlite3.Connection, path: Path) -> list[str]:
    """What is wrong with a ledger, in words; empty where nothing is.

    The file's structure, each request against its key, each reply against its digest.
    """
    try:
        rows = database.execute("PRAGMA integrity_check")
        problems = [f"{path}: {row[0]}" for row in rows if row[0] != "ok"]
        for key, request, reply, kept in database.execute(
            "SELECT key, request, reply, digest FROM attempts LEFT JOIN requests USING (key)"
        ):
            if request is None:
                problems.append(f"{path}: no request is kept for {key}")
            elif hashlib.sha256(request.encode()).hexdigest() != key:
                problems.append(f"{path}: the request kept for {key} is not the one sent")
            if digest(key, reply) != kept:
                problems.append(f"{path}: the reply to {key} does not have its digest")
    except (sqlite3.DatabaseError, UnicodeError) as error:
        return [f"{path}: {error}"]
    return problems
