"""Contrasts: what cancels, what stops the analysis, and verdicts that studies deserve."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.control1_study import METRICS, verdicts
from veridical.base.tables import read_table, write_table
from veridical.control1.contrasts import (
    anchored,
    contrast_table,
    contrasted,
    drift,
    drift_table,
    item_differences,
    item_scores,
    unanchored,
)
from veridical.control1.panel_tables import POWER
from veridical.control1.rules import conclude, examine, judged
from veridical.control1.tables import CELL, CONTRASTS, FINDING
from veridical.control1.verdict_checks import check_verdicts
from veridical.statistics.power import power_table

ITEMS = [f"T{i}" for i in range(1, 8)]
JUDGES = ["one", "two", "three"]


def differences(table: pd.DataFrame) -> pd.DataFrame:
    return item_differences(item_scores(table))


def contrasts(table: pd.DataFrame, registered: str = "unanchored") -> pd.DataFrame:
    return contrast_table(
        differences(table), bound=0.10, registered=registered, rng=np.random.default_rng(1)
    )


scores = st.lists(st.floats(0, 1), min_size=4, max_size=4)


@given(st.lists(scores, min_size=2, max_size=8))
def test_anchored_is_unanchored_minus_drift(rows):
    own, start, other, end = np.array(rows).T
    expected = unanchored(own, other) - drift(start, end)
    assert anchored(own, start, other, end) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.3, 0.3))
def test_anchored_cancels_any_additive_drift(seed, moved):
    """A session-wide shift of the judges' scale leaves the anchored contrast as it was."""
    still = verdicts(np.random.default_rng(seed), noise=0.05)[1]
    moving = verdicts(np.random.default_rng(seed), noise=0.05, drift=moved)[1]
    one, two = differences(still), differences(moving)
    assert two["anchored"].to_numpy() == pytest.approx(one["anchored"].to_numpy(), abs=1e-12)
    assert (two["unanchored"] - one["unanchored"]).to_numpy() == pytest.approx(moved, abs=1e-12)
    assert (two["drift"] - one["drift"]).to_numpy() == pytest.approx(moved, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.3, 0.3))
def test_balanced_order_cancels_an_additive_position_bias(seed, bias):
    """Eight items: four of each order a judge, session and condition, so the mean is unmoved."""
    study = {"n_items": 8, "noise": 0.05, "seed": seed}
    fair = verdicts(np.random.default_rng(seed), **study)[1]
    biased = verdicts(np.random.default_rng(seed), first=bias, **study)[1]
    for reading in ("anchored", "drift", "unanchored"):
        one, two = (
            differences(table).groupby(["metric", "contrast"])[reading].mean().to_numpy()
            for table in (fair, biased)
        )
        assert two == pytest.approx(one, abs=1e-12)


def test_means_are_taken_over_seeds_then_judges_by_hand():
    # One metric, items x and y, judges a and b, seeds 1 and 2 of one kind.
    rows = []
    for judge, own, fakes in (("a", 0.8, (0.2, 0.4)), ("b", 0.6, (0.4, 0.4))):
        for item, more in (("x", 0.0), ("y", 0.1)):
            rows.append((judge, "original", item, "veridical", None, 0.5, own + more))
            rows += [
                (judge, "counterfeit", item, "foreign", seed, 0.4 + 0.02 * seed, fake)
                for seed, fake in zip((1, 2), fakes, strict=True)
            ]
    columns = ["judge", "session", "item_id", "condition", "seed", "anchor_score", "other_score"]
    table = pd.DataFrame(rows, columns=columns).assign(metric="m", responder="m", corpus="A")
    found = differences(table).set_index("item_id")
    # x: veridical (0.8 + 0.6)/2 = 0.7, counterfeit (0.3 + 0.4)/2 = 0.35, anchors 0.5 and 0.43.
    assert found.loc["x", "unanchored"] == pytest.approx(0.35)
    assert found.loc["x", "drift"] == pytest.approx(0.07)
    assert found.loc["x", "anchored"] == pytest.approx(0.28)
    assert found.loc["y", "unanchored"] == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("effect", "verdict"),
    [(0.0, "equivalent"), (0.25, "different"), (-0.25, "different")],
)
def test_a_study_gets_the_verdict_it_deserves(effect, verdict):
    _, table = verdicts(np.random.default_rng(4), effect=effect, noise=0.02, drift=0.12, first=0.03)
    found = contrasts(table)
    read = found[found["reading"] == "anchored"]
    assert len(read) == 4
    assert (read["verdict"] == verdict).all()
    assert (read["t_verdict"] == verdict).all()
    assert read["estimate"].to_numpy() == pytest.approx(effect, abs=0.05)


def test_drift_alone_makes_an_unanchored_difference():
    """The source's case: nothing there, and +0.12 in its favour without the anchor."""
    _, table = verdicts(np.random.default_rng(4), effect=0.0, noise=0.01, drift=0.2)
    found = contrasts(table).set_index(["reading", "metric", "contrast"])["verdict"]
    assert set(found.loc["unanchored"]) == {"different"}
    assert set(found.loc["anchored"]) == {"equivalent"}


def test_table_has_both_readings_and_names_the_registered():
    _, table = verdicts(np.random.default_rng(1))
    found = contrasts(table, "anchored")
    assert len(found) == 2 * 2 * 2
    assert (found["registered"] == (found["reading"] == "anchored")).all()
    assert (found["bootstrap"] == "enumerated").all()
    assert (found["n_items"] == 7).all()
    with pytest.raises(ValueError, match="registered must be one of"):
        contrasts(table, "both")


def test_methods_that_disagree_are_flagged():
    # 90 % percentile interval inside the bounds, t's not: found by its spread, mean near the bound.
    values = [0.02, 0.05, 0.09, 0.11, 0.04, 0.12, 0.05]
    rows = pd.DataFrame(
        {"metric": "m", "contrast": "veridical-foreign", "anchored": values, "unanchored": values}
    ).assign(responder="m", corpus="A")
    found = contrast_table(rows, bound=0.095, registered="anchored", rng=np.random.default_rng(1))
    row = found.iloc[0]
    assert (row["verdict"], row["t_verdict"]) == ("equivalent", "different")
    assert row["methods_disagree"]
    assert (row["verdict"], row["t_verdict"]) == ("equivalent", "different")


def test_identical_differences_are_said_to_be():
    _, table = verdicts(np.random.default_rng(1), item_sd=0.0)  # constant judges, in effect
    found = contrasts(table)
    assert (found["estimate"].abs() < 1e-12).all()
    assert (found["t_verdict"] == "not defined").all()
    assert found["tost_p"].isna().all()
    assert not found["methods_disagree"].any()


def test_drift_table():
    _, table = verdicts(np.random.default_rng(1), drift=0.1)
    found = drift_table(differences(table))
    assert list(found.columns) == [
        "responder",
        "corpus",
        "metric",
        "item_id",
        "contrast",
        "anchor_original",
        "anchor_counterfeit",
        "drift",
    ]
    assert len(found) == 2 * 2 * 7
    assert found["drift"].to_numpy() == pytest.approx(0.1)


# --- bad input ---------------------------------------------------------------------------------


@pytest.fixture
def whole() -> pd.DataFrame:
    return verdicts(np.random.default_rng(1))[1]


def check(table: pd.DataFrame, **more) -> pd.DataFrame:
    declared = {"judges": JUDGES, "metrics": list(METRICS), "items": ITEMS} | more
    items = pd.DataFrame({"item_id": declared.pop("items")}).assign(responder="m", corpus="A")
    return check_verdicts(table, items=items, **declared)


def spoil(table: pd.DataFrame, row: int = 0, **values) -> pd.DataFrame:
    table = table.copy()
    for column, value in values.items():
        table.loc[row, column] = value
    return table


def test_a_whole_table_passes(whole):
    assert len(check(whole)) == 147 * 2


def test_six_items_of_seven(whole):
    with pytest.raises(ValueError, match="no verdict has the item_id 'T7'"):
        check(whole[whole["item_id"] != "T7"])


def test_one_cell_missing(whole):
    row = whole.iloc[0]
    with pytest.raises(
        ValueError, match=f"1 scores are missing: {row['judge']} m A {row['item_id']}"
    ):
        check(whole.drop(index=0))


def beside(table: pd.DataFrame) -> pd.DataFrame:
    """The source's verdicts, with two pairs known by construction and one in the other order."""
    own = table[(table["condition"] == "veridical") & table["item_id"].isin(["T1", "T2"])]
    known = own.assign(session="positive", condition="quoted", seed=1)
    known["item_id"] = known["item_id"].str.replace("T", "A-Q")
    turned = own[own["item_id"] == "T1"].assign(session="reversed")
    return pd.concat([table, known, turned], ignore_index=True)


def test_sheets_beside_the_sources_are_held_to_every_judge_and_metric(whole):
    table = beside(whole)
    assert len(check(table)) == (147 + 3 * 2 + 3) * 2
    lost = table.index[(table["session"] == "positive") & (table["judge"] == "two")]
    with pytest.raises(ValueError, match=r"1 scores are missing: two m A A-Q\d quoted 1"):
        check(table.drop(index=lost[0]))
    with pytest.raises(ValueError, match="occur twice: one m A T1 veridical"):
        check(pd.concat([table, table[table["session"] == "reversed"].iloc[[0]]]))


def test_sheets_beside_the_sources_are_in_no_registered_contrast(whole):
    table = beside(whole).assign(other_score=lambda t: t["other_score"].where(
        t["session"].isin(["original", "counterfeit"]), 1.0))  # fmt: skip
    pd.testing.assert_frame_equal(
        differences(contrasted(table)), differences(whole), check_exact=False
    )
    none = whole[whole["condition"] == "veridical"].assign(session="none", condition="none")
    both = contrasted(pd.concat([whole, none]))
    assert set(differences(both)["contrast"]) == {
        "veridical-foreign", "veridical-shuffled", "veridical-none",
    }  # fmt: skip


def test_a_judge_missing(whole):
    with pytest.raises(ValueError, match="no verdict has the judge 'two'"):
        check(whole[whole["judge"] != "two"])
    with pytest.raises(ValueError, match="undeclared judge 'two'"):
        check(whole, judges=["one", "three"])


def test_a_metric_missing(whole):
    with pytest.raises(ValueError, match="no verdict has the metric 'memory_reference'"):
        check(whole[whole["metric"] != "memory_reference"])


@pytest.mark.parametrize("score", [1.2, -0.01, float("nan")])
def test_a_score_out_of_range(whole, score):
    row = whole.iloc[0]
    with pytest.raises(ValueError, match=rf"outside \[0, 1\] or missing: one m A {row['item_id']}"):
        check(spoil(whole, other_score=score))


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_the_ends_of_the_scale_are_scores(whole, score):
    assert len(check(spoil(whole, other_score=score))) == len(whole)


def test_duplicated_verdicts(whole):
    row = whole.iloc[0]
    with pytest.raises(ValueError, match=f"occur twice: one m A {row['item_id']}"):
        check(pd.concat([whole, whole.iloc[[0]]], ignore_index=True))


def test_fewer_than_two_items():
    _, table = verdicts(np.random.default_rng(1), n_items=1)
    with pytest.raises(ValueError, match="at least 2 items, and the study has 1"):
        check(table, items=["T1"])


def test_incomplete_verdicts_stop_the_analysis_or_are_counted(whole):
    sheet = whole["sheet_id"].iloc[0]
    gap = {"state": "incomplete", "reason": "out of range", "at": "A/identity_markers"}
    gap |= {"anchor_score": np.nan, "other_score": np.nan}
    broken = whole.copy()
    broken.loc[broken["sheet_id"] == sheet, list(gap)] = list(gap.values())
    said = (
        f"results/s/control1/verdicts.csv: 1 verdicts are incomplete (one 1 of 49), such as {sheet}"
        ": out of range (A/identity_markers). "
    )
    with pytest.raises(ValueError, match=re.escape(said) + ".*control1.omit_incomplete"):
        check(broken, path="results/s/control1/verdicts.csv")
    complete = check(broken, omit_incomplete=True)
    assert len(complete) == 146 * 2
    found = contrast_table(
        differences(complete),
        bound=0.1,
        registered="anchored",
        rng=np.random.default_rng(1),
        omitted=1,
    )
    assert (found["omitted"] == 1).all()


def test_an_item_without_a_complete_verdict_on_one_side_is_left_out_on_both(whole):
    gone = whole[~((whole["item_id"] == "T3") & (whole["condition"] == "veridical"))]
    left = item_scores(gone)
    assert "T3" not in set(left["item_id"])
    every = item_scores(whole)
    kept = every[every["item_id"] != "T3"].reset_index(drop=True)
    pd.testing.assert_frame_equal(left, kept)
    one = whole[(whole["condition"] != "veridical") | (whole["item_id"] == "T1")]
    with pytest.raises(ValueError, match="1 items have a verdict that is complete under both"):
        item_scores(one)


def test_a_judge_missing_on_one_side_counts_on_neither():
    """A lenient judge (1) and a harsh one (0), alike under both memories: the difference is 0.

    Where the harsh one is missing under the veridical memory of T1 alone, means over whoever is
    there would give 1 against 0.5.
    """
    rows = [
        {"metric": "m", "condition": condition, "item_id": item, "judge": judge, "seed": 1}
        | {"anchor_score": score, "other_score": score}
        for condition in ("veridical", "foreign")
        for item in ("T1", "T2")
        for judge, score in (("lenient", 1.0), ("harsh", 0.0))
    ]
    table = pd.DataFrame(rows).assign(responder="m", corpus="A")
    lacking = (table["judge"] == "harsh") & (table["condition"] == "veridical")
    scores = item_scores(table[~(lacking & (table["item_id"] == "T1"))])
    assert list(scores["veridical"]) == list(scores["counterfeit"]) == [1.0, 0.5]


@pytest.mark.parametrize("exact", [True, False])
def test_a_judge_that_turns_round_between_sessions_is_written_as_it_is(tmp_path, exact):
    """An anchored contrast is a difference of differences: it reaches 2, and that is no fault."""
    _, table = verdicts(np.random.default_rng(1), judges=("one",))
    own = table["session"] == "original"
    table["other_score"], table["anchor_score"] = own.astype(float), (~own).astype(float)
    if not exact:  # so that t has a spread to go by
        table.loc[table["item_id"] == "T1", ["other_score", "anchor_score"]] = 0.5
    table = contrasted(table)
    found = contrasts(table).query("contrast == 'veridical-foreign' and reading == 'anchored'")
    items, documents = judged(table)
    panel = examine(table, items, bound=0.1)
    findings = conclude(items, documents, panel, bound=0.1)
    estimate = 2.0 if exact else 12 / 7
    assert found["estimate"].tolist() == pytest.approx([estimate] * len(METRICS))
    assert findings["estimate"].to_numpy() == pytest.approx(estimate)
    for contract, written in ((CONTRASTS, contrasts(table)), (FINDING, findings)):
        write_table(written, tmp_path / "t.csv", contract)
        assert read_table(tmp_path / "t.csv", contract)["estimate"].max() == pytest.approx(estimate)
    power = power_table(
        differences(table),
        bound=0.1,
        reading="anchored",
        rng=np.random.default_rng(1),
        items=(5,),
        simulations=20,
        resamples=20,
        by=CELL,
    )
    write_table(power, tmp_path / "power.csv", POWER)


def test_an_estimate_beyond_what_two_differences_can_give_is_a_fault(tmp_path):
    table = contrasts(verdicts(np.random.default_rng(1))[1])
    table.loc[0, "estimate"] = 2.1
    with pytest.raises(ValueError, match=r"estimate: 2\.1 is not in -2\.\.2"):
        write_table(table, tmp_path / "t.csv", CONTRASTS)
