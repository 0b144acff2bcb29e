"""The names of memory documents: written and read in one place, and nothing else passes for one."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.documents import names
from veridical.documents.names import DocumentName, read_document, read_documents


def test_the_examples_of_the_docstrings():
    assert doctest.testmod(names).failed == 0


@pytest.mark.parametrize(
    ("name", "kind", "seed", "shift"),
    [
        ("veridical", "veridical", None, 0),
        ("foreign-1", "foreign", 1, None),
        ("shuffled-12", "shuffled", 12, None),
        ("foreign-0", "foreign", 0, None),
        ("binding-corrupted", "binding-corrupted", None, 1),
        ("binding-corrupted-2", "binding-corrupted", None, 2),
        ("encounter-log", "encounter-log", None, 0),
        ("partial-30-1", "partial", 1, None),
        ("adjacent-2", "adjacent", 2, None),
        ("stale", "stale", None, None),
    ],
)
def test_a_name_says_what_the_document_is(name, kind, seed, shift):
    read = DocumentName.read(name)
    assert (read.kind, read.seed, read.shift) == (kind, seed, shift)
    assert str(read) == name


def test_a_dose_is_a_condition_of_its_own_and_stands_by_its_size():
    name = DocumentName.read("partial-30-2")
    assert (name.dose, name.seed, name.condition) == (30, 2, "partial-30")
    assert name == DocumentName("partial", 2, 30)
    assert DocumentName.read("foreign-3").condition == "foreign"
    assert DocumentName.read("stale").condition == "stale"
    shown = sorted(names.COUNTERFEITS, key=names.in_order)
    doses = [names.DOSES[each] for each in shown if each in names.DOSES]
    assert doses == list(range(10, 101, 10))
    assert [each for each in shown if each not in names.DOSES] == [
        *("adjacent", "foreign", "shuffled", "stale"),
    ]


@given(st.sampled_from(names.SEEDED), st.integers(0, 10**9))
def test_what_is_written_is_read_back(kind, number):
    name = DocumentName(kind, number)
    assert DocumentName.read(str(name)) == name


@pytest.mark.parametrize(
    "name",
    ["", "none", "foreign", "foreign-", "foreign-01", "foreign-1-2", "foreign--1", "veridical-1",
     "encounter-log-1", "binding-corrupted-0", "memory_block", "partial-30", "partial-35-1",
     "partial-0-1", "partial-30-1-1", "stale-1", "adjacent", "shuffled-1-2", "Veridical",
     "shuffled-x",
     "foreign-1 ", "foreign-1\n"],
)  # fmt: skip
def test_another_name_is_refused_by_name(name):
    with pytest.raises(ValueError, match="is the name of no memory document") as error:
        DocumentName.read(name)
    assert str(error.value).startswith(name)


def test_a_document_is_read_from_the_file_that_has_its_name(tmp_path):
    path = tmp_path / "foreign-2.txt"
    path.write_text("\none\n\ntwo\n", encoding="utf-8")
    assert read_document(path) == ("foreign-2", "one\n\ntwo")
    with pytest.raises(ValueError, match="memory_block is the name of no memory document"):
        read_document(path.rename(tmp_path / "memory_block.txt"))


def test_documents_are_read_by_corpus_and_name(tmp_path):
    for place in ("A/veridical", "B/foreign-1"):
        path = tmp_path / f"{place}.txt"
        path.parent.mkdir()
        path.write_text(f"{place}\n", encoding="utf-8")
    (tmp_path / "A/fidelity.csv").write_text("document\n")
    assert read_documents(tmp_path) == {
        ("A", "veridical"): "A/veridical",
        ("B", "foreign-1"): "B/foreign-1",
    }
    (tmp_path / "B/notes.txt").write_text("")
    with pytest.raises(ValueError, match="notes is the name of no memory document"):
        read_documents(tmp_path)
