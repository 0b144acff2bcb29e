"""Pairs known by construction: what is quoted, from whose memory, and bad input."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from veridical.control1.positive import positive_pairs, quote
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import Document

CORPUS = read_corpus(Path(__file__).parents[2] / "data/corpora/A")
LINE = "2025-04-{day:02d} — met Wren — the kiln of day {day}: {note}"


def life(name: str, lengths: list[int]) -> Document:
    """A stranger's memory whose notes have these lengths, in characters."""
    lines = [LINE.format(day=day, note="n" * length) for day, length in enumerate(lengths, 1)]
    return Document(name, "\n".join(lines))


def drawn(n: int, *lives: Document, seed: int = 1):
    return positive_pairs(CORPUS, lives, n, np.random.default_rng(seed))


FULL = [life(f"foreign-{seed}", list(range(40, 140, 3))) for seed in (1, 2)]


def test_the_own_answer_quotes_the_entry_that_is_asked_about():
    remembered = CORPUS.remembered()
    for row in drawn(8, *FULL).itertuples():
        ((_, entry),) = [
            (i, e) for i, e in remembered.iterrows() if e["topic"] in row.input
        ]  # one topic an entry
        assert all(entry[field] in row.input for field in ("date", "partner", "topic"))
        assert entry["note"] not in row.input  # what it must remember
        assert all(entry[field] in row.own for field in ("date", "partner", "topic", "note"))


def test_the_strangers_answer_has_the_same_words_and_another_memory():
    remembered = CORPUS.remembered()
    for row in drawn(8, *FULL).itertuples():
        assert "Wren" in row.stranger
        assert row.stranger.startswith("That was on 2025-04-")
        assert row.own.startswith("That was on ")
        for _, entry in remembered.iterrows():
            assert entry["note"] not in row.stranger
            assert entry["topic"] not in row.stranger


def test_documents_take_turns_and_no_entry_is_quoted_twice():
    table = drawn(9, *FULL)
    assert table["document"].value_counts().to_dict() == {"foreign-1": 5, "foreign-2": 4}
    assert (table["document"] == "foreign-" + table["seed"].astype(str)).all()
    assert not table.duplicated(["document", "stranger"]).any()
    assert not table["own"].duplicated().any()
    assert table["item_id"].tolist() == [f"A-Q{n}" for n in range(1, 10)]


def test_the_nearest_length_is_taken():
    note = CORPUS.remembered()["note"].str.len()
    table = drawn(1, life("foreign-1", [1, 500, int(note.median())]))
    assert "n" * int(note.median()) + "." in table["stranger"].iloc[0]


def test_the_draw_is_the_seeds():
    one, again, other = (drawn(5, *FULL, seed=seed) for seed in (1, 1, 2))
    assert one.equals(again)
    assert not one["input"].equals(other["input"])


def test_none_wanted_is_an_empty_table_and_needs_no_stranger():
    assert drawn(0).empty


@pytest.mark.parametrize(
    ("n", "lives", "message"),
    [
        (31, FULL, "asks for 31 pairs, and the memory block of corpus A has 30 entries"),
        (2, (), "there is no foreign document: give documents/foreign_seeds one, or set"),
        (3, (life("foreign-4", [50, 60]),), "foreign-4 has too few entries"),
    ],
)
def test_what_cannot_be_quoted_is_said(n, lives, message):
    with pytest.raises(ValueError, match=message):
        drawn(n, *lives)


def test_a_language_without_the_words_names_the_file():
    corpus = SimpleNamespace(language="xx", texts={})
    with pytest.raises(ValueError, match=r"positive-answer\.xx\.txt"):
        quote({"date": "d", "partner": "p", "topic": "t", "note": "n"}, corpus)
