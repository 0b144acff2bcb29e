"""Part of the bindings traded, the rest true: how many, which, and where that can't be."""

from __future__ import annotations

import doctest
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import write_history
from support.lives import life
from veridical.corpora.corpus import read_corpus
from veridical.documents import partial as room
from veridical.documents.fidelity import entries_of, fidelity, require_fidelity
from veridical.documents.partial import altered, partial, traded

CORPORA = Path(__file__).parents[2] / "data/corpora"


@pytest.fixture(scope="module")
def corpus():
    return read_corpus(CORPORA / "A")


def test_the_examples_of_the_docstrings():
    assert doctest.testmod(room).failed == 0


@given(
    st.lists(st.sampled_from("abcd"), min_size=4, max_size=40),
    st.integers(1, 100),
    st.integers(0, 10**6),
)
def test_places_trade_values_or_it_is_said_why_not(values, dose, seed):
    rng, most = np.random.default_rng(seed), Counter(values).most_common(1)[0][1]
    try:
        found = traded(values, dose, rng)
    except ValueError:
        found = {}
    if not found:
        assert 2 * most > len(values)  # else there is always a way
        return
    wanted = len(values) if dose == 100 else 2 * max(1, round(dose * len(values) / 200))
    assert len(found) == wanted
    assert all(values[place] != value for place, value in found.items())
    assert Counter(found.values()) == Counter(values[place] for place in found)


@given(st.integers(0, 10**6), st.lists(st.integers(1, 99), min_size=2, max_size=2))
def test_a_larger_dose_alters_what_a_smaller_one_does(seed, doses):
    values = list("abcabcabcabc")
    small, large = (traded(values, dose, np.random.default_rng(seed)) for dose in sorted(doses))
    assert small.items() <= large.items()


@pytest.mark.parametrize("dose", [0, 101, -5])
def test_a_dose_that_is_none(dose):
    with pytest.raises(ValueError, match=rf"a dose of {dose} %: give one from 1 to 100"):
        traded(["a", "b"], dose, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "and there are none"),
        (["red", "red"], "there is one value, 'red'"),
        (["red"] * 9 + ["blue"], "alters 6 of 10 bindings, and 2 can trade values: 'red'"),
    ],
)
def test_values_that_can_not_trade(values, says):
    with pytest.raises(ValueError, match=says):
        traded(values, 60, np.random.default_rng(1))


@pytest.mark.parametrize(("dose", "names"), [(10, 4), (30, 8), (50, 16), (100, 30)])
def test_encounters_change_partners_and_nothing_else(corpus, dose, names):
    text = partial(corpus, dose, 1)
    own, entries = corpus.remembered(), entries_of(text, corpus)[0]
    for field in ("date", "topic", "note"):
        assert list(entries[field]) == list(own[field])
    assert sum(entries["partner"] != own["partner"]) == names
    assert Counter(entries["partner"]) == Counter(own["partner"])
    require_fidelity(fidelity(f"partial-{dose}-1", text, corpus, 0.05))


def test_a_seed_draws_others(corpus):
    assert partial(corpus, 30, 1) == partial(corpus, 30, 1) != partial(corpus, 30, 2)
    assert partial(corpus, 100, 1) == partial(corpus, 100, 2)  # of two, every one has the other


def test_the_receipt_counts_what_was_altered(corpus):
    found = fidelity("partial-50-1", partial(corpus, 30, 1), corpus, 0.05)
    (row,) = found[~found["passed"].astype(bool)].to_dict("records")
    assert (row["check"], row["value"], row["limit"]) == ("altered_bindings", "8", "16")
    assert row["note"] == "of 30"
    lost = partial(corpus, 30, 1).replace(corpus.partners[0], corpus.partners[1], 1)
    failed = fidelity("partial-30-1", lost, corpus, 0.05)
    failed = failed[~failed["passed"].astype(bool)]
    assert "multiset_partner" in set(failed["check"])


def test_three_partners_trade_too():
    three = life(("Xan", "Yve", "Zoe"))
    text = partial(three, 50, 3)
    require_fidelity(fidelity("partial-50-3", text, three, 0.05))


def test_a_memory_of_one_partner_names_corpus_and_remedy():
    one = life()
    alone = replace(one, encounters=one.encounters.assign(partner="Xan"))
    with pytest.raises(ValueError, match=r"corpus T, partner: .*'Xan'; .*documents/partial_doses"):
        partial(alone, 30, 1)


def test_a_life_without_facts_names_corpus_and_remedy(tmp_path):
    plain = "form: life\nagent: Memo\nlanguage: en\nlicence: x\norigin: y\nmemory: turns\n"
    bare = read_corpus(write_history(tmp_path / "L", corpus_yaml=plain, facts_csv=""))
    with pytest.raises(ValueError, match=r"corpus L, facts: a dose of 30 % .*there are none; take"):
        partial(bare, 30, 1)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("foreign-1", "foreign-1 isn't made by altering the memory"),
        ("stale", "corpus A: in a corpus of encounters nothing takes another's place"),
        ("partial-30", "partial-30 is the name of no memory document"),
    ],
)
def test_a_name_that_no_rule_makes(corpus, name, says):
    with pytest.raises(ValueError, match=says):
        altered(corpus, name)
