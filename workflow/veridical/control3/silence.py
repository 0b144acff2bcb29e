"""Silence taken apart: with no way out, in either order, and where something is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from veridical.choices.answers import ABSTENTIONS, LEFT_OUT
from veridical.choices.habits import ALPHA, blurred
from veridical.choices.tally import cells_of, series, tally, truths
from veridical.control3.tables import FLAGGED, FORCED, NOTICING, ORDERS, STALE
from veridical.documents.corrupted import COUNTED
from veridical.statistics.intervals import wilson
from veridical.statistics.matching import at_least, expected_matches, margins_of
from veridical.statistics.multiplicity import within
from veridical.statistics.neighbours import inflation, tail


def forced_table(
    answers: pd.DataFrame, k: Mapping[str, int], by: Sequence[str] = ()
) -> pd.DataFrame:
    """Do answers that had to be given, with no document, beat chance?

    The exact one-sided binomial over the answered probes; where neighbours are answered alike,
    several answers count as one, and the larger p is taken. Holm corrects over models and corpora.
    Fewer than five answers, or nearly all alike, are not testable.

    Parameters
    ----------
    answers : pandas.DataFrame
        The arm `forced` of `tables.BESIDE`, and `by`.
    k : dict
        Number of partners by corpus.
    by : sequence of str
        Columns that tell studies apart.

    Returns
    -------
    pandas.DataFrame
        `tables.FORCED` (after `by`).
    """
    keys = [*by, "corpus", "model"]
    table = tally(answers, keys)
    if table.empty:
        return pd.DataFrame(columns=[*by, *FORCED.names])
    given = answers["answer"].notna().to_numpy()
    signs = np.where(given, np.where(truths(answers["correct"]), 1, -1), 0)
    factor = inflation(series(answers, keys, signs)[:, None, :])
    table["neighbours"] = factor
    own = _chances(answers, keys, table, k)
    table["chance"] = own["chance"].to_numpy()
    ends = [
        own["p"].to_numpy(),
        tail(table["correct"], table["answered"], own["expected"].to_numpy(), factor),
    ]
    table["p"] = np.where(blurred(table), np.nan, np.maximum(*ends))
    table["p_holm"] = within(table, by, "p")
    table["finding"] = np.select(
        [table["p"].isna(), table["p_holm"] <= ALPHA],
        ["not testable", "beats chance"],
        "not shown",
    )
    table["unanswered"] = table["n"] - table["answered"]
    return table[[*by, *FORCED.names]]


def _chances(
    answers: pd.DataFrame, keys: Sequence[str], table: pd.DataFrame, k: Mapping[str, int]
) -> pd.DataFrame:
    """Each cell's chance, the share of its answers right by chance, and the exact p of as many.

    One in k and the binomial; in a life what the counts make of both (`statistics.matching`).
    """
    codes, _ = cells_of(answers, keys)
    rows = []
    for number, cell in enumerate(table.itertuples()):
        if k[cell.corpus] != COUNTED:
            even = 1 / k[cell.corpus]
            rows.append((even, even, float(tail(cell.correct, cell.answered, even))))
            continue
        own = answers[codes == number]
        given = own[own["answer"].notna()]
        margins = margins_of(given["answer"], given["true_partner"])
        share = float(expected_matches(margins)) / max(1, len(given))
        most = float(own["true_partner"].value_counts(normalize=True).iloc[0])
        rows.append((most, share, at_least(int(cell.correct), margins)))
    return pd.DataFrame(rows, columns=["chance", "expected", "p"])


def noticing_table(answers: pd.DataFrame) -> pd.DataFrame:
    """How often a model says that something is wrong with its document, by document.

    Parameters
    ----------
    answers : pandas.DataFrame
        The arm `noticing` of `tables.BESIDE`.

    Returns
    -------
    pandas.DataFrame
        `tables.NOTICING`: counts, and Wilson's 95 % interval of the share flagged of all asked.
    """
    rows = []
    keys = ["corpus", "model", "document"]
    for cell, own in answers[answers["state"] != LEFT_OUT].groupby(keys, sort=False):
        flagged = int((own["state"] == FLAGGED).sum())
        named = int((own["state"] == "ok").sum())
        abstained = int(own["state"].isin(ABSTENTIONS).sum())
        ends = wilson(flagged, len(own))
        rest = len(own) - flagged - named - abstained
        counts = (len(own), flagged, named, abstained, rest)
        rows.append((*cell, *counts, flagged / len(own), ends.low, ends.high))
    return pd.DataFrame(rows, columns=NOTICING.names)


def orders_table(answers: pd.DataFrame, reversed_: pd.DataFrame) -> pd.DataFrame:
    """Whether the same probe is answered alike when the partners are offered the other way round.

    Parameters
    ----------
    answers, reversed_ : pandas.DataFrame
        `tables.ANSWERS`, and the arm `reversed` of `tables.BESIDE`.

    Returns
    -------
    pandas.DataFrame
        `tables.ORDERS`: of the probes answered both times, how many name the same partner, and how
        many the one offered first both times.
    """
    keys = ["corpus", "model", "document"]
    both = answers.merge(reversed_, on=[*keys, "probe_id"], suffixes=("", "_again"))
    both = both[(both["state"] != LEFT_OUT) & (both["state_again"] != LEFT_OUT)]
    answered = both["answer"].notna() & both["answer_again"].notna()
    first = answered & (both["answer"] == both["first_option"])
    first &= both["answer_again"] == both["first_option_again"]
    codes, table = cells_of(both, keys)

    def count(rows: pd.Series) -> np.ndarray:
        return np.bincount(codes[rows.to_numpy(dtype=bool)], minlength=len(table))

    table["n"] = np.bincount(codes, minlength=len(table))
    table["both"] = count(answered)
    table["same"] = count(answered & (both["answer"] == both["answer_again"]))
    table["first_twice"] = count(first)
    return table[ORDERS.names]


def stale_table(answers: pd.DataFrame) -> pd.DataFrame:
    """Of facts that changed: how often the latest value is named, the one before it, or another.

    Parameters
    ----------
    answers : pandas.DataFrame
        The arm `stale` as scored: `tables.BESIDE`, and `stale`, the value that was replaced.

    Returns
    -------
    pandas.DataFrame
        `tables.STALE`: counts. A value before that one is another.
    """
    rows = []
    keys = ["corpus", "model", "document"]
    for cell, own in answers[answers["state"] != LEFT_OUT].groupby(keys, sort=False):
        named = own[own["state"] == "ok"]
        latest = int((named["answer"] == named["true_partner"]).sum())
        stale = int((named["answer"] == named["stale"]).sum())
        abstained = int(own["state"].isin(ABSTENTIONS).sum())
        rest = len(own) - len(named) - abstained
        rows.append((*cell, len(own), latest, stale, len(named) - latest - stale, abstained, rest))
    return pd.DataFrame(rows, columns=STALE.names)
