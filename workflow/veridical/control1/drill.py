"""The drill of Control 1: from a contrast to its items, the answers and the verdicts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control1.contrasts import contrasted, item_differences, item_scores
from veridical.control1.tables import COMPARED, CONTRASTS, RESPONSES, VERDICT
from veridical.report.drill import Drill, Group, Nested, details, documents_of, heads, states
from veridical.report.study import Study
from veridical.report.wording import Wording

SCORES = ("veridical", "counterfeit", "anchor_original", "anchor_counterfeit")


def drill(study: Study, words: Wording) -> Drill | None:
    """Contrast → items → the answers and the verdicts."""
    verdicts, responses = study.table(VERDICT), study.table(RESPONSES)
    if verdicts is None or responses is None or verdicts.empty:  # nothing was there to judge
        return None
    rows = item_differences(item_scores(contrasted(verdicts[verdicts["state"] == "complete"])))
    rows["input"] = rows["item_id"].map(_inputs(study)).fillna("")
    differences = [(name, "signed") for name in ("anchored", "unanchored", "drift")]
    said = _with_replies(verdicts.assign(state=states(verdicts, words)), study)
    return Drill(
        part="control1",
        keys=("metric", "contrast"),
        id="item_id",
        groups=tuple(_groups(study[CONTRASTS], words)),
        rows=rows,
        columns=heads(words, "item_id", *differences, *((name, "number") for name in SCORES)),
        details=details(words, "input"),
        nested=(_answers(words), _verdicts(said, words)),
        tables={"answers": responses, "verdicts": said},
        documents=documents_of(
            study,
            words,
            [study.config["control1"]["corpus"]],  # whose sheets they are: it asked for them
            responses["document"].drop_duplicates(),
        ),
    )


def _groups(contrasts: pd.DataFrame, words: Wording) -> Iterator[Group]:
    """A group a contrast, read against the anchors."""
    for row in contrasts[contrasts["reading"] == "anchored"].to_dict("records"):
        yield Group(
            path=(row["metric"], row["contrast"]),
            label=words.value("contrast", row["contrast"]),
            heading=words.value("metric", row["metric"]),
            facts=(
                words.number(row["estimate"], sign=True),
                words.value("verdict", row["verdict"]),
            ),
            where={"condition": ["veridical", COMPARED[row["contrast"]], "anchor"]},
        )


def _answers(words: Wording) -> Nested:
    shown = heads(words, "document", ("text", "quote"))
    return Nested(words("drill.nested.answers"), "answers", ("item_id",), shown)


def _verdicts(verdicts: pd.DataFrame, words: Wording) -> Nested:
    """Each judge's verdict, its reasons and its reply where there are any."""
    told = [("rationale", "quote"), ("reply", "quote")]
    told = [pair for pair in told if verdicts[pair[0]].fillna("").ne("").any()]
    scores = [("anchor_score", "number"), ("other_score", "number")]
    shown = heads(words, "judge", "document", "session", *scores, "anchor_position", *told)
    return Nested(words("drill.nested.verdicts"), "verdicts", ("item_id", "metric"), shown)


def _with_replies(verdicts: pd.DataFrame, study: Study) -> pd.DataFrame:
    """The verdicts with the judge's reply as it came: a sheet's prompt has the sheet's id."""
    kept = study.answered("control1")
    if kept.empty:
        return verdicts.assign(reply="")
    replies = kept.drop_duplicates(["model", "id"], keep="last").set_index(["model", "id"])["reply"]
    sheets = pd.MultiIndex.from_frame(verdicts[["judge", "sheet_id"]])
    return verdicts.assign(reply=replies.reindex(sheets).fillna("").to_numpy())


def _inputs(study: Study) -> dict[str, str]:
    """What each item of the test day asked, where the replies to it were kept."""
    asked = study.answered("control1", "item_id")
    return {} if asked.empty else dict(zip(asked["item_id"], asked["asked"], strict=True))
