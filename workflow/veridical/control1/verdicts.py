"""Verdicts: the rubric, the form a judge answers in, and reading what came back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from string import digits
from typing import Any, NamedTuple

import pandas as pd

from veridical.base.instrument import metric_lines, metrics_known
from veridical.control1.tables import VERDICT
from veridical.documents.texts import fill, load_text
from veridical.models.exchange import Form
from veridical.models.forms import json_objects, split_thinking
from veridical.models.pieces import Part, Pieces, Span

RATIONALE_LENGTH = 300
CONTROLS = "".join(map(chr, range(32)))  # characters that JSON's texts don't hold as they are


def rubric(
    metrics: Sequence[str],
    language: str,
    wording: Mapping[str, Any] | None = None,
    own: Mapping[str, str] | None = None,
    text: str = "rubric",
) -> str:
    """The rubric with the metrics named, each in its own `wording` or in a shipped one.

    `text` names it among the fixed texts; it is the study's `own` where that has one. Raises
    ValueError where a metric has no wording in the language, or is named twice.
    """
    lines, lacking = metric_lines([*metrics], wording or {}, language, metrics_known(language))
    if lacking:
        raise ValueError("; ".join(lacking))
    if len(set(metrics)) < len(metrics) or not metrics:
        raise ValueError(f"the metrics {list(metrics)} must be at least one, each named once")
    listed = "\n".join(f"- {line}" for line in lines)
    return fill(load_text(text, language, own), {"metrics": listed})


def verdict_form(metrics: Sequence[str], *, rationale: bool) -> Form:
    """The form of a verdict: both answers' scores in [0, 1], after a short rationale if wanted.

    A server that binds by schema gets the schema; one that binds by grammar gets steps of 0.1,
    since a schema's bounds on a decimal number can't be written as a grammar there.
    """
    score = {"type": "number", "minimum": 0, "maximum": 1}
    scores = {
        "type": "object",
        "properties": dict.fromkeys(metrics, score),
        "required": list(metrics),
        "additionalProperties": False,
    }
    properties: dict[str, Any] = {"A": scores, "B": scores}
    if rationale:
        text = {"type": "string", "maxLength": RATIONALE_LENGTH}
        properties = {"rationale": text} | properties
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Form(kind="json", schema=schema, pieces=_pieces(metrics, rationale))


def _pieces(metrics: Sequence[str], rationale: bool) -> Pieces:
    """The same form in pieces, without white space, scores in steps of 0.1."""
    score = Part("score", (("0.", Span(digits)), ("1.0",)))
    pairs = [piece for metric in metrics for piece in (",", f"{json.dumps(metric)}:", score)]
    scores = Part("scores", (("{", *pairs[1:], "}"),))
    text = Part("text", (('"', Span(f'"\\{CONTROLS}', 1, RATIONALE_LENGTH, but=True), '"'),))
    reason = (f"{json.dumps('rationale')}:", text, ",") if rationale else ()
    return ("{", *reason, f"{json.dumps('A')}:", scores, f",{json.dumps('B')}:", scores, "}")


def read_verdicts(
    replies: pd.DataFrame, blinding_map: pd.DataFrame, metrics: Sequence[str]
) -> pd.DataFrame:
    """Read one judge's replies, unblind them, and say of each whether it is complete.

    Parameters
    ----------
    replies
        One row a sheet: id (the sheet's), state, value (the object), text (what was said, for the
        reason of one that fits no form), attempt and served_model.
    blinding_map
        The same judge's map (`blinding.blind`).
    metrics
        The metrics that a verdict must score.

    Returns
    -------
    pandas.DataFrame
        One row a sheet and metric, in the map's order. `state` is `complete` or `incomplete`; an
        incomplete verdict keeps its rows, with no score (never 0), the `reason` and where.

    Raises
    ------
    ValueError
        Where a sheet has two replies, or a reply belongs to no sheet of the map.
    """
    rows = []
    for sheet, reply in answered_sheets(replies, blinding_map):
        gap = incomplete_because(
            reply["state"], reply.get("value"), metrics, text=reply.get("text")
        )
        value = reply.get("value") if not gap.reason else None
        for metric in metrics:
            anchor, other = ("A", "B") if sheet["position_of_anchor"] == "A" else ("B", "A")
            rows.append(
                sheet
                | {
                    "metric": metric,
                    "anchor_score": float(value[anchor][metric]) if value else None,
                    "other_score": float(value[other][metric]) if value else None,
                    "anchor_position": sheet["position_of_anchor"],
                    "state": "incomplete" if gap.reason else "complete",
                    "reason": gap.reason,
                    "at": gap.at or None,
                    "attempt": reply.get("attempt"),
                    "rationale": (value or {}).get("rationale"),
                    "served_model": reply.get("served_model"),
                }
            )
    table = pd.DataFrame(rows, columns=VERDICT.names)
    return table.astype({"anchor_score": float, "other_score": float})


def answered_sheets(
    replies: pd.DataFrame, blinding_map: pd.DataFrame
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each sheet of one judge's map with the reply to it, `missing` where there is none.

    Raises ValueError as `read_verdicts` does.
    """
    repeated = replies["id"][replies["id"].duplicated()].unique()
    if len(repeated):
        raise ValueError(f"sheets with more than one verdict: {', '.join(map(str, repeated))}")
    strange = sorted(set(replies["id"]) - set(blinding_map["sheet_id"]))
    if strange:
        raise ValueError(
            f"verdicts on sheets that the blinding map lacks: {', '.join(map(str, strange))}; "
            "the map belongs to other sheets"
        )
    by_sheet = replies.set_index("id").to_dict("index")
    for sheet in blinding_map.to_dict("records"):
        yield sheet, by_sheet.get(sheet["sheet_id"], {"state": "missing", "value": None})


class Gap(NamedTuple):
    """Why a verdict is incomplete: a word of `tables.REASONS`, empty where it is complete, and at
    which answer or score (`A`, `A/tone`), empty where it is no one's."""

    reason: str
    at: str = ""


def incomplete_because(
    state: str, value: Any, metrics: Sequence[str], *, text: str | None = None
) -> Gap:
    """Why a reply is no complete verdict.

    `text` is what the judge said: where it fits no form, it is looked at for what is wrong.

    >>> incomplete_because("unparseable", None, ["tone"], text='{"A": {"tone": 1.7}}')
    Gap(reason='out of range', at='A/tone')
    """
    return gap_of(state, value, lambda found: _fault(found, metrics), text)


def gap_of(state: str, value: Any, fault: Callable[[Any], Gap], text: str | None) -> Gap:
    """Why a reply is incomplete; `fault` says what an object lacks or gets wrong first."""
    if state == "unparseable" and text is not None:
        objects = json_objects(split_thinking(text)[0])
        if not objects:
            return Gap("not JSON")
        if len(objects) > 1:
            return Gap("several objects")
        found = fault(objects[0])
        return found if found.reason else Gap("another form")
    return Gap(state) if state != "ok" else fault(value)


def _fault(value: Any, metrics: Sequence[str]) -> Gap:
    """The first thing that an object lacks or gets wrong."""
    if not isinstance(value, Mapping):
        return Gap("no object")
    for answer in ("A", "B"):
        scores = value.get(answer)
        if not isinstance(scores, Mapping):
            return Gap("no scores", answer)
        for metric in metrics:
            at = f"{answer}/{metric}"
            if metric not in scores:
                return Gap("no score", at)
            score = scores[metric]
            if isinstance(score, bool) or not isinstance(score, int | float):
                return Gap("no number", at)
            if not 0 <= score <= 1:  # NaN fails as well
                return Gap("out of range", at)
    return Gap("")


def incomplete(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The incomplete verdicts, one row each: sheet_id, judge, session, item_id, reason, at."""
    rows = verdicts[verdicts["state"] != "complete"]
    return rows[["sheet_id", "judge", "session", "item_id", "reason", "at"]].drop_duplicates()
