"""The same sheet judged twice: how much of what moves the judges is noise."""

from __future__ import annotations

import numpy as np
import pandas as pd

from veridical.control1.beside import PAIR
from veridical.control1.panel_tables import NOISE
from veridical.control1.tables import CELL, REPEATED, SESSIONS

SAME = 1e-9  # scores no further apart are the same


def noise_table(verdicts: pd.DataFrame) -> pd.DataFrame:
    """A judge's noise on one sheet, and how far the anchors move over all of its sheets.

    Two scores of a text on the same sheet differ by noise alone, so half the mean square of their
    differences is the variance of one score. An anchor stands on several sheets, beside other
    answers and in either place: its variance over them holds the noise and what these add.

    Parameters
    ----------
    verdicts
        Complete verdicts of all cells: judge, session, responder, corpus, item_id, document,
        condition, seed, metric, anchor_score, other_score.

    Returns
    -------
    pandas.DataFrame
        Columns as in `control1/noise.csv`, in units of the score; no row for a judge and metric
        with no sheet that is complete both times.
    """
    verdicts = verdicts.assign(seed=verdicts["seed"].astype("Float64").fillna(-1))
    main = verdicts[verdicts["session"].isin(SESSIONS)]
    again = verdicts[verdicts["session"] == REPEATED]
    keys = ["judge", "metric", *PAIR]
    both = again.merge(main, on=keys, suffixes=("_again", ""))
    rows = []
    for (judge, metric), pairs in both.groupby(["judge", "metric"], sort=False):
        gaps = np.concatenate(
            [
                (pairs[f"{text}_again"] - pairs[text]).to_numpy(dtype=float)
                for text in ("anchor_score", "other_score")
            ]
        )
        noise = float(np.sqrt(np.mean(gaps**2) / 2))
        own = main[(main["judge"] == judge) & (main["metric"] == metric)]
        moved = _within(own)
        rows.append(
            {
                "judge": judge,
                "metric": metric,
                "n_repeated": len(gaps),
                "identical": float(np.mean(np.abs(gaps) <= SAME)),
                "noise": noise,
                "moved": moved,
                "beyond": float(np.sqrt(max(moved**2 - noise**2, 0.0))),
            }
        )
    return pd.DataFrame(rows, columns=NOISE.names)


def _within(rows: pd.DataFrame) -> float:
    """Standard deviation of an item's anchor over its sheets, pooled; NaN with one sheet each."""
    groups = rows.groupby([*CELL, "item_id"])["anchor_score"]
    free = int((groups.size() - 1).sum())
    squares = float((groups.var(ddof=1) * (groups.size() - 1)).sum())
    return float(np.sqrt(squares / free)) if free else float("nan")
