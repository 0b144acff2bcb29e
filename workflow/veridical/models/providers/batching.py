"""A provider whose calls go by batch: those that arrive together are submitted as one."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from veridical.models.exchange import Call, ProviderError, Raw
from veridical.models.providers.base import ServerProvider
from veridical.models.providers.batch import Outcome, fetch_results, poll, read_result, submit

AT_ONCE = 10_000  # calls that may wait for their answers


class Batching:
    """Looks like any provider, and answers hours later for half the price.

    A batch's id and the keys of its calls are written to `<folder>/<model>.jsonl` as soon as the
    id is known. So a run that ends before its answers came is continued by another, which waits
    for the same batch and submits nothing again.

    `quiet` is how long no new call must come before a batch is submitted, `pause` how long until
    the first look at it, doubled up to five minutes; both in seconds.
    """

    block = 1

    def __init__(self, inner: Any, folder: Path | str, *, quiet: float = 2.0, pause: float = 5.0):
        if not isinstance(inner, ServerProvider):
            raise ValueError(f"model {inner.model.name!r}: {inner.model.provider} has no batch API")
        self.inner = inner
        self.concurrency = int(inner.model.options.get("concurrency", AT_ONCE))
        self.file = Path(folder) / f"{inner.model.name}.jsonl"
        self.quiet, self.pause = quiet, pause
        self._batches: dict[str, list[str]] = {}  # the keys of each batch
        self._earlier: dict[str, str] = {}  # the batch of each key, from earlier runs
        self._waiting: dict[str, tuple[Call, asyncio.Future[str]]] = {}
        self._timer: asyncio.Task[None] | None = None
        self._submitting: set[asyncio.Task[None]] = set()
        self._watching: dict[str, asyncio.Task[dict[str, tuple[int, Any]]]] = {}

    async def __aenter__(self) -> Batching:
        await self.inner.__aenter__()
        self._batches = read_batches(self.file)
        self._earlier = {key: batch for batch, keys in self._batches.items() for key in keys}
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._submitting:  # an id that is lost is a batch paid twice
            await asyncio.wait(self._submitting, timeout=60)
        tasks = [*filter(None, [self._timer]), *self._submitting, *self._watching.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.inner.__aexit__(*exc)

    async def ask(self, call: Call) -> Raw:
        """The call's answer, when its batch has ended. Raises ProviderError.

        What went wrong in an earlier run's batch is transient: asked again, the call goes into a
        new one.
        """
        earlier = self._earlier.pop(call.key, None)
        batch = earlier or await self._submitted(call)
        try:
            results = await self._results(batch)
            outcome: Outcome = read_result(self.inner, call, results.get(call.key))
        except ProviderError as error:
            outcome = error
        if isinstance(outcome, Raw):
            return outcome
        raise ProviderError(
            f"{outcome} (batch {batch})",
            transient=outcome.transient or earlier is not None,
            retry_after=outcome.retry_after,
        )

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        """Each sample is a call of the batch."""
        return list(await asyncio.gather(*(self.ask(call.with_sample(i)) for i in samples)))

    async def _submitted(self, call: Call) -> str:
        """The id of the batch that the call was put into."""
        future = asyncio.get_running_loop().create_future()
        _, future = self._waiting.setdefault(call.key, (call, future))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.create_task(self._when_quiet())
        return await asyncio.shield(future)

    async def _when_quiet(self) -> None:
        await asyncio.sleep(self.quiet)
        self._timer = None
        waiting, self._waiting = self._waiting, {}
        task = asyncio.create_task(self._submit(waiting))
        self._submitting.add(task)
        task.add_done_callback(self._submitting.discard)

    async def _submit(self, waiting: dict[str, tuple[Call, asyncio.Future[str]]]) -> None:
        futures = [future for _, future in waiting.values() if not future.done()]
        try:
            batch = await submit(self.inner, [call for call, _ in waiting.values()])
            self._batches[batch] = list(waiting)
            note_batch(self.file, batch, self._batches[batch])
        except Exception as error:
            for future in futures:
                future.set_exception(self.inner.translate(error))
            return
        print(f"batch {batch}: {len(waiting)} calls submitted", file=sys.stderr, flush=True)
        for future in futures:
            future.set_result(batch)

    async def _results(self, batch: str) -> dict[str, tuple[int, Any]]:
        """The batch's results when it has ended; one task looks after it for all who wait."""
        if batch not in self._watching:
            self._watching[batch] = asyncio.create_task(self._watch(batch))
        return await asyncio.shield(self._watching[batch])

    async def _watch(self, batch: str) -> dict[str, tuple[int, Any]]:
        pause = self.pause
        while True:
            try:
                progress = await poll(self.inner, batch)
                if progress.state == "failed":
                    raise self.inner.error(f"the batch failed: {progress.reason}", transient=False)
                if progress.state == "ended":
                    return await fetch_results(self.inner, batch, self._batches[batch])
            except ProviderError as error:
                if not error.transient:
                    raise
                pause = max(pause, error.retry_after or 0)
            await asyncio.sleep(pause)
            pause = min(300.0, pause * 2)


def read_batches(file: Path) -> dict[str, list[str]]:
    """The keys of each batch in a file, in their order; a torn line is no batch, no file none."""
    found: dict[str, list[str]] = {}
    with suppress(FileNotFoundError):
        for line in file.read_text(encoding="utf-8").split("\n"):
            with suppress(ValueError):
                entry = json.loads(line)
                found[entry["batch"]] = entry["keys"]
    return found


def note_batch(file: Path, batch: str, keys: Sequence[str]) -> None:
    """Append a batch to the file, and see it on the disk before going on."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write("\n" + json.dumps({"batch": batch, "keys": list(keys)}) + "\n")
        out.flush()
        os.fsync(out.fileno())
