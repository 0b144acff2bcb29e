"""Equivalence: enumeration, t tests and verdicts, against hand, R, scipy and statsmodels."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.statistics.equivalence import (
    Verdict,
    bootstrap,
    bootstrap_exact,
    bootstrap_resampled,
    tost,
    verdict,
)
from veridical.statistics.resampling import compositions, item_resamples, n_compositions

SEVEN = [0.02, 0.05, -0.01, 0.08, 0.03, 0.00, 0.06]
WIDE = [-0.31, 0.12, 0.4, -0.02, 0.19, 0.07, -0.2]


@pytest.mark.parametrize(
    ("ci90", "ci95", "said"),
    [
        # The source's printed rows, at its bound of 0.10.
        ((0.002, 0.065), (-0.002, 0.072), Verdict("equivalent", True)),
        ((-0.117, 0.114), (-0.135, 0.137), Verdict("inconclusive", False)),
        # Its third row prints no interval: any that holds both 0 and 0.10 gives its verdict.
        ((-0.01, 0.19), (-0.03, 0.21), Verdict("inconclusive", False)),
        ((0.05, 0.15), (0.01, 0.19), Verdict("different", False)),
        ((-0.15, -0.05), (-0.19, -0.01), Verdict("different", False)),
        ((-0.05, 0.05), (-0.06, 0.06), Verdict("equivalent", False)),
        ((-0.05, 0.10), (-0.06, 0.11), Verdict("inconclusive", False)),  # at the bound: not inside
        ((0.0, 0.0), (0.0, 0.0), Verdict("equivalent", False)),
        ((-0.06, -0.02), (-0.07, -0.01), Verdict("equivalent", True)),
    ],
)
def test_verdict(ci90, ci95, said):
    assert verdict(ci90, ci95, 0.10) == said


@pytest.mark.parametrize("bad", [(float("nan"), 0.1), (0.2, 0.1), (0.0, float("inf"))])
def test_verdict_refuses_what_is_no_interval(bad):
    with pytest.raises(ValueError, match="is no interval"):
        verdict(bad, (0, 0.1), 0.1)
    with pytest.raises(ValueError, match="is no interval"):
        verdict((0, 0.1), bad, 0.1)


@pytest.mark.parametrize("bound", [0, -0.1, float("nan")])
def test_bound_must_be_positive(bound):
    with pytest.raises(ValueError, match="bound must be above 0"):
        verdict((0, 0.1), (0, 0.1), bound)
    with pytest.raises(ValueError, match="bound must be above 0"):
        tost(SEVEN, bound)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10])
def test_compositions_are_all_and_weighted(n):
    counts, weights = compositions(n)
    assert len(counts) == comb(2 * n - 1, n) == n_compositions(n)
    assert len(np.unique(counts, axis=0)) == len(counts)
    assert (counts.sum(axis=1) == n).all()
    assert int(weights.sum()) == n**n  # every order of draws, counted once


def test_weight_is_the_number_of_orders():
    # Three items: (2, 1, 0) can be drawn in 3!/(2! 1! 0!) = 3 orders, (1, 1, 1) in 6.
    counts, weights = compositions(3)
    found = {tuple(map(int, row)): int(w) for row, w in zip(counts, weights, strict=True)}
    assert found[(2, 1, 0)] == 3
    assert found[(1, 1, 1)] == 6
    assert found[(0, 0, 3)] == 1


def test_enumeration_by_hand():
    # 0 and 1: means 0, 1/2, 1 weigh 1, 2, 1 of 4. A 40 % interval leaves 30 % at each end: the
    # smallest mean at or below which 30 % lies is 1/2, from either side. A 60 % interval: 20 %.
    result = bootstrap_exact([0.0, 1.0], [0.4, 0.6])
    assert result.intervals == {0.4: (0.5, 0.5), 0.6: (0.0, 1.0)}
    assert (result.method, result.draws, result.estimate) == ("enumerated", 3, 0.5)


def test_scipy_agrees_within_its_monte_carlo_error():
    from scipy.stats import bootstrap as scipy_bootstrap

    exact = bootstrap_exact(WIDE)
    for level in (0.90, 0.95):
        drawn = scipy_bootstrap(
            (np.array(WIDE),),
            np.mean,
            confidence_level=level,
            n_resamples=200_000,
            method="percentile",
            rng=np.random.default_rng(1),
            batch=20_000,
        )
        # The tail share drawn is within 4 binomial standard errors of the exact share.
        share = (1 - level) / 2
        error = 4 * np.sqrt(share * (1 - share) / 200_000)
        below = (drawn.bootstrap_distribution < exact.intervals[level][0] - 1e-12).mean()
        upto = (drawn.bootstrap_distribution <= exact.intervals[level][0] + 1e-12).mean()
        assert below - error <= share <= upto + error
        assert drawn.confidence_interval == pytest.approx(exact.intervals[level], abs=0.004)


def test_resampling_agrees_with_enumeration():
    drawn = bootstrap_resampled(WIDE, np.random.default_rng(3), 100_000)
    exact = bootstrap_exact(WIDE)
    assert drawn.method == "resampled"
    for level in (0.90, 0.95):
        assert drawn.intervals[level] == pytest.approx(exact.intervals[level], abs=0.005)


def test_many_items_are_resampled_and_few_enumerated():
    rng = np.random.default_rng(0)
    values = rng.normal(size=13)
    assert n_compositions(12) < 2_000_000 < n_compositions(13)
    one, two = (bootstrap(values, rng=np.random.default_rng(9), resamples=5_000) for _ in range(2))
    assert one == two
    assert (one.method, one.draws) == ("resampled", 5_000)
    assert bootstrap(values[:5], rng=rng).method == "enumerated"
    assert item_resamples(13, rng, 1_000)[0].shape == (1_000, 13)
    with pytest.raises(ValueError, match="resample"):
        bootstrap_exact(values)


@pytest.mark.parametrize(
    ("values", "ci90", "ci95", "p_lower", "p_upper"),
    [
        # R 4: t.test(x, conf.level = 0.9), t.test(x), and t.test(x, mu = ∓0.1) one-sided
        (
            SEVEN,
            (0.0089773302492917612, 0.056736955464993952),
            (0.0027869547952422673, 0.062927330919043443),
            1.8533800653959324e-05,
            0.00078361033438892867,
        ),
        (
            WIDE,
            (-0.13988284718153671, 0.21131141861010816),
            (-0.18540297747445128, 0.25683154890302273),
            0.091910667731531656,
            0.25177281113703565,
        ),
        (
            [0.11, 0.09],
            (0.036862484853249611, 0.1631375151467504),
            (-0.027062047361746965, 0.22706204736174695),
            0.015902251256176374,
            0.5,
        ),
    ],
)
def test_tost_agrees_with_r(values, ci90, ci95, p_lower, p_upper):
    result = tost(values, 0.10)
    assert result.ci90 == pytest.approx(ci90, abs=1e-12)
    assert result.ci95 == pytest.approx(ci95, abs=1e-12)
    assert result.p == pytest.approx(max(p_lower, p_upper), abs=1e-12)


finite = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 6))
samples = st.lists(finite, min_size=2, max_size=8).filter(lambda d: np.ptp(d) > 1e-3)


@given(samples, st.floats(0.01, 0.5))
def test_tost_agrees_with_statsmodels(values, bound):
    from statsmodels.stats.weightstats import DescrStatsW

    p, (t_lower, _, df), (t_upper, _, _) = DescrStatsW(values).ttost_mean(-bound, bound)
    result = tost(values, bound)
    assert result.p == pytest.approx(p, abs=1e-9)
    assert (result.t_lower, result.t_upper) == pytest.approx((t_lower, t_upper), rel=1e-9, abs=1e-9)
    assert result.df == df


@given(samples, st.floats(0.01, 0.5))
def test_small_p_is_an_interval_inside_the_bounds(values, bound):
    result = tost(values, bound)
    inside = -bound < result.ci90[0] and result.ci90[1] < bound
    if abs(result.p - 0.05) > 1e-9:
        assert (result.p < 0.05) == inside


@given(samples)
def test_negating_negates_the_interval(values):
    there, back = bootstrap_exact(values), bootstrap_exact([-v for v in values])
    for level in (0.90, 0.95):
        low, high = there.intervals[level]
        assert back.intervals[level] == pytest.approx((-high, -low), abs=1e-12)


@given(samples)
def test_intervals_are_nested_around_the_estimate(values):
    result = bootstrap_exact(values)
    low90, high90 = result.intervals[0.90]
    low95, high95 = result.intervals[0.95]
    assert low95 <= low90 <= result.estimate + 1e-12
    assert result.estimate - 1e-12 <= high90 <= high95
    assert min(values) <= low95 + 1e-12
    assert high95 - 1e-12 <= max(values)


@pytest.mark.parametrize("value", [0.0, 0.05, 0.1 + 0.2])
def test_identical_differences(value):
    """BCa gives NaN there; the percentile interval is a point, and t is not defined."""
    result = bootstrap_exact([value] * 7)
    assert result.degenerate
    assert result.intervals == {0.90: (value, value), 0.95: (value, value)}
    student = tost([value] * 7, 0.1)
    assert not student.defined
    assert np.isnan([student.p, *student.ci90, *student.ci95]).all()


@pytest.mark.parametrize("few", [[], [0.1]])
def test_fewer_than_two_items(few):
    with pytest.raises(ValueError, match="at least 2 items"):
        bootstrap_exact(few)
    with pytest.raises(ValueError, match="at least 2 items"):
        tost(few, 0.1)


def test_a_missing_difference_is_named():
    with pytest.raises(ValueError, match="position 1"):
        tost([0.1, float("nan"), 0.2], 0.1)
