"""A corpus's language decides which of the study's own texts its prompts are made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from veridical.base.checks import corpora_of
from veridical.base.folders import language_of

RULES = Path(__file__).parents[2] / "workflow/rules"
CONFIG = {
    "study": "s",
    "seed": 1,
    "models": {},
    "documents": {},
    "control1": {"corpora": ["A"]},
    "control3": {"corpora": ["B", "A"]},
}


def write_settings(corpus: str, text: str) -> None:
    path = Path("data/corpora", corpus, "corpus.yaml")
    path.parent.mkdir(parents=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("language: it\nagent: Io\n", "it"),
        ("agent: I\n", "en"),
        ("language:\n", "en"),
        ("language: [it\n", "en"),  # broken: the corpus's reader says where
        ("- a list\n", "en"),
    ],
)
def test_the_language_is_the_corpuss_own(tmp_path, monkeypatch, text, language):
    monkeypatch.chdir(tmp_path)
    write_settings("T", text)
    assert language_of("T") == language
    assert language_of("nowhere") == "en"


def test_a_corpus_whose_language_changes_is_read_anew(tmp_path, monkeypatch):
    """Within one process it is read once as long as the file stays as it is."""
    monkeypatch.chdir(tmp_path)
    write_settings("T", "language: it\n")
    assert [language_of("T"), language_of("T")] == ["it", "it"]
    Path("data/corpora/T/corpus.yaml").write_text("language: de-AT\n")
    assert language_of("T") == "de-AT"
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert language_of("T") == "en"  # another study's folder has another T, or none


@pytest.mark.parametrize(
    ("part", "corpora"), [("control1", ["A"]), ("control3", ["B", "A"]), ("control2", [])]
)
def test_a_parts_corpora_are_those_that_it_names_itself(part, corpora):
    assert corpora_of(CONFIG, part) == corpora


def test_a_part_is_no_beginning_of_anothers_name():
    assert corpora_of(CONFIG, "control") == []


def test_no_rule_about_a_corpus_takes_a_text_in_one_language():
    """Else a corpus in another language would be asked anew for a text it never used, and a change
    of the one that it does use would go unnoticed. A benchmark is not a corpus."""
    for path in sorted(RULES.glob("*.smk")):
        named = re.findall(r'"([a-z-]+\.en\.(?:txt|yaml))"', path.read_text(encoding="utf-8"))
        assert named == [] or path.stem == "benchmarks", path.name
