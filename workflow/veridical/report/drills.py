"""The drills of Controls 2 and 3: which groups, which rows, what a row opens into."""

from __future__ import annotations

import pandas as pd

from veridical.report.drill import Drill, Group, Nested, pivot
from veridical.report.study import Study
from veridical.report.tabulate import right_of
from veridical.report.wording import Wording


def heads(words: Wording, *columns: str) -> tuple[tuple[str, str, str], ...]:
    """Columns as (name, heading, kind); written `name` or `name:kind`."""
    pairs = [column.partition(":")[::2] for column in columns]
    return tuple((name, words(f"columns.{name}"), kind or "text") for name, kind in pairs)


def details(words: Wording, *columns: str) -> tuple[tuple[str, str], ...]:
    """Columns as (name, heading)."""
    return tuple((name, words(f"columns.{name}")) for name in columns)


def states(table: pd.DataFrame, words: Wording) -> pd.Series:
    """The states in words."""
    return table["state"].map(lambda state: words.value("state", state))


def documents_of(study: Study, words: Wording, corpora: list[str], names: list[str]):
    """The documents of these names, labelled, in the order of the names."""
    return tuple(
        (words("drill.document_shown", name=name, corpus=corpus), study.documents[corpus, name])
        for corpus in corpora
        for name in names
        if (corpus, name) in study.documents
    )


def control2(study: Study, words: Wording) -> Drill | None:
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
    tables, nested = _exchanges(study, "control2", "condition", words)
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


def control3(study: Study, words: Wording) -> Drill | None:
    """Cell → probes → the answers under each document, and the documents."""
    answers = study.table("control3/answers")
    if answers is None:
        return None
    kinds = list(answers["document"].drop_duplicates())
    names = {kind: "answer_" + kind.removeprefix("binding-").replace("-", "_") for kind in kinds}
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
                heading=f"{words('columns.corpus')} {row['corpus']}",
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
    labels = words.raw("columns")
    columns = heads(words, *shown) + tuple(
        (name, labels.get(name, name.removeprefix("answer_")), "mark") for name in marks
    )
    tables, nested = _exchanges(study, "control3", "document", words)
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


def _exchanges(
    study: Study, part: str, condition: str, words: Wording
) -> tuple[dict[str, pd.DataFrame], tuple[Nested, ...]]:
    """What was asked and what came back, joined to the probes by `<condition>-<probe>` ids."""
    kept = study.exchanges.get(part)
    if kept is None or kept.empty:
        return {}, ()
    table = kept[kept["sample"] == 0].drop_duplicates(["slice", "model", "id"], keep="last").copy()
    probes = sorted(study.tables[f"{part}/answers"]["probe_id"].unique(), key=len, reverse=True)
    known = set(probes)

    def split(entry: str) -> tuple[str, str]:
        for place in range(len(entry)):
            if entry[place] == "-" and entry[place + 1 :] in known:
                return entry[:place], entry[place + 1 :]
        return "", entry

    pairs = table["id"].map(split)
    table[condition] = pairs.map(lambda pair: pair[0])
    table["probe_id"] = pairs.map(lambda pair: pair[1])
    on = ["model", "probe_id"]
    if part == "control3":
        corpora = sorted(study.tables["control3/answers"]["corpus"].astype(str).unique())
        table["corpus"] = table["slice"].map(lambda name: _corpus_of(str(name), corpora))
        on.insert(0, "corpus")
    table["state"] = states(table, words)
    columns = heads(words, condition, "asked:quote", "reply:quote", "state")
    kept_columns = [*on, condition, "asked", "reply", "state"]
    label = words("drill.nested.exchanges")
    return {"exchanges": table[kept_columns]}, (Nested(label, "exchanges", tuple(on), columns),)


def _corpus_of(name: str, corpora: list[str]) -> str:
    """The corpus that a slice's name begins with (`A`, `A-veridical`, `A/veridical`)."""
    for corpus in sorted(corpora, key=len, reverse=True):
        if name == corpus or name.startswith((f"{corpus}-", f"{corpus}/", f"{corpus}_")):
            return corpus
    return corpora[0] if len(corpora) == 1 else name
