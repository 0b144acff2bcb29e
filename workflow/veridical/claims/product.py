"""The table of claims: for a study's own design, how sure each sentence of its page can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from veridical.claims.catalogue import CLAIMS
from veridical.claims.claim import Claim
from veridical.claims.rates import Rate, measure, worst
from veridical.claims.worlds import control1, control2, control3, memories, vpe

ROOMS = {
    "control1": control1,
    "control2": control2,
    "control3": control3,
    "memories": memories,
    "vpe": vpe,
}


def rates(designs: Mapping[str, Any], studies: int, seed: int) -> Iterator[Rate]:
    """Every claim in every world of its part, for the parts that the design has."""
    for part, design in designs.items():
        room = ROOMS[part]
        claims = [claim for claim in CLAIMS if claim.part == part]
        for world in room.WORLDS:
            yield from measure(world, claims, room.analyse, design, studies, seed)


def claims_table(designs: Mapping[str, Any], studies: int, seed: int) -> pd.DataFrame:
    """A row a claim: where it is most often said falsely, and where it is most often found.

    Columns: claim, part, family, registered (a source's own rule, held to no rate of ours), rate
    (the most that is allowed), studies, false with false_low and false_high (Wilson, 95 %),
    false_world, power and power_world.
    """
    by_key = {claim.key: claim for claim in CLAIMS}
    table = worst(rates(designs, studies, seed))
    heads = pd.DataFrame([_head(by_key[key]) for key in table["claim"]])
    return heads.merge(table, on="claim")


def _head(claim: Claim) -> dict[str, Any]:
    return {
        "claim": claim.key,
        "part": claim.part,
        "family": claim.family,
        "registered": claim.registered,
        "rate": claim.rate,
    }
