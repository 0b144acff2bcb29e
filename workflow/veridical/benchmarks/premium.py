"""What a memory earns: arms compared item by item, and the premium over the best without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.benchmarks.arms import MEMORYLESS
from veridical.benchmarks.clustered import clustered_mean, own_clusters, share_interval
from veridical.statistics.equivalence import SAME
from veridical.statistics.intervals import Interval, paired_difference
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import holm, within

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
    are one. An arm in which others answered and one who reads a memory system wasn't asked, since
    no bank of it counts, has no contrast there; in the family it counts as p = 1.
    """
    import pandas as pd

    rows, asked_anyone = [], set(answers["arm"])
    for model, asked in answers.groupby("model", sort=False):
        family, silent = [], asked_anyone - set(asked["arm"])
        for arm in other:
            if {first, arm} & silent:
                continue
            own = [
                _contrast(model, each, first, arm) for each in _strata(_pairs(asked, first, arm))
            ]
            family.append(own[0])
            _adjust(own[1:])
            rows += own
        _adjust(family, len(other))
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


def _adjust(family: list[dict[str, Any]], m: int | None = None) -> None:
    m = len(family) if m is None else m
    for row, p in zip(family, holm([row["p"] for row in family], m), strict=True):
        row["m"], row["p_holm"] = m, float(p)


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


def premiums(
    answers: pd.DataFrame,
    chance: Mapping[str, float] | None = None,
    by: Sequence[str] = (),
    declared: Sequence[str] = (),
) -> pd.DataFrame:
    """The memory premium: what `full` earns less the best arm without memory, with its interval.

    The premium is the smallest of the differences to the m arms without memory. That the best of
    them was picked is allowed for: the lower end is the smallest of their lower ends, each at
    (1 − α/2) one-sided (if the premium lay below it, so would that arm's difference); the upper end
    is the smallest of their upper ends, each at (1 − α/2m), since any of them may be too low.

    Memory `earns` where each arm without it earns less (the largest of their p, Berger 1982), and
    `costs` where one of them earns more (m times the smallest p), each after Holm. An arm's p is
    the largest of three: exact McNemar; Student's t over lives (`lives_p`), since items of one life
    may be right or wrong together; and the same with silence counted at chance, since a model that
    guesses in one arm and is silent in the other would else seem to remember.

    Parameters
    ----------
    answers : pandas.DataFrame
        `by`, then model, arm, item_id, stratum, cluster, state, correct.
    chance : mapping, optional
        By item, what guessing among its options earns; 0 where it isn't named.
    by : sequence of str
        Columns that tell studies apart, where the table holds several; each has its own families.
    declared : sequence of str
        Who was to answer in the one study of the table. One who lacks an arm, since no bank of the
        memory system counts in it, has no premium, and counts as p = 1 in the families.

    Returns
    -------
    pandas.DataFrame
        `by` and the columns of `tables.PREMIUMS`; empty where no arm without memory was asked.
    """
    import pandas as pd

    pairs, tried = _compared(answers, chance or {}, [*by, "model"])
    if not tried:
        return pd.DataFrame()
    rows = []
    for head, group in pairs.groupby([*by, "model"], sort=False, observed=True):
        where = dict(zip([*by, "model"], head, strict=True))
        rows += [where | _premium(of, part, tried) for of, part in _strata(group)]
    told, table = len(rows), pd.DataFrame([*rows, *_silent(rows, declared)])
    table["over"] = table["stratum"] == ALL
    families = [*by, "over"]  # all models' answers to all items; all models' kinds of question
    table["m"] = table.groupby(families, sort=False)["p"].transform("size")
    for name in ("p", "p_costs"):
        table[f"{name}_holm"] = within(table, families, name)
    table["finding"] = np.select(
        [table["p_holm"] <= 1 - LEVEL, table["p_costs_holm"] <= 1 - LEVEL],
        ["earns", "costs"],
        "not shown",
    )
    return table.drop(columns="over").head(told)


def _silent(rows: list[dict[str, Any]], declared: Sequence[str]) -> list[dict[str, Any]]:
    """A row of p = 1 for each stratum of one who was to answer and has no premium."""
    lacking = [name for name in declared if name not in {row["model"] for row in rows}]
    strata, none = dict.fromkeys(row["stratum"] for row in rows), {"p": 1.0, "p_costs": 1.0}
    return [{"model": name, "stratum": stratum, **none} for name in lacking for stratum in strata]


def _compared(
    answers: pd.DataFrame, chance: Mapping[str, float], keys: list[str]
) -> tuple[pd.DataFrame, list[str]]:
    """One row an item asked with its history and in every arm without memory that was asked.

    Columns: keys, stratum, cluster, and by arm what it earned (`full`, 0 or 1) and what it would
    have with silence at chance (`full_given`).
    """
    arms = set(answers["arm"])
    tried = [arm for arm in MEMORYLESS if arm in arms]
    if not tried or "full" not in arms:
        return answers, []
    earned = answers["correct"].to_numpy(dtype=float)
    guessed = answers["item_id"].astype(object).map(chance).fillna(0.0).to_numpy(dtype=float)
    given = np.where(answers["state"] == "ok", earned, np.maximum(earned, guessed))
    rows = answers.assign(earned=earned, given=given)
    own = [*keys, "item_id"]
    table = rows.loc[rows["arm"] == "full", [*own, "stratum", "cluster", "earned", "given"]]
    table = table.rename(columns={"earned": "full", "given": "full_given"})
    for arm in tried:
        mine = rows.loc[rows["arm"] == arm, [*own, "earned", "given"]]
        if mine.duplicated(own).any() or table.duplicated(own).any():
            raise ValueError(f"arms 'full' and {arm!r} have an item twice")
        table = table.merge(mine.rename(columns={"earned": arm, "given": f"{arm}_given"}), on=own)
    if table.empty:
        raise ValueError(f"arms 'full' and {' and '.join(map(repr, tried))} share no item")
    return table, tried


def _premium(stratum: str, rows: pd.DataFrame, tried: list[str]) -> dict[str, Any]:
    clusters = rows["cluster"].tolist()
    full, full_given = rows["full"].to_numpy(), rows["full_given"].to_numpy()
    alpha = 1 - LEVEL
    differences, lows, highs, plain, tests = {}, [], [], [], {}
    for arm in tried:
        other = rows[arm].to_numpy()
        differences[arm] = float((full - other).mean())
        lows.append(difference_interval(full, other, clusters, 1 - alpha).low)
        highs.append(difference_interval(full, other, clusters, 1 - alpha / len(tried)).high)
        b, c = int(((full == 1) & (other == 0)).sum()), int(((full == 0) & (other == 1)).sum())
        plain.append(mcnemar_exact(b, c).p)
        given = full_given - rows[f"{arm}_given"].to_numpy()
        tests[arm] = _either_way(plain[-1], full - other, given, clusters)
    best = min(differences, key=differences.get)
    return {
        "stratum": stratum,
        "items": len(rows),
        "full": float(full.mean()),
        "best_arm": best,
        "without": float(rows[best].mean()),
        "premium": differences[best],
        "ci95_low": min(lows),
        "ci95_high": max(min(highs), differences[best]),
        "p_mcnemar": max(plain) if differences[best] > 0 else 1.0,
        "p": max(more for more, _ in tests.values()),
        "p_costs": min(1.0, len(tried) * min(fewer for _, fewer in tests.values())),
    }


def _either_way(
    exact: float, plain: np.ndarray, given: np.ndarray, clusters: list[str]
) -> tuple[float, float]:
    """The p that the history earns no more than an arm, and that it earns no less."""
    p = max(exact, lives_p(plain, clusters), lives_p(given, clusters))
    more, fewer = min(plain.mean(), given.mean()) > 0, max(plain.mean(), given.mean()) < 0
    return (p if more else 1.0), (p if fewer else 1.0)


def lives_p(differences: np.ndarray, clusters: Sequence[str]) -> float:
    """Two-sided p that the mean difference is 0, Student's t over lives.

    Where every life differs by the same, t is not defined: the p is that of as many coins that
    all fall one way, 2 / 2^G. 1 where there is one life, or no difference.

    >>> lives_p(np.array([1.0, 1.0, 1.0]), ["ada", "bea", "cy"])
    0.25
    """
    names = own_clusters(clusters)
    lives = len(set(names))
    mean, low, high = clustered_mean(differences, clusters, LEVEL)
    if lives < 2 or mean == 0:
        return 1.0
    from scipy.special import stdtr, stdtrit

    error = (high - low) / 2 / float(stdtrit(lives - 1, (1 + LEVEL) / 2))
    if error < SAME:
        return 2 / 2**lives
    return float(2 * stdtr(lives - 1, -abs(mean) / error))
