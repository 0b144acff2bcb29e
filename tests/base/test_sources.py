"""Provenance: every input file is listed with origin, licence and hash, and none has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from support.scripts import load_script
from veridical.base.sources import complaints, list_sources, read_sources

ROOT = Path(__file__).parents[2]


def test_every_input_is_listed_and_unchanged():
    assert complaints(ROOT / "data", read_sources(ROOT / "data/sources.csv")) == []


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A small data folder with its record."""
    data = tmp_path / "data"
    for name, text in {
        "corpora/T/corpus.yaml": "origin: mine\nlicence: CC0-1.0\n",
        "corpora/T/encounters.csv": "a\n",
        "corpora/.hidden": "",
        "README.md": "about",
        "models/weights.gguf": "heavy",
        "ledger/demo/x.sqlite": "asked",
        "freeze/demo/design.json": "{}",
    }.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text(text, encoding="utf-8")
    return data


def test_a_corpus_brings_its_origin_and_licence(data):
    record = list_sources(data)
    assert list(record["path"]) == ["data/corpora/T/corpus.yaml", "data/corpora/T/encounters.csv"]
    assert set(record["origin"]) == {"mine"}
    assert set(record["licence"]) == {"CC0-1.0"}
    assert record["sha256"][1] == hashlib.sha256(b"a\n").hexdigest()
    assert complaints(data, record) == []


def test_what_differs_is_named(data):
    record = list_sources(data)
    (data / "corpora/T/encounters.csv").write_text("b\n", encoding="utf-8")
    (data / "corpora/T/corpus.yaml").unlink()
    (data / "new.csv").write_text("c\n", encoding="utf-8")
    found = complaints(data, record)
    assert len(found) == 3
    assert found[0] == "data/corpora/T/corpus.yaml is listed and missing"
    assert found[1].startswith("data/new.csv is not listed; run python workflow/scripts/corpora/")
    assert found[2].startswith("data/corpora/T/encounters.csv has changed (it was 87428fc52280")


def test_a_file_of_unknown_origin_is_named(data):
    (data / "new.csv").write_text("c\n", encoding="utf-8")
    assert complaints(data, list_sources(data)) == [
        "data/new.csv lacks an origin or a licence; fill them in"
    ]


def test_refreshing_keeps_what_was_filled_in(data, capsys):
    script = load_script("corpora/list_sources.py")
    (data / "new.csv").write_text("c\n", encoding="utf-8")
    assert script.main(data, check=False) == 1
    path = data / "sources.csv"
    path.write_text(path.read_text().replace("data/new.csv,,,", "data/new.csv,bought,MIT,"))
    (data / "new.csv").write_text("d\n", encoding="utf-8")
    assert script.main(data, check=True) == 1
    assert "data/new.csv has changed" in capsys.readouterr().err
    assert script.main(data, check=False) == 0
    row = read_sources(path).set_index("path").loc["data/new.csv"]
    assert (row["origin"], row["licence"]) == ("bought", "MIT")
    assert row["sha256"] == hashlib.sha256(b"d\n").hexdigest()
