"""A memory system in a process of its own: one JSON object a line, in and out.

Whatever it does (die, hang, write what is no JSON, or a hundred megabytes of it) ends as a
`MemoryFault` that says what happened and quotes its last words; the process and all it started are
ended with it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from veridical.base.secrets import redact
from veridical.memories.protocol import (
    PROTOCOL,
    Description,
    Event,
    Item,
    Memory,
    MemoryFault,
    Recalled,
    Settled,
    Usage,
)
from veridical.memories.wire import read_reply, to_wire

LONGEST = 100 * 2**20  # bytes of one reply
LAST_WORDS = 2000  # bytes of standard error that are kept
FOLDER = "MEMORY_FOLDER"  # the environment variable that names the system's own folder


@dataclass(frozen=True)
class Patience:
    """Seconds that each verb may take: `ingest` and `recall` for one event and one query.

    `describe` is the first that is put, and waits until the system has started: one with a model of
    its own imports its packages and loads a gigabyte of weights.
    """

    describe: float = 600.0
    reset: float = 60.0
    ingest: float = 300.0
    settle: float = 600.0
    recall: float = 120.0
    usage: float = 30.0
    close: float = 10.0
    dump: float = 300.0
    tools: float = 60.0
    call: float = 120.0
    answer: float = 600.0


class Process(Memory):
    """A program that speaks memory protocol 1, started at once and kept until `close`.

    `folder` is where the system may keep its banks; the program finds its path in the environment
    under `MEMORY_FOLDER`. After a fault that is `gone` it is spent: open another. Keys in the
    environment, and the variables that `secret` names, are struck out of every error.

    Raises MemoryFault where the program can't be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | str,
        *,
        environ: Mapping[str, str] = os.environ,
        patience: Patience = Patience(),
        longest: int = LONGEST,
        secret: Sequence[str] = (),
    ):
        self.command, self.patience, self.longest = list(command), patience, longest
        self._environ, self._secret = dict(environ), list(secret)
        Path(folder).mkdir(parents=True, exist_ok=True)
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environ | {FOLDER: str(Path(folder).resolve())},
                start_new_session=True,
            )
        except OSError as error:
            raise MemoryFault(f"{self.command[0]} can't be started: {error}", gone=True) from None
        self._said: deque[int] = deque(maxlen=LAST_WORDS)
        self._given: queue.SimpleQueue = queue.SimpleQueue()
        self._lines: queue.SimpleQueue = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._write, self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()
        self.ended = False

    def describe(self) -> Description:
        found = self._ask("describe", protocol=PROTOCOL)
        plain = {"name": found.name, "version": found.version}  # told in errors and in tables
        return replace(found, **{k: self._clean(v) for k, v in plain.items()})

    def reset(self, bank: str) -> None:
        self._ask("reset", bank=bank)

    def ingest(self, bank: str, events: Sequence[Event]) -> int:
        events = [to_wire(event) for event in events]
        patience = self.patience.ingest * max(1, len(events))
        return self._ask("ingest", patience=patience, bank=bank, events=events)

    def settle(self, bank: str, timeout: float) -> Settled:
        return self._ask(
            "settle", patience=timeout + self.patience.close, bank=bank, timeout=timeout
        )

    def recall(self, bank: str, query: str, k: int, at: str | None = None) -> Recalled:
        return self._ask("recall", bank=bank, query=query, k=k, at=at)

    def usage(self) -> Usage:
        return self._ask("usage")

    def dump(self, bank: str) -> tuple[Item, ...]:
        """Everything in the bank."""
        return self._ask("dump", bank=bank)

    def tools(self) -> list[dict[str, Any]]:
        """The tools that a model may call: name, description, JSON schema of the arguments."""
        return self._ask("tools")

    def call(self, bank: str, name: str, arguments: Mapping[str, Any]) -> str:
        """What one tool says to one call."""
        return self._ask("call", bank=bank, name=name, arguments=dict(arguments))

    def answer(self, bank: str, messages: Sequence[Mapping[str, str]]) -> str:
        """What a whole agent answers."""
        return self._ask("answer", bank=bank, messages=list(messages))

    def send(self, line: bytes, verb: str, patience: float) -> Any:
        """Send one line as it is; returns the reply, parsed. Raises MemoryFault."""
        if self.ended:
            raise MemoryFault("the program has ended before", verb=verb, gone=True)
        self._given.put(line + b"\n")
        try:
            reply = self._lines.get(timeout=patience)
        except queue.Empty:
            raise self._end(verb, f"no reply to `{verb}` within {patience:g} s") from None
        if reply is None:
            raise self._end(verb, f"the program ended during `{verb}`")
        if isinstance(reply, str):
            raise self._end(verb, reply)
        try:
            return json.loads(reply)
        except (ValueError, RecursionError):
            text = reply[:200].decode("utf-8", "replace")
            raise self._end(verb, f"it answered `{verb}` with what is no JSON: {text!r}") from None

    def _ask(self, verb: str, *, patience: float | None = None, **arguments: Any) -> Any:
        line = json.dumps({"verb": verb, **arguments}).encode()
        bank = str(arguments.get("bank", ""))
        try:
            reply = self.send(line, verb, patience or getattr(self.patience, verb))
            return read_reply(verb, reply)
        except MemoryFault as fault:
            raise MemoryFault(
                self._clean(str(fault)), verb=verb, bank=bank, gone=fault.gone
            ) from None

    def _clean(self, text: str) -> str:
        return redact(text, self._environ, self._secret)

    def close(self) -> None:
        """Ask the program to close, then end it and all it started."""
        with suppress(MemoryFault):
            if not self.ended:
                self._ask("close")
        self.kill()

    def _end(self, verb: str, what: str) -> MemoryFault:
        """End the program; the fault that says so, with exit code and last words."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        code = self._process.poll()
        self.kill()
        how = "" if code is None else f" (exit code {code})"
        said = bytes(self._said).decode("utf-8", "replace").strip()
        words = f"; its last words: {said}" if said else ""
        return MemoryFault(f"{what}{how}{words}", verb=verb, gone=True)

    def kill(self) -> None:
        """End the program and all it started, without a word."""
        self.ended = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._given.put(None)
        for thread in self._threads:
            thread.join(timeout=2)

    def _write(self) -> None:
        """Hand the lines on; a program that reads nothing holds up this thread alone."""
        with suppress(OSError, ValueError):
            while (line := self._given.get()) is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            self._process.stdin.close()

    def _read(self) -> None:
        """Cut the output into lines; None at its end, words where a line grows too long."""
        pieces: list[bytes] = []
        size, stream = 0, self._process.stdout
        while chunk := os.read(stream.fileno(), 1 << 18):
            *whole, rest = chunk.split(b"\n")
            for line in whole:
                self._lines.put(b"".join([*pieces, line]))
                pieces, size = [], 0
            pieces.append(rest)
            size += len(rest)
            if size > self.longest:
                self._lines.put(f"it wrote more than {self.longest >> 20} MB without a line end")
                return
        self._lines.put(None)

    def _listen(self) -> None:
        while chunk := os.read(self._process.stderr.fileno(), 1 << 16):
            self._said.extend(chunk)
