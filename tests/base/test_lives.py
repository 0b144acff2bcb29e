"""What a config may ask of a life, and what is refused before anything is asked."""

from __future__ import annotations

import pytest
from conftest import ROOT
from veridical.base.lives import check_lives

LIVES = ["Livia", "Defne"]
SYSTEMS = {"systems": {"full-text": {"adapter": "fts5"}}}


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def said(config, probed=LIVES):
    return list(check_lives(config, probed))


def test_memory_systems_take_lives():
    assert said({"memories": SYSTEMS}) == []
    assert said({"memories": {**SYSTEMS, "corpora": ["Livia"]}}, ["Livia", "A"]) == []


def test_a_part_of_a_life_does_not_go_in():
    (line,) = said({"memories": {**SYSTEMS, "entries": 6}}, ["A", "Livia"])
    assert line.startswith("memories/entries: corpus 'Livia' is a life of events and facts")
    assert "leave the key out, or name other corpora under memories/corpora" in line
    assert said({"memories": {**SYSTEMS, "entries": 6, "corpora": ["A"]}}, ["A", "Livia"]) == []


@pytest.mark.parametrize(
    ("part", "settings"),
    [("control1", {"corpora": ["A", "Defne"]}), ("control2", {"corpus": "Defne"})],
)
def test_the_other_controls_take_no_life_through_a_store(part, settings):
    config = {"memories": SYSTEMS, part: {**settings, "memory": "full-text"}}
    (line,) = said(config)
    assert line.startswith(f"{part}/memory: corpus 'Defne' is a life of events and facts")
    assert "leave the key out" in line
    assert said({"memories": SYSTEMS, part: settings}) == []


def test_the_zoo_takes_encounters():
    assert [line.split(";")[0] for line in said({"zoo": {}})] == [
        f"zoo: corpus {name!r} is a life of events and facts, and zoo takes encounters"
        for name in LIVES
    ]
    assert said({"zoo": {"corpora": ["A"]}}) == []
