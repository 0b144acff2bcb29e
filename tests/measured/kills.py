"""Whether anything that was finished is lost or done twice when processes are killed at random.

    python tests/measured/kills.py [kills each] [seed] [campaign ...]

Real processes, SIGKILL at random moments: of collecting (from a server of its own process, which
counts), of sealing a stage, of logging a deviation (`deviations add`), of asking for proof of time
(from an authority on this machine). After each kill the study is looked at, then the same command
is run again. Printed for each: kills that hit a running process, finished calls asked again,
records, rows and receipts lost or doubled, states that `verify` doesn't hold.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import chdir, suppress
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

from support.remote import WORKER, Server  # noqa: E402
from support.small_study import DESIGN, WORDS, lay_out, make_calls, seal_all, sha_of  # noqa: E402
from support.time_server import Authority, serving  # noqa: E402
from veridical.freeze.chain import KINDS as STAGES  # noqa: E402
from veridical.freeze.deviations import read_deviations  # noqa: E402
from veridical.freeze.manifest import log_path, record_path  # noqa: E402
from veridical.freeze.sealing import FreezeError, seal  # noqa: E402
from veridical.freeze.verify import verify  # noqa: E402
from veridical.ledger.ledger import Ledger  # noqa: E402
from veridical.ledger.replies import read_replies  # noqa: E402
from veridical.models.forms import Form  # noqa: E402
from veridical.models.prompts import Prompt, Turn, write_prompts  # noqa: E402

CALLS = 400
ENVIRON = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
SEAL = (
    "import sys; from veridical.freeze.sealing import seal; seal('demo', sys.argv[1], sys.argv[2:])"
)
STAMP = (
    "import sys; from veridical.freeze.authorities import stamp\n"
    "from veridical.freeze.timestamps import write_times\n"
    "asked = {'rfc3161': [sys.argv[1] + '/tsr'], 'opentimestamps': [sys.argv[1]],\n"
    "         'certificates': 'roots.pem'}\n"
    "problems = stamp('demo', 'design', asked); write_times('demo'); sys.exit(len(problems))"
)


def start(*arguments: str) -> subprocess.Popen:
    """A Python process of its own, in the current folder."""
    return subprocess.Popen(
        [sys.executable, *arguments], env=ENVIRON, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def kill_after(seconds: float, *arguments: str) -> bool:
    """Start a process and kill it so much later; whether it was still running."""
    process = start(*arguments)
    time.sleep(seconds)
    running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return running


def to_the_end(*arguments: str) -> float:
    """Run a process to its end; the seconds that it took. Raises where it fails."""
    begun = time.monotonic()
    process = start(*arguments)
    _, told = process.communicate(timeout=120)
    if process.returncode:
        raise RuntimeError(told)
    return time.monotonic() - begun


def broken() -> list[str]:
    """What `verify` doesn't hold of the study in the current folder."""
    return [str(check) for check in verify("demo") if not check.holds]


def collecting(kills: int, draw: random.Random, told: Counter[str]) -> None:
    """Kill a collection at random moments between two numbers of calls that reached the server."""
    turns = [Prompt(f"p{i:03}", (Turn(f"question {i}", Form()),)) for i in range(CALLS)]
    write_prompts("prompts.jsonl", turns)
    ledger = Path("ledger/demo/stage/gpt.sqlite")
    with Server(0.02) as server:
        work = (WORKER, "gpt-4.1", "prompts.jsonl", str(ledger), "replies.jsonl", str(server.port))
        for moment in sorted(draw.randrange(CALLS - 10) for _ in range(kills)):
            before, counted = kept(ledger), server.counts()
            process = start(*work)
            while len(server.counts()) < moment and process.poll() is None:
                time.sleep(0.002)
            time.sleep(draw.uniform(0, 0.04))
            told["kills"] += process.poll() is None
            process.send_signal(signal.SIGKILL)
            process.wait()
            asked, now = server.counts(), kept(ledger)
            told["finished calls asked again"] += sum(asked[key] != counted[key] for key in before)
            told["answers lost"] += len(before - now)
            told["most to be asked again"] = max(
                told["most to be asked again"], len(asked.keys() - now)
            )
            with Ledger(ledger) as book:
                told["ledgers damaged"] += bool(book.check())
        to_the_end(*work)
        told["calls"], told["asked in all"] = CALLS, sum(server.counts().values())
        told["answers lost"] += CALLS - len(kept(ledger))
        told["replies missing"] += CALLS - len(read_replies("replies.jsonl"))


def kept(ledger: Path) -> set[str]:
    """The keys of the answers that a ledger holds."""
    if not ledger.is_file():
        return set()
    with Ledger(ledger) as book:
        return {each.reply.key for each in book.exchanges() if each.served}


def sealing(kills: int, draw: random.Random, told: Counter[str]) -> None:
    """Kill the sealing of a stage; sealed again it must be the same record."""
    lay_out(Path())
    usual = to_the_end("-c", SEAL, "design", *DESIGN)
    wanted = record_path("demo", "design").read_bytes()
    for _ in range(kills):
        for path in [*Path("data/freeze/demo").glob("*"), *Path("results/demo/freeze").glob("*")]:
            path.unlink()
        told["kills"] += kill_after(_late(draw, usual), "-c", SEAL, "design", *DESIGN)
        record = record_path("demo", "design")
        told["half records"] += record.is_file() and record.read_bytes() != wanted
        to_the_end("-c", SEAL, "design", *DESIGN)
        told["records lost"] += not record.is_file() or record.read_bytes() != wanted
        told["not held"] += bool(broken())


def deviating(kills: int, draw: random.Random, told: Counter[str]) -> None:
    """Kill `deviations add`; said again, there must be one row and one record in force."""
    lay_out(Path())
    seal_all()
    make_calls("control3", sha_of("design"))
    usual = 0.0
    for turn in range(kills + 1):
        before = len(read_deviations(log_path("demo")))
        Path(DESIGN[1]).write_text(f"Score, wording {turn}.\n")
        with suppress(FreezeError):
            seal("demo", "design", DESIGN)
        words = [part for name, text in WORDS.items() for part in (f"--{name}", f"{text} {turn}")]
        work = ("-m", "veridical.freeze.deviations", "add", "--study", "demo", "--stage", "design",
                *words)  # fmt: skip
        if turn:
            told["kills"] += kill_after(_late(draw, usual), *work)
            usual = min(usual, to_the_end(*work))
        else:
            usual = to_the_end(*work)
        rows = len(read_deviations(log_path("demo"))) - before
        told["rows lost"] += rows < 1
        told["rows doubled"] += rows > 1
        seal_all()
        told["not held"] += bool(broken())
        told["records lost"] += sum(not record_path("demo", stage).is_file() for stage in STAGES)


def stamping(kills: int, draw: random.Random, told: Counter[str]) -> None:
    """Kill asking for proof of time; asked again, both receipts must be there and hold."""
    lay_out(Path())
    seal_all("design")
    clock = Authority()
    clock.write_root(Path("roots.pem"))
    with serving(clock) as url:
        usual = to_the_end("-c", STAMP, url)
        for _ in range(kills):
            for path in Path("data/freeze/demo").glob("design.json.*"):
                path.unlink()
            Path("data/freeze/demo/timestamps.csv").unlink(missing_ok=True)
            told["kills"] += kill_after(_late(draw, usual), "-c", STAMP, url)
            told["not held"] += bool(broken())
            to_the_end("-c", STAMP, url)
            told["receipts lost"] += 2 - len([*Path("data/freeze/demo").glob("design.json.*")])
            told["not held"] += bool(broken())


def _late(draw: random.Random, usual: float) -> float:
    """A moment in the second half of a process: in the first it only starts."""
    return usual * draw.uniform(0.5, 1.0)


CAMPAIGNS: dict[str, Callable[[int, random.Random, Counter[str]], None]] = {
    "collecting": collecting,
    "sealing": sealing,
    "deviations": deviating,
    "times": stamping,
}


def main(kills: int = 25, seed: int = 20261130, *named: str) -> None:
    """Run every campaign (or those named) in a folder of its own and print its counts."""
    for name, campaign in CAMPAIGNS.items():
        if named and name not in named:
            continue
        told: Counter[str] = Counter()
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            campaign(kills, random.Random(seed), told)
        counts = ", ".join(f"{what} {n}" for what, n in told.items())
        print(f"{name}: {counts}; {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
