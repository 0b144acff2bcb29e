"""What goes in and what is asked: the same for every system, and nothing tells a bank's kind."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from support.memory_study import SWAPPED, corpus, plan, probes
from veridical.documents.rebinding import rebind
from veridical.memories.plan import CANARY, EMPTY, SHAM, VERIDICAL, Plan, foreign_words, make_plan


def test_a_plan_survives_its_file():
    assert Plan.from_json(plan().to_json()) == plan()


def test_every_document_becomes_a_bank_in_date_order():
    assert [bank.document for bank in plan().banks] == [VERIDICAL, SWAPPED, SHAM, EMPTY]
    bank = plan().bank(VERIDICAL)
    assert [e.text for e in bank.events if e.id != CANARY] == corpus().memory_block.split("\n")
    assert [event.at for event in bank.events] == sorted(event.at for event in bank.events)
    assert len({event.id for event in bank.events}) == len(bank.events) == 31


def test_the_swapped_bank_differs_in_the_partners_alone():
    true, false = plan().bank(VERIDICAL), plan().bank(SWAPPED)
    for mine, other in zip(true.entries, false.entries, strict=True):
        assert (mine.event_id, mine.topic) == (other.event_id, other.topic)
        assert {mine.partner, other.partner} == set(corpus().partners)


def test_the_sham_is_the_same_events_under_another_name_and_take():
    true, again = plan().bank(VERIDICAL), plan().bank(SHAM)
    assert (again.events, again.chain, again.word) == (true.events, true.chain, true.word)
    assert again.name != true.name
    assert (true.take, again.take) == (1, 2)


def test_the_empty_bank_is_given_nothing():
    assert plan().bank(EMPTY).events == ()


def test_each_bank_has_a_canary_of_its_own_that_names_nobody():
    words = {bank.word for bank in plan().banks}
    assert len(words) == 3  # two documents, and none for the empty bank
    canary = plan().bank(VERIDICAL).events[15]
    assert canary.id == CANARY
    assert plan().bank(VERIDICAL).word in canary.text
    assert not any(partner in canary.text for partner in corpus().partners)
    assert foreign_words(plan(), SHAM) == {plan().bank(SWAPPED).word: SWAPPED}
    assert set(foreign_words(plan(), EMPTY).values()) == {SHAM, SWAPPED}


def test_a_banks_name_tells_the_system_nothing():
    for bank in plan().banks:
        assert bank.document not in bank.name
        assert set(bank.name) <= set("b0123456789abcdef")


def test_the_queries_are_the_canary_and_the_probes_and_name_no_partner():
    first, *others = plan().queries
    assert first.id == CANARY
    assert [query.id for query in others] == list(probes()["probe_id"])
    assert all(partner not in q.text for q in plan().queries for partner in corpus().partners)


def test_the_chain_moves_with_every_event_and_with_their_order():
    bank = plan().bank(VERIDICAL)
    seen = {bank.chain}
    for at, event in enumerate(bank.events):
        altered = (*bank.events[:at], dataclasses.replace(event, at="2024-01-01"))
        seen.add(dataclasses.replace(bank, events=(*altered, *bank.events[at + 1 :])).chain)
    seen.add(dataclasses.replace(bank, events=bank.events[::-1]).chain)
    assert len(seen) == len(bank.events) + 2


def test_the_same_seed_draws_the_same_plan():
    documents = {VERIDICAL: corpus().memory_block}
    first, again, other = (
        make_plan(corpus(), documents, probes(), 5, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first.bank(VERIDICAL).word != other.bank(VERIDICAL).word


@pytest.mark.parametrize(("entries", "kept"), [(6, 6), (7, 6), (2, 2), (24, 24), (None, 30)])
def test_a_part_of_each_document_goes_in_with_the_probes_about_it(entries, kept):
    """As many a partner, so seven is six; and nothing goes in that nothing asks about."""
    documents = {VERIDICAL: corpus().memory_block, SWAPPED: rebind(corpus(), SWAPPED)}
    rng = np.random.default_rng(1)
    short = make_plan(corpus(), documents, probes(), 5, rng, entries)
    asked = [query.topic for query in short.probes]
    assert len(asked) == (24 if entries is None else kept)
    for document in (VERIDICAL, SWAPPED, SHAM):
        bank = short.bank(document)
        assert len(bank.entries) == len(bank.events) - 1 == kept
        assert [event.at for event in bank.events] == sorted(event.at for event in bank.events)
        if entries is not None:
            assert {entry.topic for entry in bank.entries} == set(asked)
    held = Counter(query.true_partner for query in short.probes)
    assert len(set(held.values())) == 1
    assert short.bank(EMPTY).events == ()


def test_a_line_that_is_no_entry_is_named():
    documents = {VERIDICAL: corpus().memory_block + "\nand so on"}
    with pytest.raises(ValueError, match=r"document veridical of corpus A, line 31: 'and so on'"):
        make_plan(corpus(), documents, probes(), 5, np.random.default_rng(1))


def test_a_probes_own_wording_is_asked_of_the_system_as_well():
    drawn = probes()
    own = drawn.assign(question=["Who spoke of {topic}:", *[None] * (len(drawn) - 1)])
    texts = {VERIDICAL: corpus().memory_block}
    made = make_plan(corpus(), texts, own, 3, np.random.default_rng(0))
    asked = [query.text for query in made.queries if query.id != CANARY]
    assert asked[0].startswith(f"Who spoke of {drawn['topic'].iloc[0]}:")
    assert not [text for text in asked[1:] if text.startswith("Who spoke of")]
