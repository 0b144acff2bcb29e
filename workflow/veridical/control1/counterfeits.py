"""Shuffled counterfeits: the agent's own content, with everything bound to something else."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

FIELDS = ("date", "partner", "topic", "note")
TRIES = 50


def shuffle_entries(entries: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Re-bind who, what and when at random, so that no entry keeps any of its bindings.

    No two values that stand together in an entry stand together in a shuffled one, while each
    field keeps its multiset of values: a derangement of every field against every other. With two
    partners this swaps each topic's partner, there being no third to give it; topics and notes
    then move among the dates of the partner that they had.

    Parameters
    ----------
    entries
        The memory block, in date order: columns date, partner, topic, note (str).
    rng
        Decides which of the many derangements is drawn.

    Returns
    -------
    pandas.DataFrame
        As many entries, in date order, with the same four columns.

    Raises
    ------
    ValueError
        Where no derangement exists, naming the value that stands in more than half of the entries,
        or the field that can't be re-bound.
    """
    fields = entries[list(FIELDS)].reset_index(drop=True)
    if len(fields) < 2:
        raise ValueError(f"{len(fields)} entry can't be shuffled: there is nothing to exchange")
    for field in FIELDS:
        counts = fields[field].value_counts()
        if 2 * counts.iloc[0] > len(fields):
            raise ValueError(
                f"no derangement exists: {field} {counts.index[0]!r} stands in {counts.iloc[0]} of "
                f"{len(fields)} entries, more than half, so that some entry must keep it"
            )
    stuck = ""
    for _ in range(TRIES):
        drawn = {"date": np.arange(len(fields))}
        for field in ("partner", "topic", "note"):
            taken = _draw(fields, field, drawn, rng)
            if taken is None:
                stuck = field
                break
            drawn[field] = taken
        else:
            shuffled = {field: fields[field].to_numpy()[drawn[field]] for field in FIELDS}
            return pd.DataFrame(shuffled)
    raise ValueError(
        f"no derangement was found in {TRIES} draws: {stuck} can't be re-bound without keeping one "
        "of its bindings; entries that share values leave too little room"
    )


def _draw(
    fields: pd.DataFrame, field: str, drawn: dict[str, np.ndarray], rng: np.random.Generator
) -> np.ndarray | None:
    """Which entry each line takes the field from; None where no assignment breaks every binding."""
    from scipy.optimize import linear_sum_assignment

    values = fields[field].to_numpy()
    forbidden = np.zeros((len(values), len(values)), dtype=bool)
    for other, taken in drawn.items():
        kept = _together(fields, field, other)
        for line, source in enumerate(taken):
            beside = fields[other].to_numpy()[source]
            forbidden[line] |= [(value, beside) in kept for value in values]
    cost = np.where(forbidden, 1e6, rng.random(forbidden.shape))
    lines, sources = linear_sum_assignment(cost)
    return None if forbidden[lines, sources].any() else sources


def _together(entries: pd.DataFrame, first: str, second: str) -> set[tuple[str, str]]:
    return set(zip(entries[first], entries[second], strict=True))


def kept_bindings(entries: pd.DataFrame, original: pd.DataFrame) -> pd.DataFrame:
    """Which entries still hold two values that stand together in the original.

    Returns a table with one row for each kept pair: entry (from 1), fields (e.g. `partner–topic`).
    """
    rows = []
    for first, second in combinations(FIELDS, 2):
        together = _together(original, first, second)
        pairs = zip(entries[first], entries[second], strict=True)
        rows += [
            (number, f"{first}–{second}")
            for number, pair in enumerate(pairs, start=1)
            if pair in together
        ]
    return pd.DataFrame(rows, columns=["entry", "fields"])
