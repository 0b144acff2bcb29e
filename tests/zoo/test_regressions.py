"""A fault in one of our own instruments turns its column dark: the zoo is a test of the ruler.

Each regression is planted in the product's own code, as a careless edit would: a sign, b and c, the
sham, a check that says nothing. The column then sees no fault, or cries wolf and counts none.
"""

from __future__ import annotations

import pandas as pd
import pytest
from support.small_zoo import FEW, measured
from veridical.memories import cells, conformance, receipts, stages
from veridical.memories.plan import VERIDICAL
from veridical.memories.updates import keeps_both, keeps_dates, keeps_near_apart
from veridical.statistics import student
from veridical.zoo import controls, scores
from veridical.zoo.counting import tables
from veridical.zoo.instruments import instruments

# For each of our columns a fault that it sees, and one study in which it does.
SEES = {
    "reset": "never-resets",
    "isolation": "first-life",
    "repeat": "unstable",
    "readiness": "writes-late",
    "admission": "writes-late",
    "sham": "unstable",
    "stored": "rebinds",
    "invented": "invents",
    "dates": "moves-dates",
    "updates": "keeps-last",
    "control1": "truncates",
    "control2": "first-life",
    "control3": "drops-partner",
}


def column(name: str, fault: str, studies: int = 4) -> pd.Series:
    """One instrument's row: `seen` of the one fault, `void`, and the false alarms."""
    every = [each for each in instruments() if each.key in (name, "recall")]
    found = tables(measured([fault], studies, every, sound=("words", "facts"), around=("words",)),
                   every)  # fmt: skip
    return found["instruments"].set_index("instrument").loc[name]


@pytest.mark.parametrize(("name", "fault"), SEES.items())
def test_each_column_sees_its_fault_and_leaves_sound_memories_alone(name, fault):
    row = column(name, fault)
    assert row["seen"] == 1
    assert row["false_share"] == 0
    assert not row["void"]


def flip_sign(monkeypatch):
    """More right from the true bank is taken for fewer."""
    right = cells._tested

    def flipped(table):
        return right(table.rename(columns={"b": "c", "c": "b"}))

    monkeypatch.setattr(cells, "_tested", flipped)


def swap_pairs(monkeypatch):
    """The swapped bank's answers are counted as the true bank's, and the other way."""
    right = controls.count_cell

    def swapped(seen, name):
        found = right(seen, name)
        return found | {"b": found["c"], "c": found["b"]}

    monkeypatch.setattr(controls, "count_cell", swapped)


def test_a_flipped_sign_makes_control_3_cry_wolf_and_count_for_nothing(monkeypatch):
    flip_sign(monkeypatch)
    row = column("control3", "drops-partner")
    assert row["false_share"] == 1
    assert row["void"]
    assert row["seen"] == 0


def test_b_and_c_exchanged_make_control_3_count_for_nothing(monkeypatch):
    swap_pairs(monkeypatch)
    row = column("control3", "drops-partner")
    assert row["void"]
    assert row["seen"] == 0


def test_control_3_that_calls_everything_followed_sees_nothing(monkeypatch):
    monkeypatch.setattr(
        cells, "verdicts", lambda table: pd.Series(["follows"] * len(table), table.index)
    )
    row = column("control3", "drops-partner")
    assert row["seen"] == 0
    assert not row["void"]


def test_without_the_sham_nobody_sees_that_a_memory_is_not_deterministic(monkeypatch):
    monkeypatch.setattr(stages, "differing", lambda plan, observed: [])
    monkeypatch.setattr(controls, "SHAM", VERIDICAL)
    assert column("sham", "unstable")["seen"] == 0


def test_control_1_with_its_sign_flipped_counts_for_nothing(monkeypatch):
    right = controls.likeness
    monkeypatch.setattr(controls, "likeness", lambda reply, entry: -right(reply, entry))
    row = column("control1", "truncates")
    assert row["void"]
    assert row["seen"] == 0


def test_control_1_that_tells_everything_apart_sees_nothing(monkeypatch):
    monkeypatch.setattr(student.Estimate, "p_apart", lambda self, value=0.0: self.mean * 0)
    monkeypatch.setattr(controls, "likeness", lambda reply, entry: float("2025" in entry) + 1.0
                        if "shuffled" not in reply else 0.0)  # fmt: skip
    row = column("control1", "truncates")
    assert row["void"]  # nothing differs, not even for a sound memory


def says_nothing(subject):
    yield from ()


@pytest.mark.parametrize(
    ("name", "fault", "checks"),
    [
        (
            "reset",
            "never-resets",
            ("a new bank is empty", "reset empties a bank, and that bank alone"),
        ),
        ("repeat", "unstable", ("the same query gives the same items",)),
        (
            "updates",
            "keeps-last",
            (
                "a topic told twice is kept twice",
                "near topics are kept apart",
                "a date is kept as it was told",
            ),
        ),
    ],
)  # fmt: skip
def test_a_check_that_says_nothing_leaves_its_column_dark(monkeypatch, name, fault, checks):
    for check in checks:
        monkeypatch.setitem(conformance.CHECKS, check, says_nothing)
    row = column(name, fault)
    assert row["seen"] == 0
    assert not row["void"]


def test_a_receipt_that_finds_all_intact_sees_nothing(monkeypatch):
    monkeypatch.setattr(
        receipts, "compare", lambda bank, dump, partners: (["intact"] * len(bank.entries), 0)
    )
    assert column("stored", "rebinds")["seen"] == 0
    assert column("invented", "invents")["seen"] == 0


def test_canaries_that_are_not_looked_for_let_banks_mix(monkeypatch):
    monkeypatch.setattr(receipts, "leaks", lambda plan, bank, observed: [])
    monkeypatch.setitem(conformance.CHECKS, "banks are kept apart", says_nothing)
    assert column("isolation", "first-life")["seen"] == 0


def test_a_store_that_is_not_looked_at_later_is_ready(monkeypatch):
    monkeypatch.setattr(receipts, "late", lambda bank, observed: [])
    for check in ("events are accepted and settle", "what was ingested is found"):
        monkeypatch.setitem(conformance.CHECKS, check, says_nothing)
    assert column("readiness", "writes-late")["seen"] == 0


def test_a_chance_that_nothing_beats_hides_what_is_known_without_memory(monkeypatch):
    monkeypatch.setattr(controls, "check_chance", lambda counts, chance, alpha: (1.0, True))
    assert column("control2", "first-life")["seen"] == 0


def test_dates_that_are_not_compared_hide_what_moved(monkeypatch):
    monkeypatch.setattr(controls, "_moved", lambda bank, dump, partners: 0)
    assert column("dates", "moves-dates")["seen"] == 0


def test_a_score_that_ranks_upside_down_sees_nothing(monkeypatch):
    """recall@k of what is not found: a sound memory scores 0, a faulty one more."""
    right = scores.recall
    flipped = [
        each if each.key != "recall" else each.__class__(
            "recall", "others", "scores", lambda seen: 1 - right(seen))
        for each in instruments() if each.key in ("control3", "recall")
    ]  # fmt: skip
    found = tables(
        measured(["silence"], FEW, flipped, sound=("words",), around=("words",)), flipped
    )
    row = found["instruments"].set_index("instrument").loc["recall"]
    assert row["seen"] == 0


def test_the_checks_of_updates_are_the_ones_that_are_run():
    for check in (keeps_both, keeps_near_apart, keeps_dates):
        assert check in conformance.CHECKS.values()
