"""What a corpus's folder tells before it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from veridical.base.folders import corpus_files, is_life, name_in
from veridical.claims.design import designs
from veridical.documents.corrupted import COUNTED

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_a_life_says_so_and_has_the_files_that_it_has():
    assert is_life("Livia")
    assert not is_life("A")
    assert not is_life("nowhere")
    assert corpus_files("Defne") == [
        f"data/corpora/Defne/{name}.csv" for name in ("events", "facts", "test_day", "vocabulary")
    ]
    assert "data/corpora/A/memory_block.txt" in corpus_files("A")
    assert len(corpus_files("nowhere")) == 4  # named as missing by whoever needs them


def test_a_life_has_some_texts_of_its_own():
    assert name_in("Livia", "memory") == "life-memory"
    assert name_in("Livia", "question-partner") == "question-partner"
    assert name_in("A", "memory") == "memory"


def test_a_studys_claims_are_measured_with_the_margins_of_its_lives():
    part = {"corpora": ["Livia", "A"], "responders": ["m"], "probes": 12, "forced": True}
    found = designs({"control3": part}, ROOT / "data/corpora")["control3"]
    assert found.corpora == {"Livia": COUNTED, "A": 2}
    assert dict(found.margins) == {"Livia": (5, 4, 3)}
    assert (found.k("Livia"), found.k("A")) == (3, 2)
