"""Judges as instruments: do they agree, and does the place of an answer move its score?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from veridical.statistics.resampling import item_resamples, percentile_interval

NOTES = ("identical scores", "single item", "no verdict", "one order", "undefined in part")


@dataclass(frozen=True)
class Statistic:
    """A statistic with its 95 % interval over items; `note`, one of `NOTES`, says why it is NaN."""

    value: float
    low: float
    high: float
    note: str = ""


def krippendorff_alpha(ratings: np.ndarray) -> float:
    """Krippendorff's α for interval data; NaN where it is not defined.

    Parameters
    ----------
    ratings
        Shape (n_judges, n_units), NaN where a judge didn't rate a unit. Units with fewer than two
        ratings don't count.

    Returns
    -------
    float
        1 is full agreement, 0 what chance gives, below 0 systematic disagreement. NaN where all
        scores are identical (no disagreement could have been seen) or nothing can be paired
        (Krippendorff 2004, chapter 11).

    Examples
    --------
    >>> krippendorff_alpha(np.array([[0.0, 1.0], [0.0, 1.0]]))
    1.0
    """
    parts = _alpha_parts(np.asarray(ratings, dtype=float))
    return float(_alpha(*parts.sum(axis=0)[:, None])[0])


def _alpha_parts(ratings: np.ndarray) -> np.ndarray:
    """What each unit adds to α: ratings, their sum, sum of squares, and its disagreement."""
    present = np.isfinite(ratings)
    m = present.sum(axis=0).astype(float)
    filled = np.where(present, ratings, 0.0)
    total, squares = filled.sum(axis=0), (filled**2).sum(axis=0)
    paired = m >= 2
    within = np.zeros_like(m)
    np.divide(2 * (m * squares - total**2), m - 1, out=within, where=paired)
    return np.stack([m, total, squares, within], axis=1) * paired[:, None]


def _alpha(n: np.ndarray, total: np.ndarray, squares: np.ndarray, within: np.ndarray) -> np.ndarray:
    """α = 1 - (n - 1) Σ within / Σ over all pairs, NaN where all values are the same."""
    between = 2 * (n * squares - total**2)
    defined = between > 1e-9 * np.maximum(n * squares, 1e-300)
    alpha = np.full(len(n), np.nan)
    np.divide((n - 1) * within, between, out=alpha, where=defined)
    return 1 - alpha


def alpha_interval(
    ratings: np.ndarray,
    items: np.ndarray,
    rng: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Statistic:
    """α with a percentile interval from a bootstrap of whole items (their units stay together).

    `ratings` has shape (n_judges, n_units) and `items` (n_units,). Item samples are enumerated
    where they can be. Where α is not defined the value is NaN and the note says so.
    """
    parts = _alpha_parts(np.asarray(ratings, dtype=float))
    value = float(_alpha(*parts.sum(axis=0)[:, None])[0])
    if not np.isfinite(value):
        return Statistic(value, np.nan, np.nan, "identical scores")
    by_item = _sum_by(parts, items)
    if len(by_item) < 2:
        return Statistic(value, np.nan, np.nan, "single item")
    counts, weights = item_resamples(len(by_item), rng, resamples)
    samples = _alpha(*(counts @ by_item).T)
    undefined = bool(weights[~np.isfinite(samples)].sum())
    note = "undefined in part" if undefined else ""
    return Statistic(value, *percentile_interval(samples, weights, level), note)


def _sum_by(parts: np.ndarray, items: np.ndarray) -> np.ndarray:
    _, codes = np.unique(items, return_inverse=True)
    totals = np.zeros((codes.max() + 1, parts.shape[1]))
    np.add.at(totals, codes, parts)
    return totals


def ratings_matrix(
    verdicts: pd.DataFrame, metric: str, by: Sequence[str] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Every text that was scored, by every judge: ratings (judges, units) and the units' items.

    A unit is one text in one pair (the anchor of every pair is scored anew, and counts anew); the
    columns `by` tell pairs apart that have the same names.
    """
    rows = verdicts[verdicts["metric"] == metric]
    key = [*by, "session", "item_id", "condition", "seed"]
    rows = rows.assign(seed=rows["seed"].fillna(-1))
    long = pd.concat(
        [
            rows[[*key, "judge"]].assign(role="anchor", score=rows["anchor_score"]),
            rows[[*key, "judge"]].assign(role="other", score=rows["other_score"]),
        ]
    )
    wide = long.pivot(index=[*key, "role"], columns="judge", values="score").sort_index()
    return wide.to_numpy(dtype=float).T, wide.index.get_level_values("item_id").to_numpy()


def order_effect(
    verdicts: pd.DataFrame,
    rng: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Statistic:
    """How much higher a text scores for standing first, in units of the score.

    Within each condition and order the mean of (first - second) is taken, then the mean of both
    orders, then that of the conditions by their number of pairs: what the anchors are worth more or
    less than the other texts cancels, and the effect of the place stays.
    The interval is a percentile bootstrap over items. `verdicts` are complete rows of one metric
    (and of one judge, or of all).
    """
    if verdicts.empty:
        return Statistic(np.nan, np.nan, np.nan, "no verdict")
    first = (verdicts["anchor_position"] == "A").to_numpy()
    gap = (verdicts["anchor_score"] - verdicts["other_score"]).to_numpy(dtype=float)
    one = np.stack([gap * first, first, -gap * ~first, ~first], axis=1).astype(float)
    conditions = pd.get_dummies(verdicts["condition"]).to_numpy(dtype=float)
    parts = (conditions[:, :, None] * one[:, None, :]).reshape(len(one), -1)
    value = float(_order(parts.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        return Statistic(value, np.nan, np.nan, "one order")
    by_item = _sum_by(parts, verdicts["item_id"].to_numpy())
    if len(by_item) < 2:
        return Statistic(value, np.nan, np.nan, "single item")
    counts, weights = item_resamples(len(by_item), rng, resamples)
    low, high = percentile_interval(_order(counts @ by_item), weights, level)
    return Statistic(value, low, high)


def _order(sums: np.ndarray) -> np.ndarray:
    """The effect from each condition's sum and number of gaps, with the anchor first and second."""
    gap, pairs = np.moveaxis(sums.reshape(len(sums), -1, 2, 2), -1, 0)  # (samples, conditions, 2)
    both = (pairs > 0).all(axis=2)
    means = np.divide(gap, pairs, out=np.zeros_like(gap), where=pairs > 0).mean(axis=2)
    weight = pairs.sum(axis=2) * both
    total = weight.sum(axis=1)
    effect = np.full(len(sums), np.nan)
    return np.divide((means * weight).sum(axis=1), total, out=effect, where=total > 0)
