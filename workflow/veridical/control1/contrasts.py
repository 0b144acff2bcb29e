"""Control 1's contrasts: does a score move when the memory is another's?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from veridical.control1.cells import by_cell
from veridical.control1.tables import BESIDE, CELL, NONE, READINGS, UNDEFINED
from veridical.documents.names import in_order
from veridical.statistics.equivalence import bootstrap, tost, verdict


def unanchored(veridical: np.ndarray, counterfeit: np.ndarray) -> np.ndarray:
    """Scores under the agent's own memory minus those under another's, item by item."""
    return np.asarray(veridical, dtype=float) - np.asarray(counterfeit, dtype=float)


def drift(anchor_original: np.ndarray, anchor_counterfeit: np.ndarray) -> np.ndarray:
    """How far the same anchor's score moved from one judging session to the other."""
    return np.asarray(anchor_original, dtype=float) - np.asarray(anchor_counterfeit, dtype=float)


def anchored(
    veridical: np.ndarray,
    anchor_original: np.ndarray,
    counterfeit: np.ndarray,
    anchor_counterfeit: np.ndarray,
) -> np.ndarray:
    """The contrast with each session's own anchor taken off: whatever both share cancels.

    Equals unanchored - drift. All arrays have shape (n_items,) and scores in [0, 1].

    >>> anchored([0.75], [0.5], [0.25], [0.25])  # (0.75 - 0.5) - (0.25 - 0.25)
    array([0.25])
    """
    return drift(veridical, anchor_original) - drift(counterfeit, anchor_counterfeit)


def contrasted(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The verdicts that the registered contrasts are made of: every pair once, in its first order.

    Pairs that are shown again, or are known by construction, answer questions of their own.
    """
    others = [session for session in BESIDE if session != NONE]
    return verdicts[~verdicts["session"].isin(others)]


def item_scores(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Mean scores of each cell's items, over counterfeit seeds within a judge, then over judges.

    Only what is complete on both sides is compared: a judge counts for an item where it scored it
    under the veridical memory and under the kind that it is contrasted with, and an item where any
    judge does. A harsh judge that is missing on one side alone would pass for a difference.

    `verdicts` are those of `contrasted`. Returns the columns responder, corpus, metric, contrast
    (`veridical-<kind>`), item_id, veridical, anchor_original, counterfeit and anchor_counterfeit;
    the anchor of the counterfeit session is averaged over the pairs of the contrast's own kind.
    Raises ValueError where fewer than two items are left.
    """
    tables = []
    for cell, rows in by_cell(verdicts):
        scores = _cell_scores(rows)
        for place, (column, name) in enumerate(zip(CELL, cell, strict=True)):
            scores.insert(place, column, name)
        tables.append(scores)
    return pd.concat(tables, ignore_index=True)


def _cell_scores(verdicts: pd.DataFrame) -> pd.DataFrame:
    """One cell's scores, as `item_scores` has them."""
    by = ["metric", "condition", "item_id", "judge"]
    means = verdicts.groupby(by, sort=True)[["other_score", "anchor_score"]].mean().reset_index()
    own = means[means["condition"] == "veridical"]
    kinds = sorted(set(verdicts["condition"]) - {"veridical"}, key=in_order)
    shared = ["metric", "item_id"]
    tables = []
    for metric in verdicts["metric"].drop_duplicates():
        for kind in kinds:
            both = own.merge(means[means["condition"] == kind], on=[*shared, "judge"])
            scores = both[both["metric"] == metric].groupby("item_id", sort=True)[_SCORES].mean()
            if len(scores) < 2:
                raise ValueError(
                    f"{metric}: {len(scores)} items have a verdict that is complete under both the "
                    f"veridical and the {kind} memory, and a contrast needs at least 2"
                )
            names = ["veridical", "anchor_original", "counterfeit", "anchor_counterfeit"]
            table = scores.set_axis(names, axis=1).reset_index()
            table.insert(0, "contrast", f"veridical-{kind}")
            table.insert(0, "metric", metric)
            tables.append(table)
    return pd.concat(tables, ignore_index=True)


_SCORES = ["other_score_x", "anchor_score_x", "other_score_y", "anchor_score_y"]


def item_differences(scores: pd.DataFrame) -> pd.DataFrame:
    """`item_scores` with the columns anchored, unanchored and drift (units of the score)."""
    own, start = scores["veridical"], scores["anchor_original"]
    other, end = scores["counterfeit"], scores["anchor_counterfeit"]
    return scores.assign(
        anchored=anchored(own, start, other, end),
        unanchored=unanchored(own, other),
        drift=drift(start, end),
    )


def contrast_table(
    differences: pd.DataFrame,
    *,
    bound: float,
    registered: str,
    rng: np.random.Generator,
    resamples: int = 100_000,
    omitted: int = 0,
) -> pd.DataFrame:
    """Estimate, intervals and verdicts of every contrast, by both readings and both methods.

    Parameters
    ----------
    differences
        The table of `item_differences`; the unit of analysis is the item.
    bound
        Equivalence bound, in units of the score.
    registered
        The reading that was registered as primary; the other is shown beside it as a deviation.
    omitted
        How many incomplete verdicts the means leave out.

    Returns
    -------
    pandas.DataFrame
        Columns as in `contrasts.csv`, a cell after the other: the registered percentile bootstrap
        (estimate, ci90_*, ci95_*, verdict, inside_not_zero) beside Student's t (t_ci90_*, t_ci95_*,
        tost_p, t_verdict), and whether the two disagree.
    """
    if registered not in READINGS:
        raise ValueError(f"registered must be one of {', '.join(READINGS)}, not {registered!r}")
    rows = []
    heads = [*CELL, "metric", "contrast"]
    for names, group in differences.groupby(heads, sort=False):
        for reading in READINGS:
            values = group[reading].to_numpy()
            rows.append(
                {
                    **dict(zip(heads, names, strict=True)),
                    "reading": reading,
                    "registered": reading == registered,
                    **_row(values, bound, rng, resamples, omitted),
                }
            )
    return pd.DataFrame(rows)


def _row(
    values: np.ndarray, bound: float, rng: np.random.Generator, resamples: int, omitted: int
) -> dict[str, object]:
    boot = bootstrap(values, rng=rng, resamples=resamples)
    student = tost(values, bound)
    ci90, ci95 = boot.intervals[0.90], boot.intervals[0.95]
    said = verdict(ci90, ci95, bound)
    t_said = verdict(student.ci90, student.ci95, bound).label if student.defined else UNDEFINED
    disagree = student.defined and said.label != t_said
    return {
        "n_items": len(values),
        "estimate": boot.estimate,
        "ci90_low": ci90[0],
        "ci90_high": ci90[1],
        "ci95_low": ci95[0],
        "ci95_high": ci95[1],
        "verdict": said.label,
        "inside_not_zero": said.inside_not_zero,
        "t_ci90_low": student.ci90[0],
        "t_ci90_high": student.ci90[1],
        "t_ci95_low": student.ci95[0],
        "t_ci95_high": student.ci95[1],
        "tost_p": student.p,
        "t_verdict": t_said,
        "methods_disagree": disagree,
        "bootstrap": boot.method,
        "omitted": omitted,
    }


def drift_table(differences: pd.DataFrame) -> pd.DataFrame:
    """How far each item's anchor moved: cell, metric, item_id, contrast, both means, the drift."""
    ends = ["anchor_original", "anchor_counterfeit", "drift"]
    return differences[[*CELL, "metric", "item_id", "contrast", *ends]].reset_index(drop=True)
