"""Manners towards a server: how fast to ask, and how long to wait after it complained."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from veridical.models.exchange import Call, Model

OUTPUT_KEYS = (
    "max_completion_tokens",
    "max_output_tokens",
    "max_tokens",
    "num_predict",
)
OUTPUT_UNKNOWN = 4096  # tokens assumed of a reply with no limit of its own


def most_output(call: Call) -> int:
    """The most tokens the reply may have: the call's limit, else the model's, else 4096; with the
    model's `thinking_room`, where its config entry adds one."""
    room = int(call.model.options.get("thinking_room") or 0)
    for level in (call.parameters, call.model.parameters):
        for key in OUTPUT_KEYS:
            if level.get(key) is not None:
                return int(level[key]) + room
    return OUTPUT_UNKNOWN


def likely_input(call: Call) -> int:
    """Tokens of the prompt, guessed: one for four bytes, and four for each message's frame."""
    return sum(4 + len(message["content"].encode()) // 4 for message in call.messages)


def most_input(call: Call) -> int:
    """Tokens of the prompt, guessed high: one for two bytes, and sixteen for each frame."""
    return sum(16 + len(message["content"].encode()) // 2 for message in call.messages)


def backoff(tries: int, retry_after: float | None = None, *, base: float = 1.0) -> float:
    """Seconds to wait after the nth failure: doubling, at most 60, half of it drawn at random.

    A server that names a time is given that time and up to a second more, so that not all who
    were turned away come back at once.
    """
    if retry_after is not None:
        return retry_after + random.random() * min(1.0, base)
    ceiling = min(60.0, base * 2 ** (tries - 1))
    return ceiling * (0.5 + random.random() / 2)


@dataclass
class Pace:
    """Spreads requests and tokens evenly over the minute, and pauses for all when told to.

    `requests` and `tokens` are the most per minute; None is no limit.
    """

    requests: float | None = None
    tokens: float | None = None
    clock: Callable[[], float] = time.monotonic
    _next: float = field(default=0.0, init=False)
    _paused: float = field(default=0.0, init=False)

    @classmethod
    def of(cls, model: Model) -> Pace:
        """The pace that a model's config entry asks for."""
        options = model.options
        return cls(options.get("requests_per_minute"), options.get("tokens_per_minute"))

    def turn(self, tokens: int, requests: int = 1) -> float:
        """Join the queue; returns how many seconds to wait until one's own turn."""
        now = self.clock()
        start = max(now, self._next, self._paused)
        gap = requests * 60 / self.requests if self.requests else 0.0
        if self.tokens:
            gap = max(gap, tokens * 60 / self.tokens)
        self._next = start + gap
        return start - now

    def pause(self, seconds: float) -> None:
        """Send nothing for so long, whoever asks."""
        self._paused = max(self._paused, self.clock() + seconds)

    async def wait(self, tokens: int, stop: asyncio.Event, requests: int = 1) -> None:
        """Wait in the queue until one's own turn, or until told to stop."""
        await sleep(self.turn(tokens, requests), stop)
        while (left := self._paused - self.clock()) > 0 and not stop.is_set():
            await sleep(left, stop)


async def sleep(seconds: float, stop: asyncio.Event) -> None:
    """Sleep, or wake when told to stop."""
    if seconds > 0 and not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), seconds)
