"""Sheets beside the source's: which pairs are shown again, and that nothing else changes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.control1_study import METRICS, responses
from veridical.control1.beside import Beside, of_share, quoted_pairs, shown_again
from veridical.control1.blinding import Reading, blind, judge_rng, sheets
from veridical.control1.tables import POSITIVE
from veridical.control1.verdicts import rubric, verdict_form

ITEMS = [f"T{i}" for i in range(1, 8)]
KEY = ["item_id", "document"]


def pairs() -> pd.DataFrame:
    table = responses()
    return table[table["condition"] != "anchor"]


def positive(n: int = 5) -> pd.DataFrame:
    rows = [
        (
            "A",
            f"A-Q{i}",
            f"asked {i}",
            f"own {i}",
            f"stranger {i}",
            f"foreign-{1 + i % 3}",
            1 + i % 3,
        )
        for i in range(1, n + 1)
    ]
    return pd.DataFrame(rows, columns=POSITIVE.names)


def drawn(judge: str = "one", **shares) -> pd.DataFrame:
    again = shown_again(pairs(), Beside(**shares), np.random.default_rng(3))
    return blind(responses(), judge, judge_rng(5, judge), again=again, positive=positive())


def by_pair(table: pd.DataFrame, session: str) -> pd.Series:
    return table[table["session"] == session].set_index(KEY)["position_of_anchor"]


@given(st.floats(0, 1), st.integers(1, 500))
def test_a_share_is_rounded_up_and_never_beyond_all(share, n):
    count = of_share(share, n)
    assert share * n - 1e-6 <= count <= n
    assert count < share * n + 1
    assert (count == 0) == (round(share * n, 9) == 0)


@pytest.mark.parametrize(
    ("given_", "sheets_"),
    [
        # 7 items, 6 counterfeits: 49 sheets, a tenth of which is 4.9
        ({"none": True, "reversed": True, "repeated": 0.1, "positive": 7}, (7, 7, 5, 7)),
        ({"none": False, "reversed": 0.5, "repeated": 0, "positive": 0}, (0, 4, 0, 0)),
        ({"none": False, "reversed": False, "repeated": 1, "positive": 3}, (0, 0, 49, 3)),
    ],
)
def test_counts_follow_from_the_config(given_, sheets_):
    counts = Beside.from_config(given_).counts(7, 49)
    assert tuple(counts[key] for key in ("none", "reversed", "repeated", "positive")) == sheets_


def test_reversed_pairs_are_the_agents_own_and_repeated_ones_any():
    again = shown_again(pairs(), Beside(reversed=0.5, repeated=0.3), np.random.default_rng(0))
    assert set(again["reversed"]["condition"]) == {"veridical"}
    assert (len(again["reversed"]), len(again["repeated"])) == (4, 15)  # of 7, of 49
    assert not again["repeated"].duplicated(KEY).any()
    seen = {
        tuple(sorted(shown_again(pairs(), Beside(reversed=0.3), np.random.default_rng(s))
                     ["reversed"]["item_id"]))
        for s in range(20)
    }  # fmt: skip
    assert len(seen) > 5  # drawn, not always the first


def test_the_other_order_is_the_other_order_and_the_same_sheet_the_same():
    table = drawn(reversed=1.0, repeated=0.2)
    first = by_pair(table, "original")
    other = by_pair(table, "reversed")
    assert (other.sort_index() != first.sort_index()).all()
    again = by_pair(table, "repeated")
    source = pd.concat([first, by_pair(table, "counterfeit")])
    assert (again == source.loc[again.index]).all()
    assert len(again) == 10


def test_every_judge_sees_the_same_pairs_again():
    one, two = (drawn(judge, reversed=0.4, repeated=0.2) for judge in ("one", "two"))
    for session in ("reversed", "repeated", "positive"):
        assert set(by_pair(one, session).index) == set(by_pair(two, session).index)


def test_the_sources_sheets_are_drawn_as_without_those_beside_them():
    plain = blind(responses(), "one", judge_rng(5, "one"))
    assert set(plain["session"]) == {"original", "counterfeit"}
    assert len(plain) == 49
    more = blind(
        responses(),
        "one",
        judge_rng(5, "one"),
        again=shown_again(pairs(), Beside(reversed=1.0), np.random.default_rng(3)),
    )
    for session in ("original", "counterfeit"):
        assert by_pair(plain, session).sort_index().equals(by_pair(more, session).sort_index())


def test_numbers_run_through_all_sheets_and_tell_nothing():
    table = drawn(reversed=1.0, repeated=0.2)
    assert len(table) == 49 + 7 + 10 + 5
    assert list(table["sheet_id"]) == [f"one-{n:03d}" for n in range(1, len(table) + 1)]
    means = [
        np.flatnonzero(drawn(f"judge {n}", reversed=1.0)["session"] == "positive").mean()
        for n in range(60)
    ]
    assert abs(np.mean(means) - 30) < 4  # 61 sheets: in the middle on average


def test_known_pairs_stand_either_way_round_about_equally_often():
    firsts = [
        (blind(responses(), "one", judge_rng(seed, "one"), positive=positive(6))
         .query("session == 'positive'")["position_of_anchor"] == "A").sum()
        for seed in range(10)
    ]  # fmt: skip
    assert set(firsts) == {3}


def test_answers_without_a_document_are_a_session_of_their_own():
    table = responses()
    none = table[table["condition"] == "veridical"].assign(document="none", condition="none")
    none["text"] = "nothing to go by"
    mapped = blind(pd.concat([table, none]), "one", judge_rng(1, "one"))
    assert mapped.groupby("session").size().to_dict() == {
        "counterfeit": 42, "none": 7, "original": 7,
    }  # fmt: skip
    assert set(mapped[mapped["session"] == "none"]["document"]) == {"none"}


def sheet_texts(table: pd.DataFrame, known: pd.DataFrame | None):
    made = sheets(
        table,
        responses(),
        {
            "A": Reading(
                {item: f"input of {item}" for item in ITEMS}, rubric(list(METRICS), "en"), "en"
            )
        },
        verdict_form(list(METRICS), rationale=False),
        positive=known,
    )
    return {prompt.id: prompt for prompt in made}


def test_a_known_pair_shows_both_quotations_where_the_map_says():
    table = drawn()
    made = sheet_texts(table, positive())
    for row in table[table["session"] == "positive"].itertuples():
        text, n = made[row.sheet_id].turns[0].user, row.item_id.removeprefix("A-Q")
        assert f"asked {n}\n" in text
        own, stranger = text.index(f"own {n}\n"), text.index(f"stranger {n}\n")
        assert (own < stranger) == (row.position_of_anchor == "A")


def test_a_sheet_judged_twice_has_the_same_words_and_is_asked_anew():
    table = drawn(repeated=0.2)
    made = sheet_texts(table, positive())
    first = table[table["session"].isin(["original", "counterfeit"])].set_index(KEY)["sheet_id"]
    for row in table[table["session"] == "repeated"].itertuples():
        again, once = made[row.sheet_id], made[first[(row.item_id, row.document)]]
        assert again.turns == once.turns
        assert (once.take, again.take) == (0, 1)
    others = set(table["sheet_id"]) - set(table[table["session"] == "repeated"]["sheet_id"])
    assert {made[sheet].take for sheet in others} == {0}


def test_a_map_with_known_pairs_needs_them():
    with pytest.raises(ValueError, match="A-Q1 under foreign-2, which the responses lack"):
        sheet_texts(drawn().sort_values("item_id"), None)


def test_known_pairs_keep_the_document_that_the_stranger_is_from():
    table = quoted_pairs(positive(2))
    assert table.to_dict("list") == {
        "responder": ["", ""],
        "corpus": ["A", "A"],
        "item_id": ["A-Q1", "A-Q2"],
        "document": ["foreign-2", "foreign-3"],
        "condition": ["quoted"] * 2,
        "seed": [2, 3],
        "session": ["positive"] * 2,
    }
