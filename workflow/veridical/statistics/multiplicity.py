"""Several tests at once: Holm's correction over a declared family, and Hochberg's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def holm(pvalues: Sequence[float], m: int | None = None) -> np.ndarray:
    """Holm's adjusted p values over a family of m declared tests (Holm 1979).

    A test that was declared and gave no p (NaN or None, or left out) counts as p = 1: it never
    shrinks the family, and NaN never reaches the correction.

    Parameters
    ----------
    pvalues : sequence of float, shape (k,)
        P values in [0, 1], in any order; NaN or None where a test could not be done.
    m : int, optional
        Size of the declared family, at least k; k where not given.

    Returns
    -------
    numpy.ndarray, shape (k,)
        Adjusted p values in [0, 1], in the order given; 1 where the p was missing.

    Raises
    ------
    ValueError
        Where a p lies outside [0, 1] or there are more of them than were declared.

    Examples
    --------
    >>> holm([0.01, float("nan"), 0.04], m=4).tolist()
    [0.04, 1.0, 0.12]
    """
    filled, family = _family(pvalues, m)
    order = np.argsort(filled, kind="stable")
    # The declared tests left out all have p = 1, so they come last and move none of these.
    steps = filled[order] * (family - np.arange(len(filled)))
    adjusted = np.empty_like(filled)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def hochberg(pvalues: Sequence[float], m: int | None = None) -> np.ndarray:
    """Hochberg's adjusted p values over a family of m declared tests (Hochberg 1988).

    Holm's steps from the other end: where every p is at most 5 %, all are. For tests that must all
    hold before a conclusion over the family is drawn. Holds its level for tests that are
    independent or lean the same way. Parameters, returns and raises as `holm`.

    Examples
    --------
    >>> hochberg([0.04, 0.03]).tolist(), holm([0.04, 0.03]).tolist()
    ([0.04, 0.04], [0.06, 0.06])
    """
    filled, family = _family(pvalues, m)
    filled = np.concatenate([filled, np.ones(family - len(filled))])
    order = np.argsort(-filled, kind="stable")
    steps = filled[order] * (1 + np.arange(family))
    adjusted = np.empty_like(filled)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(steps))
    return adjusted[: len(pvalues)]


def within(
    table: pd.DataFrame,
    families: Sequence[str],
    column: str,
    m: int | None = None,
    correct: Callable[..., np.ndarray] = holm,
) -> np.ndarray:
    """The column's p values, corrected within each family that the columns `families` tell apart.

    With no such column the whole table is one family. `m` is the size declared for each; the
    family's own number of rows where it isn't given.
    """
    values = table[column].to_numpy(dtype=float)
    if not families:
        return correct(values, m)
    adjusted = np.empty(len(values))
    codes = table.groupby(list(families), sort=False, observed=True).ngroup().to_numpy()
    order = np.argsort(codes, kind="stable")
    ends = np.flatnonzero(np.diff(codes[order])) + 1
    for rows in np.split(order, ends):
        adjusted[rows] = correct(values[rows], m)
    return adjusted


def _family(pvalues: Sequence[float], m: int | None) -> tuple[np.ndarray, int]:
    """The p values, a missing one as 1, and the size of their family."""
    values = np.array([np.nan if p is None else float(p) for p in pvalues], dtype=float)
    family = len(values) if m is None else m
    if family < len(values):
        raise ValueError(f"{len(values)} p values for a family of {family}: declare every test")
    bad = values[(values < 0) | (values > 1)]
    if len(bad):
        raise ValueError(f"{bad[0]!r} is no p value: it must lie in [0, 1]")
    return np.where(np.isnan(values), 1.0, values), family
