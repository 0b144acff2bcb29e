"""Whether a process lives, here and elsewhere; and how one is told to end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.processes import Signs, alive, host, on_interrupt, started

STALE = 120.0


@pytest.fixture
def child():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    process.stdin.close()


def test_a_process_has_one_beginning(child):
    assert started(child.pid) == started(child.pid) != ""
    assert started(os.getpid()) != started(child.pid)


def test_a_name_with_brackets_and_blanks_misleads_nobody(tmp_path):
    """The command's name stands in the line that is read, and may hold anything."""
    name = tmp_path / "a ) 0 (b"
    os.symlink(sys.executable, name)
    process = subprocess.Popen([name, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        now = float(started(process.pid)) / os.sysconf("SC_CLK_TCK")
        uptime = float(open("/proc/uptime").read().split()[0])  # noqa: SIM115
        assert 0 <= uptime - now < 600
    finally:
        process.kill()
        process.wait()
        process.stdin.close()


def test_a_process_that_ended_has_none_even_before_it_is_waited_for(child):
    child.kill()
    ends = time.monotonic() + 10
    while started(child.pid) and time.monotonic() < ends:
        time.sleep(0.01)
    assert started(child.pid) == ""  # a zombie still has its number
    assert started(2**22 + 1) == ""


def never() -> bool:
    raise AssertionError("a process of this host is looked up, not guessed from its signs")


def test_a_process_here_lives_whatever_its_signs(child):
    assert alive(host(), child.pid, started(child.pid), never)
    child.kill()
    child.wait()
    assert not alive(host(), child.pid, "", never)


def test_another_process_under_the_same_number_is_not_it(child):
    assert not alive(host(), child.pid, "1", never)
    assert alive(host(), child.pid, "", never)  # nobody noted when it began


@pytest.mark.parametrize("fresh", [True, False])
def test_elsewhere_the_signs_of_life_decide(child, fresh):
    assert alive("another/host", child.pid, "1", lambda: fresh) == fresh


def test_a_lease_that_nobody_holds_is_nobodys():
    assert not alive(None, 1, "", never)


def test_a_process_of_someone_elses_is_alive():
    """Number 1 may not be signalled by all, but it is there."""
    assert alive(host(), 1, started(1), never)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1), st.floats(0, 200)), max_size=12)
)
def test_a_sign_is_fresh_until_it_has_stayed_the_same_for_too_long(looks):
    """By this host's clock alone: when a sign first looked as it does now."""
    now, since = [0.0], {}
    signs = Signs(STALE, clock=lambda: now[0])
    for owner, sign, later in looks:
        now[0] += later
        if since.get(owner, (None,))[0] != sign:
            since[owner] = (sign, now[0])
        expected = since[owner][1] == now[0] or now[0] - since[owner][1] < STALE
        assert signs.fresh(owner, sign) == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_interrupt_is_told_and_the_second_ends(number):
    script = (
        "import asyncio, os, signal\n"
        "from veridical.base.processes import on_interrupt\n"
        "async def main():\n"
        "    with on_interrupt(lambda name: print(name, flush=True)):\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "        await asyncio.sleep(0.2)\n"
        "        print('still here', flush=True)\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "        await asyncio.sleep(5)\n"
        "        print('never', flush=True)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.splitlines() == [signal.Signals(number).name, "still here"]
    assert done.returncode != 0


def test_afterwards_signals_are_as_before():
    before = signal.getsignal(signal.SIGTERM)

    async def ask() -> None:
        with on_interrupt(lambda name: None):
            assert signal.getsignal(signal.SIGTERM) != before

    asyncio.run(ask())
    assert signal.getsignal(signal.SIGTERM) == before
