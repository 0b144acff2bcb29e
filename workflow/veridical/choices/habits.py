"""Habits: answers that follow a name or a place whatever is asked, and how sure that is."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.statistics.neighbours import tail

HABITS = ("one answer", "first option", "never the first option")
HABITUAL = 0.9  # share of the answers from which they are called a habit
FEW = 5  # answers below which nothing is read from them: even all alike are chance once in 32
ALPHA = 0.05


def find_habits(
    counts: pd.DataFrame, chance: float, tests: int, least: float | None = None
) -> NDArray[np.object_]:
    """The habit of each cell, one of `HABITS`; None where none is shown.

    At least `HABITUAL` of the answers are alike, and chance makes them so (each option once in
    1 / `chance`) with a probability that stays below 5 % over all three habits, all names and
    all `tests` cells together.

    Parameters
    ----------
    counts : pandas.DataFrame
        `given`, `first` and `most`, as `tally.tally` counts them.
    chance : float
        In (0, 1): one over the number of options; of options unequally often right, the share of
        the most frequent.
    least : float, optional
        In (0, `chance`]: how often any option stands first at least; `chance` where all are alike.
    """
    least = chance if least is None else least
    given, first, most = (counts[name].to_numpy() for name in ("given", "first", "most"))
    ps = {
        "one answer": (most, tail(most, given, chance) / chance),
        "first option": (first, tail(first, given, chance)),
        "never the first option": (given - first, tail(given - first, given, 1 - least)),
    }
    found = np.full(len(counts), None, dtype=object)
    for name, (alike, p) in reversed(ps.items()):
        sure = (given > 0) & (alike >= HABITUAL * given)
        found[sure & (p * len(ps) * tests <= ALPHA)] = name
    return found


def blurred(counts: pd.DataFrame) -> NDArray[np.bool_]:
    """Cells whose answers can't be tested: fewer than `FEW`, or all but a few alike.

    Whoever keeps to one answer is right as often as the design makes that answer right, which
    says nothing of what it can do.
    """
    given = counts["given"].to_numpy()
    alike = np.maximum.reduce(
        [counts["most"], counts["first"], counts["given"] - counts["first"]], axis=0
    )
    return (counts["answered"].to_numpy() < FEW) | (alike >= HABITUAL * given)
