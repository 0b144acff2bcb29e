"""Control 3, counted: how every cell's probes fell under the true and the false document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.choices.tally import PARTS, cells_of, series, tally, truths
from veridical.statistics.matching import (
    Margins,
    at_least,
    at_most,
    expected_matches,
    margins_of,
)
from veridical.statistics.mcnemar import mcnemar_answers
from veridical.statistics.neighbours import inflation

KINDS = ("veridical", "corrupted", "none")


def count_cells(answers: pd.DataFrame, corrupted: str, keys: Sequence[str]) -> pd.DataFrame:
    """Count every cell's answers under the veridical, one corrupted and no document.

    Parameters
    ----------
    answers : pandas.DataFrame
        `keys` and the columns of `cells.ANSWER_COLUMNS`, one row a (cell, document, probe).
    corrupted : str
        The corrupted document's name.
    keys : sequence of str
        What tells cells apart: corpus, model, and the study where there are several.

    Returns
    -------
    pandas.DataFrame
        `keys`; for each of `KINDS` and `tally`'s parts `<kind>_<part>`, with `<kind>_answered`;
        `n` (veridical probes); `replied` (both documents got a reply at all); `b`, `c`, `both`,
        `neither`; `named` (answers under the corrupted document with its partner) and `agreeing`
        (with the partner of the document at hand, under either); `given`, `first`, `most` and
        `name` under all three, and `<kind>_given`, `<kind>_first` and `<kind>_most`; `neighbours`,
        how many answers under the two documents count as one, and `none_neighbours` without one
        (NaN where the order of the probes in the document isn't known).

    Raises
    ------
    ValueError
        Naming the probes that are answered twice, or lack a document.
    """
    rows = answers[answers["document"].isin(["veridical", corrupted, "none"])].reset_index(
        drop=True
    )
    cell, table = cells_of(rows, keys)
    kind = rows["document"].map({"veridical": 0, corrupted: 1, "none": 2}).to_numpy()
    counts = tally(rows.assign(_cell=cell, _kind=kind), ["_cell", "_kind"])
    for number, name in enumerate(KINDS):
        mine = counts[counts["_kind"] == number].set_index("_cell").reindex(range(len(table)))
        for part in ("n", *PARTS, "answered", "given", "first", "most"):
            table[f"{name}_{part}"] = mine[part].fillna(0).to_numpy(dtype=np.int64)
    habit = tally(rows.assign(_cell=cell), ["_cell"])
    for part in ("given", "first", "most", "name"):
        table[part] = habit[part].to_numpy()
    table["n"] = table["veridical_n"]
    had = (rows["state"] != "failed").to_numpy()
    replied = [np.bincount(cell[had & (kind == k)], minlength=len(table)) > 0 for k in (0, 1)]
    table["replied"] = replied[0] & replied[1]
    table = table.join(_pairs(rows, cell, kind, table, corrupted, keys))
    return table.assign(**_following(rows, cell, kind, len(table)))


def count_matches(answers: pd.DataFrame, corrupted: str, keys: Sequence[str]) -> pd.DataFrame:
    """Each cell's answers against chance as their own counts make it (`statistics.matching`).

    For values of unequal frequency, where chance is no one in k. `answers` as `count_cells` takes.

    Returns
    -------
    pandas.DataFrame
        In the cells' order: `chance`, the largest share of one value among the probes, which is
        what naming it throughout makes right; `agree_share`, the share of the answers under both
        documents that would name the document's value by chance, and `agree_p` and `against_p`,
        the exact p of as many, and of as few; `match_none_share` and `match_none_p` of the right
        answers without a document. A share is NaN where nothing was answered.
    """
    rows = answers[answers["document"].isin(["veridical", corrupted, "none"])].reset_index(
        drop=True
    )
    cell, table = cells_of(rows, keys)
    told = [_matches(own, corrupted) for _, own in rows.groupby(cell, sort=True)]
    return table.join(pd.DataFrame(told, columns=["chance", *MATCHED]))


MATCHED = ("agree_share", "agree_p", "against_p", "match_none_share", "match_none_p")


def _matches(own: pd.DataFrame, corrupted: str) -> tuple[float, ...]:
    """One cell's."""
    probes = own[own["document"] == "veridical"]["true_partner"]
    probes = own["true_partner"] if probes.empty else probes
    chance = float(probes.value_counts(normalize=True).iloc[0])
    margins, hits = [], 0
    for document, column in (
        ("veridical", "document_partner"),
        (corrupted, "document_partner"),
        ("none", "true_partner"),
    ):
        given = own[(own["document"] == document) & own["answer"].notna()]
        margins.append(margins_of(given["answer"], given[column]))
        hits += int((given["answer"] == given[column]).sum()) if document != "none" else 0
    *both, none = margins
    given = own[(own["document"] == "none") & own["answer"].notna()]
    right = int((given["answer"] == given["true_partner"]).sum())
    return (
        chance,
        _share_of(both),
        at_least(hits, *both),
        at_most(hits, *both),
        _share_of([none]),
        at_least(right, none),
    )


def _share_of(margins: Sequence[Margins]) -> float:
    """The expected share of matches; NaN where nothing was answered."""
    answered = sum(named for table in margins for named, _ in table)
    return float(sum(map(expected_matches, margins))) / answered if answered else np.nan


def _pairs(
    rows: pd.DataFrame,
    cell: NDArray[np.int64],
    kind: NDArray[np.int64],
    table: pd.DataFrame,
    corrupted: str,
    keys: Sequence[str],
) -> pd.DataFrame:
    """Right with either, both or neither of the two documents; only where both got a reply."""
    probe = pd.DataFrame({"cell": cell, "probe": rows["probe_id"].to_numpy()})
    code = probe.groupby(["cell", "probe"], sort=False).ngroup().to_numpy()
    owner = np.zeros(code.max(initial=-1) + 1, dtype=np.int64)
    owner[code] = cell
    asked = np.stack([np.bincount(code[kind == k], minlength=len(owner)) for k in (0, 1)])
    wrong = (asked != 1).any(axis=0) & (asked.sum(axis=0) > 0)
    bad = np.flatnonzero(wrong & table["replied"].to_numpy()[owner])
    if len(bad):  # the probes are named by the function that tests a single cell
        of = dict(zip(keys, table[list(keys)].iloc[owner[bad[0]]], strict=True))
        mine = rows[np.logical_and.reduce([rows[key] == value for key, value in of.items()])]
        mcnemar_answers(mine, "veridical", corrupted)
    right = truths(rows["correct"])
    one, two = (
        np.bincount(code[right & (kind == k)], minlength=len(owner)).astype(bool) for k in (0, 1)
    )
    seen = asked.sum(axis=0) > 0

    def count(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(owner[which & seen], minlength=len(table))

    return pd.DataFrame(
        {"b": count(one & ~two), "c": count(~one & two), "both": count(one & two),
         "neither": count(~one & ~two)}
    )  # fmt: skip


def _following(
    rows: pd.DataFrame, cell: NDArray[np.int64], kind: NDArray[np.int64], size: int
) -> dict[str, NDArray]:
    """Answers with the partner of the document at hand, and how many of them count as one."""
    given = rows["answer"].notna().to_numpy()
    theirs = given & (rows["answer"] == rows["document_partner"]).to_numpy()
    named = np.bincount(cell[theirs & (kind == 1)], minlength=size)
    agreeing = np.bincount(cell[theirs & (kind < 2)], minlength=size)
    found = {"named": named, "agreeing": agreeing}
    if "place" not in rows or rows["place"].isna().any():
        unknown = np.full(size, np.nan)
        return found | {"neighbours": unknown, "none_neighbours": unknown}
    signs = np.where(given, np.where(theirs, 1, -1), 0)
    right = np.where(given, np.where(truths(rows["correct"]), 1, -1), 0)
    told = [_series(rows, cell, kind == document, signs, size) for document in (0, 1)]
    longest = max(part.shape[1] for part in told)
    both = np.stack([np.pad(part, ((0, 0), (0, longest - part.shape[1]))) for part in told], axis=1)
    none = _series(rows, cell, kind == 2, right, size)
    return found | {
        "neighbours": inflation(both),
        "none_neighbours": inflation(none[:, None, :]),
    }


def _series(
    rows: pd.DataFrame,
    cell: NDArray[np.int64],
    at: NDArray[np.bool_],
    signs: NDArray[np.int64],
    size: int,
) -> NDArray[np.int64]:
    """The signs of some rows, a row a cell, in the order of the document."""
    part = rows[at].assign(_cell=cell[at])
    found = series(part, ["_cell"], signs[at])
    table = np.zeros((size, found.shape[1]), dtype=np.int64)
    table[part["_cell"].drop_duplicates()] = found
    return table
