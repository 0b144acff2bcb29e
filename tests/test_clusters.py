"""A study whose jobs are sent elsewhere: the same replies by key, each asked once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import copy_project

SUBMIT = Path(__file__).parent / "support/submit.sh"
STUDY = {
    "study": "far",
    "seed": 7,
    "models": {"first": {"provider": "scripted", "model": "first", "structured": "grammar"}},
    "jobs": {"runtime": 30, "models": {"first": {"mem_mb": 700}}},
    "control3": {
        "corpora": ["B"],
        "responders": ["first"],
        "forced": False,
        "noticing": {"probes": 0},
    },
    "claims": {"studies": 2},
}
CELLS = "results/far/control3/cells.csv"


def snakemake(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess:
    """Run the study of a project's folder, with what is kept in `folder`/kept."""
    (folder / "own.yaml").write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "snakemake", *words, "--configfile", "own.yaml"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "workflow"), **environ},
        capture_output=True,
        text=True,
        timeout=900,
    )


def attempts(folder: Path) -> dict[str, int]:
    """How many attempts the ledgers below a folder hold, by key."""
    found: dict[str, int] = {}
    for path in sorted(folder.rglob("*.sqlite")):
        with sqlite3.connect(path) as book:
            found |= dict(book.execute("SELECT key, COUNT(*) FROM attempts GROUP BY key"))
    return found


@pytest.fixture(scope="module")
def far(tmp_path_factory) -> tuple[Path, Path, subprocess.CompletedProcess]:
    """The study run through a scheduler that starts every job twice, its ledgers on a volume."""
    folder = copy_project(tmp_path_factory.mktemp("far"))
    volume = tmp_path_factory.mktemp("volume")
    run = snakemake(
        folder,
        *("--executor", "cluster-generic", "--cluster-generic-submit-cmd", str(SUBMIT)),
        *("--jobs", "4", "--latency-wait", "20", CELLS),
        VERIDICAL_LEDGERS=str(volume),
        SUBMITTED=str(folder / "submitted"),
        TIMES="2",
    )
    return folder, volume, run


@pytest.mark.timeout(900)
def test_a_study_sent_away_ends_and_only_jobs_that_ask_are_sent(far):
    folder, _, run = far
    assert run.returncode == 0, run.stderr[-4000:]
    assert (folder / CELLS).is_file()
    # B under its true document, its corrupted one and none, and the claims: all else stays here
    assert run.stderr.count("Submitted job") == 4
    assert len((folder / "submitted").read_text().split()) == 8


@pytest.mark.timeout(900)
def test_jobs_submitted_twice_ask_once_and_give_the_replies_of_a_local_run(far, tmp_path):
    folder, volume, _ = far
    asked = attempts(volume)
    assert set(asked.values()) == {1}
    near = copy_project(tmp_path)
    run = snakemake(near, "--cores", "2", CELLS)
    assert run.returncode == 0, run.stderr[-4000:]
    assert attempts(near / "data/ledger") == asked
    assert (near / CELLS).read_bytes() == (folder / CELLS).read_bytes()


@pytest.mark.timeout(300)
def test_another_project_on_the_same_volume_asks_nothing(far, tmp_path):
    """What a job paid for outlives the folder in which it ran; here three slices are one job, as in
    a wide study."""
    first, volume, _ = far
    before = attempts(volume)
    again = copy_project(tmp_path)
    run = snakemake(
        again,
        *(CELLS, "--executor", "cluster-generic", "--cluster-generic-submit-cmd", str(SUBMIT)),
        *("--jobs", "4", "--latency-wait", "20"),
        *("--groups", "collect_partners=asking", "--group-components", "asking=3"),
        VERIDICAL_LEDGERS=str(volume),
    )
    assert run.returncode == 0, run.stderr[-4000:]
    assert run.stderr.count("Submitted") == 2  # the claims, and all that asks
    assert attempts(volume) == before
    assert (again / CELLS).read_bytes() == (first / CELLS).read_bytes()


@pytest.mark.timeout(300)
def test_machines_that_share_no_folder_are_refused_before_the_first_call(project):
    run = snakemake(
        project,
        *("--executor", "cluster-generic", "--cluster-generic-submit-cmd", str(SUBMIT)),
        *("--jobs", "4", "--shared-fs-usage", "none"),
    )
    assert run.returncode != 0
    assert "ledger_folder: /mnt/ledger" in run.stderr
    assert not (project / "data/ledger").exists()
