"""A study of one-user lives with several facts a day, from corpus to page, with no model."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import copy_project


@pytest.mark.timeout(900)
def test_lives_go_from_their_tables_to_the_page(tmp_path):
    folder = copy_project(tmp_path)
    path = folder / "config/life.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("studies: 20", "studies: 2"))
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "config/life.yaml"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(folder / "workflow"),
            "XDG_CACHE_HOME": str(folder / ".cache"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    tables = folder / "results/life/control3"
    cells = pd.read_csv(tables / "cells.csv")
    assert set(zip(cells["corpus"], cells["model"], strict=True)) == {
        (corpus, model) for corpus in ("Livia", "Defne") for model in ("first", "second")
    }
    assert set(cells["corrupted_document"]) == {"binding-corrupted"}
    # Of nine probes Livia's most frequent value is the answer to four, Defne's to four as well.
    probes = pd.read_csv(tables / "probes.csv")
    for corpus, own in probes.groupby("corpus"):
        share = own["true_partner"].value_counts().max() / 9
        assert set(cells.loc[cells["corpus"] == corpus, "chance"].round(6)) == {round(share, 6)}
    stale = pd.read_csv(tables / "stale.csv").set_index(["corpus", "model", "document"])
    assert set(stale.loc["Livia"]["n"]) == {3}
    assert set(stale.loc["Defne"]["n"]) == {2}
    parts = ["latest", "stale", "other", "abstained", "unparseable"]
    assert (stale[parts].sum(axis=1) == stale["n"]).all()
    page = (folder / "results/life/report/index.html").read_text(encoding="utf-8")
    assert "facts that changed, with the true document" in page
    told = (tables / "prompts/Livia-veridical.jsonl").read_text(encoding="utf-8")
    assert "In quale scatola si trova adesso" in told
    assert Path(folder / "results/life/freeze/results.json").exists()
    _judged(folder)
    _recognised(folder)
    _through_a_store(folder)


def _through_a_store(folder: Path) -> None:
    """The same probes of a memory system: what it was given it holds, finds and gives back."""
    tables = folder / "results/life/memories"
    cells = pd.read_csv(tables / "cells.csv").set_index("corpus")
    assert set(cells["verdict"]) == {"follows"}
    # Of the nine probes the most frequent value is the answer to four.
    assert cells["chance"].to_dict() == pytest.approx({"Livia": 4 / 9, "Defne": 4 / 9})
    assert (
        cells[["true_right", "swapped_named", "swapped_right", "n"]].to_numpy().tolist()
        == [[9, 9, 0, 9]] * 2
    )
    banks = pd.read_csv(tables / "banks.csv").set_index(["corpus", "document"])
    # Livia's facts.csv has 21 facts, Defne's events.csv 15 events; a canary with each.
    assert banks["given"].to_dict() == {
        (corpus, document): 0 if document == "none" else given
        for corpus, given in (("Livia", 22), ("Defne", 16))
        for document in ("veridical", "binding-corrupted", "veridical-again", "none")
    }
    assert (banks["invented"] == 0).all()
    assert (banks["intact"] == banks["entries"]).all()
    page = (folder / "results/life/report/index.html").read_text(encoding="utf-8")
    own = page[page.index('id="memories"') :] if 'id="memories"' in page else page
    assert "exchange the values in what goes in" in own
    assert "swap the partners in what goes in" not in page


def _judged(folder: Path) -> None:
    """Control 1 on a life: every counterfeit answered, judged and contrasted, doses by size."""
    tables = folder / "results/life/control1"
    findings = pd.read_csv(tables / "findings.csv")
    kinds = ("foreign", "shuffled", "stale", "partial-30", "partial-100", "none")
    for _, own in findings.groupby(["corpus", "metric"]):
        assert set(own["contrast"]) == {f"veridical-{kind}" for kind in kinds}
    assert set(findings["corpus"]) == {"Livia", "Defne"}
    contrasts = pd.read_csv(tables / "contrasts.csv")["contrast"].drop_duplicates()
    doses = [name for name in contrasts if "partial" in name]
    assert doses == ["veridical-partial-30", "veridical-partial-100"]
    positive = pd.read_csv(tables / "positive.csv")
    assert len(positive) == 14
    for corpus, words in (("Livia", "nella scatola|al prezzo"), ("Defne", "raf")):
        own = positive[positive["item_id"].str.startswith(corpus)]
        assert own["own"].str.contains(words).all()
    documents = folder / "results/life/documents/Livia"
    real = (documents / "veridical.txt").read_text(encoding="utf-8").split("\n")
    for name, altered in (("partial-30-1", 4), ("partial-100-1", 15), ("stale", 3)):
        other = (documents / f"{name}.txt").read_text(encoding="utf-8").split("\n")
        assert sum(a != b for a, b in zip(real, other, strict=True)) == altered
    page = (folder / "results/life/report/index.html").read_text(encoding="utf-8")
    assert "bindings trade places" in page
    assert "holds as current what other values have replaced" in page


def _recognised(folder: Path) -> None:
    """Control 2 on a life: values exchanged, and no text of the memory asked about."""
    probes = pd.read_csv(folder / "results/life/control2/probes.csv")
    assert len(probes) == 6
    assert (probes["kind"] == "value").sum() >= 4
    assert set(probes["encounter_id"]) <= {f"e{n:02d}" for n in (2, 7, 11, 16, 19, 20, 21, 22)}
    validity = pd.read_csv(folder / "results/life/control2/validity.csv")
    assert set(validity["model"]) == {"first", "second"}
