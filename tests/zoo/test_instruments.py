"""What each instrument reads off a study: counted by hand from what is planted."""

from __future__ import annotations

import pytest
from support.memory_study import corpus
from support.small_zoo import life, seen
from veridical.documents.rebinding import rebind
from veridical.memories.cells import cells
from veridical.memories.faults import plant
from veridical.memories.plan import EMPTY, SHAM, VERIDICAL
from veridical.memories.protocol import Item, Recalled, Wrapped
from veridical.zoo import controls, scores
from veridical.zoo.instruments import instruments
from veridical.zoo.seen import read_recall
from veridical.zoo.stores import Words

SWAPPED = "binding-corrupted"
OURS = {each.key: each for each in instruments() if each.group == "ours"}


def told(found) -> set[str]:
    """Which of our deciding instruments notice something in one study."""
    noticed = set()
    for key, each in OURS.items():
        if each.kind == "decides":
            value = each.see(found)
            value = each.conclude([value])[0] if each.conclude else value
            noticed |= {key} if value else set()
    return noticed


@pytest.mark.parametrize("kind", ["words", "vectors", "facts", "whole"])
def test_nothing_is_noticed_of_a_sound_memory(kind):
    assert told(seen(kind=kind)) == set()


NOTICED = {  # by hand: what must notice each fault, and what may as well by chance
    "drops-partner": ({"stored", "control3"}, set()),
    "rebinds": ({"stored"}, {"control3"}),
    "merges": ({"updates"}, set()),
    "moves-dates": ({"dates"}, {"updates"}),
    "keeps-last": ({"updates"}, set()),
    "invents": ({"invented"}, set()),
    "stale-cache": ({"reset"}, set()),
    "never-resets": ({"reset"}, set()),
    "truncates": ({"control1", "control3"}, set()),
    "first-life": (
        {"reset", "isolation", "admission", "updates", "control1", "control2", "control3"},
        set(),
    ),
    "silence": ({"readiness", "admission", "control1", "control3"}, set()),
}


@pytest.mark.parametrize(("fault", "expected"), NOTICED.items())
def test_a_fault_is_noticed_where_it_shows_and_nowhere_else(fault, expected):
    must, may = expected
    found = told(seen(fault, 1.0 if fault == "moves-dates" else None))
    assert must <= found <= must | may


def test_scores_are_shares_of_the_probes():
    found = seen("silence")
    assert scores.recall(found) == scores.accuracy(found) == scores.matched(found) == 0
    sound = seen()
    assert scores.recall(sound) == 1
    assert scores.gap(sound) == scores.accuracy(sound) == 1
    assert scores.found(sound) == 1


def test_a_fault_that_spoils_the_partner_alone_leaves_recall_at_k_whole():
    """What is found is the entry asked about; whom it names, recall@k never asks."""
    found = seen("drops-partner")
    assert scores.recall(found) == 1
    assert scores.accuracy(found) == scores.matched(found) == scores.found(found) == 0


def test_accuracy_counts_what_was_bound_rightly():
    found = seen("rebinds", 0.3)
    names = {entry.topic: entry.partner for entry in life().banks[0].entries}
    dump = found.observed[f"ingest/{VERIDICAL}"].value["dump"]
    right = 0
    for query in life().probes:
        line = next(text for text in dump if query.topic in text)
        right += names[query.topic] in line
    assert scores.accuracy(found) == right / 24
    assert 0.3 < scores.accuracy(found) < 1


def test_the_gap_is_closed_where_an_empty_bank_knows_as_much():
    found = seen("first-life")
    assert scores.accuracy(found) == 1
    assert scores.gap(found) == 0


def test_recall_is_told_by_the_source_where_there_is_one_else_by_the_topic():
    """An invented item about the topic is no gold evidence; a context has no sources."""

    class Made(Wrapped):
        def recall(self, bank, query, k, at=None):
            return Recalled((Item(f"met Llama about {query}", sources=("x",)),))

    assert scores.recall(seen(around=lambda: Made(Words()))) == 0
    assert scores.recall(seen("fluent-guess")) == 1  # no source, so its topic counts
    assert scores.recall(seen(kind="whole")) == 1


def test_a_reader_with_a_habit_takes_the_option_offered_first():
    found = seen("first-option")
    for answer in found.of(VERIDICAL):
        assert answer.answer == answer.options[0] == answer.reply
        assert answer.recalled == ()
    assert scores.accuracy(found) == 0.5  # the true one is offered first in half
    assert {each.answer for each in seen("silence").of(VERIDICAL)} == {None}


def test_the_counts_of_a_cell_are_the_products_own():
    """The zoo's counts, judged as the study judges its cells, against the study's own table."""
    import pandas as pd

    for fault, strength in (("rebinds", 0.3), ("silence", 0.5), ("first-life", 1.0)):
        found = seen(fault, strength)
        rows = [
            {
                "system": "x",
                "reader": "ideal",
                "corpus": "A",
                "document": each.document,
                "probe_id": each.probe_id,
                "state": "abstained" if each.answer is None else "ok",
                "answer": each.answer,
                "true_partner": each.true,
                "document_partner": each.bound,
                "correct": None if each.answer is None else each.right,
                "first_option": each.options[0],
                "place": at,
            }
            for document in (VERIDICAL, SWAPPED, EMPTY)
            for at, each in enumerate(found.of(document))
        ]
        table = cells(pd.DataFrame(rows), {}, {"A": [SWAPPED]}, ["x"], {"A": 2})
        own = table.iloc[0]
        counted = controls.count_cell(found, SWAPPED)
        for name in ("n", "true_right", "true_answered", "swapped_right", "swapped_named",
                     "empty_right", "empty_answered", "b", "c"):  # fmt: skip
            assert counted[name] == own[name], (fault, name)
        assert controls.control3([controls.count_cells(found)]) == [own["verdict"] != "follows"]


def test_control_3_corrects_over_the_declared_cells():
    """b = 6 of 24 and the rest answered as either bank has it: p = 2 / 2^6 = 0.031."""
    counts = {
        "n": 24, "true_right": 24, "true_answered": 24, "swapped_right": 18,
        "swapped_answered": 24, "swapped_named": 6, "empty_right": 0, "empty_answered": 0,
        "b": 6, "c": 0, "both": 18, "neither": 0,
    }  # fmt: skip
    strong = counts | {"swapped_right": 0, "swapped_named": 24, "b": 24, "both": 0}
    cell = tuple(strong.items())
    assert controls.control3([(2, 1, (cell,)), (2, 4, (cell,))]) == [False, False]
    edge = counts | {  # 18 of 24 from each: P(Bin(24, .55) >= 18) = 0.036
        "true_right": 18, "true_answered": 18, "swapped_right": 0, "swapped_answered": 18,
        "swapped_named": 18, "b": 18, "both": 0, "neither": 6,
    }  # fmt: skip
    cell = tuple(edge.items())
    assert controls.control3([(2, 1, (cell,)), (2, 2, (cell,))]) == [False, True]
    assert controls.control3([(2, 2, (cell,)), (2, 1, (cell,))]) == [True, False]


def test_likeness_is_the_harmonic_mean_of_both_shares():
    assert controls.likeness("a b c d", "a b") == pytest.approx(2 * (2 / 4) * 1 / (2 / 4 + 1))
    assert controls.likeness("", "a b") == controls.likeness("a", "") == 0
    assert controls.likeness("Met Al", "met al") == 1


def test_a_moved_date_counts_where_the_entry_itself_is_found():
    bank = life().banks[0]
    texts = tuple(event.text for event in bank.events)
    assert controls._moved(bank, texts, life().partners) == 0
    entry = bank.entries[0]
    day = next(event.at for event in bank.events if event.id == entry.event_id)
    moved = tuple(text.replace(day, "1999-01-01") for text in texts)
    same = sum(event.at == day and event.id != "canary" for event in bank.events)
    assert controls._moved(bank, moved, life().partners) == same
    undated = tuple(text[13:] for text in texts)
    assert controls._moved(bank, undated, life().partners) == 0
    assert controls._moved(bank, (), life().partners) == 0


def test_the_sham_is_compared_by_what_came_back_not_by_answers_alone():
    """The same answers from items in another order differ."""

    class Turns(Wrapped):
        def recall(self, bank, query, k, at=None):
            items = self.inner.recall(bank, query, k, at).items
            return Recalled(items if bank == life().bank(VERIDICAL).name else items[:1])

    found = seen(around=lambda: Turns(Words()))
    assert [each.answer for each in found.of(VERIDICAL)] == [each.answer for each in found.of(SHAM)]
    assert controls.sham(found)


def test_what_a_reader_answers_from_is_the_first_line_on_the_topic():
    read, line = read_recall(("met Bo: soup", "met Al: tea\nmet Bo: tea"), "tea", ("Al", "Bo"))
    assert line == "met Al: tea"
    assert read.partner is None  # two lines of one item name two
    assert read_recall((), "tea", ("Al", "Bo"))[1] == ""


def test_a_system_that_dies_has_noticed_faults_and_no_answers():
    class Dies(Wrapped):
        def recall(self, bank, query, k, at=None):
            from veridical.memories.protocol import MemoryFault

            raise MemoryFault("it died", verb="recall", bank=bank)

    found = seen(around=lambda: Dies(Words()))
    assert scores.accuracy(found) == 0
    assert {"admission", "control3", "reset"} <= told(found)


def test_every_partner_of_three_is_swapped_in(tmp_path):
    """With three partners there are two swapped documents, and the smallest of the banks counts."""
    assert rebind(corpus(), SWAPPED) != corpus().memory_block
    counts = controls.count_cells(seen())
    assert counts[0] == 2
    assert len(counts[2]) == 1


def test_plant_is_what_the_zoo_plants():
    assert plant("silence", Words()).side == "none"
