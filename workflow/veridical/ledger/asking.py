"""Asking: many conversations with one model at once, every exchange kept before it counts."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from veridical.base.keyless import variables_named
from veridical.base.processes import on_interrupt
from veridical.base.secrets import clean, key_values, strike
from veridical.base.terminal import printable
from veridical.ledger.budget import Budget
from veridical.ledger.ledger import HELD, LEASED, Ledger
from veridical.ledger.task import Tally, Task, held, read
from veridical.ledger.writer import Scribe
from veridical.models.conversation import Position
from veridical.models.exchange import Call, Provider, ProviderError, Raw, Reply
from veridical.models.forms import read_answer
from veridical.models.limits import Pace, backoff, likely_input, most_output, sleep
from veridical.models.prompts import Prompt

POLL = 0.05  # seconds between looks at a call that another process is asking
SPARE = 32  # conversations prepared beyond those whose requests are under way
BEAT = 20.0  # seconds between signs of life
GRACE = 60.0  # seconds that calls under way get to end once collecting stops
LONGEST_WAIT = 300.0  # seconds waited at most, whatever a server says
ALOUD = 20.0  # seconds from which a wait is told on the terminal, and not in the log alone
NO_REPLY = Reply("", "failed", None, Raw(""))
IN_A_ROW = 5  # calls given up with no reply between them, after which the server is given up


class CollectionStopped(RuntimeError):
    """Collecting can't go on; the message says why and what to do."""


class _GaveUp(Exception):
    """A call got no reply in all its tries."""


class _Stop(Exception):
    """Collecting is being stopped."""


class Asking:
    """One collection under way. `run` asks for whatever the ledger lacks, and can be run once."""

    def __init__(
        self,
        task: Task,
        ledger: Ledger,
        budget: Budget | None,
        *,
        secret: Iterable[str] = (),
        record: str = "",
    ):
        self.task = task
        self.ledger = ledger
        self.budget = budget
        self.record = record
        self.pace = Pace.of(task.model)
        self.keys = key_values(named={*secret, *variables_named(vars(task.model))})
        self.tally = Tally()
        self.error: BaseException | None = None
        self.in_a_row = 0
        self.last_problem = ""

    async def run(self, provider: Provider | None, context: dict[str, Any]) -> Tally:
        """Ask, and return what it came to. Raises the first thing that stopped it."""
        self.stop = asyncio.Event()
        if provider is None:
            from veridical.models.providers import open_provider

            provider = open_provider(self.task.model, **context)
        reader = Ledger(self.ledger.path, create=False)
        scribe = Scribe(self.ledger, self.fail)
        self.reader, self.scribe = reader, scribe
        try:
            with self._progress(), on_interrupt(self._interrupted):
                async with provider as self.provider:
                    await self._work()
        except ProviderError as error:  # in opening: a key that is missing, weights not there
            raise CollectionStopped(self._explained(error)) from None
        except Exception as error:
            self.fail(error)
        finally:
            await scribe.close()
            reader.close()
        if self.error is None:
            return self.tally
        if self._struck(self.error) == str(self.error):
            raise self.error
        raise CollectionStopped(self._explained(self.error)) from None

    def fail(self, error: BaseException) -> None:
        """Start nothing more; what is under way may end. The first error is the one raised."""
        self.error = self.error or error
        self.stop.set()

    def _interrupted(self, name: str) -> None:
        self.fail(CollectionStopped(f"stopped by {name}; what was answered is kept"))

    async def _work(self) -> None:
        units = self._units()
        at_once = self.provider.concurrency
        self.requests = asyncio.Semaphore(at_once)
        # while some wait for the disk, others ask; but one at a time means in the prompts' order
        spare = min(at_once, SPARE) if at_once > 1 else 0
        workers = {asyncio.create_task(self._worker(units)) for _ in range(at_once + spare)}
        helpers = {asyncio.create_task(self._beat()), asyncio.create_task(self.stop.wait())}
        pending = set(workers)
        try:
            while pending and not self.stop.is_set():
                await asyncio.wait(pending | helpers, return_when=asyncio.FIRST_COMPLETED)
                pending = {task for task in pending if not task.done()}
            if pending:  # calls under way may be paid for: let them end and be kept
                await asyncio.wait(pending, timeout=GRACE)
        finally:
            for task in workers | helpers:
                task.cancel()
            await asyncio.gather(*workers, *helpers, return_exceptions=True)

    def _units(self) -> Iterator[tuple[Prompt, list[int]]]:
        """Prompts in their order, their samples in blocks that don't depend on what is missing."""
        size = getattr(self.provider, "block", 1)
        for prompt in self.task:
            for start in range(0, prompt.samples, size):
                yield prompt, list(range(start, min(start + size, prompt.samples)))

    async def _worker(self, units: Iterator[tuple[Prompt, list[int]]]) -> None:
        try:
            while not self.stop.is_set() and (unit := next(units, None)) is not None:
                await self._unit(*unit)
        except _Stop:
            return
        except Exception as error:
            self.fail(error)

    async def _unit(self, prompt: Prompt, samples: Sequence[int]) -> None:
        """Hold the conversations of one block; their first turn is asked in one request."""
        given = [sample for sample in samples if not self.task.left_out(prompt, sample)]
        for _ in range(len(samples) - len(given)):
            self._count(held=True)
        samples = given
        if not samples:
            return
        conversations = [self.task.steps(prompt, sample) for sample in samples]
        firsts = [next(steps) for steps in conversations]
        block = prompt.samples > 1 and getattr(self.provider, "block", 1) > 1
        done = 0
        try:
            replies, fresh = await self._answers(firsts, block=block)
            for steps, reply in zip(conversations, replies, strict=True):
                asked = fresh
                try:
                    while True:
                        step = steps.send(reply)
                        (reply,), fresh_now = await self._answers([step])
                        asked = asked or fresh_now
                except StopIteration:
                    done += 1
                    self._count(held=not asked)
        except _GaveUp:
            self.tally.failed += len(samples) - done

    async def _answers(
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
            if self.stop.is_set():
                raise _Stop
            calls = [call for _, call in left]
            states = await self._write(lambda calls=calls: self.ledger.lease(calls))
            leased = [each for each, state in zip(left, states, strict=True) if state == LEASED]
            if leased:
                replies |= await self._ask(leased, block=block)
                asked = True
            elif HELD in states:
                await sleep(POLL, self.stop)

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
                self.fail(
                    CollectionStopped(
                        f"{self.task.model.name}: {self.in_a_row} calls in a row got no reply; the "
                        f"last error was: {self.last_problem}. Run again when that is mended; "
                        "what was answered before is kept"
                    )
                )
            raise _GaveUp
        finally:
            if not kept:
                await self._write(lambda: [self.ledger.release(call.key) for call in calls])

    def _check_prompt(self, position: Position, call: Call) -> None:
        """What is asked is kept word for word, so it must not hold a key that is in use here."""
        if any(value in message["content"] for message in call.messages for value in self.keys):
            problem = CollectionStopped(
                f"{self.task.model.name}, {self.task.label} ({position}): the prompt holds a key "
                "that stands in this environment; take it out of the texts that the prompt is "
                "made of"
            )
            self.fail(problem)
            raise _Stop

    async def _try(
        self, position: Position, calls: list[Call], tries: int, *, block: bool
    ) -> dict[str, Reply] | None:
        """One request; no reply after a transient error, when the wait for the next try is over.

        None where another try can't go better.
        """
        uids = [""] * len(calls)
        async with self.requests:
            tokens = sum(likely_input(call) + most_output(call) for call in calls)
            await self.pace.wait(tokens, self.stop, len(calls))
            if self.stop.is_set():
                raise _Stop
            if self.budget is not None:
                uids = await asyncio.to_thread(self.budget.reserve, calls)
            self.tally.asked += len(calls)
            try:
                if block:
                    raws = await self.provider.sample(calls[0], [call.sample for call in calls])
                else:
                    raws = [await self.provider.ask(calls[0])]
            except ProviderError as error:
                raws, wait = [], self._after_failure(position, error, tries)
            except Exception as error:  # whatever a provider trips over, the attempt is kept
                self.last_problem = f"{type(error).__name__}: {self._struck(error)}"
                self.fail(error)
                raws, wait = [], None
        if not raws:
            failed = [
                replace(NO_REPLY, key=call.key, error=self.last_problem, record=self.record)
                for call in calls
            ]
            await self._keep(calls, failed, uids, release=False)
            if wait is None:
                return None
            await sleep(wait, self.stop)
            return {}
        raws = [clean(raw, self.keys) for raw in raws]
        replies = [
            Reply(call.key, *read_answer(raw, call.form), raw, record=self.record)
            for call, raw in zip(calls, raws, strict=True)
        ]
        kept = await self._keep(calls, replies, uids, release=True)
        self.in_a_row = 0
        return {call.key: read(call, reply) for call, reply in zip(calls, kept, strict=True)}

    def _after_failure(self, position: Position, error: ProviderError, tries: int) -> float | None:
        """Stop all where nothing can go well; returns the seconds to wait before the next try.

        None where this prompt is set aside: the server refuses it for good, and others may go well.
        """
        self.last_problem = self._struck(error)
        if error.of_prompt and not error.transient:
            self._note(f"{position}: {self.last_problem}; set aside, the others go on")
            return None
        if not error.transient:
            self.fail(CollectionStopped(self._explained(error, position)))
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
        self._note(f"{position}: {self.last_problem}; {what}", aloud=again and wait >= ALOUD)
        return wait if again else 0.0

    async def _keep(
        self, calls: list[Call], replies: list[Reply], uids: list[str], *, release: bool
    ) -> list[Reply]:
        def write() -> list[Reply]:
            return [
                self.ledger.keep(call, reply, uid=uid, release=release)
                for call, reply, uid in zip(calls, replies, uids, strict=True)
            ]

        kept = await asyncio.shield(self.scribe.write(write))
        if self.budget is not None:
            await asyncio.to_thread(self.budget.settle, calls, replies, uids)
        return kept

    async def _write(self, action: Callable[[], Any]) -> Any:
        """Write what need not outlast a power cut."""
        return await self.scribe.write(action, lasting=False)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self._write(self.ledger.beat)

    def _explained(self, error: BaseException, position: Position | None = None) -> str:
        where = f" ({position})" if position else ""
        kind = "" if isinstance(error, ProviderError) else f"{type(error).__name__}: "
        return (
            f"{self.task.model.name}, {self.task.label}{where}: {kind}{self._struck(error)}. "
            "What was answered before is kept"
        )

    def _struck(self, error: BaseException) -> str:
        return strike(str(error), self.keys)

    @contextmanager
    def _progress(self) -> Iterator[None]:
        from tqdm import tqdm

        terminal = sys.stderr.isatty()
        with tqdm(
            total=sum(prompt.samples for prompt in self.task),
            desc=f"{self.task.model.name} {self.task.label}".strip(),
            file=sys.stderr,
            mininterval=0.5 if terminal else 10,  # a log wants few lines
            dynamic_ncols=terminal,
        ) as self.bar:
            yield

    def _count(self, *, held: bool) -> None:
        self.tally.conversations += 1
        self.tally.held += held
        self.bar.set_postfix_str(f"{self.tally.held} from the ledger", refresh=False)
        self.bar.update(1)

    def _note(self, words: str, *, aloud: bool = False) -> None:
        words = printable(words)
        self.bar.write(words, file=sys.stderr)
        if aloud and sys.__stderr__ not in (None, sys.stderr):
            print(f"{self.task.model.name}: {words}", file=sys.__stderr__, flush=True)
