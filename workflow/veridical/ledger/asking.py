"""Asking: many conversations with one model at once, every exchange kept before it counts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from veridical.base.keyless import variables_named
from veridical.base.processes import on_interrupt
from veridical.base.secrets import key_values
from veridical.ledger.beating import BEAT
from veridical.ledger.budget import Budget
from veridical.ledger.ledger import Ledger
from veridical.ledger.progress import Progress
from veridical.ledger.requesting import GaveUp, Requests, Stopping
from veridical.ledger.served import Served
from veridical.ledger.stopping import CollectionStopped, Halt
from veridical.ledger.task import Tally, Task
from veridical.ledger.writer import Scribe
from veridical.models.exchange import Provider, ProviderError
from veridical.models.prompts import Prompt

SPARE = 32  # conversations prepared beyond those whose requests are under way
GRACE = 60.0  # seconds that calls under way get to end once collecting stops


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
        self.tally = Tally()
        self.progress = Progress(task, self.tally)
        self.served = Served.of(task)
        keys = key_values(named={*secret, *variables_named(vars(task.model))})
        self.halt = Halt(task, keys)

    async def run(self, provider: Provider | None, context: dict[str, Any]) -> Tally:
        """Ask, and return what it came to. Raises the first thing that stopped it."""
        if problem := self.served.problem():
            raise CollectionStopped(problem)
        if provider is None:
            from veridical.models.providers import open_provider

            provider = open_provider(self.task.model, **context)
        reader = Ledger(self.ledger.path, create=False)
        scribe = Scribe(self.ledger, self.halt.call)
        till = self.budget and Scribe(self.budget, self.halt.call, reserve=0)
        try:
            with self.progress.shown(), on_interrupt(self._interrupted):
                async with provider as self.provider:
                    self.requests = Requests(
                        self.task,
                        self.provider,
                        self.ledger,
                        reader,
                        scribe,
                        self.budget,
                        till,
                        self.progress,
                        self.halt,
                        self.record,
                        self.served,
                    )
                    await self._work()
        except ProviderError as error:  # in opening: a key that is missing, weights not there
            raise CollectionStopped(self.halt.explained(error)) from None
        except Exception as error:
            self.halt.call(error)
        finally:
            for hand in filter(None, (scribe, till)):
                await hand.close()
            reader.close()
        self.halt.raise_error()
        return self.tally

    def _interrupted(self, name: str) -> None:
        self.halt.call(CollectionStopped(f"stopped by {name}; what was answered is kept"))

    async def _work(self) -> None:
        units = self._units()
        at_once = self.provider.concurrency
        # while some wait for the disk, others ask; but one at a time means in the prompts' order
        spare = min(at_once, SPARE) if at_once > 1 else 0
        workers = {asyncio.create_task(self._worker(units)) for _ in range(at_once + spare)}
        helpers = {asyncio.create_task(self._beat()), asyncio.create_task(self.halt.called.wait())}
        pending = set(workers)
        try:
            while pending and not self.halt.called.is_set():
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
            while not self.halt.called.is_set() and (unit := next(units, None)) is not None:
                await self._unit(*unit)
        except Stopping:
            return
        except Exception as error:
            self.halt.call(error)

    async def _unit(self, prompt: Prompt, samples: Sequence[int]) -> None:
        """Hold the conversations of one block; their first turn is asked in one request."""
        given = [sample for sample in samples if not self.task.left_out(prompt, sample)]
        for _ in range(len(samples) - len(given)):
            self.progress.count(held=True)
        samples = given
        if not samples:
            return
        conversations = [self.task.steps(prompt, sample) for sample in samples]
        firsts = [next(steps) for steps in conversations]
        block = prompt.samples > 1 and getattr(self.provider, "block", 1) > 1
        done = 0
        try:
            replies, fresh = await self.requests.answers(firsts, block=block)
            for steps, reply in zip(conversations, replies, strict=True):
                asked = fresh
                try:
                    while True:
                        step = steps.send(reply)
                        (reply,), fresh_now = await self.requests.answers([step])
                        asked = asked or fresh_now
                except StopIteration:
                    done += 1
                    self.progress.count(held=not asked)
        except GaveUp:
            self.tally.failed += len(samples) - done

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self.requests.write(self.ledger.beat)
