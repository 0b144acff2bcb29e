"""A study through a real SLURM of one node: its cost beside a local run, and what kills repeat.

    python tests/measured/slurm.py [kills]      # root, with slurmctld, slurmd and munge installed

Control 3 on one corpus is asked of a server of its own process that answers after 100 ms and
counts. Once locally; once through `profiles/slurm`; once with the leading process killed `kills`
times at random moments, its jobs killed with it, requeued, or left running so that the next start
submits them a second time (left out where `kills` is 0). Before that with three slices grouped in
one job, and how many jobs were submitted either way. Printed: seconds each, the server's own count
of requests, keys and attempts that the ledgers hold. At most four calls are under way in a job.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/measured")]

from conftest import copy_project  # noqa: E402
from support.slurm_node import slurm  # noqa: E402
from test_clusters import attempts  # noqa: E402
from throughput import count  # noqa: E402

CELLS = "results/far/control3/cells.csv"
SETTINGS = ["--profile", "profiles/slurm", "--slurm-status-command", "squeue"]
SETTINGS += ["--seconds-between-status-checks", "2"]


GROUPS = ["--groups", "collect_partners=asking", "collect_beside=asking"]
GROUPS += ["--group-components", "asking=3"]


@contextmanager
def serving() -> Iterator[int]:
    """The port of a server that answers and counts."""
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tests/measured/throughput.py"), "serve"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield int(server.stdout.readline())
    finally:
        server.kill()


def study(folder: Path, port: int) -> Path:
    """A copy of the project with a study of one model, four calls at once."""
    own = {
        "study": "far",
        "seed": 7,
        "models": {
            "m": {
                "provider": "openai-compatible",
                "model": "fixed",
                "base_url": f"http://127.0.0.1:{port}/v1",
                "concurrency": 4,
                "requests_per_minute": 100,
                "characters_per_token": 1000,
                "structured": "text",
            }
        },
        "control3": {"corpora": ["B"], "responders": ["m"]},
        "jobs": {"mem_mb": 500},
    }
    folder.mkdir()
    copy_project(folder)
    (folder / "own.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    return folder


def within(folder: Path, environ: dict[str, str]) -> dict[str, Any]:
    """Where and in which environment a copy of the project is run: its own library comes first."""
    return {"cwd": folder, "env": {**environ, "PYTHONPATH": str(folder / "workflow")}}


def command(words: list[str]) -> list[str]:
    """What starts the study."""
    return [sys.executable, "-m", "snakemake", *words, CELLS, "--configfile", "own.yaml"]


def run(folder: Path, words: list[str], environ: dict[str, str]) -> tuple[int, float]:
    """Run the study; its exit code and seconds."""
    began = time.monotonic()
    with open(folder / "run.log", "a") as log:
        done = subprocess.run(
            command(words),
            **within(folder, environ),
            stdout=log,
            stderr=log,
            check=False,
        )
    if done.returncode:
        print((folder / "run.log").read_text()[-600:], file=sys.stderr)
    return done.returncode, time.monotonic() - began


def sent(folder: Path) -> int:
    """How many jobs were handed to the scheduler."""
    return (folder / "run.log").read_text().count("has been submitted with SLURM jobid")


def jobs(environ: dict[str, str]) -> list[str]:
    """The numbers of the jobs that SLURM runs or keeps waiting."""
    words = ["squeue", "-h", "-o", "%i"]
    told = subprocess.run(words, env=environ, capture_output=True, text=True, check=False)
    return told.stdout.split()


def disturb(folder: Path, environ: dict[str, str], kills: int) -> dict[str, int]:
    """Start the study and kill it, `kills` times; how many of its jobs met which end."""
    draw, done = random.Random(1), {"killed": 0, "requeued": 0, "left running": 0}
    for _ in range(kills):
        with open(folder / "run.log", "a") as log:
            leader = subprocess.Popen(
                [*command(SETTINGS), "--nolock"], **within(folder, environ), stdout=log, stderr=log
            )
        ends = time.monotonic() + 60
        while not jobs(environ) and leader.poll() is None and time.monotonic() < ends:
            time.sleep(0.2)
        time.sleep(draw.uniform(0.0, 20.0))
        leader.kill()
        leader.wait()
        how = draw.choice(list(done))
        for job in jobs(environ) if how != "left running" else ():
            kill, requeue = ["scancel", "--signal=KILL", "--full"], ["scontrol", "requeue"]
            words = kill if how == "killed" else requeue
            subprocess.run([*words, job], env=environ, capture_output=True, check=False)
            done[how] += 1
        done["left running"] += len(jobs(environ)) if how == "left running" else 0
    return done


def main(kills: int) -> None:
    """Measure, and print what came out."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name, serving() as port:
        base = Path(name)
        near = study(base / "near", port)
        code, seconds = run(near, ["--cores", "2"], dict(os.environ))
        keys = attempts(near / "data/ledger")
        report(f"locally, rc {code}", seconds, count(port)["count"], keys)
        with slurm(base / "slurm") as environ:
            far = study(base / "far", port)
            code, seconds = run(far, SETTINGS, environ)
            report(f"through SLURM, rc {code}", seconds, count(port)["count"], attempts(far))
            grouped = study(base / "grouped", port)
            code, seconds = run(grouped, [*GROUPS, *SETTINGS], environ)
            asked = attempts(grouped)
            report(f"three slices a job, rc {code}", seconds, count(port)["count"], asked)
            print(json.dumps({"submitted": {each.name: sent(each) for each in (far, grouped)}}))
            if not kills:
                return
            disturbed = study(base / "disturbed", port)
            done = disturb(disturbed, environ, kills)
            code, seconds = run(disturbed, [*SETTINGS, "--nolock"], environ)
            asked = attempts(disturbed)
            report(f"after {done}, rc {code}", seconds, count(port)["count"], asked)
            same = set(asked) == set(keys) == set(attempts(far))
            print(json.dumps({"the same keys in all three": same}))


def report(what: str, seconds: float, count: int, keys: dict[str, int]) -> None:
    """One line of what was measured; `count` is since the server's start."""
    print(
        json.dumps(
            {
                "run": what,
                "seconds": round(seconds, 1),
                "requests since the start": count,
                "keys": len(keys),
                "attempts kept": sum(keys.values()),
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
