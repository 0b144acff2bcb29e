"""The drill of the path entropy: from a model and horizon to the problems and rollouts."""

from __future__ import annotations

import pandas as pd

from veridical.report.drill import Drill, Group, Nested, heads
from veridical.report.study import Study
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
    """Model and horizon → problems → rollouts."""
    problems, rollouts = study.table("vpe/problems"), study.table("vpe/rollouts")
    if problems is None:
        return None
    summary = study.tables["vpe/summary"]
    presets = summary["preset"].nunique() > 1
    keys = ("model", "horizon", "preset")
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
