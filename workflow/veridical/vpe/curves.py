"""Measures against the number of rollouts: what a smaller budget would have shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.vpe import estimators
from veridical.vpe.measures import CELL, bootstrap_means


def pass_at_k_table(
    problems: pd.DataFrame, *, seed: int, resamples: int, level: float = 0.95
) -> pd.DataFrame:
    """Mean pass@k of each cell: model, horizon, preset, k, value, low, high.

    k runs from 1 to the fewest rollouts that any problem of the cell has.
    """

    def of_problem(row: tuple, k: NDArray) -> NDArray[np.float64]:
        return estimators.pass_curve(row.rollouts, row.n_verified)[k - 1]

    return _curve(problems, "k", "value", of_problem, seed, resamples, level)


def coverage_table(
    problems: pd.DataFrame,
    rollouts: pd.DataFrame,
    *,
    seed: int,
    resamples: int,
    level: float = 0.95,
) -> pd.DataFrame:
    """Mean number of distinct verified modes after b rollouts, failures included.

    Columns: model, horizon, preset, b, expected_modes, low, high.
    """
    counts = _mode_counts(rollouts)

    def of_problem(row: tuple, b: NDArray) -> NDArray[np.float64]:
        return estimators.rarefaction(counts.get(_problem(row), []), row.rollouts, b)

    return _curve(problems, "b", "expected_modes", of_problem, seed, resamples, level)


def entropy_table(
    problems: pd.DataFrame,
    rollouts: pd.DataFrame,
    *,
    seed: int,
    resamples: int,
    level: float = 0.95,
) -> pd.DataFrame:
    """Mean entropy of the verified modes after b rollouts, 0 where none of them is verified.

    Plug-in, so it ends at `mode_entropy` of all rollouts where every problem has as many of them.
    Columns: model, horizon, preset, b, expected_entropy (nats), low, high.
    """
    counts = _mode_counts(rollouts)

    def of_problem(row: tuple, b: NDArray) -> NDArray[np.float64]:
        seen = tuple(sorted(counts.get(_problem(row), [])))
        return estimators.entropy_curve(seen, row.rollouts)[b - 1]

    return _curve(problems, "b", "expected_entropy", of_problem, seed, resamples, level)


def _mode_counts(rollouts: pd.DataFrame) -> dict[tuple, list[int]]:
    """How often each mode was verified, by cell and problem."""
    verified = rollouts[rollouts["verified"].fillna(False).astype(bool)]
    sizes = verified.groupby([*CELL, "problem_id", "mode"], sort=False, observed=True).size()
    counts: dict[tuple, list[int]] = {}
    for (*key, _mode), size in sizes.items():
        counts.setdefault(tuple(key), []).append(size)
    return counts


def _problem(row: tuple) -> tuple:
    return (row.model, row.horizon, row.preset, row.problem_id)


def _curve(
    problems: pd.DataFrame,
    axis: str,
    name: str,
    of_problem: Callable,
    seed: int,
    resamples: int,
    level: float,
) -> pd.DataFrame:
    frames = []
    for key, group in problems.groupby(CELL, sort=False, observed=True):
        steps = np.arange(1, int(group.rollouts.min()) + 1)
        values = np.array([of_problem(row, steps) for row in group.itertuples()])
        means = np.array(bootstrap_means(values, seed, resamples, level))
        frame = pd.DataFrame({axis: steps, name: means[:, 0], "low": means[:, 1]})
        for at, (column, value) in enumerate(zip(CELL, key, strict=True)):
            frame.insert(at, column, value)
        frames.append(frame.assign(high=means[:, 2]))
    return pd.concat(frames, ignore_index=True)
