"""Jobs that are sent to other machines claim nothing of this one's size."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from veridical.models.shares import share

PLUGINS = Path(__file__).parents[1] / "support/plugins"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1"
AUTHOR = "results/tiny/documents/replies/A/small.jsonl"
TRIAL = "results/tiny/trial/replies/hello/small-warm.jsonl"


def claimed(project: Path, *arguments: str) -> dict[str, int]:
    """The threads that each job of the two targets claimed, sent elsewhere from 64 cores."""
    receipt = project / f"data/models/{WEIGHTS}.json"
    receipt.parent.mkdir(exist_ok=True)
    receipt.write_text("{}", encoding="utf-8")
    noted = project / "threads.txt"
    paths = os.pathsep.join([str(project / "workflow"), str(PLUGINS)])
    command = [sys.executable, "-m", "snakemake", AUTHOR, TRIAL, "--cores", "64", "--jobs", "8"]
    command += ["--executor", "elsewhere", "--seconds-between-status-checks", "0"]
    command += [*arguments, "--configfile", "config/tiny.yaml"]
    ran = subprocess.run(
        command,
        cwd=project,
        env={**os.environ, "PYTHONPATH": paths, "NOTED_THREADS": str(noted)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert noted.is_file(), ran.stderr
    rows = [line.split() for line in noted.read_text(encoding="utf-8").splitlines()]
    return {name: int(threads) for name, threads in rows}


@pytest.mark.parametrize(
    ("arguments", "author"), [((), 1), (("--set-threads", "collect_foreign=3"), 3)]
)
def test_a_job_sent_elsewhere_does_not_claim_this_machines_cores(project, arguments, author):
    """Sent from 64 cores, the author's job would have claimed 64 on a machine with fewer."""
    threads = claimed(project, *arguments)
    assert threads["collect_foreign"] == author  # the other machine's, where someone says them
    assert threads["collect_replies"] == 1
    assert "write_author_prompts" not in threads  # done in a second: stays with who leads


def test_on_this_machine_an_embedded_author_claims_a_models_share_and_a_server_one(project):
    """A dry run shows what jobs claim: of --cores 500, a core's share (of 2: 167), so that no
    smaller job keeps it from beginning; and one where nothing computes."""

    def shown(config: str, target: str) -> str:
        command = [sys.executable, "-m", "snakemake", "-n", target, "--cores", "500"]
        return subprocess.run(
            [*command, "--configfile", config],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(project / "workflow")},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout

    claim = share(500, len(os.sched_getaffinity(0)))
    assert claim > 1
    assert f"threads: {claim}" in shown("config/tiny.yaml", AUTHOR)
    other = project / "config/other.yaml"
    text = (project / "config/tiny.yaml").read_text(encoding="utf-8")
    served = text.replace("author: small", "author: served").replace(
        "models:\n", "models:\n  served: { provider: openai, model: gpt-4.1 }\n", 1
    )
    other.write_text(served, encoding="utf-8")
    assert "threads:" not in shown("config/other.yaml", AUTHOR.replace("small", "served"))
