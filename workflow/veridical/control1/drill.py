"""The drill of Control 1: from a contrast to its items, the answers and the verdicts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control1.cells import cell_names
from veridical.control1.contrasts import contrasted, item_differences, item_scores
from veridical.control1.tables import CELL, COMPARED, CONTRASTS, RESPONSES, VERDICT
from veridical.report.drill import Drill, Group, Nested, details, documents_of, heads, states
from veridical.report.study import Study
from veridical.report.wording import Wording

SCORES = ("veridical", "counterfeit", "anchor_original", "anchor_counterfeit")


def drill(study: Study, words: Wording) -> Drill | None:
    """A cell's contrast → items → the answers and the verdicts."""
    verdicts, responses = study.table(VERDICT), study.table(RESPONSES)
    if verdicts is None or responses is None or verdicts.empty:  # nothing was there to judge
        return None
    rows = item_differences(item_scores(contrasted(verdicts[verdicts["state"] == "complete"])))
    items = pd.MultiIndex.from_frame(rows[["corpus", "item_id"]])
    rows["input"] = asked_inputs(study).reindex(items).fillna("").to_numpy()
    differences = [(name, "signed") for name in ("anchored", "unanchored", "drift")]
    said = with_replies(verdicts.assign(state=states(verdicts, words)), study)
    return Drill(
        part="control1",
        keys=(*CELL, "metric", "contrast"),
        id="item_id",
        groups=tuple(_groups(study[CONTRASTS], words)),
        rows=rows,
        columns=heads(words, "item_id", *differences, *((name, "number") for name in SCORES)),
        details=details(words, "input"),
        nested=(answers(words), _verdicts(said, words)),
        tables={"answers": responses, "verdicts": said},
        documents=documents_of(
            study,
            words,
            list(study.config["control1"]["corpora"]),  # whose sheets they are: it asked for them
            responses["document"].drop_duplicates(),
        ),
    )


def _groups(contrasts: pd.DataFrame, words: Wording) -> Iterator[Group]:
    """A group a cell and contrast, read against the anchors."""
    cells = cell_names(contrasts)
    for row in contrasts[contrasts["reading"] == "anchored"].assign(cell=cells).to_dict("records"):
        heading = words.value("metric", row["metric"])
        yield Group(
            path=(row["responder"], row["corpus"], row["metric"], row["contrast"]),
            label=words.value("contrast", row["contrast"]),
            heading=f"{row['cell']}: {heading}" if row["cell"] else heading,
            facts=(
                words.number(row["estimate"], sign=True),
                words.value("verdict", row["verdict"]),
            ),
            where={"condition": ["veridical", COMPARED[row["contrast"]], "anchor"]},
        )


def answers(words: Wording) -> Nested:
    """The answers to an item, under each document."""
    shown = heads(words, "document", ("text", "quote"))
    return Nested(words("drill.nested.answers"), "answers", (*CELL, "item_id"), shown)


def _verdicts(verdicts: pd.DataFrame, words: Wording) -> Nested:
    """Each judge's verdict, its reasons and its reply where there are any."""
    told = [("rationale", "quote"), ("reply", "quote")]
    told = [pair for pair in told if verdicts[pair[0]].fillna("").ne("").any()]
    scores = [("anchor_score", "number"), ("other_score", "number")]
    shown = heads(words, "judge", "document", "session", *scores, "anchor_position", *told)
    return Nested(words("drill.nested.verdicts"), "verdicts", (*CELL, "item_id", "metric"), shown)


def with_replies(verdicts: pd.DataFrame, study: Study) -> pd.DataFrame:
    """The verdicts with the judge's reply as it came: a sheet's prompt has the sheet's id."""
    kept = study.answered("control1")
    if kept.empty:
        return verdicts.assign(reply="")
    replies = kept.drop_duplicates(["model", "id"], keep="last").set_index(["model", "id"])["reply"]
    sheets = pd.MultiIndex.from_frame(verdicts[["judge", "sheet_id"]])
    return verdicts.assign(reply=replies.reindex(sheets).fillna("").to_numpy())


def asked_inputs(study: Study) -> pd.Series:
    """What each item of a corpus's test day asked, where the replies to it were kept."""
    asked = study.answered("control1", "corpus", "item_id")
    if asked.empty:
        return pd.Series([], index=pd.MultiIndex.from_arrays([[], []]), dtype=object)
    return asked.drop_duplicates(["corpus", "item_id"]).set_index(["corpus", "item_id"])["asked"]
