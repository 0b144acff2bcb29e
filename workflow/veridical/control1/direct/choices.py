"""Direct pairs: what a judge chooses between, the form it answers in, and reading what came back.

The answer given with the agent's own memory takes the anchor's place in the blinding map: sides are
drawn, balanced and numbered as an anchor's are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from veridical.control1.blinding import OTHER
from veridical.control1.direct.tables import CHOICES, NEITHER
from veridical.control1.tables import CELL, REPEATED, REVERSED
from veridical.control1.verdicts import (
    CONTROLS,
    RATIONALE_LENGTH,
    Gap,
    answered_sheets,
    gap_of,
)
from veridical.models.exchange import Form
from veridical.models.pieces import Part, Pieces, Span

SIDES = ("A", "B", NEITHER)
PAIR = [*CELL, "item_id", "condition", "seed"]


def facing(responses: pd.DataFrame) -> pd.DataFrame:
    """The responses with the own memory's answer in the anchor's place, and no anchor.

    An anchor is shown on no direct sheet: a judge would compare wordings with it, and where the
    responder gave the anchors too, the own memory's answer is the nearer by its making.
    """
    kept = responses[responses["condition"] != "anchor"].reset_index(drop=True)
    own = kept["condition"] == "veridical"
    return kept.assign(condition=kept["condition"].where(~own, "anchor"))


def choice_form(metrics: Sequence[str], *, rationale: bool) -> Form:
    """The form of a direct verdict: on each metric A, B or neither, after a rationale if wanted."""
    side = {"type": "string", "enum": list(SIDES)}
    properties: dict[str, Any] = {}
    if rationale:
        properties["rationale"] = {"type": "string", "maxLength": RATIONALE_LENGTH}
    properties |= dict.fromkeys(metrics, side)
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Form(kind="json", schema=schema, pieces=_pieces(metrics, rationale))


def _pieces(metrics: Sequence[str], rationale: bool) -> Pieces:
    """The same form in pieces, without white space."""
    text = Part("text", (('"', Span(f'"\\{CONTROLS}', 1, RATIONALE_LENGTH, but=True), '"'),))
    pieces: list[Any] = ["{", *((f"{json.dumps('rationale')}:", text) if rationale else ())]
    for place, metric in enumerate(metrics):
        comma = "," if place or rationale else ""
        pieces += [f"{comma}{json.dumps(metric)}:", tuple(json.dumps(side) for side in SIDES)]
    return (*pieces, "}")


def read_choices(
    replies: pd.DataFrame, blinding_map: pd.DataFrame, metrics: Sequence[str]
) -> pd.DataFrame:
    """Read one judge's replies, unblind them, and say of each whether it is complete.

    Parameters
    ----------
    replies
        One row a sheet: id (the sheet's), state, value (the object), text (what was said, for the
        reason of one that fits no form), attempt and served_model.
    blinding_map
        The same judge's map; its anchors are the own memory's answers (`facing`).
    metrics
        The metrics on which a verdict must name a side, or neither.

    Returns
    -------
    pandas.DataFrame
        One row a sheet and metric, in the map's order (`tables.CHOICES`). An incomplete verdict
        keeps its rows, with nothing preferred (never `neither`), the reason and where.

    Raises
    ------
    ValueError
        Where a sheet has two replies, or a reply belongs to no sheet of the map.
    """
    rows = [
        row
        for sheet, reply in answered_sheets(replies, blinding_map)
        for row in _read(sheet, reply, metrics)
    ]
    return pd.DataFrame(rows, columns=CHOICES.names)


def _read(
    sheet: Mapping[str, Any], reply: Mapping[str, Any], metrics: Sequence[str]
) -> list[dict[str, Any]]:
    """One sheet's rows: what was preferred on each metric, or why nothing is known of it."""
    gap = unread_because(reply["state"], reply.get("value"), metrics, text=reply.get("text"))
    value = {} if gap.reason else reply["value"]
    own = sheet["position_of_anchor"]
    names = {own: "own", OTHER[own]: "other", NEITHER: NEITHER}
    return [
        {
            **sheet,
            "metric": metric,
            "own_position": own,
            "preferred": names[value[metric]] if value else None,
            "state": "incomplete" if gap.reason else "complete",
            "reason": gap.reason,
            "at": gap.at or None,
            "attempt": reply.get("attempt"),
            "rationale": value.get("rationale"),
            "served_model": reply.get("served_model"),
        }
        for metric in metrics
    ]


def unread_because(
    state: str, value: Any, metrics: Sequence[str], *, text: str | None = None
) -> Gap:
    """Why a reply is no complete choice.

    `text` is what the judge said: where it fits no form, it is looked at for what is wrong.

    >>> unread_because("unparseable", None, ["tone"], text='{"tone": "both"}')
    Gap(reason='no side', at='tone')
    """
    return gap_of(state, value, lambda found: _fault(found, metrics), text)


def _fault(value: Any, metrics: Sequence[str]) -> Gap:
    """The first thing that an object lacks or gets wrong."""
    if not isinstance(value, Mapping):
        return Gap("no object")
    for metric in metrics:
        if metric not in value:
            return Gap("no choice", metric)
        if value[metric] not in SIDES:
            return Gap("no side", metric)
    return Gap("")


def whole_pairs(choices: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """The choices on pairs that a judge completed in every order in which it was shown them.

    One order alone would bring in what standing first is worth to that judge. Sheets that were
    given once more as they stood are noise's, not a pair's.
    """
    shown = choices[choices["session"] != REPEATED].reset_index(drop=True)
    keys = [*by, "judge", *PAIR]
    lost = shown[shown["state"] != "complete"][keys].drop_duplicates()
    if lost.empty:
        return shown
    marked = shown.merge(lost, on=keys, how="left", indicator=True)
    return marked[marked["_merge"] == "left_only"].drop(columns="_merge").reset_index(drop=True)


def in_both_orders(choices: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Of choices, those on pairs that stand there in both orders."""
    keys = [*by, "judge", *PAIR]
    again = choices[choices["session"] == REVERSED][keys].drop_duplicates()
    return choices.merge(again, on=keys)
