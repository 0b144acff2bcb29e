"""Counting answers of many cells at once: how they fell, what names they hold, and in what order.

A cell is what the `keys` tell apart: a model under a condition, on a corpus, in a study.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.choices.answers import ABSTENTIONS, LEFT_OUT

PARTS = ("correct", "wrong", "abstained", "unparseable")


def tally(answers: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Count each cell's answers as `answers.count_answers` and `answers.find_habit` do for one.

    Parameters
    ----------
    answers : pandas.DataFrame
        One row a probe: `keys`, `state`, `answer`, `correct` and `first_option`.

    Returns
    -------
    pandas.DataFrame
        One row a cell, in order of appearance: `keys`, `n`, the four parts that sum to it
        (`correct`, `wrong`, `abstained`, `unparseable`), `answered` (right or wrong), `given`
        (answers with a name), `first` (of these, with the option offered first), `most` (with the
        name given most often), `name` (that name; the first by alphabet of several) and
        `n_left_out` (answers left out, which are not of the `n`).
    """
    codes, table = cells_of(answers, keys)
    size = len(table)
    answered = (answers["state"] == "ok").to_numpy()
    right = answered & truths(answers["correct"])
    declined = answers["state"].isin(ABSTENTIONS).to_numpy()
    given = answers["answer"].notna().to_numpy()
    first = given & (answers["answer"] == answers["first_option"]).to_numpy()
    gone = (answers["state"] == LEFT_OUT).to_numpy()

    def count(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(codes[rows], minlength=size)

    table["n"], table["n_left_out"] = count(~gone), count(gone)
    table["correct"], table["wrong"] = count(right), count(answered & ~right)
    table["abstained"] = count(declined)
    table["unparseable"] = table["n"] - table["correct"] - table["wrong"] - table["abstained"]
    table["answered"] = table["correct"] + table["wrong"]
    table["given"], table["first"] = count(given), count(first)
    table["most"], table["name"] = _names(codes[given], answers["answer"].to_numpy()[given], size)
    return table


def drop_left_out(answers: pd.DataFrame, keys: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Leave a probe out wherever it would be compared with an answer that is left out.

    Left out on one side alone it would count as not right there, a difference where there is none.

    Parameters
    ----------
    answers : pandas.DataFrame
        One row a (cell, document, probe): `keys`, `probe_id` and `state`.
    keys : sequence of str
        What tells cells apart; within one, every document is compared with the others.

    Returns
    -------
    tuple of pandas.DataFrame
        The answers without the probes that are left out under any document of their cell; and by
        `keys`, for the cells that lack some, `n_left_out`, how many.
    """
    probe = [*keys, "probe_id"]
    gone = answers.loc[answers["state"] == LEFT_OUT, probe].drop_duplicates()
    lacking = (
        gone.groupby(list(keys), sort=False, observed=True)
        .size()
        .rename("n_left_out")
        .reset_index()
    )
    if gone.empty:
        return answers, lacking
    left = answers[probe].merge(gone, on=probe, how="left", indicator=True)["_merge"] == "both"
    return answers[~left.to_numpy()], lacking


def cells_of(answers: pd.DataFrame, keys: Sequence[str]) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """The cell of each row, counted from 0, and the cells' keys in order of appearance."""
    codes = answers.groupby(list(keys), sort=False, observed=True).ngroup().to_numpy()
    heads = answers[list(keys)].drop_duplicates().reset_index(drop=True)
    return codes, heads


def truths(values: pd.Series) -> NDArray[np.bool_]:
    """A column of true, false and missing as booleans, a missing one false."""
    if values.dtype == bool:
        return values.to_numpy()
    return (values == True).fillna(False).to_numpy(dtype=bool)  # noqa: E712


def series(
    answers: pd.DataFrame, keys: Sequence[str], signs: NDArray[np.int64], order: str = "place"
) -> NDArray[np.int64]:
    """Each cell's signs in the order of the document, shape (cells, probes), filled with 0.

    Where the table has no column `order`, its rows' own order is taken.
    """
    codes, heads = cells_of(answers, keys)
    place = answers[order].to_numpy() if order in answers else np.arange(len(answers))
    rows = np.lexsort((place, codes))
    sizes = np.bincount(codes, minlength=len(heads))
    starts = np.cumsum(sizes) - sizes
    found = np.zeros((len(heads), sizes.max(initial=0)), dtype=np.int64)
    within = np.arange(len(rows)) - starts[codes[rows]]
    found[codes[rows], within] = np.asarray(signs)[rows]
    return found


def _names(
    codes: NDArray[np.int64], names: NDArray[np.object_], size: int
) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
    """How often the most frequent name occurs in each cell, and which one it is."""
    if not len(codes):
        return np.zeros(size, dtype=np.int64), np.full(size, None, dtype=object)
    which, known = pd.factorize(names, sort=True)
    counts = np.zeros((size, len(known)), dtype=np.int64)
    np.add.at(counts, (codes, which), 1)
    best = counts.argmax(axis=1)
    most = counts.max(axis=1)
    return most, np.where(most > 0, np.asarray(known, dtype=object)[best], None)
