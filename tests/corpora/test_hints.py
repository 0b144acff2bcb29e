"""The check made while a corpus is written: does anything in a text tell the partner?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.scripts import load_script
from veridical.corpora.corpus import read_corpus
from veridical.corpora.hints import partner_hint, telling_words, word_counts

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "data/corpora/A", ROOT / "data/corpora/B"]


def test_words_are_counted_whole_and_without_capitals():
    # Words in order: bell, the, tower
    assert word_counts(["The bell, the bell", "tower"]).tolist() == [[2, 2, 0], [0, 0, 1]]


def test_a_word_that_goes_with_one_partner_is_noticed():
    texts = [f"about {'red' if i % 2 else 'blue'} things {i}" for i in range(48)]
    partners = ["P" if i % 2 else "Q" for i in range(48)]
    hint = partner_hint(texts, partners, np.random.default_rng(0), folds=12, shufflings=99)
    assert hint.accuracy == 1.0
    assert hint.p == 0.01  # no shuffling reaches it: 1 / (99 + 1)


def test_partners_in_turn_hide_no_hint():
    """Two partners by turns, a word in two thirds of the one's texts and in none of the other's.

    A fold of every twelfth row would hold one partner alone, and the classifier, having seen the
    other more often, would name that one wherever the word is missing: 16 of 48 right.
    """
    texts = [f"thing{i % 5} {'red' if i % 2 and i % 3 else ''}" for i in range(48)]
    partners = ["P" if i % 2 else "Q" for i in range(48)]
    hint = partner_hint(texts, partners, np.random.default_rng(0), shufflings=199)
    assert hint.accuracy >= 40 / 48 - 0.07
    assert hint.p <= 0.02


def test_partners_in_turn_are_no_hint_by_themselves():
    """The same turns and texts that say nothing: neither 0 % nor a finding."""
    rng = np.random.default_rng(5)
    texts = [" ".join(map(str, rng.integers(0, 40, 6))) for _ in range(48)]
    partners = ["P" if i % 2 else "Q" for i in range(48)]
    hint = partner_hint(texts, partners, np.random.default_rng(0), shufflings=199)
    assert hint.accuracy > 0.2
    assert 0.05 < hint.p < 1


def test_p_is_calibrated_where_partners_are_drawn_at_random():
    # 60 draws of partners for the same texts: p below 0.2 in about a fifth of them (12 ± 3.1).
    rng = np.random.default_rng(7)
    texts = [" ".join(map(str, rng.integers(0, 30, 6))) for _ in range(36)]
    low = 0
    for _ in range(60):
        partners = list(rng.permutation(["P", "Q", "R"] * 12))
        low += partner_hint(texts, partners, rng, folds=6, shufflings=49).p <= 0.2
    assert 3 <= low <= 21


@pytest.mark.parametrize(
    ("texts", "partners", "message"),
    [
        (["a"] * 24, ["P"] * 23, "one value a row"),
        (["a"] * 24, ["P"] * 24, "two partners"),
        (["a", "b"], ["P", "Q"], "12 rows"),
    ],
)
def test_what_cannot_be_checked(texts, partners, message):
    with pytest.raises(ValueError, match=message):
        partner_hint(texts, partners, np.random.default_rng(0))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_nothing_in_a_demonstration_corpus_tells_the_partner(folder):
    corpus = read_corpus(folder)
    assert telling_words(corpus) == []
    measured = load_script("corpora/check_hints.py").measure(corpus, 199)
    assert set(measured) == {"topic", "note", "text", "all three"}
    for column, hint in measured.items():
        assert hint.p > 0.05, (column, hint)


def test_the_notes_give_the_figures_as_measured():
    notes = (ROOT / "workflow/notes/corpora.md").read_text(encoding="utf-8")
    measure = load_script("corpora/check_hints.py").measure
    first, second = (measure(read_corpus(folder), 1) for folder in FOLDERS)
    for column in first:
        name = "record" if column == "text" else column
        row = next(line for line in notes.splitlines() if line.startswith(f"| {name} | "))
        cells = [cell.strip() for cell in row.split("|")]
        shown = [
            f"{hint.accuracy:.1%}".replace("%", " %") for hint in (first[column], second[column])
        ]
        assert [cells[2], cells[5]] == shown


def test_a_telling_word_is_named_with_its_place():
    corpus = read_corpus(FOLDERS[0])
    encounters = corpus.encounters.copy()
    encounters.loc[3, "note"] = "the Alpaca stood in the yard"
    encounters.loc[5, "text"] = "Sealed, deeply asleep."  # whole words only
    found = telling_words(replace(corpus, encounters=encounters))
    assert found == ["A-004, column note: 'alpaca' may hint at Llama"]
