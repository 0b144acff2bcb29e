"""A mean and its interval where items come in clusters: one life asked about many times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from veridical.statistics.intervals import wilson


class Mean(NamedTuple):
    """A mean with its two-sided interval; the ends are NaN where there is but one cluster."""

    mean: float
    low: float
    high: float


def clustered_mean(values: Sequence[float], clusters: Sequence[str], level: float = 0.95) -> Mean:
    """Mean over items, with Student's t over clusters.

    The variance is that of the clusters' summed residuals (Liang & Zeger 1986), scaled by
    G/(G − 1), with G − 1 degrees of freedom for G clusters. Items with an empty cluster are
    clusters of their own.

    Parameters
    ----------
    values, clusters : sequences of the same length
        What every item earned, and whose life it is about.

    Raises
    ------
    ValueError
        Where there is no item, or the lengths differ.
    """
    earned = np.asarray(values, dtype=float)
    if not len(earned) or len(earned) != len(clusters):
        raise ValueError(f"{len(earned)} values for {len(clusters)} clusters")
    mean = float(earned.mean())
    _, code = np.unique(own_clusters(clusters), return_inverse=True)
    n_clusters = int(code.max()) + 1
    if n_clusters < 2:
        return Mean(mean, math.nan, math.nan)
    from scipy.special import stdtrit

    sums = np.bincount(code, earned - mean)
    error = math.sqrt(n_clusters / (n_clusters - 1) * float((sums**2).sum())) / len(earned)
    half = float(stdtrit(n_clusters - 1, (1 + level) / 2)) * error
    return Mean(mean, mean - half, mean + half)


def share_interval(earned: Sequence[float], clusters: Sequence[str], level: float = 0.95) -> Mean:
    """A share and the wider of two intervals: Wilson's, which keeps a width where all items or all
    clusters are alike, and Student's t over clusters. Values lie in [0, 1]."""
    found = clustered_mean(earned, clusters, level)
    ends = wilson(math.fsum(earned), len(earned), level)
    if math.isnan(found.low):
        return Mean(found.mean, *ends)
    return Mean(
        found.mean, max(0.0, min(ends.low, found.low)), min(1.0, max(ends.high, found.high))
    )


def own_clusters(clusters: Sequence[str]) -> list[str]:
    """Cluster names in which an item without one is a cluster of its own."""
    return [f"c:{name}" if name else f"i:{place}" for place, name in enumerate(clusters)]


def effective_number(sizes: Sequence[int], correlation: float) -> float:
    """How many independent items say as much as these clusters of items (Kish 1965).

    n / (1 + (m − 1) ρ), with m the mean cluster size weighted by size and ρ the correlation of two
    items of one cluster.

    >>> effective_number([10] * 10, 1.0)
    10.0
    """
    counts = np.asarray(sizes, dtype=float)
    n = counts.sum()
    return float(n / (1 + ((counts**2).sum() / n - 1) * correlation))
