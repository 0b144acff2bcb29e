from __future__ import annotations

import asyncio
import time

from hypothesis import given
from hypothesis import strategies as st
from veridical.models.exchange import Model
from veridical.models.limits import Pace, backoff, sleep


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_requests_are_spread_over_the_minute():
    """60 a minute: one a second, however many ask at once."""
    pace = Pace(requests=60, clock=Clock())
    assert [pace.turn(0) for _ in range(4)] == [0, 1, 2, 3]


def test_time_not_used_is_not_saved_up():
    clock = Clock()
    pace = Pace(requests=60, clock=clock)
    pace.turn(0)
    clock.now += 30
    assert [pace.turn(0) for _ in range(3)] == [0, 1, 2]


def test_tokens_are_spread_too_and_the_tighter_limit_counts():
    """600 tokens at 6,000 a minute take 6 s; a request at 60 a minute takes 1 s."""
    pace = Pace(requests=60, tokens=6000, clock=Clock())
    assert [pace.turn(600), pace.turn(10), pace.turn(10)] == [0, 6, 7]


@given(st.lists(st.integers(1, 5000), min_size=2, max_size=40))
def test_no_minute_holds_more_tokens_than_the_limit_and_one_call(calls):
    pace, starts = Pace(tokens=6000, clock=Clock()), []
    for tokens in calls:
        starts.append((pace.turn(tokens), tokens))
    for start, _ in starts:
        inside = [tokens for other, tokens in starts if start <= other < start + 60]
        assert sum(inside[:-1]) <= 6000


def test_without_limits_nobody_waits():
    pace = Pace(clock=Clock())
    assert [pace.turn(10**6) for _ in range(3)] == [0, 0, 0]


def test_a_pause_holds_for_all():
    clock = Clock()
    pace = Pace(requests=600, clock=clock)
    pace.pause(5)
    assert [pace.turn(0), round(pace.turn(0), 3)] == [5, 5.1]


def test_limits_come_from_the_models_entry():
    entry = {"provider": "openai", "model": "x", "requests_per_minute": 30}
    pace = Pace.of(Model.from_config("m", entry))
    assert (pace.requests, pace.tokens) == (30, None)


@given(st.integers(1, 30))
def test_waits_double_and_are_drawn_from_their_upper_half(tries):
    ceiling = min(60.0, 2.0 ** (tries - 1))
    assert ceiling / 2 <= backoff(tries) <= ceiling


@given(st.floats(0, 1000))
def test_the_servers_word_is_kept(seconds):
    assert seconds <= backoff(1, seconds) <= seconds + 1


def test_a_sleeper_wakes_when_told_to_stop():
    async def main() -> float:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.02, stop.set)
        start = time.monotonic()
        await sleep(30, stop)
        return time.monotonic() - start

    assert asyncio.run(main()) < 5
