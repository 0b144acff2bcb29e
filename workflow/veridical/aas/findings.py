"""What the age score found, in sentences: does one thread keep it low?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from veridical.report.finding import Finding
from veridical.report.wording import Wording


def main_reading(summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of the registered reading (else the first one named), with redundancy zero."""
    registered = summary[summary["registered"]]
    rows = registered if len(registered) else summary
    rows = summary[summary["reading"] == rows["reading"].iloc[0]]
    zero = rows[rows["redundancy"] == "zero"]
    return zero if len(zero) else rows


def find(summary: pd.DataFrame, words: Wording, alarm: float | None = None) -> Finding:
    """Does one thread keep the age score low? A description, without a test.

    One run a phase has no interval; of several, each mean's interval over runs is told. What a
    carried memory does, and how many sessions reach the `alarm` in bits, is counted beside.
    """
    rows = main_reading(summary)
    runs = int(rows["n_runs"].max()) if "n_runs" in rows else 1
    key = "findings." if runs == 1 else "findings.runs_"
    lived = {} if runs == 1 else {"runs": words.count(runs, "run")}
    mean = rows.pivot_table(index="model", columns="phase", values="mean_aas", sort=False)

    def show(value: float) -> str:
        return words.number(value, 1)

    if not {"stateless", "persistent"} <= set(mean.columns):
        phase = str(mean.columns[0])
        answer = words(
            key + "one_phase",
            phase=words.value("phase", phase),
            values=words.span(mean[phase], show),
            **lived,
        )
    else:
        known, lost = mean.dropna(), mean.index[mean.isna().any(axis=1)]
        mean = known if len(known) else mean
        falls = mean[mean["persistent"] < mean["stateless"]]
        spans = {phase: words.span(mean[phase], show) for phase in ("stateless", "persistent")}
        spans |= lived
        if len(falls) == len(mean):
            answer = words(key + "falls_all", **spans)
        elif len(falls):
            answer = words(
                key + "falls_some",
                count=words.count(len(falls), "model"),
                all=words.numeral(len(mean)),
                models=words.join(falls.index),
                **lived,
            )
        else:
            answer = words(key + "falls_none", **spans)
        if len(lost):
            answer += " " + words("findings.lost", models=words.join(lost))
    worst = rows.loc[rows["mean_aas"].idxmax()]
    share = worst["mean_aas"] / worst["bound"] if worst["bound"] else 0.0
    limit = words(
        key + "scale",
        sessions=words.count(sessions_a_run(rows), "session"),
        worst=show(worst["mean_aas"]),
        share=words.percent(share, 0),
    )
    return Finding(answer, "descriptive", (limit,), tuple(_details(summary, rows, words, alarm)))


def _details(
    summary: pd.DataFrame, rows: pd.DataFrame, words: Wording, alarm: float | None
) -> list[str]:
    key = "findings."
    details = list(_over_runs(rows, words))
    carried = rows.loc[rows["phase"] == "carried", "mean_aas"].dropna()
    if len(carried) and rows["phase"].nunique() > 1:
        values = words.span(carried, lambda value: words.number(value, 1))
        details.append(words(key + ("runs_carried" if details else "carried"), values=values))
    if alarm is not None and "n_alarms" in rows:
        counts = _alarms(rows, words)
        details.append(words(key + "alarm", alarm=words.number(alarm, 1), counts=counts))
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


def sessions_a_run(rows: pd.DataFrame) -> int:
    """How many sessions were scored in a phase's run, at most."""
    runs = rows["n_runs"].clip(lower=1) if "n_runs" in rows else 1
    return int(np.ceil((rows["n_sessions"] / runs).max()))


def _over_runs(rows: pd.DataFrame, words: Wording) -> Iterator[str]:
    """Each phase's means with their intervals over runs, where there are several runs."""
    known = rows.dropna(subset=["mean_low"]) if "mean_low" in rows else rows.iloc[:0]
    for phase, own in known.groupby("phase", sort=False):
        means = words.join(
            words(
                "findings.over_runs_model",
                model=row.model,
                mean=words.number(row.mean_aas, 1),
                interval=words.interval(row.mean_low, row.mean_high, 1, sign=False),
            )
            for row in own.itertuples()
        )
        yield words("findings.over_runs", phase=words.value("phase", str(phase)), means=means)


def _alarms(rows: pd.DataFrame, words: Wording) -> str:
    """How many sessions of each phase raise the alarm, all models together."""
    sums = rows.groupby("phase", sort=False)[["n_alarms", "n_sessions"]].sum()
    return words.join(
        words(
            "findings.alarm_phase",
            phase=words.value("phase", str(phase)),
            count=words.number(row.n_alarms, 0),
            all=words.number(row.n_sessions, 0),
        )
        for phase, row in zip(sums.index, sums.itertuples(), strict=True)
    )
