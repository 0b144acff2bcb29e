"""Control 2: the printed table through these functions, and the two rules."""

import pandas as pd
import pytest
from veridical.base.tables import as_agreed
from veridical.choices.answers import Counts
from veridical.control2.tables import VALIDITY
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


def answers_of(model, condition, correct, wrong, abstained=0, unparseable=0, left_out=0):
    """Answers with the true text as A in every second probe."""
    states = ["ok"] * (correct + wrong) + ["abstained"] * abstained + ["empty"] * unparseable
    states += ["left out"] * left_out
    rows = []
    for i, state in enumerate(states):
        right = state == "ok" and i < correct
        truth, other = "AB" if i % 2 else "BA"
        answer = None if state != "ok" else truth if right else other
        rows.append(
            {
                "corpus": "A",
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


def test_what_is_left_out_is_of_no_number_of_its_condition():
    answers = pd.concat(
        [
            answers_of("m", "veridical", 18, 6),
            answers_of("m", "counterfeit", 10, 8, 3, 2, left_out=1),
            answers_of("m", "none", 12, 10, left_out=2),
        ]
    )
    table = judge_validity(answers, ["m"])
    as_agreed(table, VALIDITY)
    assert list(table["n"]) == [24, 23, 22]
    assert list(table["n_left_out"]) == [0, 1, 2]
    assert list(table["unparseable"]) == [0, 2, 0]
    assert list(table["accuracy"]) == [18 / 24, 10 / 23, 12 / 22]
    assert list(table["coverage"]) == [1, 18 / 23, 1]
    assert table["bound_high"].iloc[1] == 1 - 8 / 23


def test_a_condition_of_which_all_is_left_out_is_not_testable():
    parts = [answers_of("m", condition, 12, 12) for condition in ("veridical", "counterfeit")]
    table = judge_validity(pd.concat([*parts, answers_of("m", "none", 0, 0, left_out=24)]), ["m"])
    as_agreed(table, VALIDITY)
    none = table.iloc[2]
    assert (none["n"], none["n_left_out"], none["finding"]) == (0, 24, "not testable")
    assert pd.isna(none["coverage"])
    assert pd.isna(none["bound_low"])


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


def none_of(model, letters, places=None):
    """All three conditions of a model; the letters are its answers without a document."""
    kinds = {"c": (True, "ok"), "w": (False, "ok"), "-": (None, "abstained")}
    parts = []
    for condition in ("veridical", "counterfeit", "none"):
        table = answers_of(model, condition, len(letters), 0)
        right = [kinds[letter][0] for letter in letters]
        truth = ["AB"[i % 2 == 0] for i in range(len(letters))]
        if condition == "none":
            table["state"] = [kinds[letter][1] for letter in letters]
            table["correct"] = pd.Series(right, dtype=object)
            table["answer"] = [
                None if r is None else t if r else "BA"["BA".index(t) - 1]
                for r, t in zip(right, truth, strict=True)
            ]
        table["place"] = places or list(range(1, len(letters) + 1))
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def found(*tables):
    answers = pd.concat(tables, ignore_index=True)
    models = list(dict.fromkeys(answers["model"]))
    table = judge_validity(answers, models)
    return table[table["condition"] == "none"].set_index("model")


SPREAD = "cccwcccwcccwcccwcccwcccw"  # 18 of 24, no two wrong ones side by side


def test_on_the_printed_table_holm_leaves_one_model(printed):
    models = [row[0] for row in PRINTED]
    table = judge_validity(printed, models).set_index(["model", "condition"])
    none = table.xs("none", level="condition")
    assert list(none.index[none["finding"] == "solves"]) == ["gemini-2.5-pro"]
    # P(X >= 19 | 24, 1/2) = 0.00331, seven models; alone two more would be below 5 %
    assert none.loc["gemini-2.5-pro", "p_solves_holm"] == pytest.approx(7 * 0.0033057, rel=1e-3)
    assert (none["binomial_p"] < 0.05).sum() == 2
    assert set(none["m"]) == {7}
    assert none["neighbours"].isna().all()  # the order of the printed probes isn't known


def test_the_family_is_every_declared_model():
    alone, three = found(none_of("m", SPREAD)), found(*(none_of(m, SPREAD) for m in "mno"))
    assert alone.loc["m", "p_solves"] == pytest.approx(0.011328, rel=1e-4)  # P(X >= 18 | 24, 1/2)
    assert alone.loc["m", "finding"] == "solves"
    assert three.loc["m", "p_solves_holm"] == pytest.approx(3 * 0.011328, rel=1e-4)


@pytest.mark.parametrize("letters", ["cccc" + "-" * 20, "c" + "-" * 23, "-" * 24])
def test_fewer_than_five_answers_are_no_test(letters):
    row = found(none_of("m", letters)).loc["m"]
    assert row["finding"] == "not testable"
    assert pd.isna(row["p_solves"])


def test_whoever_keeps_to_one_text_is_not_tested():
    always = "".join("c" if i % 2 else "w" for i in range(24))  # the truth is B, A, B, A, …
    row = found(none_of("m", always)).loc["m"]
    assert (row["first_option_share"], row["habit"]) == (1.0, "one answer")
    assert row["finding"] == "not testable"


def test_runs_of_right_answers_are_fewer_tosses_than_probes():
    """18 of 24 right, in a row: the places decide, not the order of the rows."""
    block = found(none_of("m", "c" * 18 + "w" * 6)).loc["m"]
    mixed = [1 + (7 * i) % 24 for i in range(24)]
    spread = found(none_of("m", "c" * 18 + "w" * 6, mixed)).loc["m"]
    assert block["binomial_p"] == spread["binomial_p"] < 0.05
    assert (block["finding"], spread["finding"]) == ("not shown", "solves")
    # one change where 23 · 2 · 18 · 6 / (24 · 23) = 9 are expected
    assert block["neighbours"] == pytest.approx(9)


def test_silence_has_bounds():
    row = found(none_of("m", "cccccc" + "ww" + "-" * 16)).loc["m"]
    assert (row["bound_low"], row["bound_high"]) == (6 / 24, 22 / 24)  # all silent wrong, or right


def test_several_studies_at_once_are_each_their_own_family():
    one = pd.concat([none_of(m, SPREAD) for m in "mn"]).assign(study=1)
    two = pd.concat([none_of("m", SPREAD), none_of("n", "-" * 24)]).assign(study=2)
    both = judge_validity(pd.concat([one, two]), ["m", "n"], by=["study"])
    for study, mine in ((1, one), (2, two)):
        alone = judge_validity(mine, ["m", "n"])
        part = both[both["study"] == study].drop(columns="study").reset_index(drop=True)
        pd.testing.assert_frame_equal(part, alone, check_dtype=False)
