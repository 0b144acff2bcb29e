"""The drill of the path entropy: from a model and horizon to the problems and rollouts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.report.drill import Drill, Group, Nested, heads
from veridical.report.study import Study
from veridical.report.wording import Wording
from veridical.vpe.tables import PROBLEMS, ROLLOUTS, SUMMARY

KEYS = ("model", "horizon", "preset")
COUNTS = ("rollouts", "n_verified", "n_modes")


def drill(study: Study, words: Wording) -> Drill | None:
    """Model and horizon → problems → rollouts."""
    problems, rollouts = study.table(PROBLEMS), study.table(ROLLOUTS)
    if problems is None or rollouts is None:
        return None
    rows = problems.assign(
        horizon=problems["horizon"].astype(str), unverified=problems["n_verified"] == 0
    )
    shown = heads(words, ("sample", "int"), ("verdict", "mark"), "mode", ("text", "quote"))
    return Drill(
        part="vpe",
        keys=KEYS,
        id="problem_id",
        groups=tuple(_groups(study[SUMMARY], words)),
        rows=rows[[*KEYS, "problem_id", *COUNTS, "unverified"]],
        columns=heads(words, "problem_id", *((name, "int") for name in COUNTS)),
        filters=((words("drill.filters.unverified"), "unverified"),),
        nested=(Nested(words("drill.nested.rollouts"), "rollouts", (*KEYS, "problem_id"), shown),),
        tables={"rollouts": _marked(rollouts)},
    )


def _groups(summary: pd.DataFrame, words: Wording) -> Iterator[Group]:
    """A group a model and horizon, and preset where there are several."""
    presets = summary["preset"].nunique() > 1
    for row in summary.to_dict("records"):
        label = words("drill.horizon", tokens=row["horizon"])
        yield Group(
            path=tuple(str(row[key]) for key in KEYS),
            label=f"{label} ({row['preset']})" if presets else label,
            heading=row["model"],
            facts=(words.percent(row["verified_probability"]),),
        )


def _marked(rollouts: pd.DataFrame) -> pd.DataFrame:
    """The rollouts with their number, marked as verified or not."""
    verdict = [
        f"{'-' if pd.isna(right) else int(right)}|{found or ''}"
        for right, found in zip(rollouts["verified"], rollouts["extracted"], strict=True)
    ]
    table = rollouts.assign(horizon=rollouts["horizon"].astype(str), verdict=verdict)
    return table[[*KEYS, "problem_id", "sample", "text", "verdict", "mode"]]
