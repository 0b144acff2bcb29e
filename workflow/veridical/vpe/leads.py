"""Which model keeps the most verified ways open, and whether its lead could be nothing.

An entropy seen through few rollouts is too low, the more so the fewer were verified, and no
estimator knows of modes that never came up. So models are ranked by an estimate corrected for
them, and a lead is called one only where it holds against the most that the next model could have.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.statistics.multiplicity import within
from veridical.statistics.student import of_samples

ALPHA = 0.05
PROBLEMS = 6  # below so many no lead is called one
GROUP = ["preset", "horizon"]


def leads(problems: pd.DataFrame, modes: int | None, by: Sequence[str] = ()) -> pd.DataFrame:
    """The leader at every horizon, and whether its lead over the next model is more than chance.

    The leader has the highest corrected VPE (log of the smoothed verified probability plus
    Chao-Shen's entropy, averaged over problems). `lead` is its plug-in VPE, which is too low rather
    than too high, less the upper VPE of the next model (`upper_entropy`), paired by problem. It is
    `apart` where a one-sided t test puts that above 0 at 2.5 % (the leader is chosen after the
    fact, so either model may be it), after Holm over horizons and presets.

    Parameters
    ----------
    problems : pandas.DataFrame
        As `measures.measure_problems` gives them.
    modes : int or None
        How many modes the map can tell apart; None where there is no bound.
    by : sequence of str
        Columns that tell studies apart, where the table holds several.

    Returns
    -------
    pandas.DataFrame
        `by`, preset, horizon, leader, second (missing where there is no other model), n_problems,
        corrected (nats, of the leader), second_corrected, lead with lead_low and lead_high (95 %,
        by t), p_lead and p_lead_holm, finding (one of `tables.LEADING`).
    """
    keys = [*by, *GROUP]
    sides = problems.assign(corrected=corrected(problems))
    table = _ranked(sides, keys)
    table["finding"] = "alone"
    tested = table["second"].notna()
    if modes is None:
        table.loc[tested, "finding"] = "no bound"
        tested[:] = False
    _test(table, tested, sides, keys, modes or 0)
    table["p_lead_holm"] = within(table, by, "p_lead")
    known = table["p_lead"].notna()
    apart = table.loc[known, "p_lead_holm"] <= ALPHA / 2
    table.loc[known, "finding"] = np.where(apart, "apart", "not settled")
    return table


def _ranked(sides: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """The two models of each horizon with the highest corrected VPE; the first seen of equals."""
    own = sides.groupby([*keys, "model"], sort=False, observed=True)
    means = own.agg(corrected=("corrected", "mean"), n_problems=("corrected", "size"))
    order = means.reset_index().sort_values("corrected", ascending=False, kind="stable")
    place = order.groupby(keys, sort=False, observed=True).cumcount()
    first, second = order[place == 0], order[place == 1].drop(columns="n_problems")
    heads = sides[keys].drop_duplicates().merge(first, on=keys).rename(columns={"model": "leader"})
    named = second.rename(columns={"model": "second", "corrected": "second_corrected"})
    table = heads.merge(named, on=keys, how="left")
    table["leader"], table["second"] = (table[n].astype(object) for n in ("leader", "second"))
    table["second"] = table["second"].where(table["second"].notna(), None)
    columns = [*keys, "leader", "second", "n_problems", "corrected", "second_corrected"]
    nothing = dict.fromkeys(("lead", "lead_low", "lead_high", "p_lead"), np.nan)
    return table[columns].sort_values(keys, kind="stable", ignore_index=True).assign(**nothing)


def _test(
    table: pd.DataFrame, tested: pd.Series, sides: pd.DataFrame, keys: list[str], modes: int
) -> None:
    """Write the test of every lead into the table."""
    if not tested.any():
        return
    mine = {key: side.set_index("problem_id") for key, side in
            sides.groupby([*keys, "model"], sort=False, observed=True)}  # fmt: skip
    samples = []
    for *key, leader, other in table.loc[tested, [*keys, "leader", "second"]].to_numpy():
        first, second = mine[*key, leader], mine[*key, other]
        most = upper(second.loc[first.index], modes)
        samples.append(first["smoothed_vpe"].to_numpy(dtype=float) - most)
    found = of_samples(samples)
    low, high = found.interval(0.95)
    table.loc[tested, "lead"], table.loc[tested, "lead_low"] = found.mean, low
    table.loc[tested, "lead_high"] = high
    few = (table.loc[tested, "n_problems"] < PROBLEMS).to_numpy()
    p = np.nan_to_num(found.p_above(0.0), nan=1.0)
    table.loc[tested, "p_lead"] = np.where(few, np.nan, p)
    table.loc[tested, "finding"] = np.where(few, "too few problems", "not settled")


def corrected(side: pd.DataFrame) -> NDArray[np.float64]:
    """VPE of each problem with Chao-Shen's entropy in place of the plug-in one, in nats."""
    return (side["smoothed_vpe"] - side["mode_entropy"] + side["mode_entropy_chao_shen"]).to_numpy(
        dtype=float
    )


def upper(side: pd.DataFrame, modes: int) -> NDArray[np.float64]:
    """The most that each problem's VPE could be, given how many modes there are at all."""
    entropy = side["mode_entropy"].to_numpy(dtype=float)
    unseen = 1 - np.nan_to_num(side["coverage_good_turing"].to_numpy(dtype=float), nan=0.0)
    probability = side["smoothed_vpe"].to_numpy(dtype=float) - entropy
    return probability + np.maximum(entropy, upper_entropy(entropy, unseen, modes))


def upper_entropy(
    entropy: NDArray[np.float64], unseen: NDArray[np.float64], modes: int
) -> NDArray[np.float64]:
    """The entropy of the modes seen, and the share not seen spread over all modes there are.

    With coverage C = 1 - u and plug-in entropy H this is C H - C log C + u log(modes / u): the
    largest entropy of any distribution that agrees with what was seen. u is Good and Turing's, and
    in the last logarithm its mean over problems, so that problems in which nothing seemed unseen
    don't draw the mean down (log is concave).

    >>> upper_entropy(np.array([0.5]), np.array([0.0]), 100).tolist()
    [0.5]
    """
    covered, mean = 1 - unseen, float(unseen.mean())
    inner = np.where(covered > 0, covered * np.log(np.where(covered > 0, covered, 1.0)), 0.0)
    # Two logarithms, since the quotient overflows where next to nothing is unseen.
    spread = unseen * (np.log(modes) - np.log(mean)) if mean > 0 else np.zeros_like(unseen)
    return covered * entropy - inner + spread
