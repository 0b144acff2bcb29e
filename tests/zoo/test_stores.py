"""Sound memories are sound: what goes in comes out, whatever the manner, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support.small_zoo import life, seen
from veridical.memories.conformance import check_system
from veridical.memories.plan import EMPTY, VERIDICAL
from veridical.memories.protocol import Event, Recalled
from veridical.zoo.stores import RANKED, STORES, Facts, Vectors, Words

EVENTS = [
    Event("e1", "2025-01-01", "Kim", "2025-01-01 — met Ada — the red kite: it was mended"),
    Event("e2", "2025-01-02", "Kim", "2025-01-02 — met Bo — the old boat: it was tarred"),
    Event("e3", "2025-01-03", "Kim", "a note without a date about the boat"),
]


def filled(kind: str):
    store = STORES[kind]()
    store.reset("b")
    assert store.ingest("b", EVENTS) == 3
    return store


@pytest.mark.parametrize("kind", list(STORES))
def test_every_check_of_a_system_is_passed(kind):
    """The whole conformance check, odd texts and all, says nothing of a sound memory."""
    store = STORES[kind]()
    found = check_system(lambda: store, pause=0)
    odd = [str(check) for check in found if check.state != "ok"]
    told = "a text with" if kind == "facts" else "nothing"  # extracted: not as it was given
    assert [line for line in odd if told not in line] == []


@pytest.mark.parametrize("kind", RANKED)
def test_the_entry_asked_about_comes_first(kind):
    store = filled(kind)
    assert store.recall("b", "With whom did you discuss the red kite?", 1).items[0].sources == (
        "e1",
    )
    assert store.recall("b", "the old boat", 2).items[0].sources == ("e2",)


def test_words_are_ranked_by_bm25():
    """By hand, with k1 = 1.2 and b = 0.75. Of the texts (3, 2 and 1 words, 2 on average) two hold
    `tea`: its weight is ln(1 + 1.5 / 2.5) = 0.470, damped by 1 - 0.75 + 0.75 × length / 2."""
    texts = ("tea and cake", "tea tea", "cake")
    first = 0.4700036 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 2))
    second = 0.4700036 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2 / 2))
    found = Words().search(texts, "tea", 5)
    assert [at for at, _ in found] == [1, 0]
    assert [score for _, score in found] == pytest.approx([second, first], abs=1e-6)
    assert Words().search(texts, "nothing of it", 5) == []


def test_equal_scores_keep_their_order_and_k_bounds_them():
    texts = ("tea", "tea", "tea")
    assert [at for at, _ in Words().search(texts, "tea", 2)] == [0, 1]


def test_an_angle_is_one_with_itself_and_less_with_others():
    texts = ("the red kite", "the old boat")
    found = Vectors().search(texts, "the red kite", 2)
    assert found[0] == (0, pytest.approx(1.0))
    assert found[1][0] == 1
    assert found[1][1] < 0.5


@given(some.text(max_size=40))
@settings(max_examples=30, deadline=None)
def test_no_query_breaks_the_angles(query):
    found = Vectors().search(("the red kite", "!?"), query, 2)
    assert sorted(at for at, _ in found) == [0, 1]
    assert all(-1 - 1e-9 <= score <= 1 + 1e-9 for _, score in found)


def test_facts_are_reworded_and_say_so():
    store = filled("facts")
    assert store.describe().writes == "extracted"
    assert [item.text for item in store.dump("b")] == [
        "Kim met Ada — the red kite: it was mended (2025-01-01)",
        "Kim met Bo — the old boat: it was tarred (2025-01-02)",
        EVENTS[2].text,
    ]
    assert isinstance(store, Facts)


def test_the_whole_life_is_a_context():
    store = filled("whole")
    assert store.recall("b", "x", 1) == Recalled((), "\n".join(event.text for event in EVENTS))


@pytest.mark.parametrize("kind", list(STORES))
def test_an_empty_bank_gives_nothing_back(kind):
    store = filled(kind)
    store.reset("b")
    assert store.recall("b", "the old boat", 5) == Recalled()
    assert store.dump("b") == ()
    store.ingest("b", EVENTS[:1])
    assert len(store.dump("b")) == 1


def test_what_was_indexed_before_is_forgotten_when_a_bank_grows():
    store = filled("words")
    assert store.recall("b", "owl", 5) == Recalled()
    store.ingest("b", [Event("e4", "2025-01-04", "Kim", "an owl")])
    assert store.recall("b", "owl", 5).items[0].sources == ("e4",)


@pytest.mark.parametrize("kind", list(STORES))
def test_a_sound_memory_is_read_rightly(kind):
    found = seen(kind=kind)
    right = sum(each.right for each in found.of(VERIDICAL))
    assert right >= len(life().probes) - 1
    assert all(each.answer is None for each in found.of(EMPTY))
