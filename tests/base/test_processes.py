"""Whether a process lives, here and elsewhere; and how one is told to end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from veridical.base.processes import alive, host, on_interrupt, started

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


def test_a_process_here_lives_whatever_its_heartbeat(child):
    assert alive(host(), child.pid, started(child.pid), 0.0, stale=STALE)
    child.kill()
    child.wait()
    assert not alive(host(), child.pid, "", time.time(), stale=STALE)


def test_another_process_under_the_same_number_is_not_it(child):
    assert not alive(host(), child.pid, "1", time.time(), stale=STALE)
    assert alive(host(), child.pid, "", 0.0, stale=STALE)  # nobody noted when it began


def test_elsewhere_the_heartbeat_decides(child):
    now = time.time()
    assert alive("another/host", child.pid, "", now - STALE + 5, stale=STALE)
    assert not alive("another/host", child.pid, "", now - STALE - 5, stale=STALE)


def test_a_lease_that_nobody_holds_is_nobodys():
    assert not alive(None, 1, "", time.time(), stale=STALE)


def test_a_process_of_someone_elses_is_alive():
    """Number 1 may not be signalled by all, but it is there."""
    assert alive(host(), 1, started(1), 0.0, stale=STALE)


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
