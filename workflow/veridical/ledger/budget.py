"""The study's budget: a ceiling in calls and money that collecting stops before, not after.

Every call is entered with the most it can cost before it is sent, and with what it did cost once
the reply is kept; a call whose process died in between stays entered at the most, since it may
have been billed. One small file serves all stages and processes of a study.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from veridical.ledger.databases import connect, leave_log
from veridical.ledger.ledger import RESTORED
from veridical.ledger.pricing import PRICES, Prices, most_cost
from veridical.ledger.texts import MissingText, Texts
from veridical.models.counts import count, dollars
from veridical.models.exchange import Call, Model, Reply

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS spending (
    uid TEXT PRIMARY KEY,      -- of the attempt in its ledger
    cost REAL NOT NULL,        -- US dollars; the most it can be until settled
    settled INTEGER NOT NULL
) WITHOUT ROWID""",
    # Their sums, kept by the file itself whoever writes: what a reservation costs doesn't grow.
    """CREATE TABLE IF NOT EXISTS totals (
    one INTEGER PRIMARY KEY CHECK (one = 1), calls INTEGER NOT NULL, cost REAL NOT NULL
)""",
    """CREATE TRIGGER IF NOT EXISTS entered AFTER INSERT ON spending BEGIN
    UPDATE totals SET calls = calls + 1, cost = cost + new.cost;
END""",
    """CREATE TRIGGER IF NOT EXISTS released AFTER DELETE ON spending BEGIN
    UPDATE totals SET calls = calls - 1, cost = cost - old.cost;
END""",
    """CREATE TRIGGER IF NOT EXISTS settled AFTER UPDATE OF cost ON spending BEGIN
    UPDATE totals SET cost = cost + new.cost - old.cost;
END""",
)
SYSTEM = "memory"  # the provider of an exchange with a memory system, which is no call of a model
# On opening the sums are taken anew, so that rounding can't add up over a long study.
RECOUNT = """INSERT OR REPLACE INTO totals
    SELECT 1, COUNT(*), COALESCE(SUM(cost), 0.0) FROM spending"""


class BudgetExceeded(RuntimeError):
    """The next call would exceed the budget; the message says what was spent and what to change."""


class Budget:
    """The ceilings of one study, whose ledgers lie at `folder`/<collection>/<model>.sqlite.

    `calls` is the most requests sent, failed ones included; `money` the most spent, in US dollars
    by the table `prices`. None is no ceiling. What ledgers in the folder already hold is counted,
    but for exchanges with memory systems: their models' calls are entered as they are made.
    Failed calls are counted as calls and at no cost.

    Raises ValueError, on the first call, where money is limited and a model has no price.
    """

    log = None  # a reservation is on the disk before its call is sent, so each commit is synced

    def __init__(
        self,
        folder: Path | str,
        *,
        calls: int | None = None,
        money: float | None = None,
        prices: Path | str = PRICES,
    ):
        self.folder = Path(folder)
        self.calls = calls
        self.money = money
        self.prices = Prices(prices) if money is not None else None
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / "budget.sqlite"
        self._lock = threading.RLock()
        self._depth = 0
        self._dearest: dict[tuple[str | None, ...], float] = {}  # of what programs say they paid
        self._db = connect(self.path)
        with self.together():
            for statement in (*SCHEMA, RECOUNT):
                self._db.execute(statement)
            for ledger in sorted(self.folder.glob("*/*.sqlite")):
                self._read(ledger)

    @classmethod
    def from_config(
        cls, folder: Path | str, entry: Mapping[str, Any] | None, prices: Path | str = PRICES
    ) -> Budget | None:
        """The budget that the config's `budget` asks for; None where it sets no ceiling."""
        limits = {k: v for k, v in (entry or {}).items() if v is not None}
        return cls(folder, prices=prices, **limits) if limits else None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def leave_log(self) -> None:
        """Keep what room the disk has for transactions (see `databases.leave_log`)."""
        leave_log(self._db)

    @contextmanager
    def together(self, *, lasting: bool = True, patient: bool = True) -> Iterator[None]:
        """All that is entered inside is committed at once, or not at all. May be nested.

        Every commit is waited for until it is on the disk, `lasting` or not.
        """
        with self._lock:
            if self._depth == 0:
                self._db.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
                if self._depth == 1:
                    self._db.execute("COMMIT")
            except BaseException:
                if self._depth == 1 and self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            finally:
                self._depth -= 1

    def _read(self, ledger: Path) -> None:
        """Enter what a ledger holds and this file doesn't: spent before there was a budget."""
        source = sqlite3.connect(f"file:{ledger}?mode=ro", uri=True, timeout=60.0)
        try:
            texts = Texts(source)
            for (uid,) in source.execute("SELECT uid FROM attempts").fetchall():
                if not uid.startswith(RESTORED) and not self._entered(uid):
                    request, reply = source.execute(
                        "SELECT request, reply FROM attempts JOIN requests USING (key)"
                        " WHERE uid = ?",
                        (uid,),
                    ).fetchone()
                    asked = json.loads(texts.whole(request))
                    if asked["provider"] == SYSTEM:
                        continue
                    cost = self._cost(asked, json.loads(reply))
                    self._db.execute("INSERT INTO spending VALUES (?, ?, 1)", (uid, cost))
        except (sqlite3.DatabaseError, MissingText) as error:
            raise ValueError(f"{ledger}: can't be read as a ledger ({error})") from error
        finally:
            source.close()

    def _entered(self, uid: str) -> bool:
        row = self._db.execute("SELECT 1 FROM spending WHERE uid = ?", (uid,)).fetchone()
        return row is not None

    def _cost(self, request: Mapping[str, Any], reply: Mapping[str, Any]) -> float:
        """What an exchange cost; the most that it can have cost, where no tokens are told."""
        if self.prices is None or reply["state"] == "failed":
            return 0.0
        raw, model = reply["raw"], (request["provider"], request["model"], request.get("base_url"))
        price = self.prices.of(*model)
        paid = self._paid(model, raw.get("cost"))
        if price is None:
            return paid
        counts = count(raw["prompt_tokens"]), count(raw["completion_tokens"])
        if (spent := price.spent(*counts, paid)) is not None:
            return spent
        named = Model("", *model[:2], options=request.get("options") or {})
        messages = tuple(request["messages"])
        return most_cost(Call(named, messages, parameters=request["parameters"]), price)

    def _paid(self, model: tuple[str, ...], cost: Any) -> float:
        """What a program says that a call cost; the dearest is what the next may cost."""
        paid = dollars(cost) or 0.0
        self._dearest[model] = max(paid, self._dearest.get(model, 0.0))
        return paid

    def spent(self) -> tuple[int, float]:
        """Calls sent and US dollars spent, open ones at the most they can cost."""
        with self._lock:
            return self._db.execute("SELECT calls, cost FROM totals").fetchone()

    def reserve(self, calls: Sequence[Call]) -> list[str]:
        """Enter calls about to be sent; returns a uid for each. Raises BudgetExceeded."""
        most = 0.0
        if self.prices is not None:
            model = calls[0].model
            most = most_cost(calls[0], self.prices.needed(model))
            most = max(most, self._dearest.get((model.provider, model.model, model.base_url), 0.0))
        uids = [uuid.uuid4().hex for _ in calls]
        with self.together():
            made, cost = self.spent()
            if self.calls is not None and made + len(calls) > self.calls:
                raise BudgetExceeded(
                    f"the study's budget is {self.calls:,} calls and {made:,} were made: stopped "
                    "before the next one. Raise budget/calls in the config to go on; what was "
                    "answered is kept"
                )
            if self.money is not None and cost + most * len(calls) > self.money:
                raise BudgetExceeded(
                    f"the study's budget is ${self.money:,.2f}, ${cost:,.4f} are spent or "
                    f"entered, and the next call may cost ${most * len(calls):,.4f}: stopped "
                    "before it. Raise budget/money in the config to go on; what was answered is "
                    "kept"
                )
            self._db.executemany(
                "INSERT INTO spending VALUES (?, ?, 0)", [(uid, most) for uid in uids]
            )
        return uids

    def release(self, uids: Sequence[str]) -> None:
        """Take out calls that were entered and never sent."""
        with self.together():
            self._db.executemany("DELETE FROM spending WHERE uid = ?", [(uid,) for uid in uids])

    def settle(self, calls: Sequence[Call], replies: Sequence[Reply], uids: Sequence[str]) -> None:
        """Enter what calls did cost; a reply without token counts stays at the most it can be."""
        with self.together():
            for call, reply, uid in zip(calls, replies, uids, strict=True):
                raw = reply.raw
                if reply.state == "failed":
                    cost = 0.0
                elif self.prices is None:
                    continue
                else:
                    model, price = call.model, self.prices.needed(call.model)
                    paid = self._paid((model.provider, model.model, model.base_url), raw.cost)
                    counts = count(raw.prompt_tokens), count(raw.completion_tokens)
                    if (cost := price.spent(*counts, paid)) is None:
                        continue
                self._db.execute(
                    "UPDATE spending SET cost = ?, settled = 1 WHERE uid = ?", (cost, uid)
                )
