"""When a score has noticed something: lower than the sound memory's, at a rate that is kept.

A score has no rule of its own. The usual reading compares it with what the same memory scores
without the fault. How low is too low is set so that a sound memory is called faulty in at most
`ALPHA` of all studies, and that with 95 % confidence: by an order statistic of the sound memory's
scores in studies of their own (a one-sided distribution-free tolerance limit, Wilks 1941).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

ALPHA = 0.05
SURE = 0.95  # how sure it is that the rate is kept


@lru_cache(maxsize=100)
def rank(n: int, alpha: float = ALPHA, sure: float = SURE) -> int:
    """Which of n sound scores, from the lowest, is the threshold; 0 where n are too few for one.

    The share of studies below the r-th lowest of n is Beta(r, n - r + 1) or less, so it exceeds
    `alpha` with probability P(Bin(n, alpha) < r) at most; r is the highest for which that is at
    most 1 - `sure`.

    >>> rank(58), rank(59), rank(200)  # (1 - 0.05)**59 = 0.0485
    (0, 1, 5)
    """
    from scipy.stats import binom

    return max((r for r in range(n + 1) if binom.cdf(r - 1, n, alpha) <= 1 - sure), default=0)


def threshold(scores: Sequence[float | None], alpha: float = ALPHA) -> float | None:
    """The score below which a memory is called faulty; None where there are too few sound ones.

    A score that is not defined is lower than any.
    """
    at = rank(len(scores), alpha)
    ranked = sorted((-float("inf") if score is None else score) for score in scores)
    return ranked[at - 1] if at else None


def below(score: float | None, limit: float | None) -> bool:
    """Whether a score has noticed something; never where there is no threshold."""
    return limit is not None and (score is None or score < limit)
