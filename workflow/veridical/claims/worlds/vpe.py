"""The path entropy's worlds: models whose verified probability and modes are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, World
from veridical.claims.worlds.answers import grid
from veridical.claims.worlds.beside import WORLDS as BESIDE
from veridical.claims.worlds.beside import map_names
from veridical.claims.worlds.rolling import Design, Model, even, rolled, tail_for
from veridical.vpe.document import document_findings
from veridical.vpe.leads import leads
from veridical.vpe.maps import map_findings
from veridical.vpe.measures import measure_problems
from veridical.vpe.paired import Margins
from veridical.vpe.rollouts import DOCUMENT


def draw(design: Design, models: Sequence[Model], studies: int, rng: np.random.Generator) -> Tables:
    """The rollouts of many studies: what of `vpe/rollouts` is measured, and `study`."""
    shape = (studies, len(models), design.problems, design.rollouts)
    verified = np.empty(shape, dtype=bool)
    mode = np.empty(shape, dtype=np.int64)
    for at, model in enumerate(models):
        odds = np.log(model.probability / (1 - model.probability))
        logit = odds + rng.normal(0, model.spread, (studies, design.problems, 1))
        chance = 1 / (1 + np.exp(-logit[..., 0]))
        verified[:, at], mode[:, at] = rolled(chance, model.shares, design.rollouts, rng)
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
    """The study's own analysis, of many studies at once: of what the tables have to compare."""
    rollouts = tables["vpe/rollouts"]
    nothing = pd.DataFrame({"study": [], "finding": []})
    found = dict.fromkeys(("vpe/leads", "vpe/document", "vpe/map_contrasts"), nothing)
    if "map" in rollouts:
        problems = measure_problems(rollouts, design.smoothing, by=["study", "map"])
        sizes = dict(zip(map_names(design), (design.modes, *design.maps), strict=True))
        contrasts = map_findings(problems, sizes, design.nats, by=["study"])
        return found | ({"vpe/map_contrasts": contrasts} if len(contrasts) else {})
    problems = measure_problems(rollouts, design.smoothing, by=["study"])
    if (rollouts["preset"] == DOCUMENT).any():
        margins = Margins(design.share, design.nats)
        said = document_findings(problems, design.modes, margins, by=["study"])
        return found | {"vpe/document": said}
    return found | {"vpe/leads": leads(problems, design.modes, by=["study"])}


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
    *BESIDE,
)
