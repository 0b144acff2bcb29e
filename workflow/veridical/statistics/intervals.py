"""Proportions: the Wilson interval, the exact one-sided binomial test, a paired difference."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """Two-sided confidence interval, both ends included; NaN where there is nothing to estimate."""

    low: float
    high: float


def _check(correct: float, n: int) -> None:
    if n != int(n) or n < 0:
        raise ValueError(f"n must be a whole number of at least 0, not {n!r}")
    if not 0 <= correct <= n:
        raise ValueError(f"{correct!r} correct of {n!r} is impossible: it must lie in 0..{n}")


def wilson(correct: float, n: int, level: float = 0.95) -> Interval:
    """Wilson score interval for a proportion (Wilson 1927, J. Am. Stat. Assoc. 22:209).

    Parameters
    ----------
    correct : float
        Successes, 0..n; a fraction is allowed (a sum of estimated probabilities).
    n : int
        Trials. With none, both ends are NaN.
    level : float
        Confidence level in (0, 1).

    Raises
    ------
    ValueError
        Where the counts are impossible or the level lies outside (0, 1).

    Examples
    --------
    >>> [round(100 * end, 1) for end in wilson(15, 24)]
    [42.7, 78.8]
    """
    _check(correct, n)
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level!r}")
    if n == 0:
        return Interval(math.nan, math.nan)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = correct / n
    scale = 1 + z**2 / n
    centre = (share + z**2 / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # At the ends the bound is exactly 0 or 1, and no rounding error may say otherwise.
    low = 0.0 if correct == 0 else max(0.0, centre - half)
    high = 1.0 if correct == n else min(1.0, centre + half)
    return Interval(low, high)


def binomial_greater(correct: int, n: int, chance: float) -> float:
    """Exact one-sided binomial p: P(X >= correct) for X ~ Binomial(n, chance).

    The hypothesis tested is "this system answers at chance or below" (Clopper & Pearson 1934).
    With n = 0 nothing can be tested and p is NaN.

    Raises
    ------
    ValueError
        Where the counts are impossible, no whole numbers, or chance lies outside (0, 1).

    Examples
    --------
    >>> binomial_greater(3, 3, 0.5)
    0.125
    """
    _check(correct, n)
    if correct != int(correct):
        raise ValueError(f"correct must be a whole number, not {correct!r}")
    if not 0 < chance < 1:
        raise ValueError(f"chance must lie between 0 and 1, not {chance!r}")
    if n == 0:
        return math.nan
    if correct == 0:
        return 1.0
    from scipy.special import betainc

    # The upper tail of the binomial is the regularised incomplete beta function.
    return float(betainc(correct, n - correct + 1, chance))


def paired_difference(
    first: list[float], second: list[float], level: float = 0.95
) -> tuple[float, Interval]:
    """Mean paired difference of two proportions with Newcombe's hybrid score interval.

    Square-and-add of the two Wilson intervals, allowing for the correlation of the pairs
    (Newcombe 1998, Stat. Med. 17:2635, method 10: half a pair is taken off a positive correlation).
    Values may be probabilities, not only 0 and 1: the interval is then on the wide side. Unlike the
    t interval it keeps a width where every pair is the same.

    Parameters
    ----------
    first, second : list of float
        Values in [0, 1], one a pair, in the same order.

    Returns
    -------
    tuple of float and Interval
        mean(first) - mean(second), in [-1, 1], and its interval; NaN where there is no pair.

    Raises
    ------
    ValueError
        Where the lengths differ or a value lies outside [0, 1].

    Examples
    --------
    >>> difference, ends = paired_difference([1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5])
    >>> difference, round(ends.low, 3), round(ends.high, 3)
    (0.5, -0.102, 0.85)
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values cannot be paired with {len(second)}")
    outside = [value for value in [*first, *second] if not 0 <= value <= 1]
    if outside:
        raise ValueError(f"{outside[0]!r} is no proportion: every value must lie in [0, 1]")
    n = len(first)
    if n == 0:
        return math.nan, Interval(math.nan, math.nan)
    one, two = math.fsum(first) / n, math.fsum(second) / n
    ends_one = wilson(min(math.fsum(first), n), n, level)
    ends_two = wilson(min(math.fsum(second), n), n, level)
    spread_one = math.fsum((x - one) ** 2 for x in first)
    spread_two = math.fsum((y - two) ** 2 for y in second)
    together = math.fsum((x - one) * (y - two) for x, y in zip(first, second, strict=True))
    # Newcombe's correction, a half pair: a few pairs that all agree are no certainty.
    together = max(0.0, together - 0.5) if together > 0 else together
    # No variation in one of the two: no correlation can be seen, and none is assumed.
    scale = math.sqrt(spread_one * spread_two)
    phi = max(-1.0, min(1.0, together / scale)) if scale > 0 else 0.0
    below, above = one - ends_one.low, ends_one.high - one
    under, over = two - ends_two.low, ends_two.high - two
    down = math.sqrt(max(0.0, below**2 - 2 * phi * below * over + over**2))
    up = math.sqrt(max(0.0, above**2 - 2 * phi * above * under + under**2))
    difference = one - two
    return difference, Interval(max(-1.0, difference - down), min(1.0, difference + up))
