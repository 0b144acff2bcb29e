"""The drill of the age score: from a phase to its sessions, what was asked and what came back."""

from __future__ import annotations

import pandas as pd

from veridical.aas.findings import main_reading
from veridical.report.drill import Drill, Group, details, heads
from veridical.report.study import Study
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
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
    columns += (("answer_mark", words.heading("answer"), "mark"),)
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
