"""The ledger: every exchange with a model, kept whole and once, in one SQLite file.

It survives a kill, a full disk and a torn write with every finished exchange intact: answers are
committed to a write-ahead log that is synced to disk before the collection goes on.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from veridical.base.processes import Signs, alive
from veridical.ledger.beating import say_alive
from veridical.ledger.databases import begin, leave_log
from veridical.ledger.file import LedgerError, damage, digest, open_file
from veridical.ledger.texts import MissingText, Texts, compact, shortened
from veridical.models.exchange import Call, Reply

RESTORED = "restored-"  # how the uid of an attempt begins that came from an export
STALE = 120.0  # seconds without a heartbeat after which a lease from another host is void
LEASED, HELD, ANSWERED = "leased", "held", "answered"  # what comes of asking for a lease


@dataclass(frozen=True)
class Exchange:
    """One attempt as the ledger keeps it: the canonical request, and the reply to it."""

    request: str
    reply: Reply
    served: bool
    uid: str


def now() -> str:
    """The time, UTC, to the millisecond, in ISO format."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Ledger:
    """One ledger file, opened by one process. Safe beside other processes on the same file.

    Raises LedgerError where the file is missing and `create` is false, or is no ledger.

    Examples
    --------
    >>> from veridical.models.exchange import Call, Model, Raw
    >>> call = Call(Model("m", "openai", "gpt"), ({"role": "user", "content": "hello"},))
    >>> with Ledger(":memory:") as ledger:
    ...     ledger.lease([call])
    ...     reply = ledger.keep(call, Reply(call.key, "ok", "hi", Raw("hi")))
    ...     ledger.answer(call.key).value
    ['leased']
    'hi'
    """

    def __init__(self, path: Path | str, *, create: bool = True):
        self.path = Path(path)
        self.owner = uuid.uuid4().hex
        self._depth = 0
        self._elsewhere = Signs(STALE)
        self._db = open_file(self.path, create=create)
        (mode,) = self._db.execute("PRAGMA journal_mode").fetchone()
        self.log = Path(f"{self.path}-wal") if mode == "wal" else None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back this process's leases and close the file."""
        try:
            with self.together():
                self._db.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
                self._db.execute("DELETE FROM owners WHERE owner = ?", (self.owner,))
        except sqlite3.Error:
            pass  # a lease that nobody renews is void for whoever comes next
        finally:
            self._db.close()

    def leave_log(self) -> None:
        """Keep what room the disk has for transactions (see `databases.leave_log`)."""
        leave_log(self._db)

    @contextmanager
    def together(self, *, lasting: bool = True, patient: bool = True) -> Iterator[None]:
        """All that is written inside is committed at once, or not at all. May be nested.

        What isn't `lasting` is seen by other processes and survives a kill, but is not waited for
        until it is on the disk: a power cut may undo it (and it alone). Who isn't `patient` gets
        sqlite3.OperationalError (locked) where another process writes at that moment.
        """
        if self._depth == 0:
            self._db.execute(f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}")
            begin(self._db, patient=patient)
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0 and self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._depth -= 1
        if self._depth == 0:
            try:
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def lease(self, calls: Sequence[Call]) -> list[str]:
        """Take calls for this process, so that no other asks them meanwhile.

        Returns, for each, `LEASED`, `HELD` (a live process has it) or `ANSWERED`.
        """
        with self.together(lasting=False):
            self.beat()
            return [self._lease(call) for call in calls]

    def _lease(self, call: Call) -> str:
        key = call.key
        if self._db.execute("SELECT 1 FROM attempts WHERE key = ? AND served", (key,)).fetchone():
            return ANSWERED
        holder = self._db.execute(
            "SELECT owner, host, pid, started, heartbeat FROM claims LEFT JOIN owners"
            " USING (owner) WHERE key = ?",
            (key,),
        ).fetchone()
        if holder and holder[0] != self.owner and self._lives(*holder):
            return HELD
        self._file(key, call.content)
        self._db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?)", (key, self.owner))
        return LEASED

    def _lives(self, owner: str, where: str, pid: int, began: str, beat: float) -> bool:
        return alive(where, pid, began, lambda: self._elsewhere.fresh(owner, beat))

    def beat(self) -> None:
        """Say that this process is alive."""
        say_alive(self._db, self.owner)

    def release(self, key: str) -> None:
        """Give back the lease of one call."""
        self._db.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self.owner))

    def keep(self, call: Call, reply: Reply, *, uid: str = "", release: bool = True) -> Reply:
        """Keep an attempt, numbered after those before it; a state `failed` is never served.

        Where the call was answered meanwhile, the first answer stays the one that is served.
        Returns the answer served, or the failed attempt where there is none.
        """
        with self.together():
            last, answered = self._attempts(call.key)
            reply = replace(reply, attempt=last + 1, time=reply.time or now())
            served = reply.state != "failed" and not answered
            self._file(call.key, call.content)
            self._insert(reply, served, uid or uuid.uuid4().hex)
            if release:
                self.release(call.key)
            return (answered and self.answer(call.key)) or reply

    def restore(self, request: Mapping[str, Any], reply: Reply) -> bool:
        """Put back an exchange from an export; False where the ledger holds an answer already.

        Raises ValueError where the request's SHA-256 is not the key the reply is filed under.
        """
        text = compact(request)
        if hashlib.sha256(text.encode()).hexdigest() != reply.key:
            raise ValueError(f"the request is not the one of key {reply.key}: it was altered")
        if reply.state == "failed":
            raise ValueError(f"a failed attempt can't be the answer to {reply.key}")
        with self.together():
            last, answered = self._attempts(reply.key)
            if answered:
                return False
            reply = replace(reply, attempt=max(reply.attempt, last + 1))
            self._file(reply.key, lambda: request)
            self._insert(reply, True, f"{RESTORED}{uuid.uuid4().hex}")
        return True

    def _attempts(self, key: str) -> tuple[int, bool]:
        """The number of the last attempt at a call, and whether it is answered."""
        last, answered = self._db.execute(
            "SELECT COALESCE(MAX(attempt), 0), COALESCE(MAX(served), 0)"
            " FROM attempts WHERE key = ?",
            (key,),
        ).fetchone()
        return last, bool(answered)

    def _file(self, key: str, content: Callable[[], Mapping[str, Any]]) -> None:
        """File a request, and those of its long texts that the ledger doesn't hold yet."""
        if self._db.execute("SELECT 1 FROM requests WHERE key = ?", (key,)).fetchone():
            return
        request, texts = shortened(content())
        self._db.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", texts.items())
        self._db.execute("INSERT INTO requests VALUES (?, ?)", (key, request))

    def _insert(self, reply: Reply, served: bool, uid: str) -> None:
        text = compact(reply.to_dict())
        self._db.execute(
            "INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?)",
            (reply.key, reply.attempt, uid, int(served), text, digest(reply.key, text)),
        )

    def answer(self, key: str) -> Reply | None:
        """The answer to a call, or None. Raises LedgerError where it is damaged."""
        row = self._db.execute(
            "SELECT reply, digest FROM attempts WHERE key = ? AND served", (key,)
        ).fetchone()
        if row is None:
            return None
        if digest(key, row[0]) != row[1]:
            raise LedgerError(f"{self.path}: the answer to {key} is damaged; restore a copy")
        return Reply.from_dict(json.loads(row[0]))

    def last_failure(self, key: str) -> str:
        """What was said at the last attempt at a call that failed; empty where none did."""
        row = self._db.execute(
            "SELECT reply FROM attempts WHERE key = ? AND NOT served ORDER BY attempt DESC LIMIT 1",
            (key,),
        ).fetchone()
        return str(json.loads(row[0])["error"]) if row else ""

    def exchanges(self, *, texts: bool = True) -> Iterator[Exchange]:
        """Every attempt, in the order of keys, one in memory at a time.

        Where `texts` is false, requests are as they are kept, long texts by their hash. Raises
        LedgerError where one is missing.
        """
        held = Texts(self._db)
        for request, reply, served, uid in self._db.execute(
            "SELECT request, reply, served, uid FROM attempts JOIN requests USING (key)"
            " ORDER BY key, attempt"
        ):
            try:
                request = held.whole(request) if texts else request
            except MissingText as error:
                raise LedgerError(f"{self.path}: {error}; restore a copy") from error
            yield Exchange(request, Reply.from_dict(json.loads(reply)), bool(served), uid)

    def records(self) -> Counter[str]:
        """How many answers were asked for under which freeze record, by its SHA-256; empty where
        none was sealed or it wasn't kept."""
        rows = self._db.execute(
            "SELECT COALESCE(json_extract(reply, '$.record'), ''), COUNT(*) FROM attempts"
            " WHERE served GROUP BY 1"
        )
        return Counter(dict(rows))

    def served_names(self) -> Counter[str]:
        """How many answers came under which name of the model, by the server's own word; empty
        where it gave none."""
        rows = self._db.execute(
            "SELECT COALESCE(json_extract(reply, '$.raw.served_model'), ''), COUNT(*)"
            " FROM attempts WHERE served GROUP BY 1"
        )
        return Counter(dict(rows))

    def lengths(self) -> tuple[float, float] | None:
        """Tokens and seconds of its answers, on average; None where none tells its tokens."""
        tokens, seconds = self._db.execute(
            "SELECT AVG(json_extract(reply, '$.raw.completion_tokens')),"
            " AVG(json_extract(reply, '$.raw.latency')) FROM attempts WHERE served"
            " AND json_extract(reply, '$.raw.completion_tokens') > 0"
        ).fetchone()
        return None if tokens is None else (tokens, seconds or 0.0)

    def calls_within(self, identity: Mapping[str, Any]) -> int:
        """Calls of models that a memory system of this identity made in the exchanges held."""
        wanted, calls = json.loads(json.dumps(identity)), 0
        for each in self.exchanges(texts=False):
            if each.served and json.loads(each.request).get("options") == wanted:
                calls += (json.loads(each.reply.raw.text).get("usage") or {}).get("calls", 0)
        return calls

    def check(self) -> list[str]:
        """What is wrong with the ledger, in words; empty where nothing is."""
        return damage(self._db, self.path)
