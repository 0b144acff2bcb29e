"""The drills of the age score and of the path entropy."""

from __future__ import annotations

import pandas as pd

from veridical.report.drill import Drill, Group, Nested
from veridical.report.drills import details, heads
from veridical.report.findings_scores import main_reading
from veridical.report.study import Study
from veridical.report.wording import Wording


def aas(study: Study, words: Wording) -> Drill | None:
    """Score → sessions → what was asked and what came back."""
    sessions = study.table("aas/sessions")
    if sessions is None:
        return None
    summary = main_reading(study.tables["aas/summary"])
    groups = tuple(
        Group(
            path=(row["model"], row["phase"]),
            label=words.value("phase", row["phase"]),
            heading=row["model"],
            facts=(words.number(row["mean_aas"], 2),),
        )
        for row in summary.to_dict("records")
    )
    rows = sessions.copy()
    rows["row"] = rows["session"].astype(str) + "-" + rows["task"].astype(str)
    rows["task"] = rows["task"].map(lambda task: words.value("task", task))
    right = rows["x"].map(lambda x: "-" if pd.isna(x) else str(int(x >= 1)))
    rows["answer_mark"] = right + "|" + rows["answer"].fillna("").astype(str)
    rows["missed"] = right != "1"
    kept = rows.get("language_kept", pd.Series(True, rows.index))
    rows["language_kept"] = kept.map(lambda value: words.value("bool", value))
    columns = heads(words, "session", "task", "language", "expected")
    columns += (("answer_mark", words("columns.answer"), "mark"),)
    columns += heads(words, "language_kept", "phi:number")
    return Drill(
        part="aas",
        keys=("model", "phase"),
        id="row",
        groups=groups,
        rows=rows[
            ["model", "phase", "row", "session", "task", "language", "expected", "answer_mark",
             "language_kept", "phi", "missed", "question", *(["text"] if "text" in rows else [])]
        ],
        columns=columns,
        details=details(words, "question", *(["text"] if "text" in rows else [])),
        filters=((words("drill.filters.missed"), "missed"),),
    )  # fmt: skip


def vpe(study: Study, words: Wording) -> Drill | None:
    """Model and horizon → problems → rollouts."""
    problems, rollouts = study.table("vpe/problems"), study.table("vpe/rollouts")
    if problems is None:
        return None
    summary = study.tables["vpe/summary"]
    presets = "preset" in summary and summary["preset"].nunique() > 1
    keys = ("model", "horizon", *(["preset"] if presets else []))
    groups = tuple(
        Group(
            path=tuple(str(row[key]) for key in keys),
            label=words("drill.horizon", tokens=row["horizon"])
            + (f" ({row['preset']})" if presets else ""),
            heading=row["model"],
            facts=(words.percent(row["verified_probability"]),),
        )
        for row in summary.to_dict("records")
    )
    rows = problems.assign(horizon=problems["horizon"].astype(str))
    counts = [name for name in ("rollouts", "n_verified", "n_modes") if name in rows]
    rows["unverified"] = rows["n_verified"] == 0 if "n_verified" in rows else False
    tables, nested = {}, ()
    if rollouts is not None:
        table = rollouts.assign(horizon=rollouts["horizon"].astype(str))
        table["verdict"] = [
            f"{'-' if pd.isna(right) else int(right)}|{'' if pd.isna(found) else found}"
            for right, found in zip(
                table["verified"], table.get("extracted", table["verified"]), strict=True
            )
        ]
        wanted = [*keys, "problem_id", "sample", "text", "verdict", "mode"]
        tables["rollouts"] = table[[column for column in wanted if column in table]]
        shown = [c for c in ("sample:int", "verdict:mark", "mode", "text:quote")
                 if c.partition(":")[0] in tables["rollouts"]]  # fmt: skip
        label = words("drill.nested.rollouts")
        on = (*keys, "problem_id")
        nested = (Nested(label, "rollouts", on, heads(words, *shown)),)
    return Drill(
        part="vpe",
        keys=keys,
        id="problem_id",
        groups=groups,
        rows=rows[[*keys, "problem_id", *counts, "unverified"]],
        columns=heads(words, "problem_id", *(f"{name}:int" for name in counts)),
        filters=((words("drill.filters.unverified"), "unverified"),),
        nested=nested,
        tables=tables,
    )
