"""The drill of Control 3: from a cell to its probes, the answers, and the documents."""

from __future__ import annotations

import pandas as pd

from veridical.documents.names import CORRUPTED, DocumentName
from veridical.report.drill import Drill, Group, documents_of, heads
from veridical.report.probes import exchanges, pivot
from veridical.report.study import Study
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
    """Cell → probes → the answers under each document, and the documents."""
    answers = study.table("control3/answers")
    if answers is None:
        return None
    kinds = list(answers["document"].drop_duplicates())
    names = {kind: _column(kind) for kind in kinds}
    keys = ("corpus", "model", "probe_id")
    rows = pivot(answers, keys, "document", names, words)
    truth = answers.drop_duplicates(["corpus", "probe_id"])[["corpus", "probe_id", "true_partner"]]
    rows = rows.merge(truth, on=["corpus", "probe_id"], how="left")
    probes = study.table("control3/probes")
    if probes is not None and {"corpus", "probe_id", "topic"} <= set(probes):
        rows = rows.merge(
            probes[["corpus", "probe_id", "topic"]], on=["corpus", "probe_id"], how="left"
        )
    marks = [name for name in names.values() if name in rows]
    right = pd.DataFrame({name: rows[name].fillna("").str.startswith("1") for name in marks})
    given = [name for name in marks if name != "answer_none"]
    rows["discordant"] = right[given].sum(axis=1).eq(1) if len(given) > 1 else False
    rows["silent"] = rows[marks].fillna("").apply(lambda c: c.str.startswith("-")).any(axis=1)
    groups = []
    cells = study.tables["control3/cells"]
    for _, own in cells.groupby(["corpus", "model"], sort=False):
        row = own.iloc[0]
        groups.append(
            Group(
                path=(str(row["corpus"]), row["model"]),
                label=row["model"],
                heading=f"{words.heading('corpus')} {row['corpus']}",
                facts=tuple(
                    f"{words.percent(cell['veridical_accuracy'])} → "
                    f"{words.percent(cell['corrupted_accuracy'])}"
                    if cell["tested"] == "tested"
                    else words.value("tested", cell["tested"])
                    for cell in own.to_dict("records")
                ),
            )
        )
    shown = ["probe_id", *(["topic"] if "topic" in rows else []), "true_partner"]
    columns = heads(words, *shown) + tuple((name, words.heading(name), "mark") for name in marks)
    tables, nested = exchanges(study, "control3", "document", keys, words)
    corpora = list(dict.fromkeys(str(name) for name in answers["corpus"]))
    documents = documents_of(study, words, corpora, kinds)
    return Drill(
        part="control3",
        keys=("corpus", "model"),
        id="probe_id",
        groups=tuple(groups),
        rows=rows,
        columns=columns,
        filters=(
            (words("drill.filters.discordant"), "discordant"),
            (words("drill.filters.abstained"), "silent"),
        ),
        nested=nested,
        tables=tables,
        documents=documents,
    )


def _column(document: str) -> str:
    """The column of the answers under a document: `answer_none`, `answer_corrupted_2`."""
    if document == "none":
        return "answer_none"
    name = DocumentName.read(document)
    if name.kind != CORRUPTED:
        return f"answer_{name.kind}"
    return "answer_corrupted" + ("" if name.number is None else f"_{name.number}")
