"""The drill of Control 3: from a cell to its probes, the answers, and the documents."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.choices.tally import drop_left_out
from veridical.control3.tables import ANSWERS, CELLS, PROBES
from veridical.documents.names import DocumentName
from veridical.report.drill import Drill, Group, documents_of, heads
from veridical.report.probes import exchanges, pivot
from veridical.report.study import Study
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
    """Cell → probes → the answers under each document, and the documents."""
    answers, probes = study.table(ANSWERS), study.table(PROBES)
    if answers is None or probes is None:  # answers that were brought: there is no more to open
        return None
    keys = ("corpus", "model", "probe_id")
    rows, names = pivot(answers, keys, "document", words)
    probe = ["corpus", "probe_id"]
    rows = rows.merge(probes[[*probe, "topic", "true_partner"]], on=probe, how="left")
    given = [name for document, name in names.items() if document != "none"]
    right = rows[given].apply(lambda column: column.str.startswith("1"))
    whole = drop_left_out(answers, keys[:-1])[0][list(keys)].drop_duplicates()
    compared = rows[list(keys)].merge(whole, how="left", indicator=True)["_merge"] == "both"
    rows["discordant"] = right.sum(axis=1).eq(1) & (len(given) > 1) & compared.to_numpy()
    silent = rows[list(names.values())].apply(lambda column: column.str.startswith("-"))
    rows["silent"] = silent.any(axis=1)
    marks = ((name, _under(document, words), "mark") for document, name in names.items())
    tables, nested = exchanges(study, "control3", "document", keys, words)
    corpora = list(answers["corpus"].drop_duplicates())
    return Drill(
        part="control3",
        keys=("corpus", "model"),
        id="probe_id",
        groups=tuple(_groups(study[CELLS], words)),
        rows=rows,
        columns=(*heads(words, "probe_id", "topic", "true_partner"), *marks),
        filters=(
            (words("drill.filters.discordant"), "discordant"),
            (words("drill.filters.abstained"), "silent"),
        ),
        nested=nested,
        tables=tables,
        documents=documents_of(study, words, corpora, list(names)),
    )


def _under(document: str, words: Wording) -> str:
    """The heading of the answers under a document, with the shift where there are several."""
    if document == "none":
        return words.heading("answer_none")
    name = DocumentName.read(document)
    shift = f" {name.number}" if name.number else ""
    return words.heading(f"answer_{name.kind}") + shift


def _groups(cells: pd.DataFrame, words: Wording) -> Iterator[Group]:
    """A group a model and corpus; its accuracies under both documents, or why there are none."""
    for (corpus, model), own in cells.groupby(["corpus", "model"], sort=False):
        yield Group(
            path=(corpus, model),
            label=model,
            heading=f"{words.heading('corpus')} {corpus}",
            facts=tuple(_told(cell, words) for cell in own.to_dict("records")),
        )


def _told(cell: dict, words: Wording) -> str:
    if cell["tested"] != "tested":
        return words.value("tested", cell["tested"])
    shares = (cell["veridical_accuracy"], cell["corrupted_accuracy"])
    return " → ".join(words.percent(share) for share in shares)
