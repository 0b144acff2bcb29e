"""Rollouts whose verified probability and modes are known: what the path entropy's worlds draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.vpe.measures import SMOOTHING
from veridical.vpe.paired import MARGINS


@dataclass(frozen=True)
class Design:
    """The design's numbers; modes: how many the map can tell apart, None where there is no end.

    document: whether problems are asked with a document as well. maps: the modes of each further
    map. horizons: how many, where these are compared. share, nats: the registered margins.
    """

    models: int
    problems: int
    rollouts: int
    modes: int | None = 2_240
    smoothing: float = SMOOTHING
    document: bool = False
    maps: tuple[int | None, ...] = ()
    horizons: int = 1
    share: float = MARGINS.share
    nats: float = MARGINS.nats

    @property
    def names(self) -> list[str]:
        """Names of the simulated models."""
        return [f"m{number}" for number in range(1, self.models + 1)]


@dataclass(frozen=True)
class Model:
    """A model's verified probability and the shares of its modes, the same on every problem.

    spread: standard deviation of the probability's logit over problems.
    """

    probability: float
    shares: tuple[float, ...]
    spread: float = 0.0

    @property
    def vpe(self) -> float:
        """Its true viable path entropy where the probability doesn't vary, in nats."""
        return float(np.log(self.probability)) + entropy(self.shares)


def entropy(shares: Sequence[float]) -> float:
    """Of modes with these shares, in nats; one with none has no part in it."""
    some = np.array([share for share in shares if share > 0])
    return float(-(some * np.log(some)).sum())


def even(modes: int) -> tuple[float, ...]:
    """So many modes, equally likely."""
    return (1 / modes,) * modes


def tailed(common: float, modes: int, rare: int) -> tuple[float, ...]:
    """A few common modes that share so much, and many rare ones that share the rest."""
    return (common / modes,) * modes + ((1 - common) / rare,) * rare


def tail_for(vpe: float, probability: float, modes: int, rare: int) -> Model:
    """The model of this shape whose true VPE is the wanted one (by bisection)."""
    low, high = modes / (modes + rare), 1 - 1e-9  # from even to hardly any tail
    for _ in range(80):
        middle = (low + high) / 2
        if Model(probability, tailed(middle, modes, rare)).vpe > vpe:
            low = middle
        else:
            high = middle
    return Model(probability, tailed(high, modes, rare))


def less_even(nats: float) -> tuple[float, ...]:
    """Modes of which one is more common, with so many nats less than if all were alike."""
    modes = 4 if nats < 1.2 else int(4 * np.exp(nats))
    low, high = 1 / modes, 1 - 1e-9
    for _ in range(80):
        middle = (low + high) / 2
        shares = (middle, *[(1 - middle) / (modes - 1)] * (modes - 1))
        low, high = (middle, high) if entropy(shares) > np.log(modes) - nats else (low, middle)
    return shares


def rolled(
    chance: NDArray[np.float64], shares: Sequence[float], rollouts: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Whether each rollout is verified, and its mode: the shape of `chance`, and rollouts."""
    shape = (*chance.shape, rollouts)
    edges = np.cumsum(shares)
    verified = rng.random(shape) < chance[..., None]
    return verified, np.searchsorted(edges, rng.random(shape) * edges[-1])
