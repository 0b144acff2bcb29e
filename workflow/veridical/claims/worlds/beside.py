"""Worlds of what stands beside the path entropy: an added document, and further mode maps.

What is claimed there is said of the problems asked. So a world's effects are the same in every
study, problem by problem, and what is true is known exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, World
from veridical.claims.worlds.answers import grid
from veridical.claims.worlds.rolling import (
    Design,
    Model,
    entropy,
    even,
    less_even,
    rolled,
    tail_for,
)
from veridical.vpe.document import CLAIMED
from veridical.vpe.maps import REGISTERED
from veridical.vpe.rollouts import DOCUMENT

NEAR = 1e-9


@dataclass(frozen=True)
class Added:
    """What a document does to every model.

    probability: verified without it on average; problems lie up to `spread` on either side. effect:
    what the document adds to that on average over the problems. few: how much more it adds to one
    problem in four than to the others. without, with_it: the shares of the verified ways. margins:
    the effect, and how much less even the ways are with it, in registered margins.
    """

    probability: float = 0.5
    spread: float = 0.1
    effect: float = 0.0
    few: float = 0.0
    without: tuple[float, ...] = even(4)
    with_it: tuple[float, ...] = even(4)
    margins: float = 0.0

    def moved(self, problems: int, share: float) -> NDArray[np.float64]:
        """What the document adds to each problem's probability: on average the effect."""
        chosen = (np.arange(problems) % 4 == 0).astype(float)
        return self.effect + self.margins * share + self.few * (chosen - chosen.mean())

    def around(self, problems: int, share: float) -> tuple[float, float]:
        """Where the probabilities without it lie, and how far on either side: what the document
        adds keeps all of them between 0 and 1."""
        moved = self.moved(problems, share)
        low, high = max(0.0, -float(np.min(moved))), 1 - max(0.0, float(np.max(moved)))
        centre = min(max(self.probability, low), high)
        return centre, max(0.0, min(self.spread, centre - low, high - centre))

    def ways(self, nats: float) -> tuple[float, ...]:
        """The shares of the ways with the document."""
        return less_even(abs(self.margins) * nats) if self.margins else self.with_it


def draw_added(design: Design, added: Added, studies: int, rng: np.random.Generator) -> Tables:
    """The rollouts without and with the document, of every model and horizon."""
    horizons = list(range(1, design.horizons + 1))
    shape = (studies, design.models, design.horizons, design.problems)
    centre, reach = added.around(design.problems, design.share)
    plain = centre + rng.uniform(-reach, reach, (studies, 1, 1, design.problems))
    plain = np.broadcast_to(plain, shape)
    sides = {
        "own": (plain, added.without),
        DOCUMENT: (plain + added.moved(design.problems, design.share), added.ways(design.nats)),
    }
    tables = []
    for preset, (chance, shares) in sides.items():
        verified, mode = rolled(chance, shares, design.rollouts, rng)
        table = {"study": list(range(studies)), "model": design.names, "horizon": horizons}
        tables.append(_table(design, table, verified, mode).assign(preset=preset))
    return {"vpe/rollouts": pd.concat(tables, ignore_index=True)}


def _table(design: Design, axes: dict, verified: NDArray, mode: NDArray) -> pd.DataFrame:
    axes["problem_id"] = [f"q{number}" for number in range(design.problems)]
    axes["sample"] = list(range(design.rollouts))
    return pd.DataFrame(grid(axes)).assign(verified=verified.ravel(), mode=mode.ravel())


def document_world(key: str, added: Added) -> World:
    """A world of one document; its truths follow from it."""

    def change(rows: pd.DataFrame) -> NDArray[np.float64]:
        """The true change of each row's measure, `margins` of its margin where it has some."""
        verified = (rows["measure"] == CLAIMED[0]).to_numpy()
        ways = entropy(added.with_it) - entropy(added.without)
        if added.margins:
            margin = rows["margin"].to_numpy(dtype=float)
            return np.where(verified, added.margins, -abs(added.margins)) * margin
        return np.where(verified, added.effect, ways)

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        return draw_added(design, added, studies, rng)

    truths = {
        "vpe.document_changes": lambda rows: _as_said(change(rows), rows),
        "vpe.document_same": lambda rows: _within(change(rows), rows),
    }
    return World(key, "vpe", drawn, truths, lambda design: design.document)


def _as_said(truth: NDArray[np.float64], rows: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether there is a difference, in the direction that the row says where it says one."""
    said = rows["finding"].to_numpy()
    some = np.abs(truth) > NEAR
    turned = ((said == "more") & (truth < 0)) | ((said == "less") & (truth > 0))
    return some & ~turned


def _within(truth: NDArray[np.float64], rows: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether the true difference is less than the margin."""
    return np.abs(truth) < rows["margin"].to_numpy(dtype=float) - NEAR


# --- several mode maps: the n-th merges 2^n neighbouring modes of the registered one


def map_names(design: Design) -> list[str]:
    """The registered map, and the others."""
    return [REGISTERED, *(f"map-{number}" for number in range(1, len(design.maps) + 1))]


def merged(shares: Sequence[float], times: int) -> tuple[float, ...]:
    """The shares where modes are merged in pairs, so many times."""
    for _ in range(times):
        shares = [sum(shares[at : at + 2]) for at in range(0, len(shares), 2)]
    return tuple(shares)


def draw_mapped(
    design: Design, models: Sequence[Model], studies: int, rng: np.random.Generator
) -> Tables:
    """The same rollouts under every map: as the worlds' rollouts, and a column map."""
    horizons = list(range(1, design.horizons + 1))
    shape = (studies, design.horizons, design.problems)
    unlike = rng.normal(0, 1, (studies, 1, design.problems))  # a problem is as hard for all
    tables = []
    for number, model in enumerate(models):
        odds = np.log(model.probability / (1 - model.probability)) + model.spread * unlike
        chance = np.broadcast_to(1 / (1 + np.exp(-odds)), shape)
        verified, mode = rolled(chance, model.shares, design.rollouts, rng)
        axes = {"study": list(range(studies)), "horizon": horizons}
        own = _table(design, axes, verified, mode).assign(model=design.names[number])
        tables += [
            own.assign(map=name, mode=own["mode"] // 2**times)
            for times, name in enumerate(map_names(design))
        ]
    return {"vpe/rollouts": pd.concat(tables, ignore_index=True).assign(preset="own")}


def mapped_world(key: str, *models: Model) -> World:
    """A world whose models are of these kinds, in turn; their truths go by map."""

    def drawn(design: Design, studies: int, rng: np.random.Generator) -> Tables:
        kinds = [models[number % len(models)] for number in range(design.models)]
        return draw_mapped(design, kinds, studies, rng)

    def value(names: pd.Series, maps: pd.Series) -> NDArray[np.float64]:
        known = {}
        for name, under in set(zip(names, maps, strict=True)):
            model = models[(int(name[1:]) - 1) % len(models)]
            times = 0 if under == REGISTERED else int(under.removeprefix("map-"))
            shares = merged(model.shares, times)
            known[name, under] = float(np.log(model.probability)) + entropy(shares)
        return np.array([known[pair] for pair in zip(names, maps, strict=True)])

    def lead(rows: pd.DataFrame) -> NDArray[np.float64]:
        return value(rows["first"], rows["map"]) - value(rows["second"], rows["map"])

    truths = {
        "vpe.maps_apart": lambda rows: _as_said(lead(rows), rows),
        "vpe.maps_same": lambda rows: _within(lead(rows), rows),
    }
    return World(key, "vpe", drawn, truths, lambda design: bool(design.maps) and design.models > 1)


FOUR = Model(0.9, even(4))
APART = (1 / 3, 0.0, 1 / 3, 0.0, 1 / 3)  # three ways that no map here merges
WORLDS = (
    document_world("the document changes nothing", Added()),
    document_world("the document changes nothing, all is verified", Added(0.99)),
    document_world("the document changes nothing, little is verified", Added(0.1)),
    document_world("the document helps few and harms many", Added(few=0.5)),
    document_world("the document leaves fewer verified, in as many ways",
                   Added(0.9, effect=-0.6, without=even(16), with_it=even(16))),
    document_world("the document moves ways, a hundred rare ones",
                   Added(0.8, with_it=tail_for(float(np.log(4)), 1.0, 2, 100).shares)),
    document_world("the document is worth the margin", Added(margins=1.0)),
    document_world("the document is worth the margin, on few problems",
                   Added(margins=1.0, few=0.3)),
    document_world("the document takes the margin from what is always verified",
                   Added(1.0, margins=-1.0)),
    document_world("the document helps, and opens ways", Added(effect=0.3, with_it=even(8))),
    document_world("the document closes ways", Added(0.8, without=even(8))),
    mapped_world("two maps, models alike", FOUR),
    mapped_world("two maps, equal entropy, twice the modes", FOUR, Model(0.45, even(8))),
    mapped_world("two maps, equal under the first alone",
                 Model(0.9, (0.4, 0.4, 0.1, 0.1)), Model(0.9, (0.4, 0.1, 0.4, 0.1))),
    mapped_world("two maps, a hundred rare modes",
                 FOUR, tail_for(FOUR.vpe, 0.7, 2, 100)),
    mapped_world("two maps, apart by the margin", FOUR, Model(0.9, less_even(0.25))),
    mapped_world("two maps, problems unlike", Model(0.6, even(4), 1.5)),
    mapped_world("two maps, first under one and second under the other",
                 FOUR, Model(0.9, APART)),
    mapped_world("two maps, twice the modes", Model(0.9, even(8)), FOUR),
)  # fmt: skip
