"""Where the anchor stands on the sheets of simulated studies: by lot, as blinding draws it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Places = dict[tuple[str, int], NDArray[np.bool_]]


def placed(
    conditions: Mapping[str, int], items: int, shape: tuple[int, int], rng: np.random.Generator
) -> Places:
    """Whether the anchor stands first: half and half in each condition of one session and cell.

    As `control1.blinding` does for each judge: a condition's pairs, of all its seeds, are balanced
    together; where their number is odd, a lot says on which side the odd one stands, and the other
    conditions of the session, in an order drawn, take turns from there.

    Parameters
    ----------
    conditions
        How many documents (seeds) each condition has, at least one.
    items
        Pairs with each document.
    shape
        Studies and judges.

    Returns
    -------
    dict
        By condition and seed, counted from 1: shape (studies, judges, items).
    """
    extra = rng.random(shape) < 0.5
    turns = _turns(conditions, items, shape, rng)
    found: Places = {}
    for (condition, seeds), turn in zip(conditions.items(), turns, strict=True):
        pairs = seeds * items
        firsts = pairs // 2 + (extra ^ turn) * (pairs % 2)
        sides = rng.permuted(np.arange(pairs) < firsts[..., None], axis=-1)
        for seed in range(seeds):
            found[condition, seed + 1] = sides[..., seed * items : (seed + 1) * items]
    return found


def _turns(
    conditions: Mapping[str, int], items: int, shape: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Of each condition whether its odd pair stands otherwise than the lot says: how many with an
    odd number of pairs come before it, in an order drawn for each study and judge."""
    order = rng.permuted(np.broadcast_to(np.arange(len(conditions)), (*shape, len(conditions))),
                         axis=-1)  # fmt: skip
    odd = np.array([seeds * items % 2 for seeds in conditions.values()])
    before = order[..., :, None] > order[..., None, :]
    return np.moveaxis((before * odd).sum(axis=-1) % 2 == 1, -1, 0)
