"""Exchanges with a memory system, in the ledger like those with a model: asked once, then kept.

The key of an exchange is the SHA-256 of the system's identity (adapter, settings, files, locked
packages, weights), of everything ingested into its bank as one chain of hashes, and of what is
asked. A second run asks nothing, and a replay needs no memory system.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from veridical.base.secrets import clean, key_values
from veridical.ledger.beating import beating
from veridical.ledger.ledger import HELD, Ledger
from veridical.ledger.replies import iterate_replies, line_of, rebuild
from veridical.memories.protocol import MemoryFault
from veridical.models.conversation import Answered, Position
from veridical.models.exchange import Call, Model, Raw, Reply

STAGE = "memories"  # the folder of the systems' ledgers
PROVIDER = "memory"  # who answers, in the key of an exchange
WAIT = 0.2  # seconds between looks at an exchange that another process is having


@dataclass(frozen=True)
class Outcome:
    """How an exchange ended: what it gave, or the fault in words; `seconds` is how long it took."""

    id: str
    value: Mapping[str, Any] | None
    error: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


class Keep(Protocol):
    """Has an exchange, or has had it: `request` is what decides it, `act` has it."""

    def __call__(
        self, id: str, request: Mapping[str, Any], act: Callable[[], Mapping[str, Any]]
    ) -> Outcome: ...


def at_once(id: str, request: Mapping[str, Any], act: Callable[[], Mapping[str, Any]]) -> Outcome:
    """Have the exchange and keep nothing of it."""
    begun = time.perf_counter()
    try:
        value = act()
    except MemoryFault as fault:
        return Outcome(id, None, str(fault), time.perf_counter() - begun)
    return Outcome(id, value, seconds=time.perf_counter() - begun)


class NotKept(RuntimeError):
    """A replay lacks an exchange; the message says which."""


class Keeper:
    """Keeps a system's exchanges in a ledger, and hands out their lines for the export.

    `exports` are replies files that are put into the ledger first; with `asking` false nothing is
    asked, and an exchange that failed is taken from them as it failed. `secret` names variables of
    the environment that hold keys, whatever they are called; `record` is the SHA-256 of the record
    of the design in force.
    """

    def __init__(
        self,
        name: str,
        identity: Mapping[str, Any],
        ledger: Ledger,
        *,
        asking: bool = True,
        exports: Iterable[Path] = (),
        environ: Mapping[str, str] = os.environ,
        secret: Iterable[str] = (),
        record: str = "",
    ):
        self.name, self.ledger, self.asking, self.record = name, ledger, asking, record
        self.model = Model(name, PROVIDER, str(identity["adapter"]), options=dict(identity))
        self.keys = key_values(environ, secret)
        self.lines: list[dict[str, Any]] = []
        self.asked = self.held = 0
        exports = list(exports)
        rebuild(exports, ledger)
        self._failed = {line["id"]: line for line in _failures(exports)}

    def __call__(
        self, id: str, request: Mapping[str, Any], act: Callable[[], Mapping[str, Any]]
    ) -> Outcome:
        """The exchange's outcome, from the ledger where it is there. Raises NotKept."""
        canonical = json.dumps(request, ensure_ascii=False, sort_keys=True)
        call = Call(self.model, ({"role": "user", "content": canonical},))
        reply = self._held(call)
        if reply is not None:
            self.held += 1
        elif self.asking:
            reply = self._ask(call, act)
        elif id in self._failed:
            return self._failed_before(self._failed[id])
        else:
            raise NotKept(
                f"{self.name}: {id} is neither in {self.ledger.path} nor in an export; run once "
                "with `collect: true`"
            )
        self._write(id, call, reply)
        if reply.state == "failed":
            return Outcome(id, None, reply.error, reply.raw.latency)
        return Outcome(id, json.loads(reply.raw.text), seconds=reply.raw.latency)

    def _held(self, call: Call) -> Reply | None:
        """The ledger's answer; waited for where another process is having the exchange."""
        while (reply := self.ledger.answer(call.key)) is None and self.asking:
            if self.ledger.lease([call])[0] != HELD:
                return self.ledger.answer(call.key)
            time.sleep(WAIT)
        return reply

    def _ask(self, call: Call, act: Callable[[], Mapping[str, Any]]) -> Reply:
        self.asked += 1
        with beating(self.ledger.path, self.ledger.owner):  # filling a bank may take hours
            outcome = at_once("", {}, act)
        if outcome.value is None:
            raw = clean(Raw("", latency=outcome.seconds), self.keys)
            error = clean(Raw(outcome.error), self.keys).text
            reply = Reply(call.key, "failed", None, raw, error=error, record=self.record)
            return self.ledger.keep(call, reply)
        usage = outcome.value.get("usage") or {}
        raw = Raw(
            json.dumps(outcome.value, ensure_ascii=False),
            prompt_tokens=usage.get("prompt_tokens", 0),
            completion_tokens=usage.get("completion_tokens", 0),
            latency=outcome.seconds,
        )
        reply = Reply(call.key, "ok", None, clean(raw, self.keys), record=self.record)
        return self.ledger.keep(call, reply)

    def _write(self, id: str, call: Call, reply: Reply) -> None:
        line = line_of(Answered(Position(id, 0, 0), ((call, reply),)), STAGE, self.name)
        if reply.state == "failed":  # nothing that a ledger could serve
            line |= {"exchanges": [], "error": reply.error}
        self.lines.append(line)

    def _failed_before(self, line: dict[str, Any]) -> Outcome:
        self.lines.append(line)
        return Outcome(line["id"], None, line["error"], line["latency"])


def _failures(exports: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in exports:
        yield from (line for line in iterate_replies(path) if line["state"] == "failed")


def outcomes(path: Path | str) -> dict[str, Outcome]:
    """The outcomes in an export, by id. Raises ValueError naming file and line."""
    found = {}
    for line in iterate_replies(path):
        value = json.loads(line["text"]) if line["state"] == "ok" else None
        found[line["id"]] = Outcome(line["id"], value, line.get("error", ""), line["latency"])
    return found
