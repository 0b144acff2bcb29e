"""Bootstrap samples of n items: all of them with their weights, or seeded draws."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

ENUMERATION_LIMIT = 2_000_000


def n_compositions(n: int) -> int:
    """How many different bootstrap samples n items have: C(2n-1, n), 1,716 at n = 7."""
    return comb(2 * n - 1, n)


@lru_cache(maxsize=4)
def compositions(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Every way in which n draws fall on n items, with the number of draw orders of each.

    Returns
    -------
    counts, weights
        Shape (C(2n-1, n), n) of int8 and (C(2n-1, n),) of int64; each row of counts sums to n,
        and the multinomial weights sum to n**n, exactly.

    Raises
    ------
    ValueError
        Where there would be more than two million rows (n above 12).
    """
    if n < 1 or n_compositions(n) > ENUMERATION_LIMIT:
        raise ValueError(
            f"n = {n} has {n_compositions(max(n, 1)):,} compositions: resample instead"
        )
    binomial = np.array([[comb(a, b) for b in range(n + 1)] for a in range(n + 1)], dtype=np.int64)
    columns: list[np.ndarray] = []
    left, weights = np.array([n]), np.array([1], dtype=np.int64)
    for _ in range(n - 1):
        size = left + 1
        parent = np.repeat(np.arange(len(left)), size)
        taken = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        weights = weights[parent] * binomial[left[parent], taken]
        columns = [*(column[parent] for column in columns), taken.astype(np.int8)]
        left = left[parent] - taken
    counts = np.stack([*columns, left.astype(np.int8)], axis=1)
    counts.flags.writeable = weights.flags.writeable = False
    return counts, weights


def _weighted_low(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """The smallest value at or below which at least `share` of the weight lies."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, share * reached[-1], side="left")])


def resampled_counts(
    n: int, rng: np.random.Generator, resamples: int
) -> tuple[np.ndarray, np.ndarray]:
    """Seeded draws of n from n items: counts of shape (resamples, n), and equal weights."""
    counts = rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.int32)
    return counts, np.ones(resamples, dtype=np.int64)


def item_resamples(
    n: int, rng: np.random.Generator, resamples: int = 100_000
) -> tuple[np.ndarray, np.ndarray]:
    """Counts and weights of bootstrap samples of n items, for statistics other than a mean.

    Every composition with its multinomial weight where there are at most two million, else
    seeded draws with equal weights.
    """
    if n_compositions(n) <= ENUMERATION_LIMIT:
        return compositions(n)
    return resampled_counts(n, rng, resamples)


def percentile_interval(
    statistics: np.ndarray, weights: np.ndarray, level: float
) -> tuple[float, float]:
    """The percentile interval of weighted bootstrap statistics; NaN statistics are left out.

    Both ends follow one rule (the value at which the tail's share is reached), so that negating
    the statistics negates the interval exactly. All NaN gives (NaN, NaN).
    """
    known = np.isfinite(statistics)
    if not known.any():
        return float("nan"), float("nan")
    statistics, weights, share = statistics[known], weights[known], (1 - level) / 2
    return _weighted_low(statistics, weights, share), -_weighted_low(-statistics, weights, share)
