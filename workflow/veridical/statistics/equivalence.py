"""Is a mean difference negligible? Exact bootstrap, two one-sided t tests, and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from veridical.statistics.resampling import (
    ENUMERATION_LIMIT,
    compositions,
    n_compositions,
    percentile_interval,
    resampled_counts,
)

LEVELS = (0.90, 0.95)
SAME = 1e-12  # differences of scores that differ by less than this differ by rounding alone


@dataclass(frozen=True)
class Verdict:
    """What two nested intervals say about a difference, given an equivalence bound.

    `label` is `equivalent`, `different` or `inconclusive`; `inside_not_zero` tells that the 90 %
    interval lies inside the bounds and yet excludes 0: negligible by the bound, but not nothing.
    """

    label: str
    inside_not_zero: bool


@dataclass(frozen=True)
class BootstrapResult:
    """Percentile intervals of a mean. `method` is `enumerated` or `resampled`.

    `intervals` maps a level such as 0.90 to (low, high); `draws` counts the compositions
    enumerated or the resamples drawn; `degenerate` tells that all differences are identical, so
    that every interval is a point.
    """

    estimate: float
    intervals: Mapping[float, tuple[float, float]]
    method: str
    draws: int
    degenerate: bool


@dataclass(frozen=True)
class TostResult:
    """Two one-sided t tests of |mean| >= bound, and the t intervals that belong to them.

    Where all differences are identical there is no spread to judge an error by: then `defined` is
    False and p, t values and intervals are NaN.
    """

    estimate: float
    t_lower: float
    t_upper: float
    df: int
    p: float
    ci90: tuple[float, float]
    ci95: tuple[float, float]
    defined: bool


def checked_differences(differences: Iterable[float]) -> np.ndarray:
    """The differences as an array, at least two of them and all finite; raises ValueError else."""
    values = np.asarray(list(differences), dtype=float)
    if values.ndim != 1 or values.size < 2:
        raise ValueError(
            f"an interval over items needs at least 2 items, and there is {values.size}: "
            "the unit of analysis is the item, not the verdict"
        )
    if not np.isfinite(values).all():
        rows = ", ".join(str(row) for row in np.flatnonzero(~np.isfinite(values)))
        raise ValueError(f"differences at position {rows} are not finite numbers")
    return values


def verdict(ci90: Sequence[float], ci95: Sequence[float], bound: float) -> Verdict:
    """Read a pair of intervals at an equivalence bound.

    Parameters
    ----------
    ci90, ci95
        (low, high) of the 90 % interval (that of two one-sided 5 % tests) and of the 95 % one, in
        the units of the score.
    bound
        The largest difference called negligible, above 0.

    Returns
    -------
    Verdict
        `equivalent` when the 90 % interval lies strictly inside ±bound, else `different` when the
        95 % interval excludes 0, else `inconclusive` (Schuirmann 1987).

    Raises
    ------
    ValueError
        Where an interval is not finite or is upside down, or the bound is not above 0.

    Examples
    --------
    >>> verdict((0.002, 0.065), (-0.002, 0.072), 0.10)
    Verdict(label='equivalent', inside_not_zero=True)
    """
    if not bound > 0:
        raise ValueError(f"the equivalence bound must be above 0, not {bound}")
    for name, interval in (("90 %", ci90), ("95 %", ci95)):
        low, high = (float(end) for end in interval)
        if not (np.isfinite(low) and np.isfinite(high) and low <= high):
            raise ValueError(f"the {name} interval [{low}, {high}] is no interval")
    inside = -bound < ci90[0] and ci90[1] < bound
    if inside:
        return Verdict("equivalent", bool(ci90[0] > 0 or ci90[1] < 0))
    if ci95[0] > 0 or ci95[1] < 0:
        return Verdict("different", False)
    return Verdict("inconclusive", False)


def bootstrap_exact(
    differences: Iterable[float], levels: Sequence[float] = LEVELS
) -> BootstrapResult:
    """Percentile bootstrap of the mean over its exact distribution: nothing is drawn.

    All C(2n-1, n) compositions of the items are listed with their multinomial weights
    (Fisher and Hall 1991), so that there is no Monte Carlo error and no seed.

    Parameters
    ----------
    differences
        One value an item, at least two, at most twelve.
    levels
        Coverage levels in (0, 1).

    Raises
    ------
    ValueError
        For fewer than two items, values that are not finite, or more than twelve items.

    Examples
    --------
    Two items give the means 0, 1/2 and 1 with the weights 1, 2 and 1 of 4:

    >>> bootstrap_exact([0.0, 1.0], [0.4]).intervals
    {0.4: (0.5, 0.5)}
    """
    values = checked_differences(differences)
    counts, weights = compositions(len(values))
    means = counts @ values / len(values)
    return _result(values, means, weights, levels, "enumerated")


def bootstrap_resampled(
    differences: Iterable[float],
    rng: np.random.Generator,
    resamples: int = 100_000,
    levels: Sequence[float] = LEVELS,
) -> BootstrapResult:
    """The same intervals from seeded resamples, for more items than can be enumerated."""
    values = checked_differences(differences)
    counts, weights = resampled_counts(len(values), rng, resamples)
    return _result(values, counts @ values / len(values), weights, levels, "resampled")


def bootstrap(
    differences: Iterable[float],
    levels: Sequence[float] = LEVELS,
    *,
    rng: np.random.Generator,
    resamples: int = 100_000,
) -> BootstrapResult:
    """Enumerate where C(2n-1, n) is at most two million (n up to 12), else resample."""
    values = checked_differences(differences)
    if n_compositions(len(values)) <= ENUMERATION_LIMIT:
        return bootstrap_exact(values, levels)
    return bootstrap_resampled(values, rng, resamples, levels)


def _result(
    values: np.ndarray,
    means: np.ndarray,
    weights: np.ndarray,
    levels: Sequence[float],
    method: str,
) -> BootstrapResult:
    estimate = float(values.mean())
    degenerate = bool(np.ptp(values) <= SAME)
    if degenerate:  # the point itself, free of the rounding of counts @ values
        intervals = {level: (float(values[0]), float(values[0])) for level in levels}
        estimate = float(values[0])
    else:
        intervals = {level: percentile_interval(means, weights, level) for level in levels}
    return BootstrapResult(estimate, intervals, method, len(means), degenerate)


def tost(differences: Iterable[float], bound: float) -> TostResult:
    """Two one-sided t tests that the mean difference lies beyond the bound, either way.

    H0: |mean| >= bound; the p of both tests together is the larger one (Schuirmann 1987), and
    p < 0.05 exactly where the 90 % t interval lies inside ±bound.

    Parameters
    ----------
    differences
        One value an item, at least two.
    bound
        The largest difference called negligible, above 0.

    Raises
    ------
    ValueError
        For fewer than two items, values that are not finite, or a bound that is not above 0.
    """
    from scipy.stats import t as student

    if not bound > 0:
        raise ValueError(f"the equivalence bound must be above 0, not {bound}")
    values = checked_differences(differences)
    n, mean = len(values), float(values.mean())
    df = n - 1
    if np.ptp(values) <= SAME:
        nan = float("nan")
        return TostResult(float(values[0]), nan, nan, df, nan, (nan, nan), (nan, nan), False)
    error = float(values.std(ddof=1) / np.sqrt(n))
    t_lower, t_upper = (mean + bound) / error, (mean - bound) / error
    p = max(float(student.sf(t_lower, df)), float(student.cdf(t_upper, df)))
    half90, half95 = (float(student.ppf(q, df)) * error for q in (0.95, 0.975))
    return TostResult(
        estimate=mean,
        t_lower=float(t_lower),
        t_upper=float(t_upper),
        df=df,
        p=p,
        ci90=(mean - half90, mean + half90),
        ci95=(mean - half95, mean + half95),
        defined=True,
    )
