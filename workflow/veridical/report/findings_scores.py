"""What the age score and the path entropy found, in sentences."""

from __future__ import annotations

import pandas as pd

from veridical.report.findings import Finding, true
from veridical.report.wording import Wording


def main_reading(summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of the registered reading (else the first one named), with redundancy zero."""
    first = summary["reading"].iloc[0]
    if "registered" in summary and true(summary["registered"]).any():
        first = summary[true(summary["registered"])]["reading"].iloc[0]
    rows = summary[summary["reading"] == first]
    zero = rows[rows["redundancy"] == "zero"]
    return zero if len(zero) else rows


def aas(summary: pd.DataFrame, words: Wording) -> Finding:
    """Does one thread keep the age score low? A description: one run a phase, no test."""
    key = "findings.aas."
    rows = main_reading(summary)
    mean = rows.pivot_table(index="model", columns="phase", values="mean_aas", sort=False)

    def show(value: float) -> str:
        return words.number(value, 1)

    if not {"stateless", "persistent"} <= set(mean.columns):
        phase = str(mean.columns[0])
        answer = words(
            key + "one_phase",
            phase=words.value("phase", phase),
            values=words.span(mean[phase], show),
        )
    else:
        known, lost = mean.dropna(), mean.index[mean.isna().any(axis=1)]
        mean = known if len(known) else mean
        falls = mean[mean["persistent"] < mean["stateless"]]
        spans = {phase: words.span(mean[phase], show) for phase in ("stateless", "persistent")}
        if len(falls) == len(mean):
            answer = words(key + "falls_all", **spans)
        elif len(falls):
            answer = words(
                key + "falls_some",
                count=words.count(len(falls), "model"),
                all=words.numeral(len(mean)),
                models=words.join(falls.index),
            )
        else:
            answer = words(key + "falls_none", **spans)
        if len(lost):
            answer += " " + words(key + "lost", models=words.join(lost))
    worst = rows.loc[rows["mean_aas"].idxmax()]
    share = worst["mean_aas"] / worst["bound"] if worst["bound"] else 0.0
    limit = words(
        key + "scale",
        sessions=words.count(int(rows["n_sessions"].max()), "session"),
        worst=show(worst["mean_aas"]),
        share=words.percent(share, 0),
    )
    return Finding(answer, "descriptive", (limit,), tuple(_aas_details(summary, rows, words)))


def _aas_details(summary: pd.DataFrame, rows: pd.DataFrame, words: Wording) -> list[str]:
    key = "findings.aas."
    details = []
    kept = rows["language_adherence"].dropna()
    if len(kept) and kept.min() < 1:
        shares = words.span(kept, lambda share: words.percent(share, 0))
        details.append(words(key + "language", shares=shares))
    estimated = summary[
        (summary["redundancy"] == "estimated") & (summary["reading"] == rows["reading"].iloc[0])
    ]
    both = rows.merge(estimated, on=["model", "phase"], suffixes=("", "_estimated"))
    drop = (both["mean_aas"] - both["mean_aas_estimated"]).dropna()
    if len(drop) and drop.max() > 0:
        details.append(words(key + "redundancy", most=words.number(drop.max())))
    return details


def main_preset(summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first sampling preset, where a study has several."""
    if "preset" not in summary or summary["preset"].isna().all():
        return summary
    return summary[summary["preset"] == summary["preset"].iloc[0]]


def vpe(summary: pd.DataFrame, words: Wording, contrasts: pd.DataFrame | None = None) -> Finding:
    """Which model keeps the most verified ways open at the longest horizon?

    `limited` where the interval of its paired difference to the next model lies above zero, else
    `open`. `contrasts` is the table of paired differences (`vpe/contrasts`).
    """
    key = "findings.vpe."
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
    if "n_verified" in best:
        limits.append(
            words(
                key + "rests",
                verified=words.number(best["n_verified"], 0),
                problems=words.count(int(best["n_problems"]), "problem"),
            )
        )
    return Finding(answer, sure, tuple(limits), tuple(_vpe_details(rows, words)))


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
    ]
    if "preset" in rows and "preset" in best and pd.notna(best["preset"]):
        rows = rows[rows["preset"] == best["preset"]]
    for row in rows.to_dict("records"):
        if (row["first"], row["second"]) == (second["model"], best["model"]):
            return row["low"], row["high"]
        if (row["first"], row["second"]) == (best["model"], second["model"]):
            return -row["high"], -row["low"]
    return float("nan"), float("nan")


def _vpe_details(rows: pd.DataFrame, words: Wording) -> list[str]:
    key, details = "findings.vpe.", []
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
