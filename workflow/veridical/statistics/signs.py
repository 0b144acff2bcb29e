"""Sign flips: could differences of this size have fallen the other way as easily?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEW = 200  # differences up to which every flip is counted; beyond, a normal tail
FINEST = 5_040  # the finest grid on which differences are counted
STEPS = 360  # steps a unit of one-sided tests; rounding is symmetric, so they stay exact


def sign_flip(differences: Iterable[float]) -> float:
    """Exact two-sided p that paired differences are as likely to fall either way.

    The share of the 2^n ways to flip signs whose sum lies at least as far from 0 as the one seen
    (Fisher 1935). Exact for differences that are fractions with small denominators, such as right
    answers less a share of a few samples; others are rounded to a 5,040th. No difference: 1.

    Raises
    ------
    ValueError
        Where a difference is not finite.

    Examples
    --------
    Three of a kind: 2 of 8 flips reach as far.

    >>> sign_flip([0.5, 0.5, 0.5])
    0.25
    """
    values = np.abs(found := np.asarray(list(differences), dtype=float))
    if not np.isfinite(values).all():
        raise ValueError(f"differences {found.tolist()}: every one must be a finite number")
    found, values = found[found != 0], np.sort(values[values > 0])
    if not len(values):
        return 1.0
    if len(values) > FEW:
        from scipy.stats import norm

        return float(2 * norm.sf(abs(float(found.sum())) / np.sqrt((values**2).sum())))
    grid = _grid(values)
    steps = tuple(int(step) for step in np.rint(values * grid))
    # of the same rounded steps, or the sum seen could lie beyond what any flip can reach
    return _share(steps, abs(int(np.rint(found * grid).sum())))


def sign_flip_above(differences: Iterable[float]) -> float:
    """Exact one-sided p that paired differences are 0 or less on average.

    The share of the 2^n ways to flip signs whose sum is at least the one seen; exact where they lie
    evenly about their mean. They are rounded to a 360th. No difference: 1.

    Raises
    ------
    ValueError
        Where a difference is not finite.

    Examples
    --------
    Of eight flips one reaches as far; where the sum is below 0, seven do.

    >>> sign_flip_above([0.5, 0.5, 1.0]), sign_flip_above([-0.25, -0.25, 0.25])
    (0.125, 0.875)
    """
    found = np.asarray(list(differences), dtype=float)
    if not np.isfinite(found).all():
        raise ValueError(f"differences {found.tolist()}: every one must be a finite number")
    steps = np.rint(found * STEPS).astype(np.int64)
    if not steps.any():
        return 1.0
    if len(steps) > FEW:
        from scipy.stats import norm

        return float(norm.sf(steps.sum() / np.sqrt((steps.astype(float) ** 2).sum())))
    return _reached(tuple(np.sort(np.abs(steps[steps != 0])).tolist()), int(steps.sum()))


@lru_cache(maxsize=20_000)
def _reached(steps: tuple[int, ...], seen: int) -> float:
    """The share of sign flips of whole steps, in rising order, whose sum is at least `seen`."""
    ways = np.ones(1)  # by sum, from minus all steps so far to plus all
    for step in steps:
        wider = np.zeros(len(ways) + 2 * step)
        wider[: len(ways)] = ways / 2
        wider[2 * step :] += ways / 2
        ways = wider
    return float(min(1.0, ways[max(0, seen + sum(steps)) :].sum()))


def _grid(values: np.ndarray) -> int:
    """The coarsest grid that holds every value, at most `FINEST` steps a unit."""
    grid = 1
    for value in np.unique(values):
        for parts in range(1, 61):
            if abs(value * parts - round(value * parts)) < 1e-9:
                grid = lcm(grid, parts)
                break
        else:
            return FINEST
    return min(grid, FINEST)


@lru_cache(maxsize=20_000)
def _share(steps: tuple[int, ...], seen: int) -> float:
    """The share of sign flips of whole steps whose sum is at least `seen` away from 0."""
    reach = sum(steps)
    ways = np.zeros(2 * reach + 1)
    ways[reach] = 1.0
    for step in steps:
        ways = (np.roll(ways, step) + np.roll(ways, -step)) / 2
    far = np.abs(np.arange(-reach, reach + 1)) >= seen
    return float(min(1.0, ways[far].sum()))


def sign_test(toward: ArrayLike, away: ArrayLike) -> NDArray[np.float64]:
    """Exact two-sided p of many sign tests: that units lean either way alike.

    Units that lean neither way are left out before (Dixon and Mood 1946). 1 where none leans.

    Examples
    --------
    Seven of seven, six of seven: 2/128 and 16/128.

    >>> sign_test([7, 6, 0], [0, 1, 0]).tolist()
    [0.015625, 0.125, 1.0]
    """
    from scipy.special import bdtr

    one, other = np.asarray(toward, dtype=np.int64), np.asarray(away, dtype=np.int64)
    n = one + other
    tail = bdtr(np.minimum(one, other).astype(float), np.maximum(n, 1), 0.5)
    return np.where(n > 0, np.minimum(1.0, 2 * tail), 1.0)
