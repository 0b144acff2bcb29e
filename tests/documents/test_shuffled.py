"""Shuffled counterfeits: every binding gone, everything else as it was."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.corpora.corpus import read_corpus
from veridical.documents.shuffled import FIELDS, kept_bindings, shuffle_entries

ROOT = Path(__file__).parents[2]


def life(n: int, k: int) -> pd.DataFrame:
    """n encounters with k partners in turn, on n days."""
    return pd.DataFrame(
        {
            "date": [f"2025-01-{day:02d}" for day in range(1, n + 1)],
            "partner": [f"P{i % k}" for i in range(n)],
            "topic": [f"topic {i}" for i in range(n)],
            "note": [f"note {i}" for i in range(n)],
        }
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(3, 6), st.integers(0, 10_000))
def test_no_binding_survives_and_no_value_is_lost(k, times, seed):
    entries = life(k * times, k)
    shuffled = shuffle_entries(entries, np.random.default_rng(seed))
    assert kept_bindings(shuffled, entries).empty
    for field in FIELDS:
        assert Counter(shuffled[field]) == Counter(entries[field])
    assert list(shuffled["date"]) == sorted(shuffled["date"])


def test_seeds_differ_and_repeat():
    entries = life(30, 2)
    one, again, two = (shuffle_entries(entries, np.random.default_rng(s)) for s in (1, 1, 2))
    pd.testing.assert_frame_equal(one, again)
    assert not one.equals(two)


def test_two_partners_are_swapped_since_there_is_no_third():
    entries = life(12, 2)
    shuffled = shuffle_entries(entries, np.random.default_rng(1))
    was = entries.set_index("topic")["partner"]
    assert all(row.partner != was[row.topic] for row in shuffled.itertuples())


def test_the_demonstration_shuffles():
    corpus = read_corpus(ROOT / "data/corpora/A")
    block = corpus.remembered()
    shuffled = shuffle_entries(block, np.random.default_rng(3))
    assert kept_bindings(shuffled, block).empty
    text = "\n".join(corpus.entry(row) for row in shuffled.to_dict("records"))
    assert len(text) == len(corpus.memory_block.rstrip("\n"))


def test_a_majority_partner_admits_no_derangement():
    entries = life(7, 2)  # P0 stands in four of seven
    with pytest.raises(ValueError, match="partner 'P0' stands in 4 of 7 entries, more than half"):
        shuffle_entries(entries, np.random.default_rng(1))


def test_one_partner_admits_no_derangement():
    with pytest.raises(ValueError, match="no derangement exists: partner 'P0'"):
        shuffle_entries(life(6, 1), np.random.default_rng(1))


def test_too_few_entries():
    with pytest.raises(ValueError, match="1 entry can't be shuffled"):
        shuffle_entries(life(1, 1), np.random.default_rng(1))
    with pytest.raises(ValueError, match=r"without keeping one of.* 2 entries leave too"):
        shuffle_entries(life(2, 2), np.random.default_rng(1))


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("note", r"Note 'same' stands in 2 of 8 entries, beside 2 different partners.* Reword it"),
        ("date", r"Date 'same' stands in 2 of 8 entries.*\. Mark other encounters"),
    ],
)
def test_a_value_beside_both_partners_is_named_with_file_and_remedy(field, said):
    entries = life(8, 2)
    entries.loc[[0, 1], field] = "same"  # P0 has one of them and P1 the other
    with pytest.raises(ValueError, match=r"A/encounters\.csv: no derangement .*" + said):
        shuffle_entries(entries, np.random.default_rng(1), source="A/encounters.csv")


def test_kept_bindings_are_named():
    entries = life(4, 2)
    moved = entries.assign(note=np.roll(entries["note"], 1))
    kept = kept_bindings(moved, entries)
    assert set(kept["fields"]) == {"date–partner", "date–topic", "partner–topic"}
    assert set(kept["entry"]) == {1, 2, 3, 4}
