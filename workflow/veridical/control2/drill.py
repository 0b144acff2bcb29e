"""The drill of Control 2: from a model to its probes, the two texts and what it answered."""

from __future__ import annotations

from veridical.control2.cells import several
from veridical.control2.tables import ANSWERS, PROBES, VALIDITY
from veridical.report.drill import Drill, Group, details, documents_of, heads
from veridical.report.probes import exchanges, pivot
from veridical.report.study import Study
from veridical.report.tabulate import right_of
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
    """Corpus and model → probes → the two texts and what it answered under each condition."""
    answers, probes = study.table(ANSWERS), study.table(PROBES)
    if answers is None or probes is None:  # answers that were brought: there is no more to open
        return None
    keys = ("corpus", "model", "probe_id")
    rows, names = pivot(answers, keys, "condition", words)
    first = probes["true_is"] == "A"
    texts = probes.assign(
        text_a=probes["true_text"].where(first, probes["altered_text"]),
        text_b=probes["altered_text"].where(first, probes["true_text"]),
    )
    shown = ["corpus", "probe_id", "kind", "from", "to", "true_is", "text_a", "text_b"]
    rows = rows.merge(texts[shown], on=["corpus", "probe_id"])
    # a condition whose bank a memory system did not admit has no answers
    for mark, condition, sign in (("missed", "veridical", "0"), ("found", "none", "1")):
        rows[mark] = condition in names and rows[names[condition]].str.startswith(sign)
    validity = study[VALIDITY]
    apart = several(validity)
    groups = tuple(
        Group(
            path=(row["corpus"], row["model"]),
            label=row["model"],
            heading=f"{words.heading('corpus')} {row['corpus']}" if apart else "",
            facts=(right_of(row["correct"], row["correct"] + row["wrong"], words),),
        )
        for row in validity[validity["condition"] == "none"].to_dict("records")
    )
    tables, nested = exchanges(study, "control2", "condition", keys, words)
    config = study.config["control2"]
    documents = ["veridical", config["counterfeit"]]
    marks = ((name, "mark") for name in names.values())
    return Drill(
        part="control2",
        keys=("corpus", "model"),
        id="probe_id",
        groups=groups,
        rows=rows,
        columns=heads(words, "probe_id", "kind", "true_is", *marks),
        details=details(words, "text_a", "text_b", "from", "to"),
        documents=documents_of(study, words, config["corpora"], documents),
        filters=(
            (words("drill.filters.right_without"), "found"),
            (words("drill.filters.wrong"), "missed"),
        ),
        nested=nested,
        tables=tables,
    )
