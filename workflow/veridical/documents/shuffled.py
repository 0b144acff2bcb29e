"""Shuffled counterfeits: the agent's own content, with everything bound to something else."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pandas as pd

FIELDS = ("date", "partner", "topic", "note")
TRIES = 50


def shuffle_entries(
    entries: pd.DataFrame, rng: np.random.Generator, *, source: Path | str = "the memory"
) -> pd.DataFrame:
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
    source
        The file that the entries come from, to be named where they can't be shuffled.

    Returns
    -------
    pandas.DataFrame
        As many entries, in date order, with the same four columns.

    Raises
    ------
    ValueError
        Where no derangement exists, naming the value that stands in too many of the entries, or
        beside too many others, and what to change.
    """
    fields = entries[list(FIELDS)].reset_index(drop=True)
    if len(fields) < 2:
        raise ValueError(
            f"{source}: {len(fields)} entry can't be shuffled: there is nothing to exchange; mark "
            "more encounters in_memory"
        )
    for field in FIELDS:
        counts = fields[field].value_counts()
        if 2 * counts.iloc[0] > len(fields):
            raise ValueError(
                f"{source}: no derangement exists: {field} {counts.index[0]!r} stands in "
                f"{counts.iloc[0]} of {len(fields)} entries, more than half, so that some entry "
                "must keep it; mark other encounters in_memory"
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
        f"{source}: no derangement was found in {TRIES} draws: {stuck} can't be re-bound without "
        f"keeping one of its bindings. {_why_stuck(fields)}"
    )


def _why_stuck(fields: pd.DataFrame) -> str:
    """The value that leaves too little room (or the one most repeated), and what to do about it."""
    every = len(fields)
    for field, other in permutations(("date", "topic", "note", "partner"), 2):
        for value, count in fields[field].value_counts().items():
            beside = fields.loc[fields[field] == value, other].unique()
            room = int((~fields[other].isin(beside)).sum())
            if count > 1 and room < count:
                return (
                    f"{field.capitalize()} {value!r} stands in {count} of {every} entries, beside "
                    f"{len(beside)} different {other}s, and only {room} entries have another "
                    f"{other} for it to move to. {_remedy(field)}"
                )
    counts = {field: fields[field].value_counts() for field in ("date", "topic", "note")}
    field = max(counts, key=lambda name: counts[name].iloc[0])
    value, count = counts[field].index[0], counts[field].iloc[0]
    if count > 1:
        return f"{field.capitalize()} {value!r} stands in {count} of {every} entries. " + _remedy(
            field
        )
    return f"{every} entries leave too little room: mark more encounters in_memory"


def _remedy(field: str) -> str:
    reword = "Reword it in all but one of them, or mark" if field in ("topic", "note") else "Mark"
    return f"{reword} other encounters in_memory (memory_block.txt holds the same entries)"


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
