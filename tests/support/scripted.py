"""A provider like any other, whose answers come from a script: for tests of what stands on it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

from veridical.models.exchange import Call, ProviderError, Raw

Line = str | Raw | Exception


class Scripted:
    """Answers with what `script` returns for a call and the number of times it was asked before.

    A string becomes the reply's text, an exception is raised, a Raw is handed on. `seen` holds
    every call in order, `counts` how often each key was asked.
    """

    def __init__(
        self,
        script: Callable[[Call, int], Line],
        *,
        concurrency: int = 4,
        block: int = 1,
        seconds: float = 0.0,
    ):
        self.script = script
        self.concurrency = concurrency
        self.block = block
        self.seconds = seconds
        self.seen: list[Call] = []
        self.requests: list[tuple[str, list[int]]] = []
        self.counts: Counter[str] = Counter()
        self.opened = False
        self.under_way = self.most_under_way = 0

    async def __aenter__(self) -> Scripted:
        self.opened = True
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.opened = False

    async def ask(self, call: Call) -> Raw:
        self.requests.append(("ask", [call.sample]))
        return await self._reply(call)

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        self.requests.append(("sample", list(samples)))
        return [await self._reply(call.with_sample(sample)) for sample in samples]

    async def _reply(self, call: Call) -> Raw:
        if not self.opened:
            raise ProviderError("not open", transient=False)
        before = self.counts[call.key]
        self.counts[call.key] += 1
        self.seen.append(call)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.under_way -= 1
        line = self.script(call, before)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Raw):
            return line
        return Raw(
            line,
            finish="stop",
            prompt_tokens=sum(len(m["content"].split()) for m in call.messages),
            completion_tokens=len(line.split()),
            served_model=f"{call.model.model}-2025-01-01",
            parameters=call.effective(),
            sdk="scripted 1",
            latency=self.seconds,
        )
