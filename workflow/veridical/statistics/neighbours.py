"""Answers that agree with their neighbours: how many of them count as evidence of their own?

An exact test takes every probe for a toss of its own. Where neighbours in a document are answered
alike, whatever is asked, fewer tosses were made than probes asked, and a claim comes too easily.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def inflation(signs: ArrayLike) -> NDArray[np.float64]:
    """How many answers stand for one, judged by how often neighbours differ; at least 1.

    Of a series with a share p of positive answers, neighbours drawn at random differ in 2p(1 - p).
    In runs of c answers alike they differ in a c-th of that, and every c answers are one toss. So
    the expected number of changes by the number seen estimates c, over all series together. Series
    in which all answers are alike tell nothing; where no other is left, 1 is returned.

    Parameters
    ----------
    signs
        Shape (..., series, probes), in the order of the document: above 0 for one kind of answer,
        below 0 for the other, 0 where there is none (the next answered probe is the neighbour).

    Returns
    -------
    numpy.ndarray
        Shape (...).

    Examples
    --------
    Six runs of four, of which half are positive: 5 changes seen; 23 pairs, of which 12/23 differ.

    >>> round(float(inflation([[1, 1, 1, 1, -1, -1, -1, -1] * 3])), 2)
    2.4
    """
    series = np.sign(np.asarray(signs, dtype=float))
    answered = (series != 0).sum(axis=-1)
    positive = (series > 0).sum(axis=-1)
    seen, pairs = _changes(series)
    pool = np.maximum(answered * (answered - 1), 1)
    expected = pairs * 2 * positive * (answered - positive) / pool
    told = expected > 0
    seen, expected = (np.where(told, part, 0).sum(axis=-1) for part in (seen, expected))
    known = (expected > 0) & (seen > 0)
    ratio = np.divide(expected, seen, out=np.ones_like(expected), where=known)
    return np.maximum(1.0, ratio)


def _changes(series: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often an answer differs from the answered one before, and how many have one before."""
    shape = series.shape[:-1]
    seen, pairs = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    last = np.zeros(shape)
    for at in range(series.shape[-1]):
        here = series[..., at]
        both = (here != 0) & (last != 0)
        pairs += both
        seen += both & (here != last)
        last = np.where(here != 0, here, last)
    return seen, pairs


def tail(
    positive: ArrayLike, answered: ArrayLike, chance: ArrayLike, factor: ArrayLike = 1.0
) -> NDArray[np.float64]:
    """One-sided binomial p of `positive` of `answered`, `factor` answers counting as one.

    P(X >= positive) for X ~ Binomial(answered, chance), exact at a factor of 1; above it both
    counts are divided by the factor and the tail is read off the incomplete beta function, its
    continuous extension. 1 where nothing is positive or nothing was answered.

    Parameters
    ----------
    positive, answered, chance, factor
        Whole numbers with 0 <= positive <= answered; a chance in (0, 1); at least 1. Any shapes
        that fit together.

    Examples
    --------
    >>> float(tail(3, 3, 0.5)), float(tail(6, 6, 0.5, 2.0))
    (0.125, 0.125)
    """
    from scipy.special import betainc

    share = np.asarray(factor, dtype=float)
    hits, of = np.asarray(positive) / share, np.asarray(answered) / share
    some = hits > 0
    a, b = np.where(some, hits, 1.0), np.where(some, of - hits + 1, 1.0)
    return np.where(some, betainc(a, b, chance), 1.0)
