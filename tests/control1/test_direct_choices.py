"""Direct pairs: who meets whom, what a judge reads and may say, what broken replies become."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import gbnf
from support.control1_study import METRICS, responses
from support.direct_study import choices, first, maps, quoted, reader
from veridical.base.characters import fence
from veridical.base.instrument import shipped
from veridical.control1.asks import shown_by, texts_shown
from veridical.control1.beside import Beside
from veridical.control1.blinding import Reading, blind, check_responses, judge_rng, sheets
from veridical.control1.direct.choices import (
    SIDES,
    choice_form,
    facing,
    in_both_orders,
    read_choices,
    unread_because,
    whole_pairs,
)
from veridical.control1.direct.tables import CHOICES, WHY
from veridical.control1.verdicts import Gap, rubric
from veridical.documents.texts import load_text
from veridical.models.exchange import Form, Raw
from veridical.models.forms import read_answer
from veridical.models.grammars import grammar

ITEMS = [f"T{i}" for i in range(1, 8)]
INPUTS = {item: f"input of {item}" for item in ITEMS}
MEMORY = "2025-03-01, met Ada, the boat: mended"
GOOD = dict(zip(METRICS, ("A", "neither"), strict=True))


def written(memory=None, language="en", own=None, table=None):
    shown = facing(responses() if table is None else table)
    drawn = blind(shown, "one", judge_rng(5, "one"), positive=quoted())
    text = texts_shown(direct=True, opened=memory is not None)["rubric"]
    read = rubric(list(METRICS), language, None, own, text)
    reading = Reading(INPUTS, read, language, own or {}, memory, direct=True)
    form = choice_form(METRICS, rationale=False)
    made = sheets(drawn, shown, {"A": reading}, form, positive=quoted())
    return drawn, {prompt.id: prompt for prompt in made}


def test_the_own_memorys_answer_stands_where_an_anchor_does_and_no_anchor_is_left():
    shown = facing(responses())
    assert shown["condition"].value_counts().to_dict() == {
        "foreign": 21,
        "shuffled": 21,
        "anchor": 7,
    }
    assert set(shown.loc[shown["condition"] == "anchor", "text"]) == {
        f"text of {item} under veridical" for item in ITEMS
    }
    assert responses()["condition"].eq("veridical").sum() == 7  # what was given is left as it was


def test_each_counterfeits_answer_meets_the_own_memorys_once_to_each_judge():
    """42 pairs: seven items under each of six counterfeits, the veridical answer beside each."""
    drawn, made = written()
    pairs = drawn[drawn["session"] == "counterfeit"]
    assert len(pairs) == 42
    assert not pairs.duplicated(["item_id", "document"]).any()
    for row in pairs.itertuples():
        text = made[row.sheet_id].turns[0].user
        own, other = (
            fence(f"text of {row.item_id} under {name}") for name in ("veridical", row.document)
        )
        assert text.count(own) == text.count(other) == 1
        assert (text.index(own) < text.index(other)) == (row.position_of_anchor == "A")


def test_sides_are_balanced_within_each_kind():
    """21 pairs a kind: 10 or 11 with the own memory first, the odd ones taking turns."""
    for seed in range(5):
        drawn = blind(facing(responses()), "one", judge_rng(seed, "one"))
        first_ = drawn["position_of_anchor"].eq("A").groupby(drawn["condition"]).sum()
        assert sorted(first_.tolist()) == [10, 11]


def test_in_both_orders_each_pair_stands_once_each_way_none_and_all():
    table = pd.concat([responses(), _without()])
    both = maps(table, beside=Beside(none=True, reversed=1.0))
    one = both[(both["judge"] == "one") & (both["session"] != "positive")]
    assert len(one) == 2 * 49
    sides = one.groupby(["item_id", "document"])["position_of_anchor"].agg(set)
    assert (sides == {"A", "B"}).all()
    half = maps(table, beside=Beside(none=True, reversed=0.5))
    assert (half[half["judge"] == "one"]["session"] == "reversed").sum() == 25  # of 49, rounded up
    again = [set(own["item_id"] + own["document"]) for _, own in
             half[half["session"] == "reversed"].groupby("judge")]  # fmt: skip
    assert again[0] == again[1] == again[2]


def _without():
    rows = [("m", "A", item, "none", "none", None, f"nothing on {item}", "ok") for item in ITEMS]
    return pd.DataFrame(rows, columns=responses().columns).astype({"seed": "Int64"})


@pytest.mark.parametrize("memory", [None, MEMORY])
@pytest.mark.parametrize("language", ["en", "it", "tr"])
def test_no_sheet_tells_which_is_which(language, memory):
    drawn, made = written(memory, language)
    frame = {
        prompt.turns[0].user.replace(fence(INPUTS.get(row.item_id, "")), "INPUT")
        for row in drawn.itertuples()
        if row.session != "positive"
        for prompt in [made[row.sheet_id]]
    }
    words = " ".join(
        "".join(part for part in text.split("```")[::2]) for text in frame
    )  # what stands outside the fences
    for told in ("veridical", "foreign", "shuffled", "counterfeit", "own memory"):
        assert told not in words
    assert len({prompt.turns[0].system for prompt in made.values()}) == 1
    assert all((memory is not None) == (fence(MEMORY) in p.turns[0].user) for p in made.values())


@pytest.mark.parametrize("language", ["en", "it", "tr"])
def test_every_language_has_the_texts_and_names_the_form_s_own_words(language):
    for opened in (False, True):
        names = texts_shown(direct=True, opened=opened)
        sheet = load_text(names["sheet"], language)
        places = {"input", "answer_a", "answer_b"} | ({"memory"} if opened else set())
        assert shipped()[names["sheet"]] == places
        assert all(f"{{{place}}}" in sheet for place in places)
        assert all(f'"{side}"' in sheet for side in SIDES)
    assert all(f'"{side}"' in load_text("rubric-direct", language) for side in SIDES)


def test_a_studys_own_texts_take_the_place_of_those():
    own = {
        "rubric-direct": "WHICH? {metrics}",
        "sheet-direct": "I {input} A {answer_a} B {answer_b}",
    }
    _, made = written(own=own)
    assert all(prompt.turns[0].user.startswith("I ") for prompt in made.values())
    assert all(prompt.turns[0].system.startswith("WHICH?") for prompt in made.values())


@pytest.mark.parametrize(
    ("part", "texts"),
    [
        ({}, ("rubric", "sheet")),
        ({"sheet": "open"}, ("rubric", "sheet-open")),
        ({"pairs": "direct"}, ("rubric-direct", "sheet-direct")),
        ({"pairs": "direct", "sheet": "open"}, ("rubric-direct", "sheet-direct-open")),
    ],
)
def test_the_texts_that_judges_read_follow_the_settings(part, texts):
    assert tuple(shown_by(part).values()) == texts


@pytest.mark.parametrize("metrics", [["tone"], list(METRICS)])
def test_the_grammar_writes_what_the_schema_takes_and_nothing_else(metrics):
    form = choice_form(metrics, rationale=False)
    allowed = gbnf.answers(grammar(form.pieces))
    assert len(allowed) == 3 ** len(metrics)
    for text in allowed:
        state, value = read_answer(Raw(text), form)
        assert state == "ok"
        assert unread_because(state, value, metrics) == Gap("")
    assert Form.from_dict(form.to_dict()) == form


def test_a_rationale_comes_first_where_it_is_wanted():
    form = choice_form(["tone"], rationale=True)
    state, value = read_answer(Raw('{"rationale":"B knows Ada.","tone":"B"}'), form)
    assert (state, value["rationale"]) == ("ok", "B knows Ada.")
    assert read_answer(Raw('{"tone":"B"}'), form)[0] == "unparseable"
    assert form.pieces[:2] == ("{", '"rationale":')


BAD = METRICS[1]


@pytest.mark.parametrize(
    ("state", "value", "text", "gap"),
    [
        ("ok", GOOD, None, Gap("")),
        ("missing", None, None, Gap("missing")),
        ("refused", None, None, Gap("refused")),
        ("truncated", GOOD, None, Gap("truncated")),
        ("ok", "A", None, Gap("no object")),
        ("ok", {METRICS[0]: "A"}, None, Gap("no choice", BAD)),
        *(
            ("ok", GOOD | {BAD: said}, None, Gap("no side", BAD))
            for said in ("a", "C", "both", "", None, 0, ["A"], {"A": 1}, True)
        ),
        ("unparseable", None, "the first", Gap("not JSON")),
        ("unparseable", None, '{"tone":"A"}{"tone":"B"}', Gap("several objects")),
        ("unparseable", None, json.dumps(GOOD | {BAD: "A, clearly"}), Gap("no side", BAD)),
        ("unparseable", None, json.dumps(GOOD | {"also": 1}), Gap("another form")),
    ],
)
def test_why_a_reply_is_no_choice(state, value, text, gap):
    assert unread_because(state, value, METRICS, text=text) == gap
    assert gap.reason in WHY


def replies(drawn, **special):
    lines = [
        {"id": sheet, "state": "ok", "value": GOOD, "text": "", "attempt": 2, "served_model": "s"}
        for sheet in drawn["sheet_id"]
    ]
    for line in lines:
        line.update(special.get(line["id"].replace("-", "_"), {}))
    return pd.DataFrame(lines)


def test_what_is_read_is_unblinded_and_never_guessed():
    drawn = blind(facing(responses()), "one", judge_rng(1, "one"))
    table = read_choices(replies(drawn, one_003={"value": {}}), drawn, METRICS)
    CHOICES.check(table.astype({"seed": "Int64"}), "here")
    broken = table[table["sheet_id"] == "one-003"]
    assert broken["preferred"].isna().all()
    assert set(broken["reason"]) == {"no choice"}
    whole = table[table["state"] == "complete"]
    named = whole[whole["metric"] == METRICS[0]]
    expected = np.where(named["own_position"] == "A", "own", "other")  # A was named throughout
    assert named["preferred"].tolist() == expected.tolist()
    assert set(whole[whole["metric"] == METRICS[1]]["preferred"]) == {"neither"}
    assert set(whole["attempt"]) == {2}


def test_a_sheet_that_nobody_answered_is_missing():
    drawn = blind(facing(responses()), "one", judge_rng(1, "one"))
    table = read_choices(replies(drawn).iloc[1:], drawn, METRICS)
    lost = table[table["state"] == "incomplete"]
    assert set(lost["sheet_id"]) == {drawn["sheet_id"].iloc[0]}
    assert set(lost["reason"]) == {"missing"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: pd.concat([t, t.iloc[:1]]), "more than one verdict: one-001"),
        (lambda t: t.replace("one-001", "one-999"), "blinding map lacks: one-999"),
    ],
)
def test_replies_of_other_sheets_are_refused(change, says):
    drawn = blind(facing(responses()), "one", judge_rng(1, "one"))
    with pytest.raises(ValueError, match=says):
        read_choices(change(replies(drawn)), drawn, METRICS)


def test_a_pair_with_one_order_lost_goes_from_both():
    table = choices(reader)
    lost = table["sheet_id"] == table[table["session"] == "reversed"]["sheet_id"].iloc[0]
    gone = table[lost].iloc[0]
    table.loc[lost, "state"] = "incomplete"
    whole = whole_pairs(table)
    same = (whole["judge"] == gone["judge"]) & (whole["item_id"] == gone["item_id"])
    same &= (whole["condition"] == gone["condition"]) & (whole["seed"] == gone["seed"])
    assert not same.any()
    assert len(whole) == (table["session"] != "repeated").sum() - 2 * len(METRICS)
    assert "repeated" not in set(whole["session"])
    assert whole_pairs(choices(reader))["preferred"].eq("own").all()


def test_pairs_in_both_orders_are_those_that_were_turned_round():
    drawn = maps(beside=Beside(reversed=0.5))
    found = in_both_orders(whole_pairs(choices(first, drawn)))
    sizes = found.groupby(["judge", "metric", "item_id", "condition", "seed"]).size()
    assert set(sizes) == {2}
    assert len(sizes) == 3 * 2 * 21


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_who_looks_at_the_place_alone_prefers_each_answer_once(seed):
    """In both orders what standing first is worth cancels, pair by pair."""
    whole = whole_pairs(choices(first, maps(seed=seed)))
    whole = whole[whole["session"] != "positive"]
    sides = whole.groupby(["judge", "metric", "item_id", "condition", "seed"])["preferred"].agg(set)
    assert (sides == {"own", "other"}).all()


def test_answers_without_anchors_can_be_paired_but_not_anchored():
    table = responses()
    bare = table[table["condition"] != "anchor"].reset_index(drop=True)
    check_responses(bare, ITEMS, anchored=False)
    with pytest.raises(ValueError, match="no anchor"):
        check_responses(bare, ITEMS)
    lacking = bare[~((bare["item_id"] == "T2") & (bare["condition"] == "veridical"))]
    with pytest.raises(ValueError, match="T2 veridical"):
        check_responses(lacking, ITEMS, anchored=False)
