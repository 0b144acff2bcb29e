"""A visit to one memory system on one corpus: hygiene, then every bank in, then every query out.

Each step is an exchange. A system that dies is started again, its banks filled anew, and the visit
goes on with what else can be done; a bank during whose recalls it died three times is given up.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from veridical.memories.conformance import check_system
from veridical.memories.keeping import Keep, Outcome, at_once
from veridical.memories.plan import CONTROL3, Bank, Plan, Query
from veridical.memories.protocol import Description, Memory, MemoryFault, Settled, Usage
from veridical.memories.spending import Counted
from veridical.memories.subject import PAUSE
from veridical.memories.wire import to_wire

GIVE_UP = 3  # deaths during the recalls of one bank
SETTLE = 600.0  # seconds that a bank may take to settle
HYGIENE = (
    "it starts and describes itself",
    "a new bank is empty",
    "events are accepted and settle",
    "what was ingested is found",
    "the same query gives the same items",
    "banks are kept apart",
    "reset empties a bank, and that bank alone",
)
Observed = dict[str, Outcome]
Verb = Callable[[], dict[str, Any]]


class Changed(RuntimeError):
    """A system is not what it was when a part of its exchanges was kept; the message says what to
    do."""


class Visit:
    """One system, one corpus. `start` starts the system anew, on the same folder.

    `marks` is a file in which banks that outlive the process are marked, so that an interrupted
    visit goes on with them; None marks none. `version` is what the system must say its version is.
    """

    def __init__(
        self,
        plan: Plan,
        start: Callable[[], Memory],
        keep: Keep = at_once,
        *,
        marks: Path | None = None,
        version: str | None = None,
        settle: float = SETTLE,
        pause: float = PAUSE,
    ):
        self.plan, self.keep, self.marks = plan, keep, marks
        self.settle, self.pause = settle, pause
        self._version = version
        self._start = start
        self._memory: Memory | None = None
        self._there: set[str] = set()
        self.described: Description | None = None

    @property
    def memory(self) -> Memory:
        """The running system, started where it isn't. Raises Changed."""
        if self._memory is None or getattr(self._memory, "ended", False):
            self._memory, self._there = self._start(), set()
            found = self._memory.describe()
            if self._version is not None and found.version != self._version:
                raise Changed(
                    f"the system says it is {found.name} {found.version}, and version "
                    f"{self._version} is what the config or the lock has"
                )
            if self.described is not None and found != self.described:
                raise Changed(
                    f"the system now says it is {found.name} {found.version}; what is kept of it "
                    f"came from {self.described.name} {self.described.version}. Name its version "
                    "in the config (`version`), or raise its `take`, to have everything anew"
                )
            if found.lasting and self.marks and self.marks.is_file():
                self._there = set(json.loads(self.marks.read_text(encoding="utf-8")))
        return self._memory

    def run(self) -> Observed:
        """Have every exchange; returns their outcomes by id: `describe`, `hygiene`,
        `ingest/<document>`, `recall/<document>/<query>`, `dump/<document>` and, of a system that
        answers itself, `answer/<document>/<query>`."""
        found: Observed = {}
        try:
            found["describe"] = self.keep("describe", {"verb": "describe"}, self._describe)
            if found["describe"].ok:
                self.described = described_in(found)
                found["hygiene"] = self.keep("hygiene", self._request("hygiene"), self._hygiene)
                self._banks(found)
        finally:
            if self._memory is not None:
                self._memory.close()
        return found

    def _banks(self, found: Observed) -> None:
        for bank in self.plan.banks:
            id, request = f"ingest/{bank.document}", self._request("ingest", bank)
            found[id] = self.keep(id, request, lambda bank=bank: self._ingest(bank))
        for bank in self.plan.banks:
            if found[f"ingest/{bank.document}"].ok:
                self._ask(bank, found)

    def _ask(self, bank: Bank, found: Observed) -> None:
        """Every query of one bank, then what it holds after them."""
        kept = found[f"ingest/{bank.document}"].value
        deaths: list[str] = []
        for id, request, verb in self._questions(bank):
            act = partial(self._put, bank, kept, deaths, verb)
            found[id] = self.keep(id, request, act)
            died = not found[id].ok and getattr(self._memory, "ended", False)
            if died and len(deaths) < GIVE_UP:
                deaths.append(found[id].error)
        if kept.get("dump") is not None:
            id = f"dump/{bank.document}"
            found[id] = self.keep(id, self._request("dump", bank), lambda: self._dump(bank, kept))

    def _questions(self, bank: Bank) -> Iterator[tuple[str, dict[str, Any], Verb]]:
        """What is asked of a bank: its queries, and of a system that answers itself every probe."""
        for query in self.plan.asked_of(bank):
            request = self._request("recall", bank, query=query.text, k=self.plan.k)
            yield f"recall/{bank.document}/{query.id}", request, partial(self._recall, bank, query)
        if CONTROL3 in bank.parts and self.described and "answer" in self.described.optional:
            for query in self.plan.probes:
                messages = [{"role": "user", "content": query.direct}]
                request = self._request("answer", bank, messages=messages)
                asked = partial(self._answer, bank, messages)
                yield f"answer/{bank.document}/{query.id}", request, asked

    def _request(self, verb: str, bank: Bank | None = None, **more: Any) -> dict[str, Any]:
        """What decides an exchange, beside the system's identity."""
        request = {
            "verb": verb,
            "version": self.described.version if self.described else "",
            **more,
        }
        if bank is not None:
            request |= {"bank": bank.chain, "take": bank.take, "at": self.plan.at}
        return request

    def _describe(self) -> dict[str, Any]:
        return to_wire(self.memory.describe())

    def _hygiene(self) -> dict[str, Any]:
        self._close()
        started: list[Counted] = []

        def start() -> Memory:
            started.append(Counted(self._start()))
            return started[-1]

        checks = check_system(start, HYGIENE, pause=self.pause)
        value: dict[str, Any] = {"checks": [vars(check) for check in checks]}
        if self.described and self.described.models:
            value["usage"] = vars(sum((each.spent for each in started), Usage()))
        return value

    def _close(self) -> None:
        """One process a store: who is to start another closes its own first."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _ingest(self, bank: Bank) -> dict[str, Any]:
        """Empty the bank, ingest event by event, wait until it has settled, see what it holds."""
        memory = self.memory
        memory.usage()
        self._mark(bank, there=False)
        memory.reset(bank.name)
        accepted, slowest, begun = 0, 0.0, time.perf_counter()
        for event in bank.events:
            since = time.perf_counter()
            accepted += memory.ingest(bank.name, [event])
            slowest = max(slowest, time.perf_counter() - since)
        settled: Settled = memory.settle(bank.name, self.settle)
        seconds = time.perf_counter() - begun
        usage: Usage = memory.usage()
        self._mark(bank, there=True)
        return {
            "given": len(bank.events),
            "accepted": accepted,
            "settled": vars(settled),
            "seconds": seconds,
            "slowest": slowest,
            "usage": vars(usage),
            "dump": self._held(bank),
        }

    def _held(self, bank: Bank) -> list[str] | None:
        """The texts that the bank holds; None where the system has no dump."""
        if "dump" not in self.memory.describe().optional:
            return None
        return [item.text for item in self.memory.dump(bank.name)]

    def _ensure(self, bank: Bank, kept: Mapping[str, Any]) -> None:
        """Fill the bank again where this process doesn't have it. Raises Changed where what comes
        of it is not what its receipt says."""
        if self.memory is not None and bank.name in self._there:
            return
        again = self._ingest(bank)
        if sorted(again["dump"] or ()) != sorted(kept["dump"] or ()):
            raise Changed(
                f"bank {bank.document} was filled again, since a recall from it is missing, and "
                "now holds something else than its receipt says; raise the system's `take` to "
                "have everything anew"
            )

    def _put(
        self, bank: Bank, kept: Mapping[str, Any], deaths: list[str], verb: Verb
    ) -> dict[str, Any]:
        """Ask a bank something, filled where it isn't; what it cost comes along."""
        if len(deaths) >= GIVE_UP:
            raise MemoryFault(f"given up after {len(deaths)} deaths; the last: {deaths[-1]}")
        self._ensure(bank, kept)
        value = verb()
        if self.described and self.described.models:
            value["usage"] = vars(self.memory.usage())
        return value

    def _recall(self, bank: Bank, query: Query) -> dict[str, Any]:
        return to_wire(self.memory.recall(bank.name, query.text, self.plan.k, self.plan.at))

    def _answer(self, bank: Bank, messages: list[dict[str, str]]) -> dict[str, Any]:
        return {"text": self.memory.answer(bank.name, messages)}

    def _dump(self, bank: Bank, kept: Mapping[str, Any]) -> dict[str, Any]:
        self._ensure(bank, kept)
        return {"dump": self._held(bank)}

    def _mark(self, bank: Bank, *, there: bool) -> None:
        (self._there.add if there else self._there.discard)(bank.name)
        if self.marks and self.described and self.described.lasting:
            self.marks.parent.mkdir(parents=True, exist_ok=True)
            self.marks.write_text(json.dumps(sorted(self._there)), encoding="utf-8")


def described_in(found: Mapping[str, Outcome]) -> Description | None:
    """What the system said of itself; None where it could not be asked."""
    told = found["describe"].value
    return told and Description(
        **{k: tuple(v) if isinstance(v, list) else v for k, v in told.items()}
    )
