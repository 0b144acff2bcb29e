"""Two sides of the same problems: is one ahead, are they the same, or is it not settled?

An entropy isn't known exactly: it is at least what the verified rollouts show, and at most what
their unseen ways allow (`leads.upper_entropy`). So each problem's difference is known between two
ends. A side is ahead where its least is, and two are the same where neither end leaves the margin.
What is told is of the problems asked: differences that vary from problem to problem only make it
more careful.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.statistics.multiplicity import within
from veridical.statistics.signs import sign_flip_above

ALPHA = 0.05
TESTED = ("n_tested", "least", "most", "p", "p_same")
FOUND = ("more", "less", "same", "not settled", "too few problems", "no bound", "reported")


class Margins(NamedTuple):
    """What counts as no difference: of a verified probability, and of an entropy in nats."""

    share: float = 0.10
    nats: float = 0.25

    @classmethod
    def from_config(cls, given: Mapping[str, Any] | None) -> Margins:
        """As `vpe.margins` has them."""
        return cls(**(given or {}))


MARGINS = Margins()


class Ends(NamedTuple):
    """The least and the most that each problem's difference could be, shape (problems,) each."""

    least: NDArray[np.float64]
    most: NDArray[np.float64]


def tested(ends: Ends, margin: float) -> dict[str, float]:
    """The tests of one pair of sides; `TESTED`, with p of sign flips over problems.

    p: two-sided, that neither side is ahead. p_same: of two one-sided tests that the mean
    difference reaches the margin, the larger. Without any problem all are missing.

    >>> tested(Ends(np.full(5, 0.5), np.full(5, 0.5)), 0.25)["p"]
    0.0625
    """
    n = len(ends.least)
    if not n:
        return {"n_tested": 0} | dict.fromkeys(TESTED[1:], float("nan"))
    ahead, behind = sign_flip_above(ends.least), sign_flip_above(-ends.most)
    below, above = sign_flip_above(margin - ends.most), sign_flip_above(margin + ends.least)
    return {
        "n_tested": n,
        "least": float(ends.least.mean()),
        "most": float(ends.most.mean()),
        "p": min(1.0, 2 * min(ahead, behind)),
        "p_same": max(below, above),
    }


def settled(table: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """The table of tests with p_holm, p_same_holm, lowest and finding.

    All rows of a study (`by`) are one family, for differences and for sameness each. lowest: the
    smallest p after Holm that any outcome on so many problems could have given. finding: `more` or
    `less` where p_holm is at most 5 %, else `same` where p_same_holm is; where `lowest` lies above,
    `too few problems`.
    """
    table = table.assign(p_holm=within(table, by, "p"), p_same_holm=within(table, by, "p_same"))
    if by:
        rows = table.groupby(list(by), sort=False, observed=True)["p"].transform("size")
    else:
        rows = pd.Series(len(table), index=table.index)
    table["lowest"] = np.minimum(1.0, rows * 2.0 ** (1 - table["n_tested"].astype(float)))
    found = [
        table["lowest"] > ALPHA,
        (table["p_holm"] <= ALPHA) & (table["least"] > 0),
        (table["p_holm"] <= ALPHA) & (table["most"] < 0),
        table["p_same_holm"] <= ALPHA,
    ]
    words = ["too few problems", "more", "less", "same"]
    return table.assign(finding=np.select(found, words, "not settled"))
