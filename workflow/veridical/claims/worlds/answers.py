"""Answers of models whose behaviour is known, in the form in which the study scores replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

HABITS = ("name", "first")


@dataclass(frozen=True)
class Manner:
    """How a model answers under one document.

    agrees: chance that an answer names what the document in hand says (with none, the truth).
    silent: chance of an abstention. run: so many neighbours share one toss. habit: `name` always
    gives one name, `first` always the option offered first; `share` knows how frequent each name
    is, and draws accordingly; None none of them. answers: at most so many
    answers are given; None for no bound.
    """

    agrees: float = 0.5
    silent: float = 0.0
    run: int = 1
    habit: str | None = None
    answers: int | None = None


def tosses(
    manner: Manner, shape: tuple[int, ...], rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each probe is answered in agreement, and whether it is answered; `shape` + probes.

    Runs go along the last axis, in the document's order; silence comes probe by probe.
    """
    *cells, probes = shape
    runs = -(-probes // manner.run)
    agrees = rng.random((*cells, runs)) < manner.agrees
    agrees = np.repeat(agrees, manner.run, axis=-1)[..., :probes]
    given = rng.random(shape) >= manner.silent
    if manner.answers is not None:
        order = rng.permuted(np.broadcast_to(np.arange(probes), shape), axis=-1)
        given &= order < manner.answers
    return agrees, given


def labels(names: Sequence[str], codes: NDArray[np.int64]) -> pd.Categorical:
    """Names by their codes; a code of -1 is missing."""
    return pd.Categorical.from_codes(codes.ravel(), categories=list(names))


def grid(axes: Mapping[str, Sequence[object]]) -> dict[str, object]:
    """The columns of a table with a row for each combination, the last axis running fastest."""
    sizes = [len(values) for values in axes.values()]
    codes = np.indices(sizes).reshape(len(sizes), -1)
    return {
        name: labels(values, code) if isinstance(values[0], str) else np.asarray(values)[code]
        for (name, values), code in zip(axes.items(), codes, strict=True)
    }
