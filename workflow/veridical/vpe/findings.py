"""What the path entropy found, in sentences: who keeps the most verified ways open?"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.report.finding import Finding
from veridical.report.wording import Wording
from veridical.vpe.comparing import of_document, of_maps
from veridical.vpe.maps import first_by_map

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


def find(
    summary: pd.DataFrame,
    leads: pd.DataFrame,
    words: Wording,
    maps: pd.DataFrame | None = None,
    document: pd.DataFrame | None = None,
    contrasts: pd.DataFrame | None = None,
) -> Finding:
    """Which model keeps the most verified ways open at the longest horizon?

    Ranked by the corrected estimate; `limited` where the lead is `apart` (`leads.leads`), else
    `open`. Beside it, whether the other mode maps rank the same model first, whether the first two
    are apart or the same under each, and what an added document changed (`comparing`).
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
    beside = [*_under_maps(maps, horizon, rows["preset"].iloc[0], words)]
    beside += of_maps(contrasts, horizon, (lead["leader"], lead["second"]), words)
    beside += of_document(document, horizon, words)
    return Finding(answer, sure, tuple(limits), (*_details(rows, words), *beside))


def _under_maps(
    table: pd.DataFrame | None, horizon: int, preset: str, words: Wording
) -> Iterator[str]:
    """Whether every mode map puts the same model first; nothing where equals share a place and the
    others agree."""
    if table is None or table["model"].nunique() < 2:
        return
    first = first_by_map(table, horizon, preset)
    ahead = dict.fromkeys(first.values())
    if len(ahead) == 1 and len(first) == table["map"].nunique():
        (model,) = ahead
        yield words(KEY + "maps_agree", maps=words.count(len(first), "mode map"), model=model)
    elif len(ahead) > 1:
        told = words.join(
            words(KEY + "maps_first", map=name, model=model) for name, model in first.items()
        )
        yield words(KEY + "maps_differ", first=told)


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
