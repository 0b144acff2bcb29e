"""The drill of Control 2: from a model to its probes, the two texts and what it answered."""

from __future__ import annotations

import pandas as pd

from veridical.report.drill import Drill, Group, details, documents_of, heads
from veridical.report.probes import exchanges, pivot
from veridical.report.study import Study
from veridical.report.tabulate import right_of
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
    """Model → probes → the two texts and what it answered under each condition."""
    answers, probes = study.table("control2/answers"), study.table("control2/probes")
    if answers is None or probes is None:
        return None
    names = {name: f"answer_{name}" for name in ("veridical", "counterfeit", "none")}
    rows = pivot(answers, ("model", "probe_id"), "condition", names, words)
    first = probes["true_is"] == "A"
    texts = probes.assign(
        text_a=probes["true_text"].where(first, probes["altered_text"]),
        text_b=probes["altered_text"].where(first, probes["true_text"]),
    )
    rows = rows.merge(
        texts[["probe_id", "kind", "from", "to", "true_is", "text_a", "text_b"]], on="probe_id"
    )
    rows["missed"] = rows.get("answer_veridical", pd.Series("", rows.index)).str.startswith("0")
    rows["found"] = rows.get("answer_none", pd.Series("", rows.index)).str.startswith("1")
    validity = study.tables["control2/validity"]
    none = validity[validity["condition"] == "none"]
    groups = tuple(
        Group(
            path=(row["model"],),
            label=row["model"],
            facts=(right_of(row["correct"], row["correct"] + row["wrong"], words),),
        )
        for row in none.to_dict("records")
    )
    marks = [f"{names[name]}:mark" for name in names if names[name] in rows]
    tables, nested = exchanges(study, "control2", "condition", ("model", "probe_id"), words)
    return Drill(
        part="control2",
        keys=("model",),
        id="probe_id",
        groups=groups,
        rows=rows,
        columns=heads(words, "probe_id", "kind", "true_is", *marks),
        details=details(words, "text_a", "text_b", "from", "to"),
        documents=documents_of(
            study,
            words,
            [study.config["control2"]["corpus"]],
            ["veridical", study.config["control2"]["counterfeit"]],
        ),
        filters=(
            (words("drill.filters.right_without"), "found"),
            (words("drill.filters.wrong"), "missed"),
        ),
        nested=nested,
        tables=tables,
    )
