"""When the engine chooses jobs: counted in a small workflow of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
JOBS = 4
WORKFLOW = f"""
from veridical.base.choosing_jobs import choose_as_jobs_end

choices = []

rule all:
    input:
        [f"{{number}}.done" for number in range({JOBS})],

rule one:
    output:
        "{{number}}.done",
    shell:
        "sleep 0.7; touch {{output}}"

onstart:
    if config["ours"]:
        choose_as_jobs_end(workflow)
    chosen = workflow.scheduler.job_selector
    workflow.scheduler.job_selector = lambda jobs: choices.append(jobs) or chosen(jobs)

onsuccess:
    with open("choices", "w") as file:
        file.write(str(len(choices)))
"""


@pytest.mark.parametrize(
    ("ours", "limit", "as_jobs_end"),
    [
        (True, None, True),
        (False, None, False),
        (True, "100/1s", True),  # what nobody set looks the same
        (True, "50/1s", False),  # somebody's own is kept
    ],
)
def test_jobs_are_chosen_as_one_ends(tmp_path, ours, limit, as_jobs_end):
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    words = ["--cores", "1", "--config", f"ours={int(ours)}"]
    words += ["--max-jobs-per-timespan", limit] if limit else []
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    choices = int((tmp_path / "choices").read_text(encoding="utf-8"))
    assert (choices <= JOBS + 1) == as_jobs_end, choices


def test_the_workflow_asks_for_it_as_it_starts():
    text = (ROOT / "Snakefile").read_text(encoding="utf-8")
    start = text[text.index("\nonstart:") : text.index("\nonsuccess:")]
    assert "choose_as_jobs_end(workflow)" in start
    profile = (ROOT / "profiles/default/profile.yaml").read_text(encoding="utf-8")
    assert "scheduler: greedy" in profile
