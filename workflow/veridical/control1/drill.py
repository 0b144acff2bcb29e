"""The drill of Control 1: from a contrast to its items, the answers and the verdicts."""

from __future__ import annotations

import pandas as pd

from veridical.control1.contrasts import item_differences, item_scores
from veridical.report.drill import Drill, Group, Nested, details, documents_of, heads, states
from veridical.report.study import Study, fact
from veridical.report.wording import Wording


def drill(study: Study, words: Wording) -> Drill | None:
    """Contrast → items → the answers and the verdicts."""
    verdicts = study.table("control1/verdicts")
    if verdicts is None:
        return None
    complete = verdicts[verdicts["state"] == "complete"]
    rows = item_differences(item_scores(complete))
    asked = _inputs(study)
    rows["input"] = rows["item_id"].map(asked).fillna("")
    groups = []
    contrasts = study.tables["control1/contrasts"]
    for row in contrasts[contrasts["reading"] == "anchored"].to_dict("records"):
        kind = row["contrast"].removeprefix("veridical-")
        groups.append(
            Group(
                path=(row["metric"], row["contrast"]),
                label=words.value("contrast", row["contrast"]),
                heading=words.value("metric", row["metric"]),
                facts=(
                    words.number(row["estimate"], sign=True),
                    words.value("verdict", row["verdict"]),
                ),
                where={"condition": ["veridical", kind, "anchor"]},
            )
        )
    tables = {"verdicts": verdicts.assign(state=states(verdicts, words))}
    nested = []
    responses = study.table("control1/responses")
    if responses is not None:
        tables["answers"] = responses[["item_id", "document", "condition", "text"]]
        nested.append(
            Nested(
                words("drill.nested.answers"),
                "answers",
                ("item_id",),
                heads(words, "document", "text:quote"),
            )
        )
    shown = ["judge", "document", "anchor_score:number", "other_score:number"]
    tables["verdicts"] = _verdict_columns(_with_replies(tables["verdicts"], study))
    also = ("anchor_position", "rationale:quote", "reply:quote")
    shown += [name for name in also if _has(tables["verdicts"], name)]
    nested.append(
        Nested(
            words("drill.nested.verdicts"), "verdicts", ("item_id", "metric"), heads(words, *shown)
        )
    )
    return Drill(
        part="control1",
        keys=("metric", "contrast"),
        id="item_id",
        groups=tuple(groups),
        rows=rows,
        columns=heads(
            words,
            "item_id",
            "anchored:signed",
            "unanchored:signed",
            "drift:signed",
            "veridical:number",
            "counterfeit:number",
            "anchor_original:number",
            "anchor_counterfeit:number",
        ),
        details=details(words, "input"),
        nested=tuple(nested),
        tables=tables,
        documents=documents_of(
            study,
            words,
            [study.config["control1"]["corpus"]],
            [] if responses is None else list(responses["document"].drop_duplicates()),
        ),
    )


def _has(table: pd.DataFrame, column: str) -> bool:
    """Whether a column says anything."""
    name = column.partition(":")[0]
    return name in table and table[name].map(lambda value: value not in (None, "")).any()


def _with_replies(verdicts: pd.DataFrame, study: Study) -> pd.DataFrame:
    """The verdicts with the judge's reply as it came, where it was kept."""
    kept = study.exchanges.get("control1")
    if kept is None or kept.empty:
        return verdicts
    last = kept.drop_duplicates(["model", "id"], keep="last").set_index(["model", "id"])["reply"]
    pairs = pd.MultiIndex.from_frame(verdicts[["judge", "sheet_id"]].astype(str))
    return verdicts.assign(reply=last.reindex(pairs).fillna("").to_numpy())


def _verdict_columns(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The columns of a verdict that a reader sees, its document named by condition and seed."""
    seeds = verdicts["seed"].fillna("").astype(str)
    seeds = seeds.str.removesuffix(".0")
    document = verdicts["condition"] + seeds.map(lambda seed: f"-{seed}" if seed else "")
    wanted = ["item_id", "metric", "condition", "judge", "document", "anchor_score", "other_score"]
    wanted += ["anchor_position", "rationale", "reply", "state"]
    table = verdicts if "document" in verdicts else verdicts.assign(document=document)
    return table[[column for column in wanted if column in table]]


def _inputs(study: Study) -> dict[str, str]:
    """What each item of the test day asked, where the study keeps it."""
    for name in ("control1/items", "control1/test_day"):
        table = study.table(name)
        if table is not None:
            return dict(zip(table["item_id"], table["input"], strict=True))
    kept = study.exchanges.get("control1")
    if kept is None:
        return {}
    items = fact(kept, "item_id")  # a judge's sheet has none
    first = kept.assign(item_id=items)[items.notna()].drop_duplicates("item_id")
    return dict(zip(first["item_id"], first["asked"], strict=True))
