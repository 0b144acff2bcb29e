"""What a memory earns: arms compared item by item, and the premium over the best without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.benchmarks.arms import MEMORYLESS
from veridical.benchmarks.clustered import clustered_mean, own_clusters, share_interval
from veridical.statistics.intervals import Interval, paired_difference
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    import pandas as pd

ALL = ""  # the stratum that is all items
LEVEL = 0.95


def arms_table(answers: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """What each arm earns, over all items and by stratum.

    The interval is the wider of Wilson's and Student's t over clusters.
    """
    for (model, arm), asked in answers.groupby(["model", "arm"], sort=False):
        for stratum, rows in _strata(asked):
            right = rows["correct"].to_numpy(dtype=float)
            _, low, high = share_interval(right, rows["cluster"].tolist(), LEVEL)
            yield {
                "model": model,
                "arm": arm,
                "stratum": stratum,
                "items": len(rows),
                "correct": int(right.sum()),
                "accuracy": right.mean(),
                "ci95_low": low,
                "ci95_high": high,
                "no_answer": int((rows["state"] != "ok").sum()),
            }


def _strata(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """All items, then each stratum where there are several."""
    yield ALL, rows
    names = sorted(set(rows["stratum"]))
    if len(names) > 1:
        for name in names:
            yield name, rows[rows["stratum"] == name]


def contrasts(answers: pd.DataFrame, other: Sequence[str], first: str = "full") -> pd.DataFrame:
    """The arm `first` against each other arm, item by item: exact McNemar.

    Over all items each model's contrasts are one Holm family; within strata each contrast's strata
    are one.
    """
    import pandas as pd

    rows = []
    for model, asked in answers.groupby("model", sort=False):
        family = []
        for arm in other:
            own = [
                _contrast(model, each, first, arm) for each in _strata(_pairs(asked, first, arm))
            ]
            family.append(own[0])
            _adjust(own[1:])
            rows += own
        _adjust(family)
    return pd.DataFrame(rows)


def _pairs(asked: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """One row an item asked in both arms, with their `first` and `second` (0 or 1)."""
    columns = ["item_id", "stratum", "cluster", "correct"]
    one, two = (asked[asked["arm"] == arm][columns] for arm in (first, second))
    joined = one.merge(two[["item_id", "correct"]], on="item_id", suffixes=("_one", "_two"))
    if joined.empty or joined["item_id"].duplicated().any():
        raise ValueError(f"arms {first!r} and {second!r} share no item, or have one twice")
    flags = joined[["correct_one", "correct_two"]].astype(float)
    return joined.assign(first=flags["correct_one"], second=flags["correct_two"])


def _contrast(model: str, of: tuple[str, pd.DataFrame], first: str, second: str) -> dict[str, Any]:
    stratum, pairs = of
    one, two = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    b, c = int(((one == 1) & (two == 0)).sum()), int(((one == 0) & (two == 1)).sum())
    ends = difference_interval(one, two, pairs["cluster"].tolist(), LEVEL)
    return {
        "model": model,
        "stratum": stratum,
        "first": first,
        "second": second,
        "items": len(pairs),
        "difference": float((one - two).mean()),
        "ci95_low": ends.low,
        "ci95_high": ends.high,
        "b": b,
        "c": c,
        "p": mcnemar_exact(b, c).p,
        "m": 1,
        "p_holm": None,
    }


def _adjust(family: list[dict[str, Any]]) -> None:
    for row, p in zip(family, holm([row["p"] for row in family]), strict=True):
        row["m"], row["p_holm"] = len(family), float(p)


def difference_interval(
    first: np.ndarray, second: np.ndarray, clusters: Sequence[str], level: float
) -> Interval:
    """Of the mean paired difference: the wider of Newcombe's and Student's t over clusters.

    Newcombe's keeps a width where every pair is the same; t allows for items of one life.
    """
    _, ends = paired_difference(first.tolist(), second.tolist(), level)
    if len(set(own_clusters(clusters))) < 2:
        return ends
    wide = clustered_mean(first - second, clusters, level)
    return Interval(max(-1.0, min(ends.low, wide.low)), min(1.0, max(ends.high, wide.high)))


def premiums(answers: pd.DataFrame) -> pd.DataFrame:
    """The memory premium: what `full` earns less the best arm without memory, with its interval.

    The premium is the smallest of the differences to the m arms without memory. That the best of
    them was picked is allowed for: the lower end is the smallest of their lower ends, each at
    (1 − α/2) one-sided (if the premium lay below it, so would that arm's difference); the upper end
    is the smallest of their upper ends, each at (1 − α/2m), since any of them may be too low. p is
    the largest of their exact McNemar p values (Berger 1982), 1 where the premium is negative.
    """
    import pandas as pd

    rows, over_all = [], []
    for model, asked in answers.groupby("model", sort=False):
        tried = [arm for arm in MEMORYLESS if (asked["arm"] == arm).any()]
        if not tried or not (asked["arm"] == "full").any():
            continue
        paired = {arm: dict(_strata(_pairs(asked, "full", arm))) for arm in tried}
        own = [
            _premium(model, stratum, {arm: paired[arm][stratum] for arm in tried})
            for stratum in paired[tried[0]]
        ]
        over_all.append(own[0])
        _adjust(own[1:])
        rows += own
    _adjust(over_all)
    for row in rows:
        row["finding"] = _finding(row)
    return pd.DataFrame(rows)


def _finding(row: dict[str, Any]) -> str:
    """Memory earns where p after Holm is at most 5 %; it costs where the interval lies below 0."""
    if row["p_holm"] <= 1 - LEVEL:
        return "earns"
    return "costs" if row["ci95_high"] < 0 else "not shown"


def _premium(model: str, stratum: str, pairs: dict[str, pd.DataFrame]) -> dict[str, Any]:
    differences, lows, highs, ps = {}, [], [], []
    alpha = 1 - LEVEL
    for arm, rows in pairs.items():
        one, two = rows["first"].to_numpy(), rows["second"].to_numpy()
        clusters = rows["cluster"].tolist()
        differences[arm] = float((one - two).mean())
        lows.append(difference_interval(one, two, clusters, 1 - alpha).low)
        highs.append(difference_interval(one, two, clusters, 1 - alpha / len(pairs)).high)
        b, c = int(((one == 1) & (two == 0)).sum()), int(((one == 0) & (two == 1)).sum())
        ps.append(mcnemar_exact(b, c).p)
    best = min(differences, key=differences.get)
    first = pairs[best]
    return {
        "model": model,
        "stratum": stratum,
        "items": len(first),
        "full": float(first["first"].mean()),
        "best_arm": best,
        "without": float(first["second"].mean()),
        "premium": differences[best],
        "ci95_low": min(lows),
        "ci95_high": max(min(highs), differences[best]),
        "p": max(ps) if differences[best] > 0 else 1.0,
        "m": 1,
        "p_holm": None,
    }
