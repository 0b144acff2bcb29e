"""Control 1's conclusions: by hand, by what must not be said, and by what decides it."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from veridical.control1.rules import conclude, examine, judged


def verdicts(rows):
    """Verdicts from (judge, session, item, condition, seed, anchor, other, anchor's place)."""
    columns = ["judge", "session", "item_id", "condition", "seed"]
    columns += ["anchor_score", "other_score", "anchor_position"]
    return pd.DataFrame(rows, columns=columns).assign(metric="m", responder="r", corpus="A")


def study(gaps, *, seeds=1, quoted=None, judges=("x", "y"), reverse=None):
    """Items whose veridical answer scores 0.5 + gap, its counterfeits and all anchors 0.5."""
    rows = []
    for i, gap in enumerate(gaps):
        for judge in judges:
            rows.append((judge, "original", f"T{i}", "veridical", None, 0.5, 0.5 + gap, "A"))
            if reverse is not None:
                score = (0.5 - reverse, 0.5 + gap + reverse)
                rows[-1] = (*rows[-1][:5], 0.5 + reverse, 0.5 + gap - reverse, "A")
                rows.append((judge, "reversed", f"T{i}", "veridical", None, *score, "B"))
            rows += [
                (judge, "counterfeit", f"T{i}", "foreign", seed, 0.5, 0.5, "B")
                for seed in range(1, seeds + 1)
            ]
    for i, gap in enumerate(quoted or ()):
        rows += [
            (judge, "positive", f"Q{i}", "quoted", None, 0.5 + gap, 0.5, "A") for judge in judges
        ]
    return verdicts(rows)


def concluded(table, bound=0.1):
    items, documents = judged(table)
    instrument = examine(table, items, bound=bound)
    return conclude(items, documents, instrument, bound=bound).iloc[0], instrument


NEAR_ZERO = [0.02, -0.03, 0.01, -0.01, 0.03, -0.02, 0.0]
FAR = [0.22, 0.17, 0.21, 0.19, 0.23, 0.18, 0.2]
HEARD = [0.4, 0.5, 0.3, 0.45, 0.35, 0.5, 0.4]
DEAF = [0.02, -0.01, 0.0, 0.03, -0.02, 0.01, 0.0]


def test_the_numbers_by_scipy():
    row, _ = concluded(study(FAR, seeds=2))
    assert row["estimate"] == pytest.approx(0.2)
    assert row["p_items"] == pytest.approx(stats.ttest_1samp(FAR, 0).pvalue)
    assert (row["low"], row["high"]) == pytest.approx(
        stats.t.interval(0.95, 6, np.mean(FAR), stats.sem(FAR))
    )
    low = stats.ttest_1samp(NEAR_ZERO, -0.1, alternative="greater").pvalue
    high = stats.ttest_1samp(NEAR_ZERO, 0.1, alternative="less").pvalue
    assert concluded(study(NEAR_ZERO))[0]["p_same"] == pytest.approx(max(low, high))


def test_the_same_is_said_only_by_a_panel_that_can_notice():
    assert concluded(study(NEAR_ZERO, quoted=HEARD))[0]["finding"] == "equivalent"
    assert concluded(study(NEAR_ZERO, quoted=DEAF))[0]["finding"] == "not testable"
    assert concluded(study(NEAR_ZERO))[0]["finding"] == "not testable"
    # noticed, but by less than what is called negligible
    slight = [0.08, 0.09, 0.1, 0.07, 0.09, 0.08, 0.1]
    assert concluded(study(NEAR_ZERO, quoted=slight))[0]["finding"] == "not testable"


def test_a_difference_needs_no_positive_control():
    row, _ = concluded(study(FAR, quoted=DEAF))
    assert row["finding"] == "different here"
    assert pd.isna(row["p_documents"])  # one document: nothing tells how documents vary


def apart_by(table, size):
    """Three documents of a kind whose scores differ from one another by so much."""
    shift = table["seed"].map({1: size, 2: -size, 3: 0.0}).fillna(0.0)
    return table.assign(other_score=table["other_score"] + shift)


def test_of_the_kind_only_where_its_documents_agree():
    table = study(FAR, seeds=3)
    near, _ = concluded(apart_by(table, 0.01))
    wide, _ = concluded(apart_by(table, 0.12))
    assert near["estimate"] == wide["estimate"] == pytest.approx(0.2)
    assert near["p_items"] == wide["p_items"] < 0.001
    assert (near["finding"], wide["finding"]) == ("different", "different here")
    # the documents' part by hand: sd 0.12, times sqrt(1 + 1/3), t with 2 degrees
    half = stats.t.ppf(0.975, 2) * 0.12 * np.sqrt(4 / 3)
    items = stats.t.ppf(0.975, 6) * stats.sem(FAR)
    assert wide["documents_high"] == pytest.approx(0.2 + np.hypot(half, items))


@pytest.mark.parametrize("n", [2, 3])
def test_three_items_decide_nothing(n):
    assert concluded(study(FAR[:n], quoted=HEARD))[0]["finding"] == "too few items"


def test_judges_that_never_vary_are_not_testable():
    row, _ = concluded(study([0.0] * 7, quoted=HEARD))
    assert row["finding"] == "not testable"
    assert pd.isna(row["p_items"])


def test_drift_alone_is_neither_a_difference_nor_the_same():
    table = study(NEAR_ZERO, quoted=HEARD)
    late = table["session"] == "counterfeit"
    moved = table.assign(
        **{name: table[name] - 0.2 * late for name in ("anchor_score", "other_score")}
    )
    row, instrument = concluded(moved)
    assert row["estimate"] == pytest.approx(0.0, abs=0.01)  # anchoring takes it off
    assert row["finding"] == "inconclusive"  # the scores as they stand differ by 0.2
    assert instrument.set_index("test").loc["drift", "estimate"] == pytest.approx(0.2)


def test_a_judge_counts_only_where_it_scored_both_sides():
    """A harsh judge without veridical verdicts made a difference of its own."""
    table = study(NEAR_ZERO, judges=("x", "y", "harsh"))
    harsh = table["judge"] == "harsh"
    scores = table[["anchor_score", "other_score"]].sub(0.4 * harsh, axis=0)
    table[["anchor_score", "other_score"]] = scores
    whole, _ = judged(table)
    lost, _ = judged(table[~(harsh & (table["session"] == "original"))])
    assert lost["unanchored"].tolist() == pytest.approx(whole["unanchored"].tolist())
    assert lost["drift"].abs().max() == pytest.approx(0)


def test_an_item_whose_judges_never_meet_is_left_out():
    table = study(NEAR_ZERO)
    gone = ((table["judge"] == "x") & (table["session"] == "original")) | (
        (table["judge"] == "y") & (table["session"] == "counterfeit")
    )
    items, _ = judged(table[~((table["item_id"] == "T0") & gone)])
    assert sorted(items["item_id"]) == [f"T{i}" for i in range(1, 7)]


def test_both_orders_take_the_place_out_and_measure_it():
    one, _ = concluded(study(FAR))
    both, instrument = concluded(study(FAR, reverse=0.15))
    assert both["estimate"] == pytest.approx(one["estimate"])
    order = instrument.set_index("test").loc["order"]
    assert order["estimate"] == pytest.approx(0.3)  # 0.15 more when first, 0.15 less when second
    assert pd.isna(order["p"])  # it never varied
    assert "order" not in set(concluded(study(FAR))[1]["test"])


def test_metrics_and_kinds_are_one_family():
    one = study(FAR, seeds=2)
    two = pd.concat([one, one.assign(metric="n")])
    items, documents = judged(two)
    instrument = examine(two, items, bound=0.1)
    table = conclude(items, documents, instrument, bound=0.1)
    assert table["p_items_holm"].tolist() == pytest.approx((2 * table["p_items"]).tolist())
    by = two.assign(study=1)
    items, documents = judged(by, ["study"])
    again = conclude(
        items, documents, examine(by, items, bound=0.1, by=["study"]), bound=0.1, by=["study"]
    )
    pd.testing.assert_frame_equal(again.drop(columns="study"), table)


def test_all_metrics_of_a_kind_the_same_needs_no_correction():
    """Two p of 0.03 and 0.04: each is below 5 %, and so is what holds of both."""
    table = study(NEAR_ZERO, quoted=HEARD)
    wide = study([3 * gap for gap in NEAR_ZERO], quoted=HEARD).assign(metric="n")
    both = pd.concat([table, wide])
    items, documents = judged(both)
    found = conclude(items, documents, examine(both, items, bound=0.1), bound=0.1)
    assert found["p_same"].max() < 0.05
    assert found["p_same_hochberg"].max() == pytest.approx(found["p_same"].max())
    assert set(found["finding"]) == {"equivalent"}


def two_metrics(heard, deaf, gaps=NEAR_ZERO):
    """Nothing differs on metric m, whose pairs are told apart, and on n, whose pairs are not."""
    return pd.concat([study(gaps, quoted=heard), study(gaps, quoted=deaf).assign(metric="n")])


def test_a_panel_may_hear_on_one_metric_and_be_deaf_on_another():
    table = two_metrics(HEARD, DEAF)
    items, documents = judged(table)
    panel = examine(table, items, bound=0.1)
    found = conclude(items, documents, panel, bound=0.1).set_index("metric")
    assert found["sensitive"].to_dict() == {"m": "sensitive", "n": "not sensitive"}
    assert found["finding"].to_dict() == {"m": "equivalent", "n": "not testable"}


def test_the_panels_own_p_is_part_of_the_same():
    """What is called the same is no surer than that the panel would have noticed."""
    slightly = [0.05, 0.35, 0.1, 0.25, 0.3, 0.02, 0.3]
    row, panel = concluded(study(NEAR_ZERO, quoted=slightly))
    p = stats.ttest_1samp(slightly, 0.1, alternative="greater").pvalue
    assert 0.02 < p < 0.08
    assert row["p_same"] == pytest.approx(p)
    assert panel.set_index("test").loc["quoted", "p"] == pytest.approx(p)


def test_sensitivity_is_corrected_over_metrics():
    weak = [0.13, 0.35, 0.07, 0.24, 0.3, 0.05, 0.3]
    p = stats.ttest_1samp(weak, 0.1, alternative="greater").pvalue
    assert 0.025 < p < 0.05
    alone = study(NEAR_ZERO, quoted=weak)
    assert concluded(alone)[0]["sensitive"] == "sensitive"
    table = two_metrics(weak, DEAF)
    items, _ = judged(table)
    panel = examine(table, items, bound=0.1).set_index(["test", "metric"])
    assert panel.loc[("quoted", "m"), "p_holm"] == pytest.approx(2 * p)
    assert panel.loc[("quoted", "m"), "finding"] == "not sensitive"


@pytest.mark.parametrize(
    ("gap", "pairs", "word", "p"),
    [
        (0.5, 7, "sensitive", 0.5**7),  # every pair parted alike: seven tosses that fell right
        (0.5, 4, "not sensitive", 0.5**4),
        (0.1, 7, "not sensitive", 1.0),  # no further than what counts as negligible
        (-0.5, 7, "not sensitive", 1.0),
        (0.5, 3, "not sensitive", np.nan),  # too few for anything
    ],
)
def test_judges_that_part_every_pair_alike_are_not_deaf(gap, pairs, word, p):
    _, panel = concluded(study(NEAR_ZERO, quoted=[gap] * pairs))
    row = panel.set_index("test").loc["quoted"]
    assert row["finding"] == word
    assert row["p"] == pytest.approx(p, nan_ok=True)


def test_what_is_shown_again_is_no_further_document():
    """A sheet judged twice, or turned round, adds no weight and no condition."""
    table = study(FAR, seeds=2, quoted=HEARD)
    again = table[table["session"].isin(["original", "counterfeit"])].assign(
        session="repeated", other_score=0.0, anchor_score=1.0
    )
    for before, after in zip(judged(table), judged(pd.concat([table, again])), strict=True):
        pd.testing.assert_frame_equal(before, after)


def without_a_document(gaps, own=0.5):
    rows = []
    for i, gap in enumerate(gaps):
        rows += [(judge, "none", f"T{i}", "none", 0, 0.5, own + gap, "A") for judge in "xy"]
    return verdicts(rows)


def test_no_memory_is_a_contrast_of_its_own():
    table = pd.concat([study(FAR, quoted=HEARD), without_a_document(NEAR_ZERO[::-1])])
    items, documents = judged(table)
    found = conclude(items, documents, examine(table, items, bound=0.1), bound=0.1)
    row = found.set_index("contrast").loc["veridical-none"]
    assert row["estimate"] == pytest.approx(np.mean(FAR) - np.mean(NEAR_ZERO))
    assert (row["n_documents"], row["finding"]) == (1, "different here")
    same = pd.concat([study(FAR, quoted=HEARD), without_a_document(FAR)])
    same.loc[same["session"] == "none", "other_score"] += np.tile([0.01, -0.01], 7)
    items, documents = judged(same)
    found = conclude(items, documents, examine(same, items, bound=0.1), bound=0.1)
    assert found.set_index("contrast")["finding"].to_dict() == {
        "veridical-foreign": "different here",
        "veridical-none": "not testable",  # no item differs from another: that decides nothing
    }


def test_the_same_is_one_family_over_metrics_and_kinds():
    """Hochberg over all rows: one true at 4 % beside one at the bound is not called the same."""
    table = study([3 * gap for gap in NEAR_ZERO], quoted=HEARD)
    alone, _ = concluded(table)
    assert alone["p_same"] < 0.05
    far = table[table["condition"] == "foreign"].assign(condition="shuffled", other_score=0.3)
    items, documents = judged(pd.concat([table, far]))
    found = conclude(items, documents, examine(table, items, bound=0.1), bound=0.1)
    row = found.set_index("contrast").loc["veridical-foreign"]
    assert row["p_same_hochberg"] == pytest.approx(min(2 * alone["p_same"], 1))


def test_no_document_is_no_test_of_documents():
    """What has no documents to vary takes no part in their correction; it can't be of a kind."""
    table = apart_by(study(FAR, seeds=3, quoted=HEARD), 0.01)
    alone, _ = concluded(table)
    both = pd.concat([table, without_a_document(NEAR_ZERO[::-1])])
    items, documents = judged(both)
    found = conclude(items, documents, examine(both, items, bound=0.1), bound=0.1)
    by_kind = found.set_index("contrast")
    foreign = by_kind.loc["veridical-foreign"]
    assert foreign["p_documents_holm"] == pytest.approx(alone["p_documents_holm"])
    none = by_kind.loc["veridical-none"]
    assert none["p_items_holm"] == pytest.approx(2 * none["p_items"])  # of the items it does
    assert by_kind.loc["veridical-none", "p_documents_holm"] == 1
    assert by_kind["finding"].to_dict() == {
        "veridical-foreign": "different", "veridical-none": "different here",
    }  # fmt: skip
