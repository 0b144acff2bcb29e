"""The drill of the memory systems: from a cell to its probes, what came back, what is stored."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.memories.plan import EMPTY
from veridical.memories.tables import ANSWERS, CELLS, ENTRIES, RECALLS
from veridical.report.drill import Drill, Group, Nested, heads
from veridical.report.probes import pivot
from veridical.report.study import Study
from veridical.report.wording import Wording

KEYS = ("system", "corpus", "reader")
SHOWN = ("document", ("rank", "number"), "kept", ("held", "quote"), ("recalled", "quote"))


def drill(study: Study, words: Wording) -> Drill | None:
    """Cell → probes → what was recalled from each bank, and the entry as the store holds it."""
    answers, recalls = study.table(ANSWERS), study.table(RECALLS)
    if answers is None or recalls is None:
        return None
    rows, names = pivot(answers, (*KEYS, "probe_id"), "document", words)
    partners = answers.drop_duplicates([*KEYS, "probe_id"])[[*KEYS, "probe_id", "true_partner"]]
    rows = rows.merge(partners, on=[*KEYS, "probe_id"], how="left")
    given = [name for document, name in names.items() if document != EMPTY]
    right = rows[given].apply(lambda column: column.str.startswith("1"))
    rows["discordant"] = right.nunique(axis=1).gt(1)
    marks = ((name, words.value("document", document), "mark") for document, name in names.items())
    nested = Nested(
        words("drill.nested.recalled"),
        "recalled",
        ("system", "corpus", "probe_id"),
        heads(words, *SHOWN),
    )
    return Drill(
        part="memories",
        keys=KEYS,
        id="probe_id",
        groups=tuple(_groups(study[CELLS], words)),
        rows=rows,
        columns=(*heads(words, "probe_id", "true_partner"), *marks),
        filters=((words("drill.filters.discordant"), "discordant"),),
        nested=(nested,),
        tables={"recalled": _recalled(recalls, study.table(ENTRIES), words)},
    )


def _recalled(recalls: pd.DataFrame, entries: pd.DataFrame | None, words: Wording) -> pd.DataFrame:
    """Every recall beside the entry that it was to find, as the store holds it."""
    where = ["system", "corpus", "document"]
    table = recalls.assign(kept=None, held=None)
    if entries is not None and "topic" in recalls:
        own = entries[[*where, "topic", "kept", "held"]]
        table = recalls.merge(own, on=[*where, "topic"], how="left")
        table["kept"] = table["kept"].map(
            lambda kept: words.value("kept", kept), na_action="ignore"
        )
    table = table.assign(document=[words.value("document", name) for name in table["document"]])
    return table[["system", "corpus", "probe_id", "document", "rank", "kept", "held", "recalled"]]


def _groups(cells: pd.DataFrame, words: Wording) -> Iterator[Group]:
    """A group a system, corpus and reader; its verdict and its right answers."""
    for row in cells.to_dict("records"):
        yield Group(
            path=(row["system"], row["corpus"], row["reader"]),
            label=f"{row['system']}, {row['reader']}",
            heading=f"{words.heading('corpus')} {row['corpus']}",
            facts=(words.value("verdict", row["verdict"]),),
        )
