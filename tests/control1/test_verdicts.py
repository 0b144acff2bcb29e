"""Verdicts: the rubric, the form, and what is complete."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
from support.control1_study import METRICS, responses
from veridical.control1.blinding import blind, judge_rng
from veridical.control1.tables import REASONS
from veridical.control1.verdicts import (
    Gap,
    incomplete,
    incomplete_because,
    read_verdicts,
    rubric,
    verdict_form,
)
from veridical.models.exchange import Form, Raw
from veridical.models.forms import read_answer
from veridical.models.grammars import grammar

PLACE = "A/memory_reference"
GOOD = {
    "A": {"identity_markers": 0.5, "memory_reference": 1},
    "B": {"identity_markers": 0.0, "memory_reference": 0.25},
}


def test_rubric_names_each_metric_and_nothing_else():
    text = rubric(["memory_reference"], "en")
    assert "- memory_reference: " in text
    assert "identity_markers" not in text
    assert "as if it stood alone" in text
    assert "{" not in text


@pytest.mark.parametrize("metrics", [[], ["memory_reference"] * 2])
def test_rubric_needs_distinct_metrics(metrics):
    with pytest.raises(ValueError, match="each named once"):
        rubric(metrics, "en")


def test_a_metric_without_wording_is_named():
    with pytest.raises(ValueError, match=r"'charm' has no wording of its own"):
        rubric(["charm"], "en")


@pytest.mark.parametrize("rationale", [False, True])
def test_what_the_grammar_writes_fits_the_schema(rationale):
    """The grammar's one line, spelled out here, is read as an object of the schema."""
    form = verdict_form(METRICS, rationale=rationale)
    said = '"rationale":"B recalls Marit.",' if rationale else ""
    scores = '{"identity_markers":0.5,"memory_reference":1.0}'
    text = "{" + said + f'"A":{scores},"B":{scores}' + "}"
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', grammar(form.pieces))
    for literal in (json.loads(f'"{literal}"') for literal in literals if "\\x" not in literal):
        assert literal in text or literal in ("0.", "1.0", '"')
    state, value = read_answer(Raw(text), form)
    assert state == "ok"
    assert incomplete_because(state, value, METRICS) == Gap("")
    assert Form.from_dict(form.to_dict()) == form


@pytest.mark.parametrize(
    ("state", "value", "reason"),
    [
        ("ok", GOOD, Gap("")),
        ("unparseable", None, Gap("unparseable")),
        ("truncated", GOOD, Gap("truncated")),
        ("missing", None, Gap("missing")),
        ("ok", "0.5", Gap("no object")),
        ("ok", {"A": GOOD["A"]}, Gap("no scores", "B")),
        ("ok", GOOD | {"B": {"identity_markers": 0.1}}, Gap("no score", "B/memory_reference")),
        *(
            ("ok", GOOD | {"A": GOOD["A"] | {"memory_reference": score}}, Gap(reason, PLACE))
            for score, reason in (
                (1.2, "out of range"),
                (-0.1, "out of range"),
                (float("nan"), "out of range"),
                (True, "no number"),
                ("high", "no number"),
            )
        ),
    ],
)
def test_why_a_verdict_is_incomplete(state, value, reason):
    assert incomplete_because(state, value, METRICS) == reason
    assert reason.reason in REASONS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I prefer A.", Gap("not JSON")),
        ("", Gap("not JSON")),
        (json.dumps(GOOD) * 2, Gap("several objects")),
        (
            json.dumps(GOOD | {"A": {"identity_markers": 1.7, "memory_reference": 0}}),
            Gap("out of range", "A/identity_markers"),
        ),
        (
            json.dumps(GOOD | {"B": {"identity_markers": 0.1}}),
            Gap("no score", "B/memory_reference"),
        ),
        (
            "<think>{A or B?}</think>" + json.dumps(GOOD | {"C": 1}),
            Gap("another form"),
        ),
    ],
)
def test_an_unparseable_verdict_says_what_is_wrong_with_it(drawn, text, reason):
    said = replies(drawn).assign(text=text)
    said.loc[3, "state"] = "unparseable"
    said.at[3, "value"] = None
    (gap,) = incomplete(read_verdicts(said, drawn, METRICS)).itertuples()
    assert Gap(gap.reason, gap.at or "") == reason
    assert gap.reason in REASONS


def test_a_score_of_1_2_is_asked_again():
    """The schema refuses it, so the reply counts as unparseable, which collecting asks again."""
    form = verdict_form(METRICS, rationale=False)
    bad = GOOD | {"A": {"identity_markers": 1.2, "memory_reference": 0}}
    assert read_answer(Raw(json.dumps(bad)), form)[0] == "unparseable"


def replies(drawn: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "id": drawn["sheet_id"],
            "state": "ok",
            "value": [GOOD] * len(drawn),
            "attempt": 1,
            "served_model": "served",
        }
    )


@pytest.fixture
def drawn() -> pd.DataFrame:
    return blind(responses(), "one", judge_rng(1, "one"))


def test_scores_go_back_to_the_answers_they_were_given_to(drawn):
    table = read_verdicts(replies(drawn), drawn, METRICS)
    assert len(table) == 49 * 2
    own = table[table["metric"] == "identity_markers"]
    first = own["anchor_position"] == "A"
    assert (own["anchor_score"][first] == 0.5).all()  # A's score
    assert (own["other_score"][first] == 0.0).all()
    assert (own["anchor_score"][~first] == 0.0).all()
    assert (own["other_score"][~first] == 0.5).all()
    assert (table["state"] == "complete").all()


def test_an_incomplete_verdict_stays_and_is_never_zero(drawn):
    said = replies(drawn)
    said.loc[3, "state"] = "unparseable"
    said.at[3, "value"] = None
    said = said.drop(index=5)
    table = read_verdicts(said, drawn, METRICS)
    assert len(table) == 49 * 2
    gaps = incomplete(table)
    assert dict(zip(gaps["sheet_id"], gaps["reason"], strict=True)) == {
        "one-004": "unparseable",
        "one-006": "missing",
    }
    scores = table[table["state"] == "incomplete"][["anchor_score", "other_score"]]
    assert scores.isna().all().all()


def test_duplicated_verdicts_are_named(drawn):
    said = replies(drawn)
    with pytest.raises(ValueError, match="more than one verdict: one-002"):
        read_verdicts(pd.concat([said, said.loc[[1]]]), drawn, METRICS)


def test_verdicts_of_other_sheets_are_named(drawn):
    said = replies(drawn)
    said.loc[0, "id"] = "two-001"
    with pytest.raises(ValueError, match="two-001; the map belongs to other sheets"):
        read_verdicts(said, drawn, METRICS)
