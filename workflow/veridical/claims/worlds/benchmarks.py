"""The benchmark's worlds: models that guess, know beforehand, or remember, arm by arm."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.benchmarks.premium import premiums
from veridical.benchmarks.simulated import Shape
from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds.answers import grid, labels

ARMS = ("full", "none", "counterfeit")


@dataclass(frozen=True)
class Design:
    """The design's numbers: of each item its kind, its life and what guessing earns; the arms.

    `shape` is that of the benchmark, where it is known, and `clean` how many clean benchmarks of it
    the lint is tried on.
    """

    strata: tuple[str, ...]
    lives: tuple[str, ...]
    chance: tuple[float, ...]
    models: int = 1
    arms: tuple[str, ...] = ARMS
    shape: Shape | None = None
    clean: int = 0

    @property
    def names(self) -> list[str]:
        """Names of the simulated models."""
        return [f"m{number}" for number in range(1, self.models + 1)]

    @property
    def items(self) -> list[str]:
        """Names of the items."""
        return [f"i{number:05d}" for number in range(len(self.strata))]


@dataclass(frozen=True)
class Arm:
    """How the items are answered in one arm.

    right: chance that an answer is right; None guesses. silent: chance that there is no answer.
    """

    right: float | None = None
    silent: float = 0.0


@dataclass(frozen=True)
class Model:
    """How a model answers in each arm.

    kinds: the first so many kinds of question are answered as said, in the others the arm `full`
    is like `none`; None: all. together: a life's items share one toss an arm. lives: how far a life
    moves the log-odds of `full` up or down (a standard deviation).
    """

    full: Arm = Arm()
    none: Arm = Arm()
    counterfeit: Arm = Arm()
    kinds: int | None = None
    together: bool = False
    lives: float = 0.0

    def premium(self, chance: float, place: int) -> float:
        """What the history truly earns in a kind, of those answered; silence is no use."""
        if self.kinds is not None and place >= self.kinds:
            return 0.0
        arms = (self.full, self.none, self.counterfeit)
        full, *others = (chance if arm.right is None else arm.right for arm in arms)
        return full - max(others)


def draw(design: Design, models: list[Model], studies: int, rng: np.random.Generator) -> Tables:
    """The answers of many studies: `benchmarks/answers`, and `study`."""
    arms = [arm for arm in ARMS if arm in design.arms]
    shape = (studies, len(models), len(arms), len(design.strata))
    right, given = np.empty(shape, dtype=bool), np.empty(shape, dtype=bool)
    for at, model in enumerate(models):
        for number, arm in enumerate(arms):
            right[:, at, number], given[:, at, number] = _toss(design, model, arm, studies, rng)
    table = grid(
        {
            "study": list(range(studies)),
            "model": design.names,
            "arm": arms,
            "item_id": design.items,
        }
    )
    over = np.broadcast_to
    table |= {
        "stratum": over(np.array(design.strata, dtype=object), shape).ravel(),
        "cluster": over(np.array(design.lives, dtype=object), shape).ravel(),
        "state": labels(["ok", "abstained"], np.where(given, 0, 1)),
        "correct": (right & given).ravel(),
    }
    return {"benchmarks/answers": pd.DataFrame(table)}


def _toss(
    design: Design, model: Model, arm: str, studies: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which items are answered rightly in an arm, and which at all: shape (studies, items)."""
    of, places = np.unique(design.strata, return_inverse=True)
    moved = places >= (len(of) if model.kinds is None else model.kinds)
    own, like = getattr(model, arm), model.none
    chance = np.array(design.chance)
    share = np.where(moved, _share(like, chance), _share(own, chance))
    silent = np.where(moved, like.silent, own.silent)
    _, life = np.unique([name or f"#{n}" for n, name in enumerate(design.lives)],
                        return_inverse=True)  # fmt: skip
    lives = int(life.max()) + 1
    if arm == "full" and model.lives:
        odds = np.log(share / (1 - share)) + rng.normal(0, model.lives, (studies, lives))[:, life]
        share = 1 / (1 + np.exp(-odds))
    toss = rng.random((studies, lives))[:, life] if model.together else rng.random(
        (studies, len(life)))  # fmt: skip
    return toss < share, rng.random((studies, len(life))) >= silent


def _share(arm: Arm, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    return chance if arm.right is None else np.full(len(chance), arm.right)


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once."""
    chance = dict(zip(design.items, design.chance, strict=True))
    return {"benchmarks/premium": premiums(tables["benchmarks/answers"], chance, by=["study"])}


def world(key: str, model: Model) -> World:
    """A world whose models all answer so; its truths follow from it."""

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        same = replace(model, full=model.none) if unasked(design) else model
        return draw(design, [same] * design.models, studies, rng)

    def unasked(design: Design) -> bool:
        """Whether what earns as much as the history is not asked for: then nothing earns more."""
        better = (model.counterfeit.right or 0) > (model.none.right or 0)
        return better and "counterfeit" not in design.arms

    def truth(sign: int) -> Truth:
        def of(rows: pd.DataFrame) -> NDArray[np.bool_]:
            kinds = sorted(set(rows["stratum"]) - {""})
            worth = {kind: model.premium(0.25, place) for place, kind in enumerate(kinds)}
            worth[""] = max((value for value in worth.values()), key=abs, default=0.0)
            worth[""] = worth[""] if kinds else model.premium(0.25, 0)
            return np.array([sign * worth[kind] > 1e-9 for kind in rows["stratum"]], dtype=bool)

        return of

    names = ("earns", "costs")
    truths: dict[str, Truth] = {
        f"benchmarks.{scope}{name}": truth(sign)
        for name, sign in zip(names, (1, -1), strict=True)
        for scope in ("", "stratum_")
    }
    return World(key, "benchmarks", drawn, truths)


def _arms(full: float, none: float, counterfeit: float | None = None, **more: object) -> Model:
    return Model(Arm(full), Arm(none), Arm(none if counterfeit is None else counterfeit), **more)


SILENT = Arm(None, 1.0)
WORLDS = (
    world("every arm guesses", Model()),
    world("every arm is right in 80 %", _arms(0.8, 0.8)),
    world("words of the question alone", _arms(0.6, 0.6)),
    world("another's history earns as much", _arms(0.7, 0.25, 0.7)),
    world("a life's items share one toss", _arms(0.5, 0.5, together=True)),
    world("lives unlike, no premium on average", _arms(0.5, 0.5, lives=1.0)),
    world("silent without a history", Model(Arm(), SILENT, SILENT)),
    world("more silent without a history", Model(Arm(None, 0.1), Arm(None, 0.6), Arm(None, 0.6))),
    world("silent with the history", Model(SILENT, Arm(), Arm())),
    world("memory earns in one kind", _arms(0.8, 0.3, kinds=1)),
    world("memory earns", _arms(0.8, 0.3)),
    world("memory harms", _arms(0.3, 0.7)),
)
