"""Estimators over counts: pass@k, entropies, coverage, rarefaction. Never NaN: defined or refused.

`counts` are how often each mode was seen, in any order; zeros are passed over. Entropies in nats.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, log

import numpy as np
from numpy.typing import ArrayLike, NDArray


@lru_cache(maxsize=100_000)
def pass_at_k(n: int, c: int, k: int) -> float:
    """Chance that k of n rollouts, drawn without replacement, hold one of the c verified ones.

    1 - C(n - c, k) / C(n, k), unbiased for the chance that k fresh rollouts do (Chen et al. 2021).
    Exact in integers. 0.0 where c = 0. Raises ValueError unless 0 <= c <= n and 1 <= k <= n.

    >>> pass_at_k(4, 1, 2)
    0.5
    """
    if not 0 <= c <= n:
        raise ValueError(f"{c} verified of {n} rollouts: it must lie between 0 and n")
    if not 1 <= k <= n:
        raise ValueError(
            f"pass@{k} of {n} rollouts: k must lie between 1 and n; draw more rollouts"
        )
    total = comb(n, k)
    return (total - comb(n - c, k)) / total


def entropy(counts: ArrayLike) -> float:
    """Plug-in Shannon entropy of the observed shares; too low on average (see the other two).

    Raises ValueError where nothing was counted.

    >>> round(entropy([2, 2]), 3)
    0.693
    """
    seen = _seen(counts)
    share = seen / seen.sum()
    return float(max(0.0, -(share * np.log(share)).sum()))


def entropy_miller_madow(counts: ArrayLike) -> float:
    """Plug-in entropy plus (m - 1) / 2n, m modes seen in n rollouts (Miller 1955).

    Takes away the first order of the bias. Raises ValueError where nothing was counted.
    """
    seen = _seen(counts)
    return entropy(seen) + (seen.size - 1) / (2 * float(seen.sum()))


def entropy_chao_shen(counts: ArrayLike) -> float:
    """Entropy that allows for modes not seen yet (Chao & Shen 2003).

    Shares are shrunk by the Good-Turing coverage and each term is divided by the chance that its
    mode was seen at all (Horvitz-Thompson). Where every mode was seen just once the coverage
    would be 0; one singleton is then left out of account, as is usual. A single rollout gives 0.
    Raises ValueError where nothing was counted.
    """
    seen = _seen(counts)
    n = int(seen.sum())
    singles = int((seen == 1).sum())
    if n == 1:
        return 0.0
    if singles == n:
        singles = n - 1
    share = (1 - singles / n) * seen / n
    seen_at_all = -np.expm1(n * np.log1p(-np.minimum(share, 1 - 1e-16)))
    return float(max(0.0, -(share * np.log(share) / seen_at_all).sum()))


def coverage_good_turing(counts: ArrayLike) -> float:
    """Estimated share of the distribution that lies on modes seen: 1 - f1 / n (Good 1953).

    f1 modes were seen once. 0.0 for a single rollout: nothing came back, so nothing is known.
    Raises ValueError where nothing was counted.
    """
    seen = _seen(counts)
    return float(1 - (seen == 1).sum() / seen.sum())


def rarefaction(counts: ArrayLike, n: int, budgets: ArrayLike) -> NDArray[np.float64]:
    """Expected number of distinct verified modes among b of all n rollouts, failures included.

    sum over modes of 1 - C(n - n_m, b) / C(n, b), in closed form (Hurlbert 1971). `budgets` has
    any length; the result has the same. No verified rollout gives zeros. Raises ValueError where
    the counts exceed n or a budget is not between 0 and n.

    >>> rarefaction([2, 1], 4, [1, 4]).tolist()
    [0.75, 2.0]
    """
    seen = _seen(counts, empty=True)
    if seen.sum() > n:
        raise ValueError(f"{int(seen.sum())} verified rollouts in modes, but only {n} in all")
    asked = [int(b) for b in np.atleast_1d(np.asarray(budgets))]
    outside = [b for b in asked if not 0 <= b <= n]
    if outside:
        raise ValueError(f"a budget of {outside[0]} rollouts: it must lie between 0 and {n}")
    found = np.zeros(n + 1)
    for size in seen:
        found[1:] += pass_curve(n, int(size))
    return found[asked]


@lru_cache(maxsize=10_000)
def entropy_curve(counts: tuple[int, ...], n: int) -> NDArray[np.float64]:
    """Expected plug-in entropy of the verified modes among b of all n rollouts, for b from 1 to n.

    A sample of b rollouts without replacement holds v verified ones, hypergeometric, and of a mode
    seen n_m times j among these v, again hypergeometric: E = sum over v of Pr(v | b) times the sum
    over modes and j of Pr(j | v) (j / v) log(v / j). No verified rollout counts as 0. Exact; shape
    (n,): don't write to it. Raises ValueError where the counts exceed n.

    >>> entropy_curve((1, 1), 2).round(3).tolist()
    [0.0, 0.693]
    """
    seen = _seen(counts, empty=True)
    c = int(seen.sum())
    if c > n:
        raise ValueError(f"{c} verified rollouts in modes, but only {n} in all")
    sizes, modes = np.unique(seen, return_counts=True)
    within = np.zeros(c + 1)  # expected entropy of v verified rollouts
    for size, times in zip(sizes.tolist(), modes, strict=True):
        j = np.arange(1, size + 1)
        for v in range(1, c + 1):
            some = j[max(0, v - (c - size) - 1) : v]  # no fewer than v less all the others
            chance = _hypergeometric(some, c, size, v)
            within[v] += times * float(chance @ (some / v * np.log(v / some)))
    v = np.arange(c + 1)
    return np.array([float(_hypergeometric(v, n, c, b) @ within) for b in range(1, n + 1)])


def _hypergeometric(j: NDArray[np.int64], n: int, k: int, b: int) -> NDArray[np.float64]:
    """Chance that j of b drawn without replacement from n are among k; 0 where that can't be."""
    can = (j >= max(0, b - (n - k))) & (j <= min(k, b))
    log = _log_factorials(n)
    at = j[can]
    ways = log[k] - log[at] - log[k - at] + log[n - k] - log[b - at] - log[n - k - b + at]
    chance = np.zeros(len(j))
    chance[can] = np.exp((ways - (log[n] - log[b] - log[n - b])).astype(np.float64))
    return chance


@lru_cache(maxsize=64)
def _log_factorials(n: int) -> NDArray[np.longdouble]:
    """log k! for k from 0 to n: one table, where a library's own calls take most of the time.

    In the longest floats that the machine has, since a chance is the difference of sums that are
    thousands of times as large.
    """
    logs = np.log(np.arange(1, n + 1, dtype=np.longdouble))
    return np.concatenate([np.zeros(1, dtype=np.longdouble), np.cumsum(logs)])


@lru_cache(maxsize=100_000)
def pass_curve(n: int, c: int) -> NDArray[np.float64]:
    """pass@k for every k from 1 to n, shape (n,): don't write to it. Raises as `pass_at_k` does."""
    return np.array([pass_at_k(n, c, k) for k in range(1, n + 1)])


def log_probability_smoothed(n: int, c: int, smoothing: float) -> float:
    """log of (c + a) / (n + 2a): the verified probability with a pseudo-rollouts on either side.

    a = 1/2 is Jeffreys' prior. Finite where nothing was verified. Raises ValueError where a is
    not positive or c not between 0 and n.
    """
    if not smoothing > 0:
        raise ValueError(f"smoothing is {smoothing}: it must be greater than 0")
    if not 0 <= c <= n:
        raise ValueError(f"{c} verified of {n} rollouts: it must lie between 0 and n")
    return log((c + smoothing) / (n + 2 * smoothing))


def _seen(counts: ArrayLike, *, empty: bool = False) -> NDArray[np.int64]:
    """The counts above 0, in ascending order, so that their order can't change a sum's last bit."""
    array = np.asarray(counts)
    if array.size and not np.equal(array, np.floor(array)).all():
        raise ValueError(f"counts {array.tolist()}: they must be whole numbers")
    if (array < 0).any():
        raise ValueError(f"counts {array.tolist()}: they must not be negative")
    seen = np.sort(array[array > 0].astype(np.int64).ravel())
    if not seen.size and not empty:
        raise ValueError("no verified rollout: an entropy of modes is not defined")
    return seen
