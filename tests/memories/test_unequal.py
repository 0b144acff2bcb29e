"""Cells of a life through a store: chance from the counts, by hand; what few answers can't tell."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.documents.corrupted import COUNTED
from veridical.memories.cells import cells
from veridical.memories.unequal import UNEQUAL, count_unequal

T, F = "veridical", "binding-corrupted"
KEYS = ["system", "corpus", "reader"]
TRUE = "RRRRGGGBB"  # red four times, green three, blue two
SWAPPED = "GGGBRRBRR"  # each value as often, none as it was


def answers(true: str, swapped: str, none: str, own: str = TRUE, bound: str = SWAPPED):
    """Answers a letter a probe, `.` for none."""
    rows = []
    for document, said in ((T, true), (F, swapped), ("none", none)):
        for number, (letter, value, other) in enumerate(zip(said, own, bound, strict=True)):
            answer = None if letter == "." else letter
            rows.append(
                {
                    "system": "s",
                    "corpus": "L",
                    "reader": "ideal",
                    "document": document,
                    "probe_id": f"p{number}",
                    "state": "ok" if answer else "abstained",
                    "answer": answer,
                    "true_partner": value,
                    "document_partner": {T: value, F: other}.get(document),
                    "correct": None if answer is None else answer == value,
                    "first_option": "R",
                }
            )
    return pd.DataFrame(rows)


def cell(*said: str) -> pd.Series:
    return cells(answers(*said), {}, {"L": [F]}, ["s"], {"L": COUNTED}).iloc[0]


def matches(named: str, true: str) -> list[int]:
    """The number of matches in every order of the values, by enumeration."""
    return [sum(a == b for a, b in zip(named, order, strict=True)) for order in permutations(true)]


def at_most(hits: int, named: str, true: str) -> Fraction:
    counts = matches(named, true)
    return Fraction(sum(count <= hits for count in counts), len(counts))


def test_the_fixture_swaps_every_value():
    assert all(a != b for a, b in zip(TRUE, SWAPPED, strict=True))


def test_chance_is_the_most_frequent_values_share():
    assert cell(TRUE, SWAPPED, "." * 9)["chance"] == pytest.approx(4 / 9)


def test_a_store_that_gives_back_what_went_in_follows():
    found = cell(TRUE, SWAPPED, "." * 9)
    assert (found["verdict"], found["b"], found["c"]) == ("follows", 9, 0)
    assert found["p_use"] == pytest.approx(2 / 2**9)  # the matching's p is far smaller
    assert not found["alarm"]


def test_one_name_throughout_is_chance_although_it_is_right_in_four_of_nine():
    """With equal shares red throughout would be right as often as 4 of 9 at one in three."""
    found = cell("R" * 9, "R" * 9, "R" * 9)
    assert found["verdict"] == "not shown"
    assert (found["empty_p"], found["p_use"]) == (1.0, 1.0)


def test_the_empty_banks_p_is_that_of_a_matching():
    """Five given, all right: the green one can be laid beside them at five places."""
    found = cell(TRUE, SWAPPED, "RRRRG....")
    assert found["empty_p"] == pytest.approx(1 / 5)


def test_few_right_from_the_true_bank_is_an_alarm_by_enumeration():
    own, named = "RRRGGB", "GGBRRG"
    table = count_unequal(answers(named, "......", "......", own, own), F, KEYS)
    assert table["below_p"].item() == pytest.approx(float(at_most(0, named, own)))
    assert table["away_p"].item() == 0.0  # silence from the swapped bank shows no use of it
    assert list(table) == [*KEYS, "chance", *UNEQUAL]


def test_the_swapped_banks_answers_lean_away_by_enumeration():
    named, bound = "RRRGGB", "GGBRRR"
    table = count_unequal(answers("......", named, "......", named, bound), F, KEYS)
    assert table["away_p"].item() == pytest.approx(float(at_most(0, named, bound)))
    assert table["below_p"].item() == 1.0


def test_who_knew_the_life_is_not_said_to_use_the_store():
    """Right from the true bank, silent from the swapped one, right in the few that the empty one
    is asked: five red and green ones could be right by chance, so nothing tells it from a guess."""
    found = cell(TRUE, "." * 9, "RRRRG....")
    assert found["p_use"] < 0.05
    assert (found["sound"], found["verdict"]) == (False, "not shown")


def test_nor_where_its_answers_from_the_swapped_bank_are_the_first_lifes():
    found = cell(TRUE, "RRR......", "RRRRG....")
    assert (found["sound"], found["verdict"]) == (False, "not shown")


def test_with_as_many_answers_of_several_values_the_empty_bank_speaks_for_itself():
    """All nine given and wrong: chance explains them, and the swapped bank needn't."""
    found = cell(TRUE, "." * 9, SWAPPED)
    assert (found["sound"], found["verdict"]) == (True, "uses")


def test_a_life_and_encounters_stand_in_one_family():
    even = answers("XYXYXYXY", "YXYXYXYX", "." * 8, "XYXYXYXY", "YXYXYXYX").assign(corpus="A")
    both = pd.concat([answers(TRUE, SWAPPED, "." * 9), even])
    table = cells(both, {}, {"L": [F], "A": [F]}, ["s"], {"L": COUNTED, "A": 2})
    assert table["m"].tolist() == [2, 2]
    assert table["chance"].tolist() == pytest.approx([4 / 9, 1 / 2])
    alone = cells(even, {}, {"A": [F]}, ["s"], {"A": 2}).iloc[0]
    raw = ["p_use", "p_follow", "p_against", "p_below", "empty_p"]
    assert table.iloc[1][raw].tolist() == alone[raw].tolist()


letters = st.text(alphabet="RGB.", min_size=6, max_size=6)


@given(letters, letters)
@settings(max_examples=25, deadline=None)
def test_every_p_is_that_of_an_enumeration(true, swapped):
    own, bound = "RRRGGB", "GGBRRR"
    table = count_unequal(answers(true, swapped, "." * 6, own, bound), F, KEYS)
    for name, said, values, silent in (
        ("below_p", true, own, 1.0),
        ("away_p", swapped, bound, 0.0),
    ):
        at = [place for place in range(6) if said[place] != "."]
        named, laid = "".join(said[p] for p in at), "".join(values[p] for p in at)
        hits = sum(a == b for a, b in zip(named, laid, strict=True))
        expected = float(at_most(hits, named, laid)) if at else silent
        assert table[name].item() == pytest.approx(expected)
