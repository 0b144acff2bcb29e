"""Counterfeits that can't be made and lives that can't be asked, said before anything is paid."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.histories import write_history
from support.lives import life, write_life
from veridical.base.config import ConfigError, check_config
from veridical.check.counterfeits import counterfeits_lacking, unasked
from veridical.corpora.corpus import read_corpus

MODEL = {"m": {"provider": "scripted", "model": "m", "structured": "grammar"}}
PLAIN = {"foreign_seeds": [], "shuffled_seeds": [1], "length_tolerance": 0.2}


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """The life L and the corpus T of encounters, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    write_history(Path("data/corpora/L"))
    write_life(life(), Path("data/corpora/T"))
    return {name: read_corpus(Path("data/corpora", name)) for name in ("L", "T")}


def config(corpus: str, control1: dict | None = None, **documents) -> dict:
    part = {"corpora": [corpus], "responders": ["m"], "judges": ["m"], "positive": 0} | (
        control1 or {}
    )
    given = {"study": "s", "seed": 1, "models": MODEL, "documents": PLAIN | documents}
    return check_config({**given, "control1": part})


def lacking(corpora, *args, **kwargs) -> list[str]:
    return list(counterfeits_lacking(config(*args, **kwargs), corpora))


def test_what_can_be_made_lacks_nothing(corpora):
    assert lacking(corpora, "L", partial_doses=[100], stale=["L"]) == []
    assert lacking(corpora, "T", partial_doses=[10, 100]) == []


def test_a_dose_that_is_too_much_names_corpus_and_document(corpora):
    Path("data/corpora/L/facts.csv").write_text(
        "subject,attribute,value,event,valid_from,valid_to\nthe lamp,box,red,e1,,\n"
        "the kite,box,red,e4,,\nthe drum,box,red,e6,,\nthe rope,box,blue,e3,,\n"
    )
    corpora["L"] = read_corpus(Path("data/corpora/L"))
    (said,) = lacking(corpora, "L", partial_doses=[100])
    assert said.startswith("documents, corpus L: corpus L, box: 'red' stands in 3")
    assert said.endswith("leave the dose out of documents/partial_doses")


def test_nothing_stale_where_nothing_changed(corpora):
    Path("data/corpora/L/facts.csv").write_text(
        "subject,attribute,value,event,valid_from,valid_to\nthe lamp,box,red,e1,,\n"
        "the kite,box,green,e4,,\n"
    )
    corpora["L"] = read_corpus(Path("data/corpora/L"))
    (said,) = lacking(corpora, "L", stale=["L"])
    assert said == (
        "documents, corpus L: corpus L: no fact of its memory changed, so none can be held as stale"
    )


def test_a_brought_life_that_does_not_fit_is_named(corpora):
    Path("kin.txt").write_text("far too short\n")
    (said,) = lacking(corpora, "L", own={"L": {"adjacent-1": "kin.txt"}})
    assert said.startswith("documents, corpus L: adjacent-1: characters is 13")
    (said,) = lacking(corpora, "L", own={"L": {"adjacent-1": "data/corpora/T"}})
    assert "corpus L is a life, corpus T is one of encounters" in said


def test_the_author_writes_no_life(corpora):
    with pytest.raises(ConfigError, match=r"documents/own/L: foreign-1 missing; the author writes"):
        config("L", foreign_seeds=[1], author="m")
    Path("kin.txt").write_text("any\n")
    assert config("L", foreign_seeds=[1], own={"L": {"foreign-1": "kin.txt"}})


def test_a_life_is_asked_on_a_test_day_and_quoted(corpora):
    assert list(unasked(config("L"), corpora)) == []
    Path("data/corpora/L/test_day.csv").unlink()
    corpora["L"] = read_corpus(Path("data/corpora/L"))
    Path("kin.txt").write_text("any\n")
    own = {"L": {"foreign-1": "kin.txt"}}
    many = config("L", {"positive": 99}, foreign_seeds=[1], own=own)
    day, pairs = unasked(many, corpora)
    assert day.startswith("corpus L: Control 1 asks what test_day.csv holds, and there is none")
    assert pairs.startswith("control1/positive asks for 99 pairs")
    assert list(unasked({"documents": PLAIN}, corpora)) == []
