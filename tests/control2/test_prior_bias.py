"""The prior bias: preferences per probe, and the effect of a document beyond them."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.base.tables import as_agreed
from veridical.control2.prior_bias import (
    estimate_effects,
    estimate_preferences,
)
from veridical.control2.tables import EFFECTS


def table(**probes):
    """Answers of `m`: a letter a sample for each probe, c, w, - or x (left out); A is first."""
    rows = [
        {
            "corpus": "A",
            "model": "m",
            "probe_id": probe,
            "sample": sample,
            "state": {"-": "abstained", "x": "left out"}.get(letter, "ok"),
            "answer": {"c": "A", "w": "B"}.get(letter),
            "correct": {"c": True, "w": False}.get(letter),
            "first_option": "A",
        }
        for probe, letters in probes.items()
        for sample, letter in enumerate(letters)
    ]
    return pd.DataFrame(rows).astype({"correct": object, "answer": object})


def effect_of(answers, preferences):
    """The row of `m` under the veridical document."""
    answers = answers.assign(condition="veridical")
    return estimate_effects(answers, preferences, ["m"], ["veridical"]).iloc[0]


def test_a_preference_is_a_share_of_the_answered_samples():
    preferences = estimate_preferences(table(p0="ccw-", p1="----")).set_index("probe_id")
    assert preferences.loc["p0", "true_share"] == pytest.approx(2 / 3)
    assert preferences.loc["p0", "first_share"] == pytest.approx(2 / 3)
    assert (preferences.loc["p0", "samples"], preferences.loc["p0", "answered"]) == (4, 3)
    assert pd.isna(preferences.loc["p1", "true_share"])


def test_an_effect_by_hand():
    preferences = estimate_preferences(table(p0="cccw", p1="wwww", p2="----", p3="cccc"))
    effect = effect_of(table(p0="c", p1="c", p2="c", p3="-"), preferences)
    # p0: 1 - 3/4, p1: 1 - 0, p2: 1 - 1/2 (chance stands in), p3 was not answered
    assert effect["effect"] == pytest.approx((0.25 + 1 + 0.5) / 3)
    assert (effect["n_pairs"], effect["n_prior_unknown"]) == (3, 1)
    assert effect["accuracy_answered"] == 1.0
    assert effect["prior_true"] == pytest.approx((0.75 + 0 + 0.5) / 3)
    assert effect["low"] < effect["effect"] < effect["high"] <= 1


def test_a_model_that_follows_its_preference_shows_no_effect():
    # right wherever it prefers the true text anyway: 16 of 24 with the document, 16 of 24 without
    probes = {f"p{i:02d}": "c" if i < 16 else "w" for i in range(24)}
    effect = effect_of(table(**probes), estimate_preferences(table(**probes)))
    assert effect["effect"] == 0
    assert effect["low"] <= 0 <= effect["high"]


def test_all_right_with_a_document_stays_an_effect_beyond_a_preference_of_two_thirds():
    prior = {f"p{i:02d}": "c" if i < 16 else "w" for i in range(24)}
    right = {f"p{i:02d}": "c" for i in range(24)}
    effect = effect_of(table(**right), estimate_preferences(table(**prior)))
    assert effect["effect"] == pytest.approx(1 / 3)
    assert effect["low"] > 0


def test_where_nothing_was_answered_there_is_no_effect():
    answers = pd.concat(
        [
            table(p0="c", p1="c").assign(condition="veridical"),
            table(p0="-", p1="-").assign(condition="counterfeit"),
        ]
    )
    effects = estimate_effects(
        answers, estimate_preferences(table(p0="w", p1="-")), ["m"], ["veridical", "counterfeit"]
    )
    assert list(effects.columns) == EFFECTS.names
    assert effects["effect"].notna().tolist() == [True, False]
    as_agreed(effects, EFFECTS)


def test_a_preference_left_out_takes_its_probe_with_it():
    prior = table(p0="w", p1="x", p2="-", p3="xc")
    first = prior[prior["sample"] == 0].assign(condition="none")
    given = table(p0="c", p1="c", p2="c", p3="w").assign(condition="veridical")
    known = estimate_preferences(prior)
    answers = pd.concat([given, first])
    effect = estimate_effects(answers, known, ["m"], ["veridical"]).iloc[0]
    # p0: 1 - 0, p2: 1 - 1/2 (silent, chance stands in), p3: 0 - 1 (its other sample); p1 is out
    assert (effect["n_pairs"], effect["n_prior_unknown"]) == (3, 1)
    assert effect["effect"] == pytest.approx((1 + 0.5 - 1) / 3)


def test_an_answer_left_out_with_a_document_is_no_pair():
    prior = table(p0="w", p1="w")
    given = table(p0="c", p1="x").assign(condition="veridical")
    answers = pd.concat([given, prior.assign(condition="none")])
    known = estimate_preferences(prior)
    effect = estimate_effects(answers, known, ["m"], ["veridical"]).iloc[0]
    assert (effect["n_pairs"], effect["effect"]) == (1, 1.0)


def test_a_probe_never_asked_without_a_document_is_named():
    with pytest.raises(ValueError, match="never asked without a document: p9"):
        effect_of(table(p9="c"), estimate_preferences(table(p0="c")))


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from("cw-"), st.text("cw-", min_size=1, max_size=5)), min_size=1)
)
def test_the_interval_holds_the_effect(pairs):
    answers = table(**{f"p{i}": answer for i, (answer, _) in enumerate(pairs)})
    prior = estimate_preferences(
        table(**{f"p{i}": samples for i, (_, samples) in enumerate(pairs)})
    )
    effect = effect_of(answers, prior)
    if effect["n_pairs"]:
        assert -1 <= effect["low"] <= effect["effect"] + 1e-12
        assert effect["effect"] - 1e-12 <= effect["high"] <= 1
    else:
        assert pd.isna(effect["effect"])


def effects_of(with_document, prior, places=None):
    """The effects of `m`, letters a probe with the veridical document and without one."""
    names = [f"p{i:02d}" for i in range(len(prior))]
    answers = table(**dict(zip(names, with_document, strict=True))).assign(condition="veridical")
    if places:
        answers["place"] = places
    known = estimate_preferences(table(**dict(zip(names, prior, strict=True))))
    return estimate_effects(answers, known, ["m"], ["veridical"]).iloc[0]


def test_a_document_adds_where_flipping_signs_hardly_ever_reaches_as_far():
    row = effects_of("c" * 12, "w" * 8 + "c" * 4)
    assert row["p_effect"] == 2 / 2**8  # eight differences, all one way
    assert row["finding"] == "adds"
    row = effects_of("w" * 12, "c" * 8 + "w" * 4)
    assert row["finding"] == "takes away"
    assert effects_of("c" * 12, "w" * 5 + "c" * 7)["finding"] == "not shown"  # 2/32 = 0.0625


def test_a_preference_never_seen_is_no_evidence():
    """Always right with a document, and silent without: the prior may have been right as well."""
    row = effects_of("c" * 24, "-" * 20 + "cccc")
    assert row["effect"] > 0.4
    assert pd.isna(row["p_effect"])
    assert row["finding"] == "not testable"


def test_neighbours_that_agree_are_counted_as_one():
    plain = effects_of("c" * 12 + "w" * 4, "w" * 12 + "c" * 4)
    mixed = [1 + (7 * i) % 16 for i in range(16)]
    spread = effects_of("c" * 12 + "w" * 4, "w" * 12 + "c" * 4, mixed)
    block = effects_of("c" * 12 + "w" * 4, "w" * 12 + "c" * 4, list(range(1, 17)))
    assert plain["p_effect"] == pytest.approx(0.0768, abs=1e-4)  # McNemar of 12 and 4
    assert plain["p_effect"] <= spread["p_effect"] < block["p_effect"]


def test_the_family_is_models_times_documents():
    answers = pd.concat(
        [
            table(**{f"p{i:02d}": "c" for i in range(12)}).assign(condition=condition, model=model)
            for condition in ("veridical", "counterfeit")
            for model in "mn"
        ]
    )
    known = pd.concat(
        [
            estimate_preferences(
                table(**{f"p{i:02d}": "w" if i < 8 else "c" for i in range(12)})
            ).assign(model=model)
            for model in "mn"
        ]
    )
    effects = estimate_effects(answers, known, ["m", "n"], ["veridical", "counterfeit"])
    assert set(effects["m"]) == {4}
    assert effects["p_effect_holm"].tolist() == [4 * 2 / 2**8] * 4
