"""The whole study in miniature: run, run again, killed and resumed, wrong configs refused."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parent.parent
STUDY = "tiny"
ARTEFACTS = [
    f"results/{STUDY}/control1/verdicts.csv",
    f"results/{STUDY}/control1/contrasts.csv",
    f"results/{STUDY}/control1/drift.csv",
    f"results/{STUDY}/control1/blinding_map.csv",
    f"results/{STUDY}/control2/validity.csv",
    f"results/{STUDY}/control3/cells.csv",
    f"results/{STUDY}/aas/sessions.csv",
    f"results/{STUDY}/aas/summary.csv",
    f"results/{STUDY}/vpe/summary.csv",
    f"results/{STUDY}/vpe/coverage.csv",
    f"results/{STUDY}/benchmarks/checks.csv",
    f"results/{STUDY}/benchmarks/premium.csv",
    f"results/{STUDY}/report/index.html",
    "results/published/check.csv",
    f"figures/{STUDY}/control3_cells.pdf",
]


def started(folder: Path, *arguments: str, config: str = "config/tiny.yaml") -> dict:
    """How the workflow is started in a copy of the project, on the checkout's models folder."""
    # --configfile swallows a target that follows it
    snakemake = [sys.executable, "-m", "snakemake", "--cores", "2"]
    return {
        "args": [*snakemake, *arguments, "--configfile", config],
        "cwd": folder,
        "env": {
            **os.environ,
            "VERIDICAL_MODELS": os.environ.get("VERIDICAL_MODELS", str(ROOT / "data/models")),
            "PYTHONPATH": str(folder / "workflow"),
            "XDG_CACHE_HOME": str(folder / ".cache"),
        },
    }


def snakemake(folder: Path, *arguments: str, config: str = "config/tiny.yaml"):
    """Run the workflow to its end."""
    return subprocess.run(
        **started(folder, *arguments, config=config), capture_output=True, text=True, timeout=900
    )


def exchanges(folder: Path) -> int:
    """How many attempts all ledgers of the study hold."""
    return len(keys(folder))


def give_anchors(path: Path) -> None:
    """Write down what the lived agent said, so that the smallest model need not read its log."""
    test_day = pd.read_csv(path, keep_default_na=False)
    test_day["anchor"] = "I wound the clock at the Corn Hall and wrote it in the book."
    test_day.to_csv(path, index=False)


def keys(folder: Path) -> list[str]:
    """The keys of all attempts; a ledger that is being made has none yet."""
    found = []
    for path in folder.glob("data/ledger/*/*/*.sqlite"):
        with contextlib.suppress(sqlite3.OperationalError), sqlite3.connect(path) as book:
            found += [row[0] for row in book.execute("SELECT key FROM attempts")]
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory, small_model) -> Path:
    """A copy of the project in which the miniature was killed in the middle of collecting."""
    from conftest import copy_project

    folder = copy_project(tmp_path_factory.mktemp("study"))
    give_anchors(folder / "data/corpora/A/test_day.csv")
    with open(folder / "killed.log", "w") as log:
        run = subprocess.Popen(**started(folder), stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + 400
        while time.monotonic() < deadline and exchanges(folder) < 40 and run.poll() is None:
            time.sleep(0.5)
        assert run.poll() is None, (folder / "killed.log").read_text()[-3000:]
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    return folder


@pytest.mark.timeout(1500)
def test_killed_study_goes_on_and_ends_with_every_artefact(copy):
    before = set(keys(copy))
    assert len(before) >= 40
    snakemake(copy, "--unlock")
    run = snakemake(copy)
    assert run.returncode == 0, run.stderr[-4000:]
    missing = [path for path in ARTEFACTS if not (copy / path).is_file()]
    assert missing == []
    asked = keys(copy)
    assert before <= set(asked)
    assert len(asked) == len(set(asked))  # no finished call was made twice
    assert f"results/{STUDY}/report/index.html" in run.stderr


@pytest.mark.timeout(300)
def test_second_run_has_nothing_to_do_and_asks_nothing(copy):
    before = exchanges(copy)
    run = snakemake(copy)
    assert run.returncode == 0, run.stderr[-2000:]
    assert "Nothing to be done" in run.stdout + run.stderr
    assert exchanges(copy) == before


@pytest.mark.timeout(300)
def test_what_was_sealed_holds_and_is_all_there_is(copy):
    run = snakemake(copy, "verify")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "BROKEN" not in run.stdout + run.stderr


@pytest.mark.timeout(300)
def test_results_thrown_away_come_back_without_a_call(copy):
    before = exchanges(copy)
    target = f"results/{STUDY}/control3/cells.csv"
    content = (copy / target).read_bytes()
    for path in sorted((copy / f"results/{STUDY}/control3").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    run = snakemake(copy, target)
    assert run.returncode == 0, run.stderr[-3000:]
    assert (copy / target).read_bytes() == content
    assert exchanges(copy) == before


@pytest.mark.timeout(300)
def test_one_figure_is_redrawn_alone_and_byte_for_byte(copy):
    before = exchanges(copy)
    target = f"figures/{STUDY}/control3_cells.pdf"
    content = (copy / target).read_bytes()
    run = snakemake(copy, target, "-f")
    assert run.returncode == 0, run.stderr[-2000:]
    assert (copy / target).read_bytes() == content
    assert re.search(r"1 of 1 steps", run.stderr + run.stdout)
    assert exchanges(copy) == before


def test_misspelt_key_stops_before_anything_runs(copy):
    (copy / "config/wrong.yaml").write_text("control1: { jugdes: [small] }\n")
    run = snakemake(copy, "-n", config="config/wrong.yaml")
    assert run.returncode != 0
    # a dry run writes its errors to standard output
    assert "control1/jugdes: unknown key; did you mean 'judges'?" in run.stdout
