"""Receipts, replies on the wire and stages: each rule by itself, every count by a plain loop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.memory_study import ROOT, SWAPPED, corpus, plan, probes
from veridical.memories.keeping import Outcome, at_once
from veridical.memories.matching import Line, Read, follows, lines_of, read_items, words_of
from veridical.memories.plan import CANARY, EMPTY, SHAM, VERIDICAL, Bank, Entry, documents_of
from veridical.memories.protocol import (
    OPTIONAL,
    PROTOCOL,
    VERBS,
    Description,
    Event,
    Item,
    Memory,
    MemoryFault,
    Recalled,
    Settled,
    Usage,
    Wrapped,
)
from veridical.memories.readers import (
    answer_row,
    balanced,
    bound,
    context_of,
    ideal_rows,
    reader_prompts,
    recall_rows,
)
from veridical.memories.receipts import (
    KEPT,
    bank_rows,
    canary_found,
    compare,
    dump_of,
    entry_rows,
    hygiene_faults,
    hygiene_rows,
    late,
    leaks,
    reasons_against,
    recalls_of,
    texts_of,
)
from veridical.memories.serve import act
from veridical.memories.stages import curve_rows, differing, sham_rows, stage_rows
from veridical.memories.wire import READINGS, read_reply, to_wire
from veridical.statistics.intervals import wilson

PARTNERS = ("Al", "Bo", "Cy")
ENTRIES = (Entry("e1", "green soup", "Al"), Entry("e2", "red boat", "Bo"))
BANK = Bank("veridical", "b1", (), ENTRIES, word="zim-zam")


# ---------------------------------------------------------------- entries in a store


@pytest.mark.parametrize(
    ("dump", "states", "invented"),
    [
        (["met Al: green soup", "met Bo: red boat"], ["intact", "intact"], 0),
        (["met Bo: green soup", "met Bo: red boat"], ["altered", "intact"], 0),
        (["green soup", "met Al and Bo: red boat"], ["unbound", "unbound"], 0),
        (["met Al: green soup"], ["intact", "lost"], 0),
        ([], ["lost", "lost"], 0),
        (["met Al: green soup", "met Cy: green soup"], ["altered", "lost"], 0),  # told both ways
        (["met Al: green soup", "green soup again"], ["intact", "lost"], 0),
        (["met Cy: blue cart", "the word is zim-zam"], ["lost", "lost"], 1),  # not the canary
        (["met Al: green soup\nmet Bo: red boat\nrain"], ["intact", "intact"], 1),
        (["a soup that was green, said Al"], ["intact", "lost"], 0),  # its longer words
    ],
)
def test_what_became_of_each_entry(dump, states, invented):
    assert compare(BANK, dump, PARTNERS) == (states, invented)


@pytest.mark.parametrize(
    ("dump", "states"),
    [
        # the note of the first mentions the topic of the second, which has a line of its own
        (["met Al: green soup: in the red boat", "met Bo: red boat"], ["intact", "intact"]),
        (["met Bo: red boat", "met Al: green soup: in the red boat"], ["intact", "intact"]),
        (["met Al: green soup: in the red boat", "met Al: red boat"], ["intact", "altered"]),
        (["met Al: green soup: in the red boat", "the red boat"], ["intact", "unbound"]),
        (["met Al: green soup: in the red boat"], ["intact", "altered"]),  # no line is left
        (["met Bo: green soup: in the red boat", "met Bo: red boat"], ["altered", "intact"]),
        (["met Al: green soup: in the red boat"] * 2 + ["met Bo: red boat"], ["intact"] * 2),
    ],
)
def test_a_line_that_mentions_another_entry_is_not_that_entrys(dump, states):
    bank = Bank(VERIDICAL, "b", (), ENTRIES)
    assert compare(bank, dump, PARTNERS) == (states, 0)


@pytest.mark.parametrize("name", ["A", "B"])
def test_every_entry_of_a_whole_log_is_told_apart(name):
    """All 144 encounters, of which three mention another's topic in their notes."""
    from veridical.corpora.corpus import read_corpus

    life = read_corpus(ROOT / "data/corpora" / name)
    rows = life.encounters.to_dict("records")
    entries = tuple(Entry(row["encounter_id"], row["topic"], row["partner"]) for row in rows)
    dump = [life.entry(row) for row in rows]
    bank = Bank(VERIDICAL, "b", (), entries)
    assert compare(bank, dump, life.partners) == (["intact"] * 144, 0)
    first, second = life.partners
    turned = {first: second, second: first}
    bound = tuple(replace(entry, partner=turned[entry.partner]) for entry in entries)
    assert compare(replace(bank, entries=bound), dump, life.partners) == (["altered"] * 144, 0)


facts = st.lists(
    st.tuples(
        st.sampled_from(["green soup", "red boat", "blue cart"]),
        st.lists(st.sampled_from(PARTNERS), max_size=2, unique=True),
    ),
    max_size=8,
)


@settings(max_examples=80)
@given(facts)
def test_entries_are_read_off_the_lines_that_bind_them(told):
    dump = [f"{topic} with {' and '.join(names)}" for topic, names in told]
    states, invented = compare(BANK, dump, PARTNERS)
    for entry, state in zip(ENTRIES, states, strict=True):
        about = [names for topic, names in told if topic == entry.topic]
        single = {names[0] for names in about if len(names) == 1}
        if not about:
            expected = "lost"
        elif single == {entry.partner}:
            expected = "intact"
        else:
            expected = "altered" if single else "unbound"
        assert state == expected
        assert state in KEPT
    assert invented == sum(topic == "blue cart" for topic, _ in told)


# ---------------------------------------------------------------- a whole plan, observed


def recalled(*texts: str, context: str | None = None) -> dict:
    value: dict = {"items": [{"text": text} for text in texts]}
    return value if context is None else value | {"context": context}


def sound(changes: dict[str, Outcome | None] | None = None) -> dict[str, Outcome]:
    """What a store that keeps and finds everything shows of the plan; changed where said."""
    found = {
        "describe": Outcome("describe", {"name": "s", "version": "1"}),
        "hygiene": Outcome("hygiene", {"checks": [{"name": "c", "state": "ok", "words": ""}]}),
    }
    for bank in plan().banks:
        texts = [event.text for event in bank.events]
        value = {
            "given": len(texts),
            "accepted": len(texts),
            "settled": {"ready": True, "pending": 0},
            "seconds": 1.0,
            "slowest": 0.5,
            "usage": {"calls": 2, "prompt_tokens": 30, "completion_tokens": 4, "seconds": 0.1},
            "dump": texts,
        }
        found[f"ingest/{bank.document}"] = Outcome("i", value)
        for query in plan().queries:
            own = [event.text for event in bank.events if query.topic and query.topic in event.text]
            own += [e.text for e in bank.events if query.id == CANARY == e.id]
            id = f"recall/{bank.document}/{query.id}"
            found[id] = Outcome(id, recalled(*own), seconds=0.25)
        found[f"dump/{bank.document}"] = Outcome("d", {"dump": texts})
    for id, outcome in (changes or {}).items():
        found[id] = outcome
        if outcome is None:
            del found[id]
    return found


def against(document: str, changes: dict) -> list[str]:
    return reasons_against(plan(), plan().bank(document), sound(changes))


def changed(id: str, **more) -> dict[str, Outcome]:
    outcome = sound()[id]
    return {id: replace(outcome, value=dict(outcome.value) | more)}


FIRST = plan().probes[0].id
WORD = {bank.document: bank.word for bank in plan().banks}


def test_a_sound_store_is_admitted_everywhere():
    rows = list(bank_rows(plan(), sound()))
    assert [row["document"] for row in rows] == documents_of(plan().banks)
    assert all(row["admitted"] and row["reason"] is None for row in rows)
    assert [row["intact"] for row in rows] == [30, 30, 30, 0]
    assert [row["canary_found"] for row in rows] == [True, True, True, None]
    assert {row["tokens"] for row in rows} == {34}
    assert {row["leaks"] for row in rows} == {None}
    assert {row["invented"] for row in rows} == {0}


@pytest.mark.parametrize(
    ("document", "changes", "words"),
    [
        (VERIDICAL, {"ingest/veridical": None}, "not ingested: the system did not start"),
        (VERIDICAL, {"ingest/veridical": Outcome("i", None, "it died")}, "not ingested: it died"),
        (VERIDICAL, changed("ingest/veridical", accepted=30), "30 of 31 events accepted"),
        (
            VERIDICAL,
            changed("ingest/veridical", settled={"ready": False, "pending": 3}),
            "not settled: 3 events pending",
        ),
        (
            VERIDICAL,
            {f"recall/veridical/{FIRST}": Outcome("r", None, "too slow")},
            "1 recalls failed: too slow",
        ),
        (
            VERIDICAL,
            {f"recall/veridical/{FIRST}": Outcome("r", recalled(f"it is {WORD[SWAPPED]}"))},
            f"leak: gives back the canary of {SWAPPED}",
        ),
        (
            VERIDICAL,
            {"dump/veridical": Outcome("d", {"dump": ["one thing"]})},
            "ready with 31 items, and later held 1 others",
        ),
        (VERIDICAL, changed("ingest/veridical", dump=[]), "its dump holds no entry"),
        (
            VERIDICAL,
            {**changed("ingest/veridical", dump=None), f"recall/veridical/{CANARY}": None},
            "no dump, and the canary is not recalled",
        ),
        (EMPTY, {f"recall/none/{FIRST}": Outcome("r", recalled("x"))}, "the empty bank gives"),
        (EMPTY, changed("ingest/none", dump=["x"]), "the empty bank gives something back"),
    ],
)
def test_why_a_bank_is_not_admitted(document, changes, words):
    reasons = against(document, changes)
    assert any(words in reason for reason in reasons), reasons
    rows = {row["document"]: row for row in bank_rows(plan(), sound(changes))}
    assert not rows[document]["admitted"]
    assert words in rows[document]["reason"]
    others = [row for name, row in rows.items() if name != document]
    assert all(row["admitted"] for row in others)


def test_without_a_dump_the_recalled_canary_is_the_proof():
    assert against(VERIDICAL, changed("ingest/veridical", dump=None)) == []


def test_a_fault_of_hygiene_counts_against_every_bank():
    checks = [
        {"name": "banks are kept apart", "state": "fault", "words": "they are not"},
        {"name": "usage", "state": "note", "words": "look"},
    ]
    observed = sound({"hygiene": Outcome("hygiene", {"checks": checks})})
    assert hygiene_faults(observed) == ["banks are kept apart: they are not"]
    assert [row["state"] for row in hygiene_rows(observed)] == ["fault", "note"]
    assert not any(row["admitted"] for row in bank_rows(plan(), observed))
    died = sound({"hygiene": Outcome("hygiene", None, "it died")})
    assert hygiene_faults(died) == ["hygiene: it died"]


def test_the_sham_and_the_true_bank_share_a_word_and_leak_nothing_to_each_other():
    assert WORD[VERIDICAL] == WORD[SHAM]
    bank = plan().bank(SHAM)
    assert leaks(plan(), bank, sound()) == []
    told = sound({f"recall/{SHAM}/{FIRST}": Outcome("r", recalled(WORD[SWAPPED]))})
    assert leaks(plan(), bank, told) == [SWAPPED]
    assert leaks(plan(), plan().bank(EMPTY), told) == []


def test_a_context_counts_where_there_are_no_items():
    assert texts_of(Outcome("r", recalled("a", "b", context="c"))) == ["a", "b"]
    assert texts_of(Outcome("r", recalled(context="c"))) == ["c"]
    assert texts_of(Outcome("r", recalled(context=""))) == []
    assert texts_of(Outcome("r", None, "failed")) == []
    assert context_of(Outcome("r", recalled("a\n", "b", context="c"))) == "c"
    assert context_of(Outcome("r", recalled("a\n", "\nb"))) == "a\nb"
    assert context_of(Outcome("r", recalled("a", context=""))) == ""
    assert context_of(Outcome("r", None, "failed")) == ""


def test_what_wasnt_asked_is_not_found_and_not_missed():
    bank = plan().bank(VERIDICAL)
    assert canary_found(bank, sound({f"recall/veridical/{CANARY}": None})) is None
    silent = sound({f"recall/veridical/{CANARY}": Outcome("r", recalled())})
    assert canary_found(bank, silent) is False
    assert canary_found(plan().bank(EMPTY), sound()) is None
    assert dump_of(bank, {}) is None
    assert late(bank, sound({"dump/veridical": None})) == []
    assert late(bank, sound({"dump/veridical": Outcome("d", None, "died")})) == []
    turned = sound()["ingest/veridical"].value["dump"][::-1]
    assert late(bank, sound({"dump/veridical": Outcome("d", {"dump": turned})})) == []


def test_recalls_go_by_their_bank_even_where_one_name_begins_with_another():
    found = recalls_of(plan().bank(VERIDICAL), sound())
    assert list(found) == [query.id for query in plan().queries]
    assert len(recalls_of(plan().bank(SHAM), sound())) == len(plan().queries)


def test_every_entry_of_every_dumped_bank_has_its_line():
    rows = list(entry_rows(plan(), sound(changed(f"ingest/{SWAPPED}", dump=None))))
    assert {row["document"] for row in rows} == {VERIDICAL, SHAM}
    assert len(rows) == 60
    for row in rows:
        assert row["kept"] == "intact"
        assert row["topic"].split()[-1] in row["held"]
        assert row["partner"] in row["held"]


# ---------------------------------------------------------------- readers


def test_a_recall_is_ranked_by_the_first_item_that_binds_as_the_document_does():
    probe = plan().probes[0]
    true = bound(plan().bank(VERIDICAL), probe.topic)
    other = next(name for name in plan().partners if name != true)
    texts = ["rain", f"{probe.topic}: {other}", f"{probe.topic}: {true}"]
    id = f"recall/{{}}/{probe.id}"
    changes = {id.format(name): Outcome("r", recalled(*texts)) for name in (VERIDICAL, SWAPPED)}
    rows = {
        row["document"]: row
        for row in recall_rows(plan(), sound(changes))
        if row["probe_id"] == probe.id
    }
    assert (rows[VERIDICAL]["mentioned"], rows[VERIDICAL]["rank"]) == (2, 3)
    assert (rows[SWAPPED]["mentioned"], rows[SWAPPED]["rank"]) == (2, 2)
    assert rows[VERIDICAL]["recalled"].split("\n") == texts
    answers = {(r["document"], r["probe_id"]): r for r in ideal_rows(plan(), sound(changes))}
    assert answers[VERIDICAL, probe.id]["answer"] == other  # the first that names one partner
    assert answers[VERIDICAL, probe.id]["correct"] is False
    assert answers[SWAPPED, probe.id]["answer"] == other


def test_a_recall_that_failed_is_failed_and_one_that_was_not_asked_too():
    probe = plan().probes[0]
    id = f"recall/veridical/{probe.id}"
    for outcome, came, words in (
        (Outcome("r", None, "too slow"), 0, "too slow"),
        (None, None, "not asked"),
    ):
        observed = sound({id: outcome})
        (row,) = [
            r
            for r in recall_rows(plan(), observed)
            if (r["document"], r["probe_id"]) == (VERIDICAL, probe.id)
        ]
        assert (row["state"], row["items"], row["rank"], row["words"]) == (
            "failed",
            came,
            None,
            words,
        )
        (answer,) = [
            r
            for r in ideal_rows(plan(), observed)
            if (r["document"], r["probe_id"]) == (VERIDICAL, probe.id)
        ]
        assert (answer["state"], answer["answer"], answer["correct"]) == ("failed", None, None)


@pytest.mark.parametrize("state", ["ok", "abstained"])
def test_an_answer_says_what_the_bank_has_and_what_is_true(state):
    probe, bank = plan().probes[0], plan().bank(SWAPPED)
    row = answer_row(bank, probe, state, probe.true_partner if state == "ok" else None)
    assert row["true_partner"] == probe.true_partner
    assert row["document_partner"] == bound(bank, probe.topic) != probe.true_partner
    assert row["correct"] is (True if state == "ok" else None)
    assert answer_row(plan().bank(EMPTY), probe, "ok", "x")["document_partner"] is None


def test_probes_are_cut_to_the_same_number_a_partner():
    every = plan().probes
    assert balanced(every, None) == list(every)
    for n in (2, 8, 24):
        kept = balanced(every, n)
        counts = pd.Series([probe.true_partner for probe in kept]).value_counts()
        assert len(kept) == n
        assert counts.nunique() == 1
        assert [p.id for p in kept] == [p.id for p in every if p.id in {k.id for k in kept}]


def test_a_model_is_asked_with_what_was_recalled_or_that_nothing_is_at_hand():
    probe = plan().probes[0]
    changes = {f"recall/veridical/{probe.id}": Outcome("r", recalled("only this line"))}
    prompts = reader_prompts(corpus(), plan(), sound(changes), probes(), {VERIDICAL, EMPTY}, 8)
    assert len(prompts) == 16
    by_id = {prompt.id: prompt for prompt in prompts}
    told = by_id[f"{VERIDICAL}-{probe.id}"]
    assert "only this line" in told.turns[-1].system
    assert told.facts["document"] == VERIDICAL
    assert told.facts["document_partner"] == probe.true_partner
    empty = by_id[f"{EMPTY}-{probe.id}"]
    assert empty.turns[-1].document is None
    assert empty.facts["document_partner"] is None
    assert empty.turns[-1].user == told.turns[-1].user


# ---------------------------------------------------------------- stages by loops

ranks = st.lists(st.none() | st.integers(1, 5), min_size=6, max_size=6)
said = st.lists(st.sampled_from(["X", "Y", None]), min_size=6, max_size=6)


@settings(max_examples=50)
@given(ranks, said, st.integers(0, 30))
def test_what_came_through_each_stage_is_counted_probe_by_probe(places, answers, intact):
    recalls = pd.DataFrame(
        {"document": VERIDICAL, "probe_id": [f"p{n}" for n in range(6)], "rank": places}
    ).astype({"rank": float})
    table = pd.DataFrame(
        {
            "reader": "r",
            "document": VERIDICAL,
            "probe_id": [f"p{n}" for n in range(6)],
            "answer": answers,
            "document_partner": "X",
        }
    )
    banks = pd.DataFrame([{"document": VERIDICAL, "intact": intact, "entries": 30}])
    (row,) = stage_rows(banks, recalls, table)
    found = [n for n in range(6) if places[n] is not None]
    right = [n for n in range(6) if answers[n] == "X"]
    assert (row["stored"], row["found"], row["right"]) == (intact, len(found), len(right))
    assert row["followed"] == len(set(found) & set(right))
    assert row["followed_of"] == len(found)
    assert row["lucky"] == len(set(right) - set(found))
    assert row["found_share"] == len(found) / 6
    assert (row["right_low"], row["right_high"]) == tuple(wilson(len(right), 6))
    for at, curve in enumerate(curve_rows(recalls, 5), start=1):
        near = sum(place is not None and place <= at for place in places)
        assert (curve["k"], curve["found"], curve["found_of"]) == (at, near, 6)
        assert (curve["found_low"], curve["found_high"]) == tuple(wilson(near, 6))


@settings(max_examples=50)
@given(said, said)
def test_equal_banks_differ_where_answers_do(first, second):
    rows = [
        {"reader": "r", "document": d, "probe_id": f"p{n}", "answer": a,
         "correct": None if a is None else a == "X"}
        for d, answers in ((VERIDICAL, first), (SHAM, second)) for n, a in enumerate(answers)
    ]  # fmt: skip
    table = pd.DataFrame(rows).astype({"answer": object, "correct": object})
    (row,) = sham_rows(["p0", "p1"], table, {"r": 3})
    assert row["answers_differ"] == sum(a != b for a, b in zip(first, second, strict=True))
    assert row["discordant"] == sum(
        (a == "X") != (b == "X") for a, b in zip(first, second, strict=True)
    )
    assert (row["recalls_differ"], row["n"], row["m"]) == (2, 6, 3)
    assert (row["differ_low"], row["differ_high"]) == tuple(wilson(row["answers_differ"], 6))


def test_recalls_that_differ_are_named():
    assert differing(plan(), sound()) == []
    other = sound({f"recall/{SHAM}/{FIRST}": Outcome("r", recalled("something else"))})
    assert differing(plan(), other) == [FIRST]
    assert differing(plan(), sound({f"recall/{SHAM}/{FIRST}": None})) == []


# ---------------------------------------------------------------- texts


@given(st.lists(st.sampled_from(["met", "al", "bo", "on", "x1"]), max_size=6), st.data())
def test_words_in_a_row_are_those_of_a_slice(text, data):
    wanted = data.draw(st.lists(st.sampled_from(["met", "al", "bo"]), max_size=3))
    inside = any(text[n : n + len(wanted)] == wanted for n in range(len(text)))
    assert follows(text, wanted) is (bool(wanted) and inside)


def test_lines_hold_a_word_or_are_none():
    assert lines_of("a\n\n  —  \nb c\r\nd") == ["a", "b c", "d"]
    assert words_of("Ｆｕｌｌ Ünï-CODE_x") == ("full", "ünï", "code_x")
    line = Line.of("Al met Bo", PARTNERS)
    assert (line.text, line.words, line.partners) == (
        "Al met Bo",
        ("al", "met", "bo"),
        {"Al", "Bo"},
    )


def test_two_items_that_name_different_partners_are_told_apart_by_their_place():
    read = read_items(["soup: Bo", "soup: Al", "soup: Al, Bo"], "soup", PARTNERS)
    assert read == Read(1, ((1, "Bo"), (2, "Al")))
    assert Read(None, ()).partner is None


# ---------------------------------------------------------------- on the wire

texts = st.text(max_size=8)
items = st.builds(
    Item,
    texts,
    st.none() | st.floats(-1, 1),
    st.none() | st.just("2025-01-01"),
    st.lists(texts, max_size=2).map(tuple),
)


@given(st.lists(items, max_size=4), st.none() | texts)
def test_what_is_recalled_comes_over_the_wire_whole(found, context):
    sent = Recalled(tuple(found), context)
    assert read_reply("recall", to_wire(sent)) == sent
    assert read_reply("dump", {"items": [to_wire(item) for item in found]}) == tuple(found)


@given(
    st.builds(Usage, *[st.integers(0, 99)] * 3, st.floats(0, 9)),
    st.builds(Usage, *[st.integers(0, 99)] * 3, st.floats(0, 9)),
)
def test_usages_come_over_the_wire_and_add_up(one, two):
    assert read_reply("usage", to_wire(one)) == one
    total = one + two
    assert total.calls == one.calls + two.calls
    assert total.seconds == pytest.approx(one.seconds + two.seconds)


@pytest.mark.parametrize(
    "told",
    [
        Description("s", "1"),
        Description("s", "1", "extracted", ("query", "tools"), ("m",), ("dump",), True),
    ],
)
def test_a_description_comes_over_the_wire_whole(told):
    assert read_reply("describe", {"protocol": PROTOCOL, **to_wire(told)}) == told


@pytest.mark.parametrize(("ready", "pending"), [(True, 0), (False, 3)])
def test_settling_comes_over_the_wire(ready, pending):
    assert read_reply("settle", to_wire(Settled(ready, pending))) == Settled(ready, pending)
    assert read_reply("settle", {"ready": ready}) == Settled(ready, 0)


REPLIES = {
    "describe": {"protocol": 1, "name": "s", "version": "1"},
    "ingest": {"accepted": 1},
    "settle": {"ready": True},
    "recall": {"items": []},
    "dump": {"items": []},
    "tools": {"tools": []},
    "call": {"text": "x"},
    "answer": {"text": "x"},
}


@pytest.mark.parametrize("verb", list(REPLIES))
def test_a_reply_without_what_it_must_hold_is_refused(verb):
    assert read_reply(verb, REPLIES[verb]) is not None
    for name in REPLIES[verb]:
        less = {key: value for key, value in REPLIES[verb].items() if key != name}
        with pytest.raises(MemoryFault, match=f"its reply has no `{name}`") as refusal:
            read_reply(verb, less)
        assert refusal.value.verb == verb


@pytest.mark.parametrize("verb", list(READINGS))
@pytest.mark.parametrize("wrong", ["text", 1.5, ["x"], {"a": 1}])
def test_a_field_of_another_kind_is_named(verb, wrong):
    for name, kind in READINGS[verb].fields.items():
        if isinstance(wrong, kind):
            continue
        with pytest.raises(MemoryFault, match=f"`{name}` of its reply is"):
            read_reply(verb, REPLIES.get(verb, {}) | {name: wrong})


def test_a_truth_is_no_number_and_a_number_no_truth():
    for reply, name in (({"accepted": True}, "accepted"), ({"calls": True}, "calls")):
        verb = "ingest" if name == "accepted" else "usage"
        with pytest.raises(MemoryFault, match=f"`{name}` of its reply is True, not a"):
            read_reply(verb, reply)
    with pytest.raises(MemoryFault, match="`ready` of its reply is 1, not true or false"):
        read_reply("settle", {"ready": 1})


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("text", "item 2 has no text: 'text'"),
        ({"score": 1}, "item 2 has no text"),
        ({"text": 7}, "item 2 has no text"),
        ({"text": "a", "score": "high"}, "the score of item 2 is 'high', not a number"),
        ({"text": "a", "score": True}, "the score of item 2 is True, not a number"),
    ],
)
def test_an_item_that_is_none_is_counted_out(entry, words):
    with pytest.raises(MemoryFault) as refusal:
        read_reply("recall", {"items": [{"text": "first"}, entry]})
    assert words in str(refusal.value)
    assert refusal.value.verb == "recall"


@pytest.mark.parametrize("reply", [None, 7, [], "ok"])
def test_what_is_no_object_is_no_reply(reply):
    with pytest.raises(MemoryFault, match="the reply is no JSON object"):
        read_reply("reset", reply)


def test_an_error_is_told_in_the_systems_words_and_cut():
    with pytest.raises(MemoryFault, match="it says: no such bank"):
        read_reply("recall", {"error": "no such bank", "items": []})
    with pytest.raises(MemoryFault) as refusal:
        read_reply("recall", {"error": "x" * 10_000})
    assert len(str(refusal.value)) < 2_100


# ---------------------------------------------------------------- served


class Kept(Memory):
    """A list for a bank."""

    def __init__(self):
        self.banks: dict[str, list[Event]] = {}
        self.closed = False

    def describe(self):
        return Description("kept", "1", optional=("dump",))

    def reset(self, bank):
        self.banks[bank] = []

    def ingest(self, bank, events):
        self.banks[bank] += events
        return len(events)

    def recall(self, bank, query, k, at=None):
        return Recalled(tuple(Item(event.text) for event in self.banks[bank][:k]))

    def dump(self, bank):
        return [Item(event.text) for event in self.banks[bank]]

    def close(self):
        self.closed = True


EVENT = {"id": "e1", "at": "2025-01-01", "speaker": "Ada", "text": "I sailed."}


def test_every_verb_is_acted_on():
    memory = Kept()
    assert act(memory, {"verb": "describe"}) == {
        "protocol": PROTOCOL,
        **to_wire(memory.describe()),
    }
    assert act(memory, {"verb": "reset", "bank": "b"}) == {}
    assert act(memory, {"verb": "ingest", "bank": "b", "events": [EVENT, EVENT]}) == {"accepted": 2}
    assert act(memory, {"verb": "settle", "bank": "b", "timeout": 1}) == {
        "ready": True,
        "pending": 0,
    }
    told = act(memory, {"verb": "recall", "bank": "b", "query": "?", "k": 1})
    assert told == {"items": [{"text": "I sailed."}]}
    assert len(act(memory, {"verb": "dump", "bank": "b"})["items"]) == 2
    assert act(memory, {"verb": "usage"})["calls"] == 0
    assert act(memory, {"verb": "close"}) == {}
    assert memory.closed


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"verb": "fly"}, "no verb of memory protocol 1"),
        (["recall"], "no verb of memory protocol 1"),
        (None, "no verb of memory protocol 1"),
        ({"verb": "recall", "query": "?", "k": 1}, "`recall` needs a bank"),
        ({"verb": "recall", "bank": "", "query": "?", "k": 1}, "`recall` needs a bank"),
        (
            {"verb": "recall", "bank": "b", "query": "?", "k": 0},
            "k is 0; it must be a whole number",
        ),
        ({"verb": "recall", "bank": "b", "query": "?", "k": True}, "k is True"),
        ({"verb": "recall", "bank": "b", "query": "?", "k": 1.5}, r"k is 1\.5"),
        ({"verb": "ingest", "bank": "b", "events": [{"id": "e"}]}, "an event's at is missing"),
        ({"verb": "ingest", "bank": "b", "events": [EVENT | {"text": 7}]}, "an event's text is"),
    ],
)
def test_a_request_that_is_wrong_is_refused_in_words(asked, words):
    memory = Kept()
    memory.reset("b")
    with pytest.raises(ValueError, match=words):
        act(memory, asked)
    assert memory.banks == {"b": []}


def test_a_wrapper_hands_on_every_verb_and_nothing_else():
    inner = Kept()
    wrapped = Wrapped(inner)
    wrapped.reset("b")
    assert wrapped.ingest("b", [Event(**EVENT)]) == 1
    assert wrapped.settle("b", 1.0) == Settled()
    assert wrapped.recall("b", "?", 1).items[0].text == "I sailed."
    assert wrapped.dump("b")[0].text == "I sailed."
    assert wrapped.usage() == Usage()
    assert wrapped.describe() == inner.describe()
    wrapped.close()
    assert inner.closed
    for name in ("tools", "fly"):
        with pytest.raises(AttributeError):
            getattr(wrapped, name)
    assert not set(VERBS) & set(OPTIONAL)


def test_a_fault_is_an_outcome_and_any_other_error_is_none():
    def fails():
        raise MemoryFault("it died", verb="recall", bank="b", gone=True)

    outcome = at_once("r", {}, fails)
    assert (outcome.ok, outcome.error, outcome.value) == (False, "it died", None)
    assert at_once("r", {}, lambda: {"a": 1}).value == {"a": 1}
    with pytest.raises(ZeroDivisionError):
        at_once("r", {}, lambda: 1 / 0)
    fault = MemoryFault("x")
    assert (fault.verb, fault.bank, fault.gone) == ("", "", False)
    assert np.isfinite(outcome.seconds)
