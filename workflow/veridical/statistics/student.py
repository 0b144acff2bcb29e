"""Student's t for many means at once: over items, over items and documents, leaving one out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.statistics.equivalence import SAME


@dataclass(frozen=True)
class Estimate:
    """Means with their standard errors and degrees of freedom, arrays of one shape.

    An error is NaN where nothing varied or there was nothing to vary: then every p and every end
    of an interval is NaN, which is no evidence either way.
    """

    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    df: NDArray[np.float64]

    def p_apart(self, value: float = 0.0) -> NDArray[np.float64]:
        """Two-sided p that the mean is `value`."""
        return 2 * self._tail(np.abs(self.mean - value))

    def p_above(self, value: float) -> NDArray[np.float64]:
        """One-sided p that the mean is `value` or less."""
        return self._tail(self.mean - value)

    def p_within(self, bound: float) -> NDArray[np.float64]:
        """The p of two one-sided tests that the mean lies `bound` or more from 0."""
        return self._tail(bound - np.abs(self.mean))

    def interval(self, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The two-sided interval's ends."""
        from scipy.stats import t as student

        half = student.ppf((1 + level) / 2, self.df) * self.error
        return self.mean - half, self.mean + half

    def _tail(self, distance: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import stdtr

        t = np.divide(distance, self.error, out=np.full_like(self.error, np.nan), where=self._known)
        return stdtr(self.df, -t)

    @property
    def _known(self) -> NDArray[np.bool_]:
        return np.isfinite(self.error) & (self.error > 0)


def of_rows(values: ArrayLike) -> Estimate:
    """The mean of each row, shape (..., n) with n at least 2: one value an item."""
    rows = np.asarray(values, dtype=float)
    n = rows.shape[-1]
    mean = rows.mean(axis=-1)
    if n < 2:
        nothing = np.full_like(mean, np.nan)
        return Estimate(mean, nothing, nothing)
    error = rows.std(axis=-1, ddof=1) / np.sqrt(n)
    error = np.where(np.ptp(rows, axis=-1) <= SAME, np.nan, error)
    return Estimate(mean, error, np.full_like(mean, n - 1))


@dataclass(frozen=True)
class Crossed:
    """Means over items and documents at once; each sample with its own error.

    An interval's half is the root of both halves squared (the square-and-add of Zou and Donner
    2008), so that it is never narrower than that over items alone or over documents alone.
    """

    items: Estimate
    documents: Estimate

    @property
    def mean(self) -> NDArray[np.float64]:
        """The contrast over items and documents."""
        return self.items.mean

    def interval(self, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The two-sided interval's ends."""
        half = self._half(1 - level)
        return self.mean - half, self.mean + half

    def p_apart(self) -> NDArray[np.float64]:
        """Two-sided p that the mean is 0: the level at which the interval's end reaches it."""
        low, high = np.full_like(self.mean, -300.0), np.zeros_like(self.mean)  # of log10 p
        for _ in range(50):
            middle = (low + high) / 2
            inside = self._half(10**middle) < np.abs(self.mean)
            low, high = np.where(inside, low, middle), np.where(inside, middle, high)
        return np.where(np.isfinite(self._half(0.5)), 10**high, np.nan)

    def _half(self, alpha: ArrayLike) -> NDArray[np.float64]:
        from scipy.special import stdtrit

        share = 1 - np.asarray(alpha) / 2
        halves = [part.error * stdtrit(part.df, share) for part in (self.items, self.documents)]
        return np.sqrt(halves[0] ** 2 + halves[1] ** 2)


def crossed(items: ArrayLike, documents: ArrayLike) -> Crossed:
    """A contrast of one document with several of a kind, items and documents both being samples.

    The items' differences vary by s_i and the kind's documents by s_d; the one document that they
    are held against is a draw like each of theirs. So the errors are s_i / sqrt(n) and
    s_d sqrt(1 + 1/F). What an item and a document share is counted in both, so the interval is
    rather too wide than too narrow. Documents taken for fixed make a difference of kinds out of
    one of texts (Clark 1973).

    Parameters
    ----------
    items
        Shape (..., n): each item's difference, averaged over the kind's documents.
    documents
        Shape (..., F): each document's difference, averaged over items. With F = 1 nothing tells
        how documents vary: p and interval are NaN.
    """
    over, texts = of_rows(items), of_rows(documents)
    several = np.asarray(documents).shape[-1]
    spread = texts.error * np.sqrt(several) * np.sqrt(1 + 1 / several)
    return Crossed(over, Estimate(over.mean, spread, texts.df))


def of_samples(samples: Sequence[ArrayLike]) -> Estimate:
    """The mean of each of many samples, shape (samples,), at once where they have one size."""
    found = Estimate(*(np.empty(len(samples)) for _ in range(3)))
    for at, (values,) in by_shape(samples):
        part = of_rows(values)
        found.mean[at], found.error[at], found.df[at] = part.mean, part.error, part.df
    return found


def crossed_samples(items: Sequence[ArrayLike], documents: Sequence[ArrayLike]) -> Crossed:
    """Many contrasts as `crossed` gives one; a sample of items and one of documents each."""
    parts = [Estimate(*(np.empty(len(items)) for _ in range(3))) for _ in range(2)]
    for at, (over, texts) in by_shape(items, documents):
        pair = crossed(over, texts)
        for part, own in zip(parts, (pair.items, pair.documents), strict=True):
            part.mean[at], part.error[at], part.df[at] = own.mean, own.error, own.df
    return Crossed(*parts)


def by_shape(
    *samples: Sequence[ArrayLike],
) -> Iterator[tuple[NDArray[np.int64], list[NDArray[np.float64]]]]:
    """Places that have samples of one size on each side, and these as rows of one array a side."""
    sizes = [tuple(len(side) for side in each) for each in zip(*samples, strict=True)]
    for size in dict.fromkeys(sizes):
        at = np.array([place for place, each in enumerate(sizes) if each == size])
        yield at, [np.array([side[place] for place in at], dtype=float) for side in samples]


def leaving_one_out(
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]], parts: ArrayLike
) -> Estimate:
    """A statistic of sums over items, its error from leaving out each item in turn.

    The jackknife (Tukey 1958) for ratios and weighted means, referred to t with n - 1 degrees.

    Parameters
    ----------
    statistic
        Takes sums, shape (..., columns), and returns the statistic, shape (...).
    parts
        Shape (..., n, columns): what each item adds to the sums.
    """
    terms = np.asarray(parts, dtype=float)
    n = terms.shape[-2]
    total = terms.sum(axis=-2)
    whole = np.asarray(statistic(total), dtype=float)
    without = np.asarray(statistic(total[..., None, :] - terms), dtype=float)
    if n < 2:
        nothing = np.full_like(whole, np.nan)
        return Estimate(whole, nothing, nothing)
    pseudo = n * whole[..., None] - (n - 1) * without
    spread = of_rows(pseudo)
    return Estimate(whole, spread.error, spread.df)
