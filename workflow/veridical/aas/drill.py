"""The drill of the age score: from a phase to its sessions, what was asked and what came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from veridical.aas.findings import main_reading
from veridical.aas.tables import SESSIONS, SUMMARY
from veridical.report.drill import Drill, Group, details, heads
from veridical.report.study import Study
from veridical.report.wording import Wording


def named_tasks(config: Mapping[str, Any], words: Wording) -> Callable[[str], str]:
    """How the page names a task: own ones by their label in its language, else by their id."""
    own = config.get("aas", {}).get("tasks", ())
    language = config.get("language", "en")
    labels = {task["id"]: task.get("label", {}).get(language, task["id"]) for task in own}
    return lambda task: labels.get(task) or words.value("task", task)


def drill(study: Study, words: Wording) -> Drill | None:
    """Score → sessions → what was asked and what came back."""
    sessions = study.table(SESSIONS)
    if sessions is None:
        return None
    groups = tuple(
        Group(
            path=(row["model"], row["phase"]),
            label=words.value("phase", row["phase"]),
            heading=row["model"],
            facts=(words.number(row["mean_aas"], 2),),
        )
        for row in main_reading(study[SUMMARY]).to_dict("records")
    )
    right = sessions["x"].map(lambda x: "-" if pd.isna(x) else str(int(x >= 1)))
    partly = [("x", "number")] if sessions["x"].between(0, 1, inclusive="neither").any() else []
    several = ["run"] if "run" in sessions else []
    named = sessions[[*several, "session", "task"]].astype(str)
    rows = sessions.assign(
        row=named.agg("-".join, axis=1),
        task=sessions["task"].map(named_tasks(study.config, words)),
        answer_mark=right + "|" + sessions["answer"].fillna(""),
        missed=right != "1",
        language_kept=sessions["language_kept"].map(lambda kept: words.value("bool", kept)),
    )
    return Drill(
        part="aas",
        keys=("model", "phase"),
        id="row",
        groups=groups,
        rows=rows,
        columns=(
            *heads(words, *several, "session", "task", "language", "expected"),
            ("answer_mark", words.heading("answer"), "mark"),
            *heads(words, *partly, "language_kept", ("phi", "number")),
        ),
        details=details(words, "question"),
        filters=((words("drill.filters.missed"), "missed"),),
    )
