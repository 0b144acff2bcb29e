"""Counterfeits of a life's memory document, in any shape: each keeps form and, nearly, length.

Every one but the stranger's is the real document with other values in the places of its facts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from veridical.corpora.naming import named
from veridical.corpora.shapes import numbers
from veridical.documents.exchanging import derange
from veridical.documents.tables import FIDELITY

if TYPE_CHECKING:
    from veridical.corpora.history import History

ROW = tuple[str, object, object, bool, str]


def shuffle_life(life: History, rng: np.random.Generator) -> str:
    """Every remembered fact bound to another's value of the same attribute, superseded ones too.

    Each attribute keeps its values, as often as they were. Of an attribute in which one value
    stands in more than half of the places, the surplus stays where it is. Raises ValueError where
    nothing at all can be exchanged.
    """
    values = list(life.facts["value"])
    placed = life.facts.iloc[sorted(numbers(life.document))]
    for _, own in placed.groupby("attribute", sort=True):
        rows = _loose(list(own["value"]), list(own.index), rng)
        moved = derange([values[row] for row in rows], rng) if rows else []
        for row, value in zip(rows, moved, strict=True):
            values[row] = value
    if values == list(life.facts["value"]):
        raise ValueError(
            f"corpus {life.name}: no fact of its memory can be given another's value: write facts "
            "that differ in some attribute"
        )
    return life.written(values)


def _loose(values: Sequence[str], rows: Sequence[int], rng: np.random.Generator) -> list[int]:
    """The rows that can all change values: those of the most frequent value as far as others go."""
    counts = pd.Series(list(values)).value_counts()
    if len(counts) < 2:
        return []
    value, most = str(counts.index[0]), int(counts.iloc[0])
    others = [row for row, own in zip(rows, values, strict=True) if own != value]
    same = [row for row, own in zip(rows, values, strict=True) if own == value]
    kept = rng.permutation(same)[: min(most, len(others))].tolist()
    return sorted([*others, *map(int, kept)])


def stale(life: History) -> str:
    """The memory document with every superseded value held as current.

    Raises ValueError where no remembered fact took another's place.
    """
    values, changed = list(life.facts["value"]), 0
    for number, row in enumerate(life.facts.itertuples()):
        if row.state in ("holds", "restated") and life.facts["stale"][row.holder]:
            values[number] = life.facts["stale"][row.holder]
            changed += 1
    if not changed:
        raise ValueError(
            f"corpus {life.name}: no fact of its memory changed, so none can be held as stale"
        )
    return life.written(values)


def life_fidelity(
    document: str, kind: str, text: str, life: History, tolerance: float
) -> pd.DataFrame:
    """Check a counterfeit of a life against the real document, in any shape.

    Every kind: its length within `tolerance`, as many lines, and that it differs; of the life's own
    content (`shuffled`, `partial`, `stale`) the altered lines are counted; a stranger's must share
    no name, and a near relative's shared names are told.

    Returns
    -------
    pandas.DataFrame
        `documents.tables.FIDELITY`, one row a check.
    """
    text = unicodedata.normalize("NFC", text).rstrip("\n")
    real, own = life.memory_block, text.split("\n")
    off = len(text) / len(real) - 1
    lines = real.split("\n")
    close = abs(len(own) - len(lines)) <= tolerance * len(lines) + 1
    rows: list[ROW] = [
        ("characters", len(text), f"{len(real) * (1 - tolerance):.0f}–"
         f"{len(real) * (1 + tolerance):.0f}", abs(off) <= tolerance, f"{100 * off:+.1f} %"),
        ("entries", len(own), len(lines), close, ""),
    ]  # fmt: skip
    if kind != "veridical":
        rows.append(("differs", "no" if text == real else "yes", "yes", text != real, ""))
    if kind in ("foreign", "adjacent"):
        proper = [term for term in life.terms() if term != term.lower()]
        shared = named(text, dict.fromkeys([*proper, life.agent]), exact=True)
        kin = kind == "adjacent"
        rows.append(("shared_names", len(shared), "any" if kin else 0, kin or not shared,
                     ", ".join(shared)))  # fmt: skip
    elif kind != "veridical":
        same = len(own) == len(lines)
        changed = sum(a != b for a, b in zip(own, lines, strict=False))
        rows.append(("altered_lines", changed, "1 or more", same and changed > 0, ""))
    return pd.DataFrame(
        [(document, check, str(value), str(limit), passed, note)
         for check, value, limit, passed, note in rows],
        columns=FIDELITY.names,
    )  # fmt: skip
