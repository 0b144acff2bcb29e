"""Sign flips of many rows at once: a unit of several rows flips in all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

ENUMERATED = 12  # units up to which every way to flip is written out; beyond, they are drawn
DRAWN = 4_095  # ways drawn beside the one seen
NEAR = 1e-9  # sums that differ by rounding alone are one


@dataclass(frozen=True)
class Flipped:
    """The p values of several rows, arrays of shape (rows,).

    p: of each row by itself. adjusted: over all rows as one family.
    """

    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]


def ways(units: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The ways to flip the signs of so many units, shape (ways, units), the one seen first.

    All 2^units of them up to `ENUMERATED` units; beyond, `DRAWN` of them, so that a p never comes
    to 0 (Phipson and Smyth 2010).
    """
    if units <= ENUMERATED:
        return _every(units)
    drawn = rng.choice([-1.0, 1.0], size=(DRAWN, units))
    return np.concatenate([np.ones((1, units)), drawn])


@cache
def _every(units: int) -> NDArray[np.float64]:
    return 1.0 - 2 * (np.arange(2**units)[:, None] >> np.arange(units) & 1)


def flip(values: ArrayLike, rng: np.random.Generator, *, above: bool = False) -> Flipped:
    """Test of each row that its units' values lie on either side of 0 alike.

    Under the null hypothesis each unit's value is as likely to have had the other sign (Fisher
    1935): exact where values are spread evenly about 0. A row's statistic is its sum over the root
    of its sum of squares, which no flip changes. Over the family the largest statistic of the rows
    not yet rejected is taken at each flip (step-down maxT of Westfall and Young 1993): as Holm's
    steps, but it knows that rows rest on the same units, so that rows which all say the same cost
    nothing. Rows that share no unit are independent, and their chances are multiplied.

    Parameters
    ----------
    values
        Shape (rows, units); NaN where a row has no such unit.
    rng
        Draws the ways to flip where rows share more than `ENUMERATED` units.
    above
        Whether a row must lie above 0; both sides otherwise.

    Returns
    -------
    Flipped
        p is 1 for a row whose values are all 0, or that has none.

    Examples
    --------
    Three alike: of the 8 ways 2 reach as far, or 1 on one side.

    >>> rng = np.random.default_rng(0)
    >>> float(flip([[0.5] * 3], rng).p[0]), float(flip([[0.5] * 3], rng, above=True).p[0])
    (0.25, 0.125)
    """
    rows = np.atleast_2d(np.asarray(values, dtype=float))
    there = ~np.isnan(rows)
    rows = np.where(there, rows, 0.0)
    size = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    scaled = np.divide(rows, size, out=np.zeros_like(rows), where=size > 0)
    p, seen, blocks = np.empty(len(rows)), np.empty(len(rows)), []
    for own in _apart(there):
        shared = there[own].any(axis=0)
        reached = ways(int(shared.sum()), rng) @ scaled[own][:, shared].T
        reached = reached if above else np.abs(reached)
        seen[own] = reached[0]
        p[own] = (reached >= seen[own] - NEAR).mean(axis=0)
        blocks.append((own, reached))
    return Flipped(p, np.maximum(_stepped(blocks, seen), p))


def _apart(there: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The places of rows that share units, directly or by others, group by group."""
    if there.all():
        return [np.arange(len(there))]
    from scipy.sparse.csgraph import connected_components

    linked = there.astype(int) @ there.T.astype(int) > 0
    count, group = connected_components(linked, directed=False)
    return [np.flatnonzero(group == each) for each in range(count)]


Block = tuple[NDArray[np.int64], NDArray[np.float64]]  # places of rows, what each way reaches


def _stepped(blocks: list[Block], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """The adjusted p values: from the largest statistic down, each against the rows left."""
    order = np.argsort(-seen, kind="stable")
    rank = np.empty(len(seen), dtype=int)
    rank[order] = np.arange(len(seen))
    below = np.ones(len(seen))  # the chance that no row left reaches as far, by rank
    for own, reached in blocks:
        falling = np.argsort(rank[own])  # the block's rows by rank; the most of those left at each
        most = np.maximum.accumulate(reached[:, falling[::-1]], axis=1)[:, ::-1]
        left = np.searchsorted(rank[own][falling], np.arange(len(seen)))
        for place, first in enumerate(left):
            if first < len(own):
                below[place] *= (most[:, first] < seen[order[place]] - NEAR).mean()
    adjusted = np.empty_like(seen)
    adjusted[order] = np.maximum.accumulate(1 - below)
    return adjusted
