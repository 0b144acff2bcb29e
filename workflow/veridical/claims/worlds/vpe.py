"""The path entropy's worlds: models whose verified probability and modes are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, World
from veridical.claims.worlds.answers import grid
from veridical.vpe.leads import leads
from veridical.vpe.measures import SMOOTHING, measure_problems


@dataclass(frozen=True)
class Design:
    """The design's numbers; modes: how many the map can tell apart, None where there is no end."""

    models: int
    problems: int
    rollouts: int
    modes: int | None = 2_240
    smoothing: float = SMOOTHING

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
        shares = np.array(self.shares)
        return float(np.log(self.probability) - (shares * np.log(shares)).sum())


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


def draw(design: Design, models: Sequence[Model], studies: int, rng: np.random.Generator) -> Tables:
    """The rollouts of many studies: what of `vpe/rollouts` is measured, and `study`."""
    shape = (studies, len(models), design.problems, design.rollouts)
    verified = np.empty(shape, dtype=bool)
    mode = np.empty(shape, dtype=np.int64)
    for at, model in enumerate(models):
        odds = np.log(model.probability / (1 - model.probability))
        logit = odds + rng.normal(0, model.spread, (studies, design.problems, 1))
        verified[:, at] = rng.random((studies, *shape[2:])) < 1 / (1 + np.exp(-logit))
        edges = np.cumsum(model.shares)
        mode[:, at] = np.searchsorted(edges, rng.random((studies, *shape[2:])) * edges[-1])
    table = grid(
        {
            "study": list(range(studies)),
            "model": design.names,
            "problem_id": [f"q{number}" for number in range(design.problems)],
            "sample": list(range(design.rollouts)),
        }
    )
    table |= {"horizon": 1, "preset": "own", "verified": verified.ravel(), "mode": mode.ravel()}
    return {"vpe/rollouts": pd.DataFrame(table)}


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once."""
    problems = measure_problems(tables["vpe/rollouts"], design.smoothing, by=["study"])
    return {"vpe/leads": leads(problems, design.modes, by=["study"])}


def world(key: str, *models: Model) -> World:
    """A world whose models are of these kinds, in turn: the first is the one that may lead."""

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        kinds = [models[number % len(models)] for number in range(design.models)]
        return draw(design, kinds, studies, rng)

    def ahead(rows: pd.DataFrame) -> NDArray[np.bool_]:
        def value(names: pd.Series) -> NDArray[np.float64]:
            """A name's true entropy; none where nobody leads, as with one model alone."""
            number = pd.to_numeric(names.astype("string").str[1:]) - 1
            return np.array(
                [np.nan if pd.isna(at) else models[int(at) % len(models)].vpe for at in number]
            )

        return value(rows["leader"]) > value(rows["second"]) + 1e-6

    return World(key, "vpe", drawn, {"vpe.apart": ahead})


FOUR = Model(0.9, even(4))
WORLDS = (
    world("models alike", FOUR),
    world("models alike, problems unlike", Model(0.6, even(4), 1.5)),
    world("equal entropy, twice the modes", FOUR, Model(0.45, even(8))),
    world("the other has more, in modes seldom reached", FOUR, Model(0.3, even(16))),
    world("equal entropy, sixteen modes seldom reached", FOUR, Model(0.225, even(16))),
    world("equal entropy, a hundred rare modes", FOUR, tail_for(FOUR.vpe, 0.7, 2, 100)),
    world("equal entropy, a thousand rare modes", FOUR, tail_for(FOUR.vpe, 0.7, 1, 1_000)),
    world("equal entropy, rare modes, half verified", FOUR, tail_for(FOUR.vpe, 0.45, 1, 1_000)),
    world("ahead by half, both often verified", FOUR, Model(0.8, even(3))),
    world("ahead by twice the modes", Model(0.9, even(8)), FOUR),
    world("ahead, the other half verified", FOUR, Model(0.45, even(4))),
)
