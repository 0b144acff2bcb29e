"""Sign flips of many rows at once: a unit of several rows flips in all of them together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

ENUMERATED = 12  # units up to which every way to flip is written out; beyond, they are drawn
DRAWN = 1_999  # ways drawn beside the one seen
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
        return 1.0 - 2 * (np.arange(2**units)[:, None] >> np.arange(units) & 1)
    drawn = rng.choice([-1.0, 1.0], size=(DRAWN, units))
    return np.concatenate([np.ones((1, units)), drawn])


def flip(values: ArrayLike, flips: ArrayLike, *, above: bool = False) -> Flipped:
    """Test of each row that its units' values lie on either side of 0 alike.

    Under the null hypothesis each unit's value is as likely to have had the other sign (Fisher
    1935): exact where values are spread evenly about 0. A row's statistic is its sum over the root
    of its sum of squares, which no flip changes. Over the family the largest statistic of the rows
    not yet rejected is taken at each flip (step-down maxT of Westfall and Young 1993): as Holm's
    steps, but it knows that rows rest on the same units, so that rows which all say the same cost
    nothing.

    Parameters
    ----------
    values
        Shape (rows, units); NaN where a row has no such unit.
    flips
        Shape (ways, units), as `ways` gives them, the way seen first.
    above
        Whether a row must lie above 0; both sides otherwise.

    Returns
    -------
    Flipped
        p is 1 for a row whose values are all 0, or that has none.

    Examples
    --------
    Three alike: of the 8 ways 2 reach as far, or 1 on one side.

    >>> every = ways(3, np.random.default_rng(0))
    >>> float(flip([[0.5, 0.5, 0.5]], every).p[0]), float(
    ...     flip([[0.5, 0.5, 0.5]], every, above=True).p[0])
    (0.25, 0.125)
    """
    rows = np.nan_to_num(np.atleast_2d(np.asarray(values, dtype=float)))
    size = np.sqrt((rows**2).sum(axis=1))
    scaled = np.divide(rows, size[:, None], out=np.zeros_like(rows), where=size[:, None] > 0)
    reached = np.asarray(flips, dtype=float) @ scaled.T
    reached = reached if above else np.abs(reached)
    seen = reached[0]
    p = (reached >= seen - NEAR).mean(axis=0)
    p[size == 0] = 1.0
    return Flipped(p, np.maximum(_stepped(reached, seen), p))


def _stepped(reached: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """The adjusted p values: from the largest statistic down, each against the rows left."""
    order = np.argsort(-seen, kind="stable")
    most = np.maximum.accumulate(reached[:, order[::-1]], axis=1)[:, ::-1]
    shares = (most >= seen[order] - NEAR).mean(axis=0)
    adjusted = np.empty_like(seen)
    adjusted[order] = np.maximum.accumulate(shares)
    return adjusted
