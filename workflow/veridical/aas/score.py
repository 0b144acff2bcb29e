"""The Artificial Age Score: a penalty for what a system fails to recall, session by session.

    AAS_j = sum_i w_i (1 - R_ji) phi(x_ji),    phi(x) = -log2((x + eps) / (1 + eps))

x is recall (1 right, 0 wrong), R the redundancy of the answers, w the weight of each task.
0 is a system that recalls everything; `bound` is the score of one that recalls nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

TASKS = ("semantic", "episodic")
NORMALISE = (False, True, "given")
LARGEST = 1e6  # weights beyond end in sums that no number holds


@dataclass(frozen=True)
class AgeReading:
    """One way to fix what the formula leaves open.

    `normalise` False takes the weights as they are, True divides them by their sum, "given" says
    that they sum to one already and refuses those that don't.
    """

    label: str
    epsilon: float
    weights: Mapping[str, float]
    normalise: bool | str = False

    @classmethod
    def from_config(cls, label: str, entry: Mapping[str, Any]) -> AgeReading:
        """Read `epsilon`, `weights` (semantic, episodic), `normalise` and own tasks' weights.

        Raises ValueError on what is out of range.
        """
        weights = {task: float(weight) for task, weight in entry["weights"].items()}
        if set(weights) != set(TASKS):
            raise ValueError(f"aas.weights: {sorted(weights)}, expected one for each of {TASKS}")
        own = {task["id"]: float(task.get("weight", 1)) for task in entry.get("tasks", ())}
        weights |= own
        reading = cls(label, float(entry["epsilon"]), weights, entry.get("normalise", False))
        _ = reading.bound  # refuses an epsilon or weights out of range
        return reading

    @property
    def tasks(self) -> tuple[str, ...]:
        """The day's and the number's task, then the study's own in their order."""
        return (*TASKS, *(task for task in self.weights if task not in TASKS))

    def score(self, x: ArrayLike, R: ArrayLike = 0.0) -> NDArray[np.float64] | float:
        """AAS of `x` and `R`, whose last axis is `tasks`."""
        weights = [self.weights[task] for task in self.tasks]
        return age_score(x, R, weights, self.epsilon, self.normalise)

    @property
    def bound(self) -> float:
        """The largest score possible: sum of the weights times phi(0)."""
        weights = [self.weights[task] for task in self.tasks]
        return age_bound(weights, self.epsilon, self.normalise)


# Three readings of the published parameters. The first two give the printed mean of Phase 1,
# 18.935; with the third it is half of that.
PUBLISHED_READINGS = (
    AgeReading("eps 1e-6, weights 1 and 1", 1e-6, {"semantic": 1.0, "episodic": 1.0}),
    AgeReading(
        "eps 1e-12, weights 1/2 and 1/2", 1e-12, {"semantic": 0.5, "episodic": 0.5}, "given"
    ),
    AgeReading("eps 1e-6, weights normalised", 1e-6, {"semantic": 1.0, "episodic": 1.0}, True),
)


def phi(x: ArrayLike, epsilon: float) -> NDArray[np.float64] | float:
    """Penalty of a recall score: 0 where x = 1, log2((1 + eps) / eps) where x = 0, in bits.

    `x` in [0, 1], any shape (the result has the same); `epsilon` > 0. Raises ValueError outside.

    >>> round(phi(0, 1e-6), 3), phi(1, 1e-6)
    (19.932, 0.0)
    """
    if not (np.isfinite(epsilon) and epsilon > 0):
        raise ValueError(f"epsilon is {epsilon}: it must be a number greater than 0")
    recall = _unit_interval("x", x)
    # + 0.0 turns the -0.0 of x = 1 into 0.0
    penalty = -np.log2((recall + epsilon) / (1 + epsilon)) + 0.0
    return float(penalty) if penalty.ndim == 0 else penalty


def age_score(
    x: ArrayLike,
    R: ArrayLike,
    weights: Sequence[float],
    epsilon: float,
    normalise: bool | str = False,
) -> NDArray[np.float64] | float:
    """Artificial Age Score of one session or of many (Kayadibi 2025).

    Parameters
    ----------
    x
        Recall in [0, 1], shape (tasks,) for one session or (..., tasks).
    R
        Redundancy in [0, 1], same shape or a single number. 0 leaves no error masked.
    weights
        One a task, not negative, not all zero.
    epsilon
        Greater than 0; decides how much a total failure costs.
    normalise
        False, True (divide by the sum) or "given" (must sum to one already).

    Returns the score in bits, a float for one session, else shape (...). Finite, never negative,
    at most `age_bound`; falls in x and in R, rises in each weight. Raises ValueError.

    >>> round(age_score([1, 0], 0, [1, 1], 1e-6), 3)
    19.932
    """
    recall = _unit_interval("x", x)
    redundancy = _unit_interval("R", R)
    w = check_weights(weights, normalise)
    if recall.ndim == 0 or recall.shape[-1] != w.size:
        raise ValueError(f"x has shape {recall.shape}: the last axis needs {w.size} tasks")
    terms = w * (1 - redundancy) * phi(recall, epsilon)
    if terms.shape != recall.shape:
        raise ValueError(f"R has shape {redundancy.shape}, x has {recall.shape}")
    score = terms.sum(axis=-1)
    return float(score) if score.ndim == 0 else score


def age_bound(weights: Sequence[float], epsilon: float, normalise: bool | str = False) -> float:
    """The largest age score: nothing recalled, nothing masked, sum of weights times phi(0+)."""
    return float(check_weights(weights, normalise).sum() * phi(0.0, epsilon))


def check_weights(weights: Sequence[float], normalise: bool | str = False) -> NDArray[np.float64]:
    """The weights as they enter the score, shape (tasks,). Raises ValueError on bad ones."""
    w = np.asarray(weights, dtype=float)
    if normalise not in NORMALISE:
        raise ValueError(f"normalise is {normalise!r}: it must be one of {NORMALISE}")
    if w.ndim != 1 or w.size == 0:
        raise ValueError(f"weights {weights}: one number a task is needed")
    if not np.isfinite(w).all() or (w < 0).any() or (w > LARGEST).any() or w.sum() == 0:
        raise ValueError(
            f"weights {w.tolist()}: they must be numbers from 0 to {LARGEST:,.0f}, not all zero"
        )
    if normalise == "given" and abs(w.sum() - 1) > 1e-9:
        raise ValueError(
            f"weights {w.tolist()} sum to {w.sum():g}, not to 1: correct them, "
            "or set normalise: true to divide by the sum"
        )
    return w / w.sum() if normalise is True else w


def _unit_interval(name: str, values: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=float)
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        where = "" if array.ndim == 0 else f" at {np.argwhere(bad)[0].tolist()}"
        raise ValueError(f"{name} is {array[bad].flat[0]}{where}: it must lie in [0, 1]")
    return array
