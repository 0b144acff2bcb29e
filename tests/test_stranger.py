"""Somebody else's metric, probes, verdicts and answers, from tables to the page, no model asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from conftest import copy_project
from support import stranger
from veridical.corpora.corpus import read_corpus


def run(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """The workflow in a copy of the project, with the config `own.yaml`."""
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *words, "--configfile", "own.yaml"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "workflow")},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """The example that ships, three tables and no corpus, run whole: its page is built here."""
    folder = copy_project(tmp_path_factory.mktemp("stranger"))
    shutil.copy(folder / "config/example.yaml", folder / "own.yaml")
    done = run(folder, "all")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


def test_the_examples_tables_are_those_described_here(finished):
    """What ships is what `support.stranger` draws, so that the values below are derived."""
    for name in ("verdicts", "recognised", "partners"):
        shipped = (finished / f"data/example/{name}.csv").read_text(encoding="utf-8")
        assert shipped == getattr(stranger, name)().to_csv(index=False)


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "results/example" / f"{name}.csv")


def test_no_ledger_is_made_for_what_is_brought(finished):
    assert not list(finished.glob("data/ledger/**/*.sqlite"))
    assert not list(finished.glob("data/models/*.json"))


def test_the_verdicts_say_what_they_said(finished):
    """Warmer by 0.3 under the real memory, on every item, whatever is subtracted."""
    contrasts = table(finished, "control1/contrasts")
    assert set(contrasts["metric"]) == {"warmth"}
    assert contrasts["estimate"].round(9).eq(0.3).all()
    found = table(finished, "control1/findings").set_index("contrast")["finding"]
    assert found["veridical-foreign"] == "different"
    assert table(finished, "control1/instrument").query("test == 'quoted'")["finding"].tolist() == [
        "sensitive"
    ]


def test_the_answers_say_what_they_said(finished):
    validity = table(finished, "control2/validity").set_index(["model", "condition"])
    assert validity.loc[("keen", "veridical"), "correct"] == 16
    assert validity.loc[("keen", "none"), "correct"] == 8
    assert validity["valid"].all()
    cell = table(finished, "control3/cells").iloc[0]
    assert (cell["b"], cell["c"], cell["none_abstained"]) == (16, 0, 16)
    assert cell["finding"] == "follows"


def test_the_tables_are_sealed_with_the_design(finished):
    for part, name in enumerate(("verdicts", "recognised", "partners"), start=1):
        record = finished / f"data/freeze/example/control{part}-design.json"
        design = json.loads(record.read_text(encoding="utf-8"))
        sealed = [file["path"] for file in design["files"] if file["path"].startswith("data/ex")]
        assert sealed == [f"data/example/{name}.csv"]  # its own, and no other part's
    done = run(finished, "verify")
    assert done.returncode == 0, done.stdout


def test_a_changed_table_breaks_the_seal(finished):
    path = finished / "data/example/partners.csv"
    kept = path.read_text(encoding="utf-8")
    path.write_text(kept.replace("Ada", "Ida"), encoding="utf-8")
    done = run(finished, "verify")
    path.write_text(kept, encoding="utf-8")
    assert done.returncode != 0
    assert "changed  data/example/partners.csv" in done.stdout + done.stderr


def test_the_page_tells_it_in_both_languages(finished):
    page = (finished / "results/example/report/index.html").read_text(encoding="utf-8")
    for said in (
        "The verdicts were brought by the study as a table",
        "warmth: how warm the answer is; 0 = cold; 1 = tender",
        "The answers were brought by the study as a table",
        "none asked",
    ):
        assert said in page
    config = yaml.safe_load((finished / "own.yaml").read_text(encoding="utf-8"))
    own = {**config, "language": "it", "study": "esempio"}  # the language is sealed with a study
    (finished / "own.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    done = run(finished, "results/esempio/report/index.html")
    assert done.returncode == 0, done.stderr[-3000:]
    page = (finished / "results/esempio/report/index.html").read_text(encoding="utf-8")
    assert "I verdetti sono stati portati dallo studio come tabella" in page


@pytest.fixture(scope="module")
def judged(tmp_path_factory) -> Path:
    """Own answers, an earlier session, own probes and another life beside scripted models."""
    folder = copy_project(tmp_path_factory.mktemp("judged"))
    own, corpus = folder / "data/own", read_corpus(folder / "data/corpora/A")
    items = list(corpus.test_day["item_id"])
    earlier = stranger.verdicts(("memory_reference",), shift=0.1).query("condition == 'veridical'")
    earlier = earlier[earlier["item_id"].isin(stranger.ITEMS[: len(items)])]
    earlier["item_id"] = earlier["item_id"].map(dict(zip(stranger.ITEMS, items, strict=False)))
    block = corpus.remembered()
    ids = [e for p in corpus.partners for e in block[block["partner"] == p]["encounter_id"][:2]]
    probes3 = pd.DataFrame({"corpus": "A", "probe_id": [f"m{n}" for n in range(4)],
                            "encounter_id": ids, "question": "Who spoke of {topic}:"})  # fmt: skip
    outside = corpus.encounters[~corpus.encounters["in_memory"]]
    told = outside[outside["text"].str.contains(" two ")].iloc[:2]
    probes2 = pd.DataFrame(
        {
            "probe_id": ["a", "b"],
            "encounter_id": told["encounter_id"],
            "true_text": told["text"],
            "kind": "number",
            "true_is": ["A", "B"],
        }
    )
    probes2["altered_text"] = [text.replace(" two ", " nine ", 1) for text in told["text"]]
    config = {
        "study": "judged",
        "seed": 1,
        "claims": {"studies": 4},
        "models": {n: {"provider": "scripted", "model": n, "structured": "grammar"}
                   for n in ("ann", "bob")},
        "documents": {
            "foreign_seeds": [1, 2],
            "shuffled_seeds": [1, 2],
            "own": {"A": {
                "foreign-1": stranger.write(pd.DataFrame(stranger.life(corpus)), own / "life.csv"),
                "foreign-2": "data/own/life.txt",
            }},
        },
        "control1": {
            "corpora": ["A"],
            "judges": ["ann", "bob"],
            "metrics": ["memory_reference"],
            "responses_csv": stranger.write(stranger.responses(corpus), own / "responses.csv"),
            "original_csv": stranger.write(earlier, own / "earlier.csv"),
            "none": False,
            "reversed": False,
            "resamples": 1000,
        },
        "control2": {"corpus": "A", "responders": ["ann"], "probes": 2,
                     "probes_csv": stranger.write(probes2, own / "probes2.csv")},
        "control3": {"corpora": ["A"], "responders": ["ann"], "probes": 4,
                     "probes_csv": stranger.write(probes3, own / "probes3.csv")},
    }  # fmt: skip
    lines = [corpus.entry(row) for row in stranger.life(corpus)]
    (own / "life.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "own.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return folder


def test_the_check_finds_nothing_wrong_with_what_is_brought(judged):
    done = run(judged, "check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_own_probes_lives_answers_and_an_earlier_session_are_used(judged):
    tables = ("control1/contrasts", "control1/drift", "control2/validity", "control3/cells")
    place = judged / "results/judged"
    done = run(judged, *(f"results/judged/{name}.csv" for name in tables))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert not (place / "documents/A/attempts.csv").exists()  # nobody was asked for a life
    asked = (place / "control3/prompts/A-veridical.jsonl").read_text(encoding="utf-8")
    assert asked.count("Who spoke of ") >= 4
    probes = pd.read_csv(place / "control2/probes.csv")
    assert list(probes["from"]) == ["two", "two"]
    assert list(probes["to"]) == ["nine", "nine"]
    verdicts = pd.read_csv(place / "control1/verdicts.csv")
    original = verdicts[verdicts["session"] == "original"]
    assert original["sheet_id"].str.startswith("earlier-").all()
    assert original["anchor_score"].eq(0.6).all()
    sheets = (place / "control1/sheets/ann.jsonl").read_text(encoding="utf-8")
    assert "veridical has me say" not in sheets.replace("  ", " ")  # judged in the earlier study
    life = (place / "documents/A/foreign-1.txt").read_text(encoding="utf-8")
    assert life == (place / "documents/A/foreign-2.txt").read_text(encoding="utf-8")
