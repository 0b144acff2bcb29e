"""The table of claims: for a study's own design, how sure each sentence of its page can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

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
        for world in room.WORLDS:
            yield from measure(world, claims, room.analyse, design, studies, seed)
        if part == "benchmarks":  # shuffles of keys take minutes: clean files were looked at before
            alarms, clean = false_alarms()["any"]
            yield Rate(LINT, "clean benchmarks", clean, alarms / clean, None)


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
