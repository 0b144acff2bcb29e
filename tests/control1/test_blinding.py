"""Blinding: balance, independence, and sheets from which the condition can't be told."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from support.control1_study import responses
from veridical.base.characters import fence
from veridical.base.tables import write_table
from veridical.control1.blinding import (
    Reading,
    blind,
    check_responses,
    judge_rng,
    read_map,
    sheets,
)
from veridical.control1.tables import BLINDING
from veridical.control1.verdicts import rubric, verdict_form
from veridical.models.prompts import read_prompts, write_prompts

ITEMS = [f"T{i}" for i in range(1, 8)]
METRICS = ["identity_markers", "memory_reference"]


READING = Reading({item: f"input of {item}" for item in ITEMS}, rubric(METRICS, "en"), "en")


def written(table: pd.DataFrame, judge: str = "one", seed: int = 5):
    drawn = blind(table, judge, judge_rng(seed, judge))
    made = sheets(
        drawn,
        table,
        {corpus: READING for corpus in table["corpus"]},
        verdict_form(METRICS, rationale=False),
        parameters={"max_tokens": 160},
    )
    return drawn, made


@pytest.mark.parametrize("seed", range(20))
def test_order_is_balanced_within_judge_session_and_condition(seed):
    drawn = blind(responses(), "one", judge_rng(seed, "one"))
    assert len(drawn) == 49
    first = (drawn["position_of_anchor"] == "A").astype(int)
    for by in (["session"], ["session", "condition"]):
        sizes = first.groupby([drawn[key] for key in by]).agg(["sum", "count"])
        assert (abs(2 * sizes["sum"] - sizes["count"]) <= 1).all()  # half, or the nearest
    assert first[drawn["session"] == "counterfeit"].sum() == 21


def test_judges_are_independent_of_one_another_and_of_their_order():
    table = responses()
    one, again = (blind(table, "one", judge_rng(5, "one")) for _ in range(2))
    two = blind(table, "two", judge_rng(5, "two"))
    pd.testing.assert_frame_equal(one, again)
    key = ["item_id", "document"]
    both = one.merge(two, on=key, suffixes=("_1", "_2"))
    assert (both["position_of_anchor_1"] != both["position_of_anchor_2"]).any()
    assert list(one["document"]) != list(two["document"])


def test_every_answer_is_paired_with_its_anchor_in_its_session():
    drawn = blind(responses(), "one", judge_rng(1, "one"))
    counts = drawn.groupby(["session", "condition"]).size().to_dict()
    assert counts == {
        ("original", "veridical"): 7,
        ("counterfeit", "foreign"): 21,
        ("counterfeit", "shuffled"): 21,
    }
    assert not drawn["sheet_id"].duplicated().any()


def test_sheets_hold_both_answers_where_the_map_says(tmp_path):
    table = responses()
    drawn, made = written(table)
    write_prompts(tmp_path / "one.jsonl", made)
    back = {prompt.id: prompt for prompt in read_prompts(tmp_path / "one.jsonl")}
    for row in drawn.itertuples():
        text = back[row.sheet_id].turns[0].user
        anchor = text.index(f"text of {row.item_id} under encounter-log")
        other = text.index(f"text of {row.item_id} under {row.document}")
        assert (anchor < other) == (row.position_of_anchor == "A")
        assert f"input of {row.item_id}" in text


def test_nothing_but_the_texts_differs_between_sheets():
    """All that isn't text is the same on every sheet, or a number."""
    _, made = written(responses())
    plain = [
        json.dumps(
            {
                "system": prompt.turns[0].system,
                "form": prompt.turns[0].form.to_dict(),
                "parameters": dict(prompt.parameters),
                "facts": dict(prompt.facts),
                "samples": prompt.samples,
                "turns": len(prompt.turns),
            },
            sort_keys=True,
        )
        for prompt in made
    ]
    assert len(set(plain)) == 1
    assert {prompt.id for prompt in made} == {f"one-{n:03d}" for n in range(1, 50)}
    shown = [prompt.turns[0].user for prompt in made]
    assert shown == sorted(shown)  # what two share is read once, and their place tells nothing else
    for word in ("veridical", "foreign", "shuffled", "anchor", "counterfeit", "original"):
        assert word not in plain[0]


def test_the_condition_cannot_be_guessed_from_number_or_place():
    """Over 300 studies, the best rule on the sheet's number or the anchor's place finds nothing."""
    numbers, places = [], []
    table = responses()
    for seed in range(300):
        drawn = blind(table, "one", judge_rng(seed, "one"))
        own = (drawn["condition"] == "veridical").to_numpy()
        numbers.append(np.flatnonzero(own).mean())
        places.append((drawn["position_of_anchor"] == "A")[own].mean())
    # 7 of 49 places: the mean number is 24 with sd 14.1 / sqrt(7) * sqrt(42/48) = 5.0 in a study.
    assert abs(np.mean(numbers) - 24) < 4 * 5.0 / np.sqrt(300)
    # The odd one of seven stands first as often as not: mean 1/2, sd 1/14 in a study.
    assert abs(np.mean(places) - 0.5) < 4 / 14 / np.sqrt(300)


def test_a_fence_is_longer_than_any_in_the_text():
    assert fence("a ```` b").startswith("`````\n")
    assert fence("plain") == "```\nplain\n```"


def test_a_sheet_shows_what_a_judge_would_not_see():
    # a program that takes a null character for the end would read one word of three
    assert fence("one\x00two\x1bthree") == "```\none␀two␛three\n```"
    assert fence("one\rtwo\r\nthree\u2028four\tfive") == "```\none\ntwo\nthree\nfour\tfive\n```"
    assert fence("a\r```") == "````\na\n```\n````"


def test_map_comes_back_from_its_file(tmp_path):
    drawn = blind(responses(), "one", judge_rng(1, "one"))
    write_table(drawn, tmp_path / "map.csv", BLINDING)
    back = read_map(tmp_path / "map.csv", "one")
    pd.testing.assert_frame_equal(back, drawn, check_dtype=False)
    with pytest.raises(ValueError, match="'two' is not in the blinding map"):
        read_map(tmp_path / "map.csv", "two")


def change(table: pd.DataFrame, **values) -> pd.DataFrame:
    changed = table.copy()
    for column, value in values.items():
        changed.loc[8, column] = value
    return changed


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda t: t.drop(index=8), r"1 responses are missing .*T2 veridical"),
        (lambda t: pd.concat([t, t.loc[[8]]]), "occur twice: T2 veridical"),
        (lambda t: change(t, text="  "), "can't be judged: T2 veridical ok"),
        (lambda t: change(t, state="failed"), "can't be judged: T2 veridical failed"),
        (lambda t: change(t, item_id="T9"), "items that the test day lacks: T9 veridical"),
        (lambda t: t[t["condition"] != "anchor"], "no anchor"),
    ],
)
def test_bad_responses_are_named(broken, message):
    with pytest.raises(ValueError, match=message):
        check_responses(broken(responses()), ITEMS)


def test_a_truncated_response_is_judged_as_it_stands():
    check_responses(change(responses(), state="truncated"), ITEMS)


def test_a_map_of_other_responses_is_refused():
    table = responses()
    drawn = blind(table, "one", judge_rng(1, "one"))
    with pytest.raises(ValueError, match="belongs to other responses"):
        sheets(
            drawn,
            table[table["document"] != "foreign-2"],
            {"A": READING},
            verdict_form(METRICS, rationale=False),
        )
