"""A study in Italian, from its corpus to its page."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import copy_project

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
#: Words of the English texts that would stand in an Italian study's prompts if one were missing.
ENGLISH = ("You are", "Answer", "memory document", "you don't know", "Score", "What day")


def small() -> dict:
    """config/italian.yaml with fewer probes, documents and models."""
    config = yaml.safe_load((ROOT / "config/italian.yaml").read_text(encoding="utf-8"))
    config["claims"] = {"studies": 2}
    config["documents"] |= {"foreign_seeds": [1], "shuffled_seeds": [1]}
    config["control1"] |= {"judges": ["uno", "due"], "resamples": 2000}
    config["control2"] |= {"responders": ["uno"], "probes": 8}
    config["control3"] |= {"corpora": ["IB"], "responders": ["uno"], "probes": 8}
    config["aas"] |= {"models": ["due"], "sessions": 4}
    return config


@pytest.fixture(scope="module")
def italian(tmp_path_factory) -> Path:
    folder = copy_project(tmp_path_factory.mktemp("italian"))
    (folder / "config/small.yaml").write_text(
        yaml.safe_dump(small(), allow_unicode=True), encoding="utf-8"
    )
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile"]
    run = subprocess.run(
        [*command, "config/small.yaml"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(folder / "workflow"),
            "XDG_CACHE_HOME": str(folder / ".cache"),
        },
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    return folder


@pytest.mark.timeout(1300)
def test_an_italian_study_ends_in_an_italian_page(italian):
    page = (italian / "results/italian/report/index.html").read_text(encoding="utf-8")
    assert '<html lang="it"' in page
    assert "Tre controlli in italiano" in page
    assert "Con chi hai parlato di questo" in page


def test_everything_that_was_asked_is_italian(italian):
    asked = []
    for path in (italian / "data/ledger").glob("*/*/*.sqlite"):
        with sqlite3.connect(path) as book:
            names = [row[0] for row in book.execute("SELECT name FROM sqlite_master")]
            assert "attempts" in names
            columns = [row[1] for row in book.execute("PRAGMA table_info(attempts)")]
            asked += [
                json.dumps(dict(zip(columns, row, strict=True)), default=str, ensure_ascii=False)
                for row in book.execute("SELECT * FROM attempts")
            ]
    assert len(asked) > 50
    found = [(word, text[:300]) for text in asked for word in ENGLISH if word in text]
    assert found == []


def test_the_study_in_italian_was_sealed_with_its_own_texts(italian):
    paths = set()
    for stage in ("study", "control1-design"):
        record = italian / f"data/freeze/italian/{stage}.json"
        sealed = json.loads(record.read_text(encoding="utf-8"))["files"]
        paths |= {entry["path"] for entry in sealed}
    assert "data/corpora/IA/encounters.csv" in paths
    assert "workflow/veridical/texts/rubric.it.txt" in paths
