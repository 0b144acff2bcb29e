"""What the path entropy found, in sentences: who keeps the most verified ways open?"""

from __future__ import annotations

import pandas as pd

from veridical.report.finding import Finding
from veridical.report.wording import Wording

KEY = "findings."
TOLD = {
    "apart": "apart",
    "not settled": "overlap",
    "too few problems": "few",
    "no bound": "no_bound",
}


def main_preset(summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first sampling preset, where a study has several."""
    return summary[summary["preset"] == summary["preset"].iloc[0]]


def find(summary: pd.DataFrame, leads: pd.DataFrame, words: Wording) -> Finding:
    """Which model keeps the most verified ways open at the longest horizon?

    Ranked by the corrected estimate; `limited` where the lead is `apart` (`leads.leads`), else
    `open`.
    """
    rows = main_preset(summary)
    horizon = int(rows["horizon"].max())
    if rows["verified_probability"].max() == 0:
        return Finding(words(KEY + "nothing"), "open")
    lead = leads[(leads["horizon"] == horizon) & (leads["preset"] == rows["preset"].iloc[0])].iloc[
        0
    ]
    said = {"horizon": horizon, "model": lead["leader"]}
    said["value"] = words.number(lead["corrected"], 2)
    limits = []
    if lead["finding"] == "alone":
        answer = words(KEY + "best", **said)
    else:
        said |= {"second": lead["second"]}
        said["second_value"] = words.number(lead["second_corrected"], 2)
        answer = words(KEY + "best_two", **said)
        interval = words.interval(lead["lead_low"], lead["lead_high"], 2)
        limits.append(words(KEY + TOLD[lead["finding"]], second=lead["second"], interval=interval))
    best = rows[(rows["horizon"] == horizon) & (rows["model"] == lead["leader"])].iloc[0]
    limits.append(
        words(
            KEY + "rests",
            verified=words.number(best["n_verified"], 0),
            problems=words.count(int(best["n_problems"]), "problem"),
        )
    )
    sure = "limited" if lead["finding"] == "apart" else "open"
    return Finding(answer, sure, tuple(limits), tuple(_details(rows, words)))


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
