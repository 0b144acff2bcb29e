"""The table of claims: for a study's own design, how sure each sentence of its page can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from veridical.benchmarks.simulated import alarms_of
from veridical.benchmarks.summary import false_alarms
from veridical.claims.catalogue import CLAIMS
from veridical.claims.claim import Claim
from veridical.claims.rates import Rate, measure, worst
from veridical.claims.tables import CLAIMS as TABLE
from veridical.claims.worlds import benchmarks, control1, control2, control3, memories, vpe

ROOMS = {
    "benchmarks": benchmarks,
    "control1": control1,
    "control2": control2,
    "control3": control3,
    "memories": memories,
    "vpe": vpe,
}


LINT = "benchmarks.lint"


def rates(designs: Mapping[str, Any], studies: int, seed: int) -> Iterator[Rate]:
    """Every claim in every world of its part, for the parts that the design has."""
    for part, design in designs.items():
        room = ROOMS[part]
        claims = [claim for claim in CLAIMS if claim.part == part and not claim.beforehand]
        for world in (world for world in room.WORLDS if world.fits(design)):
            yield from measure(world, claims, room.analyse, design, studies, seed)
        if part == "benchmarks":
            yield _lint(design, seed)


def _lint(design: benchmarks.Design, seed: int) -> Rate:
    """How often the lint finds something in clean files: of the benchmark's own shape where that
    is asked for, else of the nearest measured; of all shapes where its own isn't known."""
    if design.shape is None:
        alarms, clean = false_alarms()["any"]
        return Rate(LINT, "clean benchmarks", clean, alarms / clean, None)
    found = alarms_of(design.shape, design.clean, seed)
    world = "clean benchmarks of this shape" if found.own else "clean benchmarks of a near shape"
    return Rate(LINT, world, found.benchmarks, found.alarms / found.benchmarks, None)


def claims_table(designs: Mapping[str, Any], studies: int, seed: int) -> pd.DataFrame:
    """A row a claim: where it is most often said falsely, and where it is most often found.

    Columns as `tables.CLAIMS` has them.
    """
    by_key = {claim.key: claim for claim in CLAIMS}
    found = list(rates(designs, studies, seed))
    if not found:
        return pd.DataFrame(columns=TABLE.names)
    table = worst(found)
    heads = pd.DataFrame([_head(by_key[key]) for key in table["claim"]])
    return heads.merge(table, on="claim")


def _head(claim: Claim) -> dict[str, Any]:
    return {
        "claim": claim.key,
        "part": claim.part,
        "sentences": " ".join(claim.sentences),
        "family": claim.family,
        "registered": claim.registered,
        "rate": claim.rate,
    }
