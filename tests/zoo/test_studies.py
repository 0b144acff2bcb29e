"""A study is drawn whole: the size declared, the same for one seed, every treatment in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from support.memory_study import corpus
from support.small_zoo import SIZE, life
from veridical.memories.matching import Store
from veridical.memories.plan import EMPTY, SHAM, VERIDICAL
from veridical.zoo.studies import COUNTERFEIT, Size, draw_study


def entries(document: str) -> dict[str, str]:
    return {entry.topic: entry.partner for entry in life().bank(document).entries}


def test_it_has_the_size_declared_and_every_document():
    plan = life()
    assert [bank.document for bank in plan.banks] == [
        VERIDICAL,
        "binding-corrupted",
        COUNTERFEIT,
        SHAM,
        EMPTY,
    ]
    assert len(plan.probes) == SIZE.probes
    assert [len(bank.entries) for bank in plan.banks] == [30, 30, 30, 30, 0]
    assert set(Counter(entries(VERIDICAL).values()).values()) == {15}


def test_both_counterfeits_bind_no_topic_as_the_life_does():
    true = entries(VERIDICAL)
    for document in ("binding-corrupted", COUNTERFEIT):
        false = entries(document)
        assert false.keys() == true.keys()
        assert not any(false[topic] == true[topic] for topic in true)


def test_lives_differ_and_one_seed_gives_one():
    again = draw_study(corpus(), SIZE, np.random.default_rng(1))
    assert again == life()
    topics = [{entry.topic for entry in life(n).banks[0].entries} for n in (1, 2, 3)]
    assert len(set(map(frozenset, topics))) == 3
    assert len(set.union(*topics)) > 50  # drawn from the whole log, not from the memory block


def test_events_come_in_the_order_of_their_dates():
    days = [event.at for event in life().banks[0].events]
    assert days == sorted(days)


def test_no_entry_mentions_the_topic_of_another():
    for number in range(1, 6):
        bank = life(number).banks[0]
        store = Store([event.text for event in bank.events], ())
        assert all(len(store.about(entry.topic)) == 1 for entry in bank.entries)


def test_a_life_that_the_corpus_cannot_fill_is_refused_with_the_reason():
    with pytest.raises(ValueError, match=r"a life of 200 entries needs 100 encounters with Llama"):
        draw_study(corpus(), Size(200, 24, 5), np.random.default_rng(1))


def test_a_corpus_of_one_topic_is_refused():
    same = replace(corpus(), encounters=corpus().encounters.assign(topic="tea"))
    with pytest.raises(ValueError, match="and there are 0"):
        draw_study(same, SIZE, np.random.default_rng(1))


def test_a_life_that_cannot_be_shuffled_is_refused_in_the_end():
    """Two entries, one a partner: the other's note and topic are all there is to exchange."""
    with pytest.raises(ValueError, match=r"probes|derangement|shuffled"):
        draw_study(corpus(), Size(1, 2, 5), np.random.default_rng(1))
