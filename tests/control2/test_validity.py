"""Control 2: the printed table through these functions, and the two rules."""

import pandas as pd
import pytest
from veridical.choices.answers import Counts
from veridical.control2.validity import describe, judge_validity, validity

PRINTED = [  # model, correct of 24 under veridical, counterfeit, none; Wilson of none; valid
    ("qwen3.5:27b", 24, 16, 9, 21.2, 57.3, True),
    ("llama3", 13, 12, 12, 31.4, 68.6, True),
    ("qwen3.6:35b-a3b", 20, 13, 16, 46.7, 82.0, False),
    ("deepseek-r1:32b", 18, 17, 15, 42.7, 78.8, False),
    ("qwen3:32b", 23, 19, 17, 50.8, 85.1, False),
    ("gpt-4.1", 24, 17, 16, 46.7, 82.0, False),
    ("gemini-2.5-pro", 20, 12, 19, 59.5, 90.8, False),
]
SHARES = {24: 100.0, 23: 95.8, 20: 83.3, 19: 79.2, 18: 75.0, 17: 70.8, 16: 66.7, 15: 62.5}
SHARES |= {13: 54.2, 12: 50.0, 9: 37.5}


def answers_of(model, condition, correct, wrong, abstained=0, unparseable=0):
    """Answers with the true text as A in every second probe."""
    states = ["ok"] * (correct + wrong) + ["abstained"] * abstained + ["empty"] * unparseable
    rows = []
    for i, state in enumerate(states):
        right = state == "ok" and i < correct
        truth, other = "AB" if i % 2 else "BA"
        answer = None if state != "ok" else truth if right else other
        rows.append(
            {
                "model": model,
                "condition": condition,
                "probe_id": f"p{i:02d}",
                "state": state,
                "answer": answer,
                "correct": None if answer is None else right,
                "first_option": "A",
            }
        )
    return pd.DataFrame(rows).astype({"correct": object})


@pytest.fixture(scope="module")
def printed():
    parts = [
        answers_of(model, condition, correct, 24 - correct)
        for model, *counts, _, _, _ in PRINTED
        for condition, correct in zip(("veridical", "counterfeit", "none"), counts, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("rule", ["point", "upper"])
def test_the_printed_table(printed, rule):
    models = [row[0] for row in PRINTED]
    table = judge_validity(printed, models, registered=rule).set_index(["model", "condition"])
    for model, veridical, counterfeit, none, low, high, valid in PRINTED:
        for condition, correct in (
            ("veridical", veridical),
            ("counterfeit", counterfeit),
            ("none", none),
        ):
            row = table.loc[(model, condition)]
            assert row["correct"] == correct
            assert round(100 * row["accuracy"], 1) == SHARES[correct]
            assert row["accuracy"] == row["accuracy_answered"]
            assert row["coverage"] == 1
            assert row["valid"] == valid
        row = table.loc[(model, "none")]
        assert (round(100 * row["wilson_low"], 1), round(100 * row["wilson_high"], 1)) == (
            low,
            high,
        )
        assert row["valid_point"] == row["valid_upper"] == valid


@pytest.mark.parametrize("threshold", [0.50, 0.55, 0.60, 0.6249])
def test_any_threshold_below_15_of_24_reproduces_the_printed_column(threshold):
    for *_, none, _, _, valid in PRINTED:
        assert validity(Counts(none, 24 - none, 0, 0), threshold=threshold).valid is valid


def test_an_interval_that_holds_chance_is_no_proof():
    # deepseek-r1: 15 of 24, [42.7, 78.8] holds 50 %, and yet both rules refuse it
    reading = validity(Counts(15, 9, 0, 0), "upper")
    assert (reading.point, reading.upper, reading.valid) == (False, False, False)


def test_validity_is_read_on_the_answered_probes():
    # 10 right of 14 answered is 71 %; over all 24 it would be 42 % and look valid
    assert validity(Counts(10, 4, 10, 0)).valid is False
    row = describe(Counts(10, 4, 9, 1))
    assert row["accuracy"] == 10 / 24
    assert row["accuracy_answered"] == 10 / 14
    assert row["coverage"] == 14 / 24


def test_nothing_answered_is_not_testable_and_no_zero():
    reading = validity(Counts(0, 0, 24, 0))
    assert (reading.point, reading.upper, reading.valid) == (None, None, None)
    parts = [answers_of("m", "veridical", 20, 4), answers_of("m", "counterfeit", 9, 9, 6)]
    table = judge_validity(pd.concat([*parts, answers_of("m", "none", 0, 0, 20, 4)]), ["m"])
    none = table.iloc[2]
    assert pd.isna(none["accuracy"])
    assert pd.isna(none["wilson_high"])
    assert (none["abstained"], none["unparseable"], none["coverage"]) == (20, 4, 0)


def test_a_model_that_always_answers_first_is_found():
    always = answers_of("m", "none", 12, 12)
    always["answer"] = "A"
    table = judge_validity(
        pd.concat(
            [answers_of("m", "veridical", 12, 12), answers_of("m", "counterfeit", 12, 12), always]
        ),
        ["m"],
    )
    assert table.iloc[2]["first_option_share"] == 1.0


def test_a_duplicated_answer_is_named(printed):
    same = (printed["model"] == "llama3") & (printed["condition"] == "none")
    twice = pd.concat([printed, printed[same & (printed["probe_id"] == "p03")]])
    with pytest.raises(ValueError, match="llama3, none, p03"):
        judge_validity(twice, ["llama3"])


def test_a_condition_with_no_answers_is_named(printed):
    with pytest.raises(ValueError, match="no answers of llama3 in the condition none"):
        judge_validity(printed[printed["condition"] != "none"], ["llama3"])


def test_unknown_rules_and_thresholds_outside_are_refused():
    with pytest.raises(ValueError, match="unknown rule 'mean'"):
        validity(Counts(1, 1, 0, 0), "mean")
    with pytest.raises(ValueError, match="control2/validity/upper must lie in"):
        validity(Counts(1, 1, 0, 0), upper=1.5)
