"""The ledger's file: its tables and version, how it is opened, and what is wrong with one."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path

from veridical.ledger.databases import connect, fixed
from veridical.ledger.texts import MissingText, Texts

SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    key TEXT PRIMARY KEY,           -- SHA-256 of the request
    request TEXT NOT NULL           -- canonical JSON: everything that decides the answer; a long
                                    -- text in it as {"sha256": ...}
);
CREATE TABLE IF NOT EXISTS texts (
    sha256 TEXT PRIMARY KEY,        -- of the text in UTF-8
    text TEXT NOT NULL
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
VERSION = 2  # 1: no texts; its requests hold them, and are read beside later ones


class LedgerError(RuntimeError):
    """The ledger can't be read or written; the message says why and what to do."""


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
    if version == 0 or (version < VERSION and os.access(path, os.W_OK) and not fixed(path)):
        _make_tables(database)
    elif version > VERSION:
        database.close()
        raise LedgerError(
            f"{path}: ledger version {version}; this code reads {VERSION} and earlier. Use the "
            "version of the house that wrote it, or a later one"
        )
    return database


def _make_tables(database: sqlite3.Connection) -> None:
    """All tables at once or none, beside those that an earlier version made; another process that
    makes them meanwhile is waited for."""
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
        texts = Texts(database)
        for key, request, reply, kept in database.execute(
            "SELECT key, request, reply, digest FROM attempts LEFT JOIN requests USING (key)"
        ):
            if request is None:
                problems.append(f"{path}: no request is kept for {key}")
            elif problem := _altered(key, request, texts):
                problems.append(f"{path}: {problem}")
            if digest(key, reply) != kept:
                problems.append(f"{path}: the reply to {key} does not have its digest")
    except (sqlite3.DatabaseError, UnicodeError) as error:
        return [f"{path}: {error}"]
    return problems


def _altered(key: str, request: str, texts: Texts) -> str:
    """What is wrong with a request as it is kept; empty where it is the one of its key."""
    try:
        whole = texts.whole(request)
    except MissingText as error:
        return f"of the request kept for {key}, {error}"
    except (KeyError, TypeError, ValueError):
        whole = ""
    if hashlib.sha256(whole.encode()).hexdigest() == key:
        return ""
    return f"the request kept for {key} is not the one sent"
