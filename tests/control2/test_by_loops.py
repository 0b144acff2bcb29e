"""Control 2 once more by plain loops: counts, tests, preferences, effects, and altered texts."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests
from support.lives import life
from veridical.base.calendars import MONTHS
from veridical.choices.answers import Counts
from veridical.choices.habits import FEW
from veridical.control2.alterations import (
    KINDS,
    MASK,
    Alteration,
    Alterer,
    mask_dates,
    problems,
)
from veridical.control2.prior_bias import (
    adjusted_effect,
    effect_p,
    estimate_effects,
    estimate_preferences,
)
from veridical.control2.tables import CONDITIONS, EFFECTS
from veridical.control2.validity import describe, judge_validity, validity
from veridical.statistics.intervals import paired_difference, wilson
from veridical.statistics.signs import sign_flip

MODELS = ("one", "two")
N = 12


def answers_of(seed: int, shares=(0.5, 0.5, 0.5), models=MODELS, silent=0.2) -> pd.DataFrame:
    """Answers by chance: right in so many of the answered, by condition."""
    rng = np.random.default_rng(seed)
    rows = []
    for model in models:
        for condition, share in zip(CONDITIONS, shares, strict=True):
            for probe in range(N):
                given_ = rng.random() >= silent
                right = bool(rng.random() < share)
                truth = "AB"[probe % 2]
                answer = (truth if right else "BA"[probe % 2]) if given_ else None
                rows.append(
                    {
                        "corpus": "A",
                        "model": model,
                        "condition": condition,
                        "probe_id": f"p{probe}",
                        "state": "ok" if given_ else "abstained",
                        "answer": answer,
                        "correct": right if given_ else None,
                        "first_option": "A",
                    }
                )
    return pd.DataFrame(rows).astype({"correct": object, "answer": object})


def own(table: pd.DataFrame, **where) -> list[dict]:
    return [r for r in table.to_dict("records") if all(r[k] == v for k, v in where.items())]


# ---------------------------------------------------------------- validity


@pytest.mark.parametrize("seed", range(6))
def test_every_number_of_the_table_is_that_of_a_loop(seed):
    answers = answers_of(seed, (0.9, 0.5, 0.7), silent=0.3)
    table = judge_validity(answers, MODELS)
    assert list(zip(table["model"], table["condition"], strict=True)) == [
        (model, condition) for model in MODELS for condition in CONDITIONS
    ]
    for row in table.to_dict("records"):
        rows = own(answers, model=row["model"], condition=row["condition"])
        answered = [r for r in rows if r["state"] == "ok"]
        right = sum(r["correct"] for r in answered)
        assert (row["n"], row["correct"]) == (N, right)
        assert row["wrong"] == len(answered) - right
        assert row["abstained"] == N - len(answered)
        assert row["coverage"] == pytest.approx(len(answered) / N)
        assert row["accuracy"] == pytest.approx(right / N)
        assert row["accuracy_answered"] == pytest.approx(right / len(answered))
        ends = wilson(right, len(answered))
        assert (row["wilson_low"], row["wilson_high"]) == pytest.approx(tuple(ends))
        p = binomtest(right, len(answered), alternative="greater").pvalue
        assert row["binomial_p"] == pytest.approx(p)
        assert row["bound_low"] == pytest.approx(right / N)
        assert row["bound_high"] == pytest.approx(1 - row["wrong"] / N)
        first = sum(r["answer"] == "A" for r in answered)
        assert row["first_option_share"] == pytest.approx(first / len(answered))


@pytest.mark.parametrize("seed", range(6))
def test_who_solves_it_beats_chance_after_holm_over_the_declared_models(seed):
    answers = answers_of(seed, (0.5, 0.5, 0.95), ("one", "two", "three"), silent=0.0)
    table = judge_validity(answers, ["one", "two", "three"])
    none = table[table["condition"] == "none"].reset_index(drop=True)
    tested = none["p_solves"].notna()
    expected = multipletests(none["p_solves"].fillna(1.0), method="holm")[1]
    assert none["p_solves_holm"].tolist() == pytest.approx(expected.tolist())
    for row, known in zip(none.to_dict("records"), tested, strict=True):
        rows = own(answers, model=row["model"], condition="none")
        given_ = Counter(r["answer"] for r in rows)
        alike = max(given_.values()) >= 0.9 * N or given_["A"] <= 0.1 * N
        assert known == (not alike)
        if known:
            p = binomtest(row["correct"], N, alternative="greater").pvalue
            assert row["p_solves"] == pytest.approx(p)
            assert row["finding"] == ("solves" if row["p_solves_holm"] <= 0.05 else "not shown")
        else:
            assert row["finding"] == "not testable"
    # What is said of the model stands in each of its rows.
    assert table.groupby("model")["finding"].nunique().eq(1).all()


@given(st.integers(0, 24), st.integers(0, 24), st.floats(0, 1), st.floats(0, 1))
def test_both_readings_of_a_condition_from_their_words(right, wrong, threshold, upper):
    answered = right + wrong
    for rule in ("point", "upper"):
        found = validity(Counts(right, wrong, 2, 1), rule, threshold, upper)
        if not answered:
            assert (found.point, found.upper, found.valid) == (None, None, None)
            continue
        assert found.point == (right / answered <= threshold)
        assert found.upper == (wilson(right, answered).high < upper)
        assert found.valid == (found.point if rule == "point" else found.upper)
        assert found.registered == rule


@pytest.mark.parametrize("rule", ["points", "", "Point"])
def test_a_rule_that_is_none_is_refused(rule):
    with pytest.raises(ValueError, match="control2/validity/registered is one of"):
        validity(Counts(1, 1, 0, 0), rule)


@pytest.mark.parametrize("name", ["threshold", "upper"])
@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan])
def test_a_threshold_that_is_no_share_is_refused(name, value):
    with pytest.raises(ValueError, match=rf"control2/validity/{name} must lie in 0\.\.1"):
        validity(Counts(1, 1, 0, 0), **{name: value})


@given(*[st.integers(0, 20)] * 4)
def test_a_description_adds_up(correct, wrong, abstained, unparseable):
    found = describe(Counts(correct, wrong, abstained, unparseable))
    n, answered = correct + wrong + abstained + unparseable, correct + wrong
    assert found["n"] == n
    if not answered:
        shares = ("accuracy", "accuracy_answered", "wilson_low", "wilson_high", "binomial_p")
        assert all(found[name] is None for name in shares)
    if n:
        assert found["bound_high"] - found["bound_low"] == pytest.approx((n - answered) / n)
    else:
        assert found["coverage"] is None


# ---------------------------------------------------------------- the prior bias


@pytest.mark.parametrize("seed", range(5))
def test_preferences_are_shares_of_the_samples_that_were_answered(seed):
    rng = np.random.default_rng(seed)
    rows = [
        {"corpus": "A", "model": model, "probe_id": f"p{probe}", "sample": sample,
         "answer": answer, "correct": None if answer is None else answer == "AB"[probe % 2],
         "first_option": "A"}
        for model in MODELS for probe in range(5) for sample in range(4)
        for answer in [rng.choice(["A", "B", None])]
    ]  # fmt: skip
    table = pd.DataFrame(rows).astype({"answer": object, "correct": object})
    for row in estimate_preferences(table).to_dict("records"):
        mine = own(table, model=row["model"], probe_id=row["probe_id"])
        given_ = [r for r in mine if r["answer"] is not None]
        assert (row["samples"], row["answered"]) == (4, len(given_))
        if given_:
            assert row["true_share"] == pytest.approx(
                sum(r["correct"] for r in given_) / len(given_)
            )
            first = sum(r["answer"] == "A" for r in given_)
            assert row["first_share"] == pytest.approx(first / len(given_))
        else:
            assert math.isnan(row["true_share"])
            assert math.isnan(row["first_share"])


@pytest.mark.parametrize("seed", range(4))
def test_effects_are_paired_probe_by_probe_and_corrected_over_models_and_documents(seed):
    answers = answers_of(seed, (0.95, 0.2, 0.5))
    none = answers[answers["condition"] == "none"].assign(sample=0)
    known = estimate_preferences(none)
    documents = [name for name in CONDITIONS if name != "none"]
    table = estimate_effects(answers, known, MODELS, documents)
    assert len(table) == len(MODELS) * len(documents)
    expected = multipletests(table["p_effect"].astype(float).fillna(1.0), method="holm")[1]
    assert table["p_effect_holm"].tolist() == pytest.approx(expected.tolist())
    shares = known.set_index(["model", "probe_id"])["true_share"]
    for row in table.to_dict("records"):
        pairs = [
            (float(r["correct"]), shares[row["model"], r["probe_id"]])
            for r in own(answers, model=row["model"], condition=row["condition"])
            if r["answer"] is not None
        ]
        right = [hit for hit, _ in pairs]
        filled = [0.5 if math.isnan(share) else share for _, share in pairs]
        effect, ends = paired_difference(right, filled)
        assert row["n_pairs"] == len(pairs)
        assert row["n_prior_unknown"] == sum(math.isnan(share) for _, share in pairs)
        assert (row["effect"], row["low"], row["high"]) == pytest.approx((effect, *ends))
        seen = [(hit, share) for hit, share in pairs if not math.isnan(share)]
        if len(seen) < FEW:
            assert row["finding"] == "not testable"
            continue
        assert row["p_effect"] == pytest.approx(sign_flip([hit - share for hit, share in seen]))
        shown = row["p_effect_holm"] <= 0.05
        word = ("adds" if effect > 0 else "takes away") if shown and effect else "not shown"
        assert row["finding"] == word


@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 1.0, math.nan])),
        min_size=0,
        max_size=14,
    )
)
def test_turning_right_and_wrong_about_turns_the_effect(pairs):
    right, prior = [hit for hit, _ in pairs], [share for _, share in pairs]
    one = adjusted_effect(right, prior)
    two = adjusted_effect([not hit for hit in right], [1 - share for share in prior])
    if not pairs:
        assert one["effect"] is None
        return
    assert two["effect"] == pytest.approx(-one["effect"])
    assert (two["low"], two["high"]) == pytest.approx((-one["high"], -one["low"]), abs=1e-7)
    p = effect_p(right, prior, ordered=False)
    assert (p is None) == (sum(not math.isnan(share) for share in prior) < FEW)
    if p is not None:
        assert p == pytest.approx(
            effect_p([not hit for hit in right], [1 - share for share in prior], ordered=False)
        )
        # The order of the probes can only make it less sure.
        assert effect_p(right, prior, ordered=True) >= p - 1e-12


# ---------------------------------------------------------------- altered texts


@pytest.mark.parametrize("language", list(MONTHS))
def test_every_day_of_every_month_is_masked_and_the_rest_stays(language):
    for month in MONTHS[language].split():
        for day in (1, 9, 28):
            text = f"Ada, {day} {month} 2025, Bo; {day} {month}."
            assert mask_dates(text, language) == f"Ada, {MASK}, Bo; {MASK}."
    assert (
        mask_dates("Ada met Bo at 10:15 in room 12.", language) == "Ada met Bo at 10:15 in room 12."
    )


@given(st.integers(1, 31), st.integers(1, 12), st.integers(1990, 2099))
def test_numeric_dates_are_masked_in_any_language(day, month, year):
    for text in (f"{year}-{month:02}-{day:02}", f"{day}/{month}/{year}", f"{day}.{month}.{year}"):
        assert mask_dates(f"On {text} it rained.", "fi") == f"On {MASK} it rained."


@pytest.fixture(scope="module")
def alterer() -> Alterer:
    return Alterer(life())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_an_alteration_changes_what_it_says_and_nothing_else(alterer, kind, seed):
    found = 0
    for text in life().encounters["text"]:
        masked = mask_dates(text, "en")
        for each in alterer.find(masked, kind, np.random.default_rng(seed)):
            found += 1
            altered = each.apply(masked)
            assert each.kind == kind
            assert altered != masked
            assert masked[: each.position] == altered[: each.position]
            assert (
                masked[each.position + len(each.source) :]
                == altered[each.position + len(each.target) :]
            )
            assert problems(masked, each) == []
            back = Alteration(kind, each.position, each.target, each.source)
            assert back.apply(altered) == masked
    assert found > 0


@given(st.integers(2, 9_999), st.integers(0, 10**6))
def test_another_number_is_as_long_and_a_fifth_to_three_fifths_off(alterer, number, seed):
    text = f"Ada paid {number} crowns."
    for each in alterer.find(text, "number", np.random.default_rng(seed)):
        other = int(each.target)
        assert len(each.target) == len(str(number))
        assert other != number
        assert max(1, round(0.2 * number)) <= abs(other - number) <= max(2, round(0.6 * number))


@pytest.mark.parametrize(
    ("text", "alteration", "fault"),
    [
        ("Ada paid 5.", Alteration("number", 0, "5", "6"), "'5' doesn't stand at 0"),
        ("Ada paid 5.", Alteration("number", 9, "5", "5"), "the texts don't differ"),
        ("ada paid 5.", Alteration("number", 9, "5", "6"), "doesn't begin like a sentence"),
        ("Ada paid 5", Alteration("number", 9, "5", "6"), "doesn't end like a sentence"),
        ("Ada  paid 5.", Alteration("number", 10, "5", "6"), "has stray spaces"),
        ("Ada (paid 5.", Alteration("number", 10, "5", "6"), "doesn't close ("),
        ("Ada saw a cup.", Alteration("name", 10, "cup", "urn"), "'a' doesn't go with 'urn'"),
        ("Ada saw an urn.", Alteration("name", 11, "urn", "cup"), "'an' doesn't go with 'cup'"),
        ("An 8 came.", Alteration("number", 3, "8", "7"), "'An' doesn't go with '7'"),
        ("An 11 came.", Alteration("number", 3, "11", "18"), None),
        ("Ada saw “a cup”.", Alteration("name", 11, "cup", "jug"), None),
        ("[date] Ada came.", Alteration("name", 7, "Ada", "Bo"), None),
    ],
)
def test_what_is_wrong_with_a_pair_is_said(text, alteration, fault):
    found = problems(text, alteration)
    if fault is None:
        assert found == []
    else:
        assert any(fault in each for each in found), found


@pytest.mark.parametrize("column", ["effect", "low", "high"])
@pytest.mark.parametrize("value", [-1.01, 1.01])
def test_an_effect_beyond_one_is_no_effect(column, value):
    answers = answers_of(1)
    known = estimate_preferences(answers[answers["condition"] == "none"].assign(sample=0))
    table = estimate_effects(answers, known, MODELS, ["veridical", "counterfeit"])
    EFFECTS.check(table, "effects")
    table.loc[0, column] = value
    with pytest.raises(ValueError, match=column):
        EFFECTS.check(table, "effects")
