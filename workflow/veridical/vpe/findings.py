"""What the path entropy found, in sentences: who keeps the most verified ways open?"""

from __future__ import annotations

import pandas as pd

from veridical.report.finding import Finding
from veridical.report.wording import Wording


def main_preset(summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first sampling preset, where a study has several."""
    return summary[summary["preset"] == summary["preset"].iloc[0]]


def find(summary: pd.DataFrame, words: Wording, contrasts: pd.DataFrame | None = None) -> Finding:
    """Which model keeps the most verified ways open at the longest horizon?

    `limited` where the interval of its paired difference to the next model lies above zero, else
    `open`. `contrasts` is the table of paired differences (`vpe/contrasts`).
    """
    key = "findings."
    rows = main_preset(summary)
    horizon = int(rows["horizon"].max())
    top = rows[rows["horizon"] == horizon].sort_values("smoothed_vpe", ascending=False)
    if rows["verified_probability"].max() == 0:
        return Finding(words(key + "nothing"), "open")
    best = top.iloc[0]
    value = words.number(best["smoothed_vpe"], 2)
    limits, sure = [], "limited"
    if len(top) > 1:
        second = top.iloc[1]
        answer = words(
            key + "best_two",
            horizon=horizon,
            model=best["model"],
            value=value,
            second=second["model"],
            second_value=words.number(second["smoothed_vpe"], 2),
        )
        low, high = _ahead(contrasts, best, second)
        told = "untested" if pd.isna(low) else "apart" if low > 0 else "overlap"
        interval = words.interval(low, high, 2) if told != "untested" else ""
        limits.append(words(key + told, second=second["model"], interval=interval))
        sure = "limited" if told == "apart" else "open"
    else:
        answer = words(key + "best", horizon=horizon, model=best["model"], value=value)
    limits.append(
        words(
            key + "rests",
            verified=words.number(best["n_verified"], 0),
            problems=words.count(int(best["n_problems"]), "problem"),
        )
    )
    return Finding(answer, sure, tuple(limits), tuple(_details(rows, words)))


def _ahead(
    contrasts: pd.DataFrame | None, best: pd.Series, second: pd.Series
) -> tuple[float, float]:
    """The interval of smoothed VPE, best minus second, paired by problem; NaN where none is."""
    if contrasts is None:
        return float("nan"), float("nan")
    rows = contrasts[
        (contrasts["contrast"] == "models")
        & (contrasts["measure"] == "smoothed_vpe")
        & (contrasts["horizon"] == best["horizon"])
        & (contrasts["preset"] == best["preset"])
    ]
    for row in rows.to_dict("records"):
        if (row["first"], row["second"]) == (second["model"], best["model"]):
            return row["low"], row["high"]
        if (row["first"], row["second"]) == (best["model"], second["model"]):
            return -row["high"], -row["low"]
    return float("nan"), float("nan")


def _details(rows: pd.DataFrame, words: Wording) -> list[str]:
    key, details = "findings.", []
    horizons = sorted(rows["horizon"].unique())
    for model, own in rows.groupby("model", sort=False):
        by = own.set_index("horizon")
        if len(horizons) > 1 and {horizons[0], horizons[-1]} <= set(by.index):
            low, high = by.loc[horizons[0]], by.loc[horizons[-1]]
            details.append(
                words(
                    key + "horizon",
                    model=model,
                    low=horizons[0],
                    high=horizons[-1],
                    p_low=words.number(low["verified_probability"], 3),
                    p_high=words.number(high["verified_probability"], 3),
                    v_low=words.number(low["smoothed_vpe"], 2),
                    v_high=words.number(high["smoothed_vpe"], 2),
                )
            )
        last = by.loc[by.index.max()]
        if last["zero_verified"] > 0:
            share = words.percent(last["zero_verified"], 0)
            horizon = by.index.max()
            details.append(words(key + "zero", model=model, horizon=horizon, share=share))
    return details
