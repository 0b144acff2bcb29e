"""What chance gives a cell of a life, whose values are not equally frequent."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from veridical.choices.tally import cells_of
from veridical.control3.counts import count_matches
from veridical.memories.plan import EMPTY, VERIDICAL
from veridical.statistics.matching import at_least, at_most, margins_of

UNEQUAL = ("agree_p", "against_p", "match_none_p", "below_p", "away_p", "best_p")


def count_unequal(answers: pd.DataFrame, swapped: str, keys: Sequence[str]) -> pd.DataFrame:
    """Each cell's answers against chance as their own counts make it (`statistics.matching`).

    Parameters
    ----------
    answers : pandas.DataFrame
        `keys` and what `readers.answer_row` gives.
    swapped : str
        The swapped document.
    keys : sequence of str
        What tells cells apart.

    Returns
    -------
    pandas.DataFrame
        `keys`, `chance` and, of `control3.counts.count_matches`, the p of answers from both banks
        (`agree_p`, `against_p`) and from the empty one (`match_none_p`); `below_p`, the exact p of
        as few right from the true bank, and `away_p`, of as few from the swapped bank as it has it
        (0 where none was answered: silence shows no use of that bank);
        and `best_p`, what the p of the empty bank would be were all of its answers right: where
        that is large, they can't tell a guess from knowledge.
    """
    rows = answers[answers["document"].isin([VERIDICAL, swapped, EMPTY])].reset_index(drop=True)
    cell, _ = cells_of(rows, keys)
    few = [
        (_as_few(own, VERIDICAL, 1.0), _as_few(own, swapped, 0.0), _all_right(own))
        for _, own in rows.groupby(cell, sort=True)
    ]
    found = count_matches(answers, swapped, keys).join(
        pd.DataFrame(few, columns=["below_p", "away_p", "best_p"])
    )
    return found[[*keys, "chance", *UNEQUAL]]


def _as_few(own: pd.DataFrame, document: str, silent: float) -> float:
    """The p of so few answers as a bank has it, or fewer; `silent` where nothing was answered."""
    given = own[(own["document"] == document) & own["answer"].notna()]
    if given.empty:
        return silent
    hits = int((given["answer"] == given["document_partner"]).sum())
    return at_most(hits, margins_of(given["answer"], given["document_partner"]))


def _all_right(own: pd.DataFrame) -> float:
    """The p of the empty bank's answers were each of them right."""
    true = own[(own["document"] == EMPTY) & own["answer"].notna()]["true_partner"]
    return at_least(len(true), margins_of(true, true))
