"""The judges' table: each judge's scores, agreement, order effects, and contrasts without one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from veridical.control1.contrasts import contrast_table, item_differences, item_scores
from veridical.control1.panel_tables import JUDGES
from veridical.control1.tables import CELL
from veridical.statistics.agreement import Statistic, alpha_interval, order_effect, ratings_matrix

ALL = "all"


def judge_table(
    verdicts: pd.DataFrame,
    *,
    bound: float,
    registered: str,
    rng: np.random.Generator,
    resamples: int = 10_000,
) -> pd.DataFrame:
    """Everything about the judges as instruments, one statistic a row.

    Parameters
    ----------
    verdicts
        Complete verdicts (`verdict_checks.check_verdicts`).
    bound, registered
        As for the contrasts.

    Returns
    -------
    pandas.DataFrame
        Columns judge (a name, or `all`), metric, responder, corpus, statistic, contrast, value,
        note. A judge is one instrument in all cells: only its contrasts are told cell by cell, and
        an item's units stay together whoever answered it. Statistics: mean, sd, scores,
        distinct_scores; alpha, alpha_low, alpha_high (judge `all`); order_effect, order_low,
        order_high; and, per contrast and reading, alone_<reading> (this judge only) and
        leave_one_out_<reading> (all but this one), with _low and _high (90 %), the verdict in the
        note.
    """
    rows: list[tuple] = []
    judges = list(verdicts["judge"].drop_duplicates())
    for metric in verdicts["metric"].drop_duplicates():
        mine = verdicts[verdicts["metric"] == metric]
        scored = mine.assign(
            item_id=mine["corpus"] + "/" + mine["item_id"]
        )  # whole items, by corpus
        for judge in judges:
            own = scored[scored["judge"] == judge]
            rows += [(judge, metric, None, None, *row) for row in _scores(own)]
            rows += _three(judge, metric, "order", order_effect(own, rng, resamples))
        ratings, items = ratings_matrix(scored, metric, CELL)
        alpha = alpha_interval(ratings, items, rng, resamples)
        if len(judges) < 2:
            alpha = Statistic(np.nan, np.nan, np.nan, "single judge")
        rows += _three(ALL, metric, "alpha", alpha)
        rows += _three(ALL, metric, "order", order_effect(scored, rng, resamples))
        for judge in judges:
            for name, rest in (
                ("alone", mine[mine["judge"] == judge]),
                ("leave_one_out", mine[mine["judge"] != judge]),
            ):
                if len(rest) == 0:
                    continue
                try:
                    differences = item_differences(item_scores(rest))
                except ValueError:  # an item whose verdicts are all incomplete
                    rows.append((judge, metric, None, None, name, None, np.nan, "no verdict"))
                    continue
                table = contrast_table(
                    differences, bound=bound, registered=registered, rng=rng, resamples=resamples
                )
                rows += [(judge, metric, *row) for row in _contrasts(name, table)]
    return pd.DataFrame(rows, columns=JUDGES.names)


def _scores(own: pd.DataFrame) -> Iterator[tuple[str, None, float, str]]:
    scores = np.concatenate([own["anchor_score"], own["other_score"]]).astype(float)
    distinct = len(np.unique(scores))
    constant = "constant" if distinct == 1 else ""
    yield "mean", None, float(scores.mean()), ""
    yield "sd", None, float(scores.std(ddof=1)) if len(scores) > 1 else np.nan, ""
    yield "scores", None, float(len(scores)), ""
    yield "distinct_scores", None, float(distinct), constant


def _three(judge: str, metric: str, name: str, found: Statistic) -> list[tuple]:
    head = "alpha" if name == "alpha" else f"{name}_effect"
    return [
        (judge, metric, None, None, head, None, found.value, found.note),
        (judge, metric, None, None, f"{name}_low", None, found.low, ""),
        (judge, metric, None, None, f"{name}_high", None, found.high, ""),
    ]


def _contrasts(name: str, table: pd.DataFrame) -> Iterator[tuple]:
    for row in table.itertuples(index=False):
        head, cell = f"{name}_{row.reading}", (row.responder, row.corpus)
        yield *cell, head, row.contrast, row.estimate, row.verdict
        yield *cell, f"{head}_low", row.contrast, row.ci90_low, ""
        yield *cell, f"{head}_high", row.contrast, row.ci90_high, ""
