"""A life before it goes into a store: its events, its facts, and what nobody could read off it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from support.histories import EVENTS, FACTS, SETTINGS, write_history
from support.memory_study import ROOT, sound
from veridical.control3.symmetric import draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.rebinding import bindings, rebind
from veridical.memories import readers, receipts
from veridical.memories.asks import _visited
from veridical.memories.entries import told
from veridical.memories.plan import CANARY, CONTROL3, EMPTY, VERIDICAL, Plan, balanced, make_plan
from veridical.memories.visit import Visit

SWAPPED = "binding-corrupted"
ROPE = "the rope,box,blue,e3,,\n"


def life(folder, **changed):
    return read_corpus(write_history(folder, **changed))


def in_shape(folder, shape, **changed):
    return life(folder, corpus_yaml=SETTINGS + f"memory: {shape}\n", **changed)


def planned(corpus, n=9, k=3) -> Plan:
    documents = {VERIDICAL: corpus.memory_block, SWAPPED: rebind(corpus, SWAPPED)}
    probes = draw_probes(corpus, n, np.random.default_rng(1))
    return make_plan(corpus, documents, probes, k, np.random.default_rng(2))


@pytest.fixture(scope="module", params=["Livia", "Defne"])
def shipped(request):
    return read_corpus(ROOT / "data/corpora" / request.param)


def test_lines_go_in_one_fact_an_event_in_date_order(tmp_path):
    corpus = in_shape(tmp_path, "lines")
    events, entries = told(corpus, VERIDICAL, corpus.memory_block)
    assert [(e.id, e.at, e.speaker, e.text) for e in events[:2]] == [
        ("e001", "2025-03-01", "Memo", "2025-03-01 — the lamp is in the red box"),
        ("e002", "2025-03-01", "Memo", "2025-03-01 — the rope is in the blue box"),
    ]
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert len(events) == 7  # facts.csv has eight, and one is to come
    # The lamp has moved, the bell is gone: neither is asked about. The rope's move is to come.
    assert [(e.topic, e.partner) for e in entries] == [
        ("the rope", "blue"),
        ("the kite", "green"),
        ("the drum", "red"),
    ]


def test_turns_go_in_as_they_were_said_with_day_and_speaker():
    corpus = read_corpus(ROOT / "data/corpora/Defne")
    events, entries = told(corpus, VERIDICAL, corpus.memory_block)
    assert len(events) == len(corpus.events) == 15
    assert (events[0].at, events[0].speaker) == ("2025-04-05", "Defne")
    assert events[0].text == (
        "[2025-04-05T10:00] Defne: Atölyeyi topluyorum. Bakır cezve için yer: üst raf."
    )
    assert events[2].speaker == "Not Defteri"
    assert (entries[0].event_id, entries[0].topic, entries[0].partner) == (
        "e002",
        "pirinç terazi",
        "orta raf",
    )  # the coffee pot of e001 has changed its shelf since


def test_who_speaks_is_exchanged_with_the_words_where_that_is_what_is_asked(tmp_path):
    events = "id,time,speaker,text,session\n" + "".join(
        f"m{n},2025-03-0{n},{who},The {thing} was sold.,1\n"
        for n, (who, thing) in enumerate(
            (("Ada", "lamp"), ("Bo", "rope"), ("Ada", "kite"), ("Bo", "drum")), start=1
        )
    )
    facts = "subject,attribute,value,event,valid_from,valid_to\n" + "".join(
        f"The {thing} was sold,speaker,{who},m{n},,\n"
        for n, (who, thing) in enumerate(
            (("Ada", "lamp"), ("Bo", "rope"), ("Ada", "kite"), ("Bo", "drum")), start=1
        )
    )
    settings = SETTINGS.replace("asked: box", "asked: speaker").replace("  box:", "  speaker:")
    settings = settings.replace("In which box is {subject} now?", "Who said: {subject}?")
    settings = settings.replace("{subject} is in the {value} box", "{value}: {subject}")
    corpus = life(
        tmp_path, corpus_yaml=settings + "memory: turns\n", events_csv=events, facts_csv=facts
    )
    swapped, _ = told(corpus, SWAPPED, rebind(corpus, SWAPPED))
    assert [event.speaker for event in swapped] == ["Bo", "Ada", "Bo", "Ada"]
    assert swapped[0].text == "[2025-03-01] Bo: The lamp was sold."


def test_paragraphs_and_profiles_go_in_by_day_and_by_subject(tmp_path):
    two = in_shape(tmp_path / "two", "paragraphs")
    with pytest.raises(ValueError, match=r"1 facts no line says the box.*'the rope' \(e001\)"):
        told(two, VERIDICAL, two.memory_block)
    apart = EVENTS.replace("e3,2025-03-01T09:10", "e3,2025-03-01T23:10").replace(
        "e1,2025-03-01", "e1,2025-02-01"
    )
    days = in_shape(tmp_path / "days", "paragraphs", events_csv=apart, facts_csv=FACTS.replace(
        "the bell,box,red,e3,,2025-05-05\n", ""
    ))  # fmt: skip
    events, entries = told(days, VERIDICAL, days.memory_block)
    assert [event.at for event in events] == [
        "2025-02-01", "2025-03-01", "2025-03-02", "2025-04-01", "2025-05-01",
    ]  # fmt: skip
    assert Counter(entry.event_id for entry in entries) == {"e002": 1, "e003": 1, "e005": 1}

    list_of = in_shape(tmp_path / "subjects", "profile")
    events, entries = told(list_of, VERIDICAL, list_of.memory_block)
    assert [event.text.split("\n")[0] for event in events] == [
        "the rope", "the bell", "the kite", "the lamp", "the drum",
    ]  # fmt: skip
    lamp = events[3]
    assert lamp.at == "2025-04-01"  # the later of its two facts
    assert "red" in lamp.text
    assert "blue" in lamp.text


def test_what_a_brought_memory_says_besides_stays_where_it_stood(tmp_path):
    text = "About Ada.\n\nThe rope lies in the blue box.\nShe likes order.\n"
    text += "In the green box: the kite."
    corpus = life(tmp_path, memory_txt=text + "\nThe drum is in the red box.\n")
    events, entries = told(corpus, VERIDICAL, corpus.memory_block)
    assert [(event.at, event.text) for event in events] == [
        ("2025-03-01", "About Ada."),
        ("2025-03-01", "The rope lies in the blue box."),
        ("2025-03-01", "She likes order."),
        ("2025-03-02", "In the green box: the kite."),
        ("2025-05-01", "The drum is in the red box."),
    ]
    assert [entry.event_id for entry in entries] == ["e002", "e004", "e005"]


def test_the_swapped_life_differs_in_every_value_and_in_nothing_else(shipped):
    plan = planned(shipped)
    true, false = plan.bank(VERIDICAL), plan.bank(SWAPPED)
    assert [(e.event_id, e.topic) for e in true.entries] == [
        (e.event_id, e.topic) for e in false.entries
    ]
    assert all(a.partner != b.partner for a, b in zip(true.entries, false.entries, strict=True))
    given = bindings(shipped, SWAPPED)
    rows = shipped.asked_about()
    assert {e.topic: e.partner for e in false.entries} == {
        topic: given[id] for id, topic in zip(rows["encounter_id"], rows["topic"], strict=True)
    }
    own = [
        (e.at, e.speaker, [word for word in e.text.split() if word.strip(".,:") not in VALUES])
        for bank in (true, false)
        for e in bank.events
        if e.id != CANARY
    ]
    assert own[: len(own) // 2] == own[len(own) // 2 :]


VALUES = {"verde", "grigia", "bianca", "üst", "orta", "alt"}


def test_a_sound_store_holds_and_gives_back_a_life(shipped):
    plan = planned(shipped)
    assert Plan.from_json(plan.to_json()) == plan
    observed = Visit(plan, sound, settle=5).run()
    rows = {row["document"]: row for row in receipts.bank_rows(plan, observed)}
    for document in (VERIDICAL, SWAPPED):
        row = rows[document]
        assert row["intact"] == row["entries"] == len(shipped.asked_about())
        assert (row["invented"], row["admitted"]) == (0, True)
    for row in readers.ideal_rows(plan, observed):
        if row["document"] != EMPTY:
            assert row["answer"] == row["document_partner"]
    found = [row for row in readers.recall_rows(plan, observed) if row["document"] == SWAPPED]
    assert {row["rank"] for row in found} <= {1, 2, 3}
    assert all(row["stored"] for row in found)


def test_a_line_that_nobody_told_is_invented_and_one_that_is_no_fact_is_not(shipped):
    bank = planned(shipped).bank(VERIDICAL)
    dump = [event.text for event in bank.events]
    assert receipts.compare(bank, dump, shipped.partners)[1] == 0
    more = [*dump, "Somebody painted the moon with a broom."]
    assert receipts.compare(bank, more, shipped.partners)[1] == 1


def test_a_value_moved_in_the_store_is_altered(shipped):
    bank = planned(shipped).bank(VERIDICAL)
    first = bank.entries[0]
    other = next(value for value in shipped.partners if value != first.partner)
    dump = [
        event.text.replace(first.partner, other) if event.id == first.event_id else event.text
        for event in bank.events
    ]
    states, _ = receipts.compare(bank, dump, shipped.partners)
    assert (states[0], set(states[1:])) == ("altered", {"intact"})


def test_probes_of_unequal_values_keep_their_shares_when_fewer_are_read():
    corpus = read_corpus(ROOT / "data/corpora/Livia")
    probes = planned(corpus, 9).probes
    whole = Counter(probe.true_partner for probe in probes)
    assert sorted(whole.values()) == [2, 3, 4]
    # Of six, by largest remainders: 2 2/3, 2 and 1 1/3.
    kept = balanced(probes, 6)
    counts = Counter(probe.true_partner for probe in kept)
    assert {whole[value]: n for value, n in counts.items()} == {4: 3, 3: 2, 2: 1}
    assert [probe.id for probe in balanced(probes, 50)] == [probe.id for probe in probes]
    assert balanced(probes, None) == list(probes)


def test_what_goes_in_and_is_asked_is_counted_beforehand(shipped):
    """Without a canary the plan has as many events; two documents, the true one twice."""
    config = {
        "control3": {"probes": 9, "document_encounters": 30},
        "memories": {},
        "documents": {"foreign_seeds": [], "shuffled_seeds": []},
    }
    plan = planned(shipped)
    queries = sum(len(plan.asked_of(bank)) for bank in plan.banks)
    events = sum(len(bank.events) for bank in plan.banks)
    assert _visited(config, shipped, [CONTROL3]) == (events, queries)


@pytest.mark.parametrize("shape", ["lines", "turns", "paragraphs", "profile"])
def test_a_document_that_is_not_the_lifes_own_is_refused(tmp_path, shape):
    settings = {"facts_csv": FACTS.replace(ROPE, "")} if shape == "turns" else {}
    settings |= {"events_csv": EVENTS} if shape == "turns" else {}
    corpus = in_shape(tmp_path, shape, **settings)
    with pytest.raises(ValueError, match="is not what its facts give; delete it"):
        told(corpus, VERIDICAL, corpus.memory_block.replace("green", "red"))


def test_a_life_goes_in_whole(tmp_path):
    corpus = in_shape(tmp_path, "lines")
    with pytest.raises(ValueError, match="a life goes in whole; take `entries` out of memories"):
        told(corpus, VERIDICAL, corpus.memory_block, topics={"the rope"})


def test_a_fact_that_no_line_says_by_itself_is_named_with_what_to_do(tmp_path):
    """One turn says two values, so that no string match can tell whose is whose."""
    corpus = in_shape(tmp_path, "turns")
    with pytest.raises(ValueError, match=r"corpus .*, document veridical") as refused:
        told(corpus, VERIDICAL, corpus.memory_block)
    message = str(refused.value)
    assert "of 1 facts no line says the box beside the subject" in message
    assert "'the rope' (e003)" in message
    assert "or set `memory: lines` in corpus.yaml" in message


def test_a_value_within_another_is_refused_by_both_names(tmp_path):
    facts = FACTS.replace("the kite,box,green,e4", "the kite,box,dark red,e4")
    events = EVENTS.replace("The kite is in the green box", "The kite is in the dark red box")
    corpus = in_shape(tmp_path, "lines", facts_csv=facts, events_csv=events)
    with pytest.raises(
        ValueError, match=r"the box 'red' stands in 'dark red' too.*name them other"
    ):
        told(corpus, VERIDICAL, corpus.memory_block)
