"""Requests: calls leased, sent in one's turn, tried again, and kept before they count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from veridical.base.secrets import clean
from veridical.ledger.budget import Budget
from veridical.ledger.ledger import HELD, LEASED, Ledger
from veridical.ledger.progress import Progress
from veridical.ledger.served import Served
from veridical.ledger.stopping import CollectionStopped, Halt
from veridical.ledger.task import Task, held, read
from veridical.ledger.writer import Scribe
from veridical.models.conversation import Position
from veridical.models.exchange import Call, Provider, ProviderError, Raw, Reply
from veridical.models.forms import read_answer
from veridical.models.limits import Pace, backoff, likely_input, most_output, sleep

POLL = 0.05  # seconds between looks at a call that another process is asking
LONGEST_WAIT = 300.0  # seconds waited at most, whatever a server says
ALOUD = 20.0  # seconds from which a wait is noted on the terminal, and not in the log alone
NO_REPLY = Reply("", "failed", None, Raw(""))
IN_A_ROW = 5  # calls given up with no reply between them, after which the server is given up


class GaveUp(Exception):
    """A call got no reply in all its tries."""


class Stopping(Exception):
    """The collection is being stopped."""


class Place:
    """One of the places of requests under way; left at the end at the latest."""

    def __init__(self, places: asyncio.Semaphore):
        self._places = places
        self._taken = False

    async def __aenter__(self) -> Place:
        await self._places.acquire()
        self._taken = True
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Let another request have it."""
        if self._taken:
            self._taken = False
            self._places.release()


@dataclass
class Requests:
    """Gets calls answered: from the ledger, else by the provider, at most `concurrency` at once.

    `ledger` is written to through the `scribe`, `reader` is another connection to the same file;
    the `till` writes to the `budget`, where there is one;
    `record` is the SHA-256 of the freeze record that is in force, kept with every reply.
    """

    task: Task
    provider: Provider
    ledger: Ledger
    reader: Ledger
    scribe: Scribe
    budget: Budget | None
    till: Scribe | None
    progress: Progress
    halt: Halt
    record: str = ""
    served: Served | None = None

    def __post_init__(self) -> None:
        self.pace = Pace.of(self.task.model)
        self.places = asyncio.Semaphore(self.provider.concurrency)
        self.in_a_row = 0
        self.last_problem = ""

    async def answers(
        self, wanted: list[tuple[Position, Call]], *, block: bool = False
    ) -> tuple[list[Reply], bool]:
        """The replies to calls that differ in their sample only, and whether any was asked now."""
        replies: dict[str, Reply] = {}
        asked = False
        while True:
            for _, call in wanted:
                if call.key not in replies and (reply := held(self.reader, call)) is not None:
                    replies[call.key] = reply
            left = [(position, call) for position, call in wanted if call.key not in replies]
            if not left:
                return [replies[call.key] for _, call in wanted], asked
            if self.halt.called.is_set():
                raise Stopping
            calls = [call for _, call in left]
            states = await self.write(lambda calls=calls: self.ledger.lease(calls))
            leased = [each for each, state in zip(left, states, strict=True) if state == LEASED]
            if leased:
                replies |= await self._ask(leased, block=block)
                asked = True
            elif HELD in states:
                await sleep(POLL, self.halt.called)

    async def _ask(self, wanted: list[tuple[Position, Call]], *, block: bool) -> dict[str, Reply]:
        """Ask for leased calls in one request, again after transient errors, and keep all."""
        position, calls = wanted[0][0], [call for _, call in wanted]
        self._check_prompt(position, calls[0])
        kept: dict[str, Reply] = {}
        try:
            for tries in range(1, self.task.retries + 2):
                found = await self._try(position, calls, tries, block=block)
                if found is None:
                    break
                if kept := found:
                    return kept
            self.in_a_row += 1
            if self.in_a_row >= IN_A_ROW:
                self.halt.call(
                    CollectionStopped(
                        f"{self.task.model.name}: {self.in_a_row} calls in a row got no reply; the "
                        f"last error was: {self.last_problem}. Run again when that is mended; "
                        "what was answered before is kept"
                    )
                )
            raise GaveUp
        finally:
            if not kept:
                await self.write(lambda: [self.ledger.release(call.key) for call in calls])

    def _check_prompt(self, position: Position, call: Call) -> None:
        """What is asked is kept word for word, so it must not hold a key that is in use here."""
        if any(
            value in message["content"] for message in call.messages for value in self.halt.keys
        ):
            problem = CollectionStopped(
                f"{self.task.model.name}, {self.task.label} ({position}): the prompt holds a key "
                "that stands in this environment; take it out of the texts that the prompt is "
                "made of"
            )
            self.halt.call(problem)
            raise Stopping

    async def _try(
        self, position: Position, calls: list[Call], tries: int, *, block: bool
    ) -> dict[str, Reply] | None:
        """One request; no reply after a transient error, when the wait for the next try is over.

        None where another try can't go better. Its place is another's once the reply is written:
        a kill undoes no more than there are places.
        """
        uids = [""] * len(calls)
        async with Place(self.places) as place:
            tokens = sum(likely_input(call) + most_output(call) for call in calls)
            await self.pace.wait(tokens, self.halt.called, len(calls))
            if self.halt.called.is_set():
                raise Stopping
            if self.till is not None:
                uids = await self.till.write(lambda: self.budget.reserve(calls))
            self.progress.tally.asked += len(calls)
            wait = None
            try:
                if block:
                    raws = await self.provider.sample(calls[0], [call.sample for call in calls])
                else:
                    raws = [await self.provider.ask(calls[0])]
            except ProviderError as error:
                raws, wait = [], self._after_failure(position, error, tries)
            except Exception as error:  # whatever a provider trips over, the attempt is kept
                self.last_problem = f"{type(error).__name__}: {self.halt.struck(error)}"
                self.halt.call(error)
                raws = []
            raws = [clean(raw, self.halt.keys) for raw in raws]
            replies = self._replies(calls, raws)
            kept = await self._keep(calls, replies, uids, place, release=bool(raws))
        if not raws:
            if wait is None:
                return None
            await sleep(wait, self.halt.called)
            return {}
        self.in_a_row = 0
        if self.served and (problem := self.served.hear(raws)):
            self.halt.call(CollectionStopped(self.halt.struck(ValueError(problem))))
        return {call.key: read(call, reply) for call, reply in zip(calls, kept, strict=True)}

    def _replies(self, calls: list[Call], raws: list[Raw]) -> list[Reply]:
        """What came back, as replies; of a request that brought nothing, an attempt that failed."""
        if not raws:
            return [
                replace(NO_REPLY, key=call.key, error=self.last_problem, record=self.record)
                for call in calls
            ]
        return [
            Reply(call.key, *read_answer(raw, call.form), raw, record=self.record)
            for call, raw in zip(calls, raws, strict=True)
        ]

    def _after_failure(self, position: Position, error: ProviderError, tries: int) -> float | None:
        """Stop all where nothing can go well; returns the seconds to wait before the next try.

        None where this prompt is set aside: the server refuses it for good, and others may go well.
        """
        self.last_problem = self.halt.struck(error)
        if error.of_prompt and not error.transient:
            self.progress.note(f"{position}: {self.last_problem}; set aside, the others go on")
            return None
        if not error.transient:
            self.halt.call(CollectionStopped(self.halt.explained(error, position)))
            return 0.0
        named = error.retry_after
        wait = backoff(
            tries, None if named is None else min(named, LONGEST_WAIT), base=self.task.backoff
        )
        again = tries <= self.task.retries
        if named is not None and again:
            self.pace.pause(wait)
        what = f"asked again in {wait:.1f} s" if again else f"given up after {tries} tries"
        if named is not None and named > LONGEST_WAIT:
            what += f" (the server said {named:.0f} s; no wait is longer than {LONGEST_WAIT:g} s)"
        self.progress.note(
            f"{position}: {self.last_problem}; {what}", aloud=again and wait >= ALOUD
        )
        return wait if again else 0.0

    async def _keep(
        self,
        calls: list[Call],
        replies: list[Reply],
        uids: list[str],
        place: Place,
        *,
        release: bool,
    ) -> list[Reply]:
        def write() -> list[Reply]:
            return [
                self.ledger.keep(call, reply, uid=uid, release=release)
                for call, reply, uid in zip(calls, replies, uids, strict=True)
            ]

        kept = await asyncio.shield(self.scribe.write(write, written=place.leave))
        if self.till is not None:
            await self.till.write(lambda: self.budget.settle(calls, replies, uids))
        return kept

    async def write(self, action: Callable[[], Any]) -> Any:
        """Write what need not outlast a power cut."""
        return await self.scribe.write(action, lasting=False)
