"""The age score of each phase: its sessions, and its runs, summed up."""

from __future__ import annotations

import numpy as np
import pandas as pd

from veridical.aas.runs import interval_over_runs
from veridical.aas.score import TASKS


def summarise_phases(
    by_session: pd.DataFrame, scored: pd.DataFrame, alarm: float | None = None
) -> pd.DataFrame:
    """Each model's phases in one row a reading and redundancy.

    Columns: model, phase, reading, registered, redundancy, n_sessions (scored), n_missing,
    mean_aas, with several runs n_runs (with a scored session), mean_low and mean_high (95 %, see
    `runs.interval_over_runs`; mean_aas is then the mean of the runs' means), sd_aas (over all
    sessions, NA below two), min_aas, max_aas, bound; with an `alarm`, in bits,
    n_alarms (sessions that score as much or more) and first_alarm (the first of them, NA where
    there is none); semantic_recall and episodic_recall (mean x of all scored answers of the kind),
    recall_ and its id for each of the study's own tasks, abstained (answers), language_adherence
    (share of the answers that tell a language), n_language (how many do).
    """
    answers = {}
    for key, group in scored.groupby(["model", "phase"], sort=False):
        recall = group.groupby("kind" if "kind" in group else "task").x.mean()
        own = [task for task in group.task.unique() if task not in TASKS]
        told = group.language_kept.dropna()
        answers[key] = {
            **{f"{task}_recall": recall[task] for task in TASKS},
            **{f"recall_{task}": group.x[group.task == task].mean() for task in own},
            "abstained": int((group.mark == "abstained").sum()),
            "language_adherence": float(told.mean()) if len(told) else np.nan,
            "n_language": len(told),
        }
    rows = []
    keys = ["model", "phase", "reading", "registered", "redundancy"]
    for key, group in by_session.groupby(keys, sort=False):
        aas = group.aas.dropna()
        rows.append(
            dict(zip(keys, key, strict=True))
            | {
                "n_sessions": len(aas),
                "n_missing": len(group) - len(aas),
                **_mean(group),
                "sd_aas": 0.0 if len(aas) > 1 and aas.nunique() == 1 else aas.std(ddof=1),
                "min_aas": aas.min(),
                "max_aas": aas.max(),
                "bound": group.bound.iloc[0],
            }
            | _alarms(group, alarm)
            | answers[key[:2]]
        )
    return pd.DataFrame(rows)


def _mean(group: pd.DataFrame) -> dict[str, float]:
    """The mean score, and over several runs how far it could lie from that."""
    if "run" not in group:
        return {"mean_aas": group.aas.mean()}
    means = group.groupby("run", sort=False).aas.mean().dropna()
    low, high = interval_over_runs(means.to_numpy(), group.bound.iloc[0])
    found = {"n_runs": len(means), "mean_aas": means.mean()}
    return found | {"mean_low": low, "mean_high": high}


def _alarms(group: pd.DataFrame, alarm: float | None) -> dict[str, int | None]:
    """How many sessions of a phase score at the threshold or above, and which is the first."""
    if alarm is None:
        return {}
    raised = group[group["aas"] >= alarm]
    first = int(raised["session"].min()) if len(raised) else None
    return {"n_alarms": len(raised), "first_alarm": first}
