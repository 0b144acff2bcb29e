"""How often each claim is said where it is false, and where it is true: studies in every world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from veridical.claims.claim import Claim, Tables, World
from veridical.statistics.intervals import wilson


@dataclass(frozen=True)
class Rate:
    """One claim in one world.

    false: share of studies in which it is said of any row of which it isn't true, None where it is
    true of all. power: share of the rows of which it is true, over all studies, of which it is
    said; None where it is true of none.
    """

    claim: str
    world: str
    studies: int
    false: float | None
    power: float | None

    @property
    def reach(self) -> float:
        """The upper end of the Wilson 95 % interval of `false`; 0 where it can't be false."""
        if self.false is None:
            return 0.0
        return wilson(round(self.false * self.studies), self.studies).high


def measure(
    world: World,
    claims: Sequence[Claim],
    analyse: Callable[[Tables, Any], Tables],
    design: Any,
    studies: int,
    seed: int,
) -> list[Rate]:
    """Draw a world's studies, analyse them as a study is, and count what is said of what."""
    rng = np.random.default_rng([seed, *world.part.encode(), *world.key.encode()])
    tables = analyse(world.draw(design, studies, rng), design)
    here = [claim for claim in claims if claim.table in tables]  # others are of another design
    return [_rate(claim, world, tables[claim.table], studies) for claim in here]


def _rate(claim: Claim, world: World, table: pd.DataFrame, studies: int) -> Rate:
    rows = claim.rows(table)
    said, true = claim.said(rows), world.true(claim, rows)
    wrong = rows["study"].to_numpy()[said & ~true]
    false = len(np.unique(wrong)) / studies if (~true).any() else None
    power = float(said[true].mean()) if true.any() else None
    return Rate(claim.key, world.key, studies, false, power)


FALSE = ("false", "false_low", "false_high", "false_world")
POWER = ("power", "power_world")


def worst(rates: Iterable[Rate]) -> pd.DataFrame:
    """A row a claim: its worst false rate with the world, and its power with the world.

    Columns: claim, studies, false, false_low, false_high (Wilson, 95 %), false_world, power and
    power_world (the world in which it is most often found; both missing where it is true nowhere).
    """
    rows = []
    for claim, group in pd.DataFrame([vars(rate) for rate in rates]).groupby("claim", sort=False):
        falses, powers = group.dropna(subset=["false"]), group.dropna(subset=["power"])
        row: dict[str, Any] = {"claim": claim, "studies": int(group["studies"].iloc[0])}
        row |= dict.fromkeys((*FALSE, *POWER))
        if len(falses):
            bad = falses.loc[falses["false"].idxmax()]
            ends = wilson(round(bad["false"] * bad["studies"]), int(bad["studies"]))
            row |= {"false": bad["false"], "false_low": ends.low, "false_high": ends.high}
            row["false_world"] = bad["world"]
        if len(powers):
            good = powers.loc[powers["power"].idxmax()]
            row |= {"power": good["power"], "power_world": good["world"]}
        rows.append(row)
    return pd.DataFrame(rows)
