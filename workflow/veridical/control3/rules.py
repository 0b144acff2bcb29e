"""Control 3's conclusions: what a cell's counts let anyone say, each at its stated rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.choices.habits import ALPHA, blurred, find_habits
from veridical.control3.lives import MOST_VALUES
from veridical.statistics.multiplicity import within
from veridical.statistics.neighbours import tail

FOLLOWS = 0.55  # a coin that leans by a twentieth is not said to follow


def conclude(cells: pd.DataFrame, families: Sequence[str] = ()) -> pd.DataFrame:
    """What follows from each cell, corrected over all cells of a study.

    - The answers *use* the document: exact McNemar between the true and the false one, and the
      answers under both together name the partner of the document at hand more often than one in
      k (exact binomial; in a life, where values differ in frequency, than any matching of these
      answers and values would, exact too). The second test holds where a coin abstains under one
      document more than under the other, which the first takes for a difference.
    - They *follow* it, true or false: besides, under each document by itself more than `FOLLOWS` of
      all probes are answered with its partner (exact binomial): reading the true one is not enough.
    - They go *against* it: the same two tests the other way.

    Each rule's p is the largest of its tests'; where neighbours in the document are answered alike,
    several answers count as one (`statistics.neighbours`). Holm corrects each rule over the cells.
    A cell that does better than chance without a document, even before correction, is not read.

    Parameters
    ----------
    cells : pandas.DataFrame
        One row a cell: `corpus`, `model`, `tested`, `chance`, `p_exact`, and the counts of
        `counts.count_cells`.
    families : sequence of str
        Columns that tell studies apart, where the table holds several.

    Returns
    -------
    pandas.DataFrame
        On the same index: `p_use`, `p_follow`, `p_against` and `p_without`, each with `_holm`
        (missing where there was nothing to test), `cells` (the family's size), `without` (one of
        `tables.WITHOUT`), `finding` (one of `tables.FINDINGS`) and `habit`.
    """
    found = pd.DataFrame(index=cells.index)
    keys = list(families)
    sizes = cells.groupby(keys, sort=False)[keys[0]].transform("size") if keys else len(cells)
    found["cells"] = sizes
    tested = (cells["tested"] == "tested").to_numpy()
    for name, values in _tests(cells).items():
        found[name] = np.where(tested, values, np.nan)
    found["p_without"] = _without(cells)
    found["p_without_holm"] = _once_a_model(cells, found["p_without"], keys)
    for name in ("p_use", "p_follow", "p_against"):
        found[f"{name}_holm"] = within(cells.assign(p=found[name]), keys, "p")
    found["without"] = _read_without(cells, found)
    found["finding"] = _find(cells, found)
    chance = float(cells["chance"].min())
    uneven = "agree_share" in cells and cells["agree_share"].notna().any()
    # The most frequent value's share says nothing of places: of many values each is seldom first.
    least = min(chance, 1 / MOST_VALUES) if uneven else chance
    found["habit"] = find_habits(cells, chance, int(np.max(sizes)), least)
    return found


def _tests(cells: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
    """The p of each rule in each cell, before correction."""
    chance = cells["chance"].to_numpy(dtype=float)
    factor = cells["neighbours"].fillna(1.0).to_numpy(dtype=float)
    n, agreeing = cells["n"].to_numpy(dtype=float), cells["agreeing"].to_numpy(dtype=float)
    given = (cells["veridical_given"] + cells["corrupted_given"]).to_numpy(dtype=float)
    exact = np.nan_to_num(cells["p_exact"].to_numpy(dtype=float), nan=1.0)
    more = (cells["b"] > cells["c"]).to_numpy(dtype=bool)
    fewer = (cells["b"] < cells["c"]).to_numpy(dtype=bool)

    chance = or_even(cells, "agree_share", chance)

    def leaning(
        hits: NDArray[np.float64], expected: NDArray[np.float64], matched: str
    ) -> NDArray[np.float64]:
        plain = or_even(cells, matched, tail(hits, given, expected))
        return np.maximum(plain, tail(hits, given, expected, factor))

    use = np.where(more, np.maximum(exact, leaning(agreeing, chance, "agree_p")), 1.0)
    away = leaning(given - agreeing, 1 - chance, "against_p")
    against = np.where(fewer, np.maximum(exact, away), 1.0)
    right, named = (
        tail(cells[column].to_numpy(dtype=float), n, FOLLOWS)
        for column in ("veridical_correct", "named")
    )
    return {
        "p_use": use,
        "p_follow": np.maximum.reduce([use, right, named]),
        "p_against": against,
    }


def or_even(cells: pd.DataFrame, matched: str, even: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the counts of a life give, where a cell has it (`counts.count_matches`)."""
    if matched not in cells:
        return even
    own = cells[matched].to_numpy(dtype=float)
    return np.where(np.isnan(own), even, own)


def _without(cells: pd.DataFrame) -> NDArray[np.float64]:
    """One-sided p that chance explains the answers without a document; NaN where not testable."""
    right, answered = cells["none_correct"], cells["none_answered"]
    chance = or_even(cells, "match_none_share", cells["chance"].to_numpy(dtype=float))
    factor = cells["none_neighbours"].fillna(1.0)
    plain = or_even(cells, "match_none_p", tail(right, answered, chance))
    p = np.maximum(plain, tail(right, answered, chance, factor))
    return np.where(_blurred(cells), np.nan, p)


def _blurred(cells: pd.DataFrame) -> NDArray[np.bool_]:
    names = ("given", "first", "most", "answered")
    return blurred(cells[[f"none_{name}" for name in names]].set_axis(names, axis=1))


def _once_a_model(cells: pd.DataFrame, p: pd.Series, keys: list[str]) -> NDArray[np.float64]:
    """Holm over models and corpora: a model's answers without a document are one test a corpus."""
    own = [*keys, "corpus", "model"]
    one = cells[own].assign(p=p).drop_duplicates(own)
    one["holm"] = within(one, keys, "p")
    return cells[own].merge(one, on=own, how="left")["holm"].to_numpy()


def _read_without(cells: pd.DataFrame, found: pd.DataFrame) -> NDArray[np.object_]:
    """Whether chance explains what is answered without a document."""
    return np.select(
        [
            found["p_without"].isna(),
            found["p_without_holm"] <= ALPHA,
            found["p_without"] <= ALPHA,
        ],
        ["not testable", "beats chance", "doubtful"],
        "not shown",
    ).astype(object)


def _find(cells: pd.DataFrame, found: pd.DataFrame) -> NDArray[np.object_]:
    use, follow, against = (
        found[f"p_{name}_holm"] <= ALPHA for name in ("use", "follow", "against")
    )
    guessed = found["without"].isin(["beats chance", "doubtful"])
    return np.select(
        [
            cells["tested"] != "tested",
            (use | against) & guessed,
            follow,
            use,
            against,
        ],
        [cells["tested"], "not readable", "follows", "uses", "against"],
        "not shown",
    ).astype(object)
