"""Judges as instruments: α against its reference implementation, order effects, the table."""

from __future__ import annotations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.control1_study import verdicts
from veridical.control1.judges import judge_table
from veridical.statistics.agreement import (
    alpha_interval,
    krippendorff_alpha,
    order_effect,
    ratings_matrix,
)

ratings = st.lists(
    st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0, np.nan]), min_size=3, max_size=3),
    min_size=3,
    max_size=10,
).map(lambda rows: np.array(rows).T)


def test_alpha_by_hand():
    # Two judges, two units: (0, 0) and (1, 0). Observed: 2 pairs of 4 differ by 1, mean 1/2.
    # Expected over the four values 0, 0, 1, 0: 6 of 12 ordered pairs differ by 1, mean 1/2.
    assert krippendorff_alpha(np.array([[0.0, 1.0], [0.0, 0.0]])) == pytest.approx(0.0)


@given(ratings)
def test_alpha_agrees_with_the_reference(table):
    paired = table[:, (np.isfinite(table).sum(axis=0) >= 2)]
    values = paired[np.isfinite(paired)]
    ours = krippendorff_alpha(table)
    if len(values) == 0 or np.ptp(values) == 0:
        assert np.isnan(ours)
    else:
        theirs = krippendorff.alpha(table, level_of_measurement="interval")
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_constant_scores_are_not_defined_rather_than_one():
    found = alpha_interval(np.full((3, 14), 0.75), np.repeat(np.arange(7), 2), rng())
    assert np.isnan([found.value, found.low, found.high]).all()
    assert found.note == "identical scores"


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_alpha_interval_resamples_whole_items():
    # The four units of an item are rated all but alike, so that items know more than units do.
    items = np.repeat(np.arange(7), 4)
    rated = np.random.default_rng(2).uniform(size=7) + np.random.default_rng(3).normal(
        0, 0.1, size=(3, 7)
    )
    table = np.repeat(rated, 4, axis=1) + np.random.default_rng(5).normal(0, 0.01, size=(3, 28))
    found = alpha_interval(table, items, rng())
    assert found.low < found.value < found.high <= 1
    # By brute force for the enumerated distribution: the plain average over resampled items.
    draws = []
    for picks in np.random.default_rng(4).integers(7, size=(5_000, 7)):
        units = np.concatenate([np.flatnonzero(items == pick) for pick in picks])
        draws.append(krippendorff_alpha(table[:, units]))
    assert (found.low, found.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.02)
    # Units resampled one by one are another question, with an answer too sure of itself.
    units = alpha_interval(table, np.arange(28), rng())
    assert units.high - units.low < 0.7 * (found.high - found.low)


def test_ratings_have_one_unit_a_text_and_pair():
    _, table = verdicts(rng(), noise=0.05)
    matrix, items = ratings_matrix(table, "identity_markers")
    assert matrix.shape == (3, 98)  # 49 pairs of two texts
    assert np.isfinite(matrix).all()
    assert sorted(set(items)) == [f"T{i}" for i in range(1, 8)]


@pytest.mark.parametrize("bias", [0.0, 0.08, -0.05])
def test_order_effect_finds_the_bias_and_not_the_content(bias):
    _, table = verdicts(rng(), first=bias, effect=0.3, item_sd=0.0)
    own = table[table["metric"] == "identity_markers"]
    found = order_effect(own, rng())
    assert found.value == pytest.approx(bias, abs=1e-12)
    assert found.low <= bias + 1e-12
    assert bias - 1e-12 <= found.high


def test_order_effect_resamples_whole_items():
    # Seven items, four pairs each, twice in either order; the effect is the item's own.
    own = np.random.default_rng(6).normal(0.1, 0.2, size=7)
    rows = [
        {"item_id": item, "condition": "foreign", "anchor_position": place, "other_score": 0.0,
         "anchor_score": own[item] if place == "A" else -own[item]}
        for item in range(7) for place in "ABAB"
    ]  # fmt: skip
    found = order_effect(pd.DataFrame(rows), rng())
    draws = own[np.random.default_rng(7).integers(7, size=(20_000, 7))].mean(axis=1)
    assert found.value == pytest.approx(own.mean())
    assert (found.low, found.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.01)


def test_order_effect_needs_both_orders():
    _, table = verdicts(rng())
    found = order_effect(table[table["anchor_position"] == "A"], rng())
    assert np.isnan(found.value)
    assert found.note == "one order"


def table_of(study: pd.DataFrame) -> pd.DataFrame:
    return judge_table(study, bound=0.1, registered="unanchored", rng=rng(), resamples=1_000)


def test_judges_table_has_every_statistic():
    _, study = verdicts(rng(), noise=0.05)
    table = table_of(study)
    head = ["judge", "metric", "responder", "corpus", "statistic", "contrast", "value", "note"]
    assert list(table.columns) == head
    every = set(table["statistic"])
    assert {"mean", "sd", "scores", "distinct_scores", "alpha", "alpha_low", "alpha_high"} <= every
    assert {"order_effect", "order_low", "order_high"} <= every
    assert {"alone_anchored", "leave_one_out_anchored", "leave_one_out_unanchored"} <= every
    alpha = table[table["statistic"] == "alpha"]
    assert list(alpha["judge"]) == ["all", "all"]
    alone = table[table["statistic"] == "alone_anchored"]
    assert len(alone) == 3 * 2 * 2
    assert set(alone["note"]) <= {"equivalent", "different", "inconclusive"}


def test_leaving_a_judge_out_and_averaging_the_rest_by_hand():
    _, study = verdicts(rng(), noise=0.05)
    table = table_of(study)
    pick = table[
        (table["metric"] == "identity_markers") & (table["contrast"] == "veridical-foreign")
    ]
    value = pick.set_index(["statistic", "judge"])["value"]
    # Balanced data: the estimate without judge one is the mean of the other two alone.
    others = (value["alone_anchored", "two"] + value["alone_anchored", "three"]) / 2
    assert value["leave_one_out_anchored", "one"] == pytest.approx(others)


def test_a_constant_judge_is_named():
    _, study = verdicts(rng(), noise=0.05)
    flat = study["judge"] == "two"
    study.loc[flat, ["anchor_score", "other_score"]] = 0.75
    table = table_of(study)
    row = table[(table["judge"] == "two") & (table["statistic"] == "distinct_scores")]
    assert (row["value"] == 1).all()
    assert (row["note"] == "constant").all()


def test_a_single_judge_has_no_agreement():
    _, study = verdicts(rng(), judges=("one",), noise=0.05)
    table = table_of(study)
    alpha = table[table["statistic"] == "alpha"]
    assert alpha["value"].isna().all()
    assert (alpha["note"] == "single judge").all()
    assert not (table["statistic"] == "leave_one_out_anchored").any()
