"""Exchanged bindings: every fact another value, each value as often as before."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import EVENTS, FACTS, SETTINGS, write_history
from veridical.corpora.corpus import read_corpus
from veridical.documents.exchanging import derange, exchanged, with_values

ROOT = Path(__file__).parents[2]


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6), st.integers(0, 99))
def test_nothing_stays_and_every_value_is_as_frequent_as_before(counts, seed):
    values = [f"v{n}" for n, count in enumerate(counts) for _ in range(count)]
    values = np.random.default_rng(seed).permutation(values).tolist()
    rng = np.random.default_rng(seed)
    if 2 * max(counts) > len(values):
        with pytest.raises(ValueError, match="more than half, so that some must keep it"):
            derange(values, rng)
        return
    moved = derange(values, rng)
    assert Counter(moved) == Counter(values)
    assert all(new != old for new, old in zip(moved, values, strict=True))
    assert derange(values, np.random.default_rng(seed)) == moved


def test_every_exchange_that_there_is_can_be_drawn():
    values = list("aabbc")
    found = {"".join(derange(values, np.random.default_rng(seed))) for seed in range(300)}
    every = {"".join(order) for order in itertools.permutations(values)}
    assert found == {o for o in every if all(x != y for x, y in zip(o, values, strict=True))}


def test_the_document_says_another_value_where_the_fact_stands(tmp_path):
    facts = FACTS + "the kite,box,green,e5,,\n"  # said again: `restated` goes along
    life = read_corpus(write_history(tmp_path / "T", facts_csv=facts))
    given_ = {"F3": "blue"}
    rows = life.encounters.set_index("encounter_id")
    assert "the kite" in set(rows["topic"])
    kite = rows.index[rows["topic"] == "the kite"][0]
    text = life.written(with_values(life, {kite: "red"}))
    assert text.count("the kite is in the red box") == 2
    assert "the lamp is in the red box" in text  # superseded, and as it was
    assert life.written(with_values(life, {})) == life.memory_block
    assert with_values(life, given_) == list(life.facts["value"])  # F3 holds no more


@pytest.mark.parametrize("shape", ["lines", "paragraphs", "profile", "turns"])
def test_an_exchange_moves_every_binding_whatever_the_shape(tmp_path, shape):
    settings = SETTINGS + f"memory: {shape}\n"
    facts = FACTS.replace("the drum,box,red", "the drum,box,green").replace("red,e6", "green,e6")
    events = EVENTS.replace("it is in the red box", "it is in the green box")
    life = read_corpus(
        write_history(tmp_path / "T", corpus_yaml=settings, facts_csv=facts, events_csv=events)
    )
    new = exchanged(life, 1)
    old = dict(zip(life.encounters["encounter_id"], life.encounters["partner"], strict=True))
    assert set(new) == set(old)
    assert all(new[name] != old[name] for name in old)
    assert Counter(new.values()) == Counter(old.values())
    text = life.written(with_values(life, new))
    assert text != life.memory_block
    assert len(text.split("\n")) == len(life.memory_block.split("\n"))


def test_a_value_in_more_than_half_can_not_be_exchanged(tmp_path):
    facts = FACTS.replace("the kite,box,green,e4", "the kite,box,blue,e4")
    life = read_corpus(write_history(tmp_path / "T", facts_csv=facts))
    with pytest.raises(ValueError, match=r"corpus T: the box 'blue' stands in 3 of 4 facts, more"):
        exchanged(life, 1)


def test_seeds_draw_exchanges_of_their_own():
    life = read_corpus(ROOT / "data/corpora/Livia")
    one, two = exchanged(life, 1), exchanged(life, 2)
    assert one != two
    assert exchanged(life, 1) == one
