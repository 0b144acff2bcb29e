"""Prospective power: how many items would make a contrast conclusive?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from veridical.statistics.equivalence import SAME
from veridical.statistics.resampling import (
    ENUMERATION_LIMIT,
    compositions,
    n_compositions,
    resampled_counts,
)

METHODS = ("bootstrap", "t")
ITEMS = (5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160)
WANTED = 0.80


def study_intervals(
    differences: np.ndarray, rng: np.random.Generator, resamples: int = 2_000
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The 90 % and 95 % intervals of many studies at once, by both methods.

    Parameters
    ----------
    differences
        Shape (n_studies, n_items): each row is one study's item differences.
    resamples
        Drawn where the items can't be enumerated; the same draws serve every study.

    Returns
    -------
    dict
        For `bootstrap` and `t`, two arrays of shape (n_studies, 2). Both methods move with the
        data: adding a constant or scaling by a positive one does the same to the intervals.
    """
    return {
        "bootstrap": bootstrap_intervals(differences, rng, resamples),
        "t": t_intervals(differences),
    }


def study_verdicts(ends90: np.ndarray, ends95: np.ndarray, bound: float) -> np.ndarray:
    """The verdict of each study: `equivalent`, `different` or `inconclusive`."""
    inside = (-bound < ends90[:, 0]) & (ends90[:, 1] < bound)
    apart = (ends95[:, 0] > 0) | (ends95[:, 1] < 0)
    return np.where(inside, "equivalent", np.where(apart, "different", "inconclusive"))


def t_intervals(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """90 % and 95 % t intervals of each row's mean, each of shape (n_studies, 2)."""
    from scipy.stats import t as student

    n = differences.shape[1]
    mean = differences.mean(axis=1)
    error = differences.std(axis=1, ddof=1) / np.sqrt(n)
    ends = []
    for share in (0.95, 0.975):
        half = student.ppf(share, n - 1) * error
        ends.append(np.stack([mean - half, mean + half], axis=1))
    return ends[0], ends[1]


def bootstrap_intervals(
    differences: np.ndarray, rng: np.random.Generator, resamples: int = 2_000
) -> tuple[np.ndarray, np.ndarray]:
    """90 % and 95 % percentile intervals of each row's mean, each of shape (n_studies, 2).

    Up to eight items every composition is listed; beyond, `resamples` draws are shared by all rows.
    """
    n = differences.shape[1]
    exact = n_compositions(n) <= min(10_000, ENUMERATION_LIMIT)
    counts, weights = compositions(n) if exact else resampled_counts(n, rng, resamples)
    draws, total = counts.astype(float), int(weights.sum())
    ends90, ends95 = np.empty((len(differences), 2)), np.empty((len(differences), 2))
    shares = np.array([0.025, 0.05]) * total
    for start in range(0, len(differences), 500):
        means = draws @ differences[start : start + 500].T / n
        order = np.argsort(means, axis=0)
        means = np.take_along_axis(means, order, axis=0)
        up = np.cumsum(weights[order], axis=0)
        down = np.cumsum(weights[order][::-1], axis=0)
        columns = np.arange(means.shape[1])
        low95, low90 = ((up < share).sum(axis=0) for share in shares)
        high95, high90 = (len(means) - 1 - (down < share).sum(axis=0) for share in shares)
        rows = slice(start, start + means.shape[1])
        ends90[rows] = np.stack([means[low90, columns], means[high90, columns]], axis=1)
        ends95[rows] = np.stack([means[low95, columns], means[high95, columns]], axis=1)
    return ends90, ends95


def power_table(
    differences: pd.DataFrame,
    *,
    bound: float,
    reading: str,
    rng: np.random.Generator,
    items: Sequence[int] = ITEMS,
    simulations: int = 2_000,
    resamples: int = 1_000,
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """Probability of each verdict by number of items, given the spread that the items showed.

    New items are drawn as normal with the observed standard deviation of the item differences,
    around a true difference of 0 and around the observed estimate; all curves rest on the same
    draws, so that they differ by what is assumed and not by chance. A contrast is conclusive where
    its verdict is `equivalent` or `different`.

    Parameters
    ----------
    differences
        The table of `contrasts.item_differences`.
    reading
        `anchored` or `unanchored`: whose spread is taken.
    by
        Further columns that tell contrasts apart; they come first in the result.

    Returns
    -------
    pandas.DataFrame
        metric, contrast, reading, method (bootstrap, t), n_items, true_difference, assumed
        (`zero` or `observed`), sd_items, probability_conclusive, probability_equivalent,
        probability_different, items_for_80 (the first number of items on the grid that is
        conclusive in 80 % of studies; NA where none is), simulations. Where all differences
        are identical there is no spread to simulate from: one row with no method says so.
    """
    drawn: dict[int, dict[str, tuple[np.ndarray, np.ndarray]]] = {}
    rows: list[dict[str, object]] = []
    heads = [*by, "metric", "contrast"]
    for names, group in differences.groupby(heads, sort=False):
        values = group[reading].to_numpy(dtype=float)
        spread, estimate = float(values.std(ddof=1)), float(values.mean())
        named = dict(zip(heads, names, strict=True))
        head = {**named, "reading": reading, "sd_items": spread}
        if np.ptp(values) <= SAME:
            rows.append(head | {"n_items": len(values), "sd_items": 0.0})
            continue
        drawn = drawn or {
            n: study_intervals(rng.standard_normal((simulations, n)), rng, resamples) for n in items
        }
        for assumed, truth in (("zero", 0.0), ("observed", estimate)):
            curve = {"assumed": assumed, "true_difference": truth, "simulations": simulations}
            for n, methods in drawn.items():
                for method, (ends90, ends95) in methods.items():
                    said = study_verdicts(truth + spread * ends90, truth + spread * ends95, bound)
                    rows.append(head | curve | {"method": method, "n_items": n} | _shares(said))
    columns = [
        *heads,
        "reading",
        "method",
        "n_items",
        "true_difference",
        "assumed",
        "sd_items",
        "probability_conclusive",
        "probability_equivalent",
        "probability_different",
        "items_for_80",
        "simulations",
    ]
    return _with_needed(pd.DataFrame(rows), [*heads, "assumed", "method"])[columns]


def _shares(said: np.ndarray) -> dict[str, object]:
    equivalent, different = (float((said == label).mean()) for label in ("equivalent", "different"))
    return {
        "probability_conclusive": equivalent + different,
        "probability_equivalent": equivalent,
        "probability_different": different,
    }


def _with_needed(table: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Add the first number of items that is conclusive in 80 % of studies, a curve at a time."""
    for column in (
        "assumed",
        "method",
        "true_difference",
        "probability_conclusive",
        "probability_equivalent",
        "probability_different",
        "simulations",
    ):
        if column not in table:
            table[column] = None
    table["items_for_80"] = pd.array([pd.NA] * len(table), dtype="Int64")
    for _, rows in table.groupby(by, sort=False).groups.items():
        curve = table.loc[rows]
        enough = curve["n_items"][curve["probability_conclusive"] >= WANTED]
        if len(enough):
            table.loc[rows, "items_for_80"] = int(enough.min())
    return table
