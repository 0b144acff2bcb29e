"""Blinding: which answer stands first, how the pairs are numbered, and what a judge reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from veridical.base.characters import fence
from veridical.base.tables import read_table
from veridical.control1.beside import PAIR, quoted_pairs
from veridical.control1.tables import BLINDING, NONE, REPEATED, REVERSED
from veridical.documents.texts import fill, load_text
from veridical.models.exchange import Form
from veridical.models.prompts import Prompt, Turn

SESSION = {"veridical": "original", NONE: NONE}  # every other condition is a counterfeit's
OTHER = {"A": "B", "B": "A"}

JUDGED = ("ok", "truncated", "refused")  # states of a response whose text can be judged as it is


def usable(responses: pd.DataFrame) -> pd.Series:
    """Which responses have a text that can be judged as it stands."""
    text = responses["text"].fillna("").astype(str).str.strip()
    return responses["state"].isin(JUDGED) & (text != "")


def check_responses(
    responses: pd.DataFrame, items: Sequence[str], *, accepted: Sequence[bool] | None = None
) -> None:
    """Refuse responses that don't give every item an anchor and one answer to every document.

    `responses` has the columns item_id, document, condition (veridical, foreign, shuffled or
    anchor), seed, text and state. A truncated answer counts as it stands (the token budget is part
    of the design). Raises ValueError, naming the items and documents that lack an answer, have two,
    or have one that is empty or failed and not `accepted` (a truth for each row).
    """
    keys = responses[["item_id", "document"]]
    repeated = keys[keys.duplicated()]
    if len(repeated):
        raise ValueError(f"responses occur twice: {_named(repeated)}")
    unknown = keys[~keys["item_id"].isin(items)]
    if len(unknown):
        raise ValueError(f"responses to items that the test day lacks: {_named(unknown)}")
    if (responses["condition"] == "anchor").sum() == 0:
        raise ValueError("there is no anchor among the responses: nothing can be compared")
    good = usable(responses) if accepted is None else usable(responses) | np.asarray(accepted)
    unusable = responses[~good]
    if len(unusable):
        found = _named(unusable[["item_id", "document", "state"]])
        raise ValueError(
            f"responses that can't be judged: {found}; collect them again, or leave them out, or "
            "accept them as they are, by the config's `replies`"
        )
    given = set(keys.itertuples(index=False, name=None))
    missing = [
        (item, document)
        for document in responses["document"].unique()
        for item in items
        if (item, document) not in given
    ]
    if missing:
        raise ValueError(
            f"{len(missing)} responses are missing (item, document): "
            + ", ".join(f"{item} {document}" for item, document in missing)
        )


def judge_rng(seed: int, judge: str) -> np.random.Generator:
    """The judge's own stream of random numbers: independent of the other judges and their order."""
    return np.random.default_rng([seed, *judge.encode()])


def blind(
    responses: pd.DataFrame,
    judge: str,
    rng: np.random.Generator,
    *,
    again: Mapping[str, pd.DataFrame] | None = None,
    positive: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Draw one judge's blinding map, in the order in which its sheets are numbered.

    Each answer to a memory document is paired with its item's anchor. The anchor stands first in
    half of the pairs of each session, and within it of each condition, as nearly as the counts
    allow; of a pair known by construction (`positive`) the quotation of the own memory takes the
    anchor's place. What `again` shows once more stands the other way round (`reversed`), or as it
    stood (`repeated`). All sheets are numbered in one random order, so that a sheet's number
    doesn't tell what it is for.

    Returns a table with the columns sheet_id, judge, session (original for veridical, none where
    there was no document, counterfeit for the rest; positive, reversed, repeated), item_id,
    document, condition, seed and position_of_anchor (A or B).
    """
    pairs = responses[responses["condition"] != "anchor"][PAIR]
    pairs = pairs.assign(session=pairs["condition"].map(SESSION).fillna("counterfeit"))
    if positive is not None and len(positive):
        pairs = pd.concat([pairs, quoted_pairs(positive)])
    pairs = pairs.reset_index(drop=True)
    position = np.empty(len(pairs), dtype=object)
    for _, rows in pairs.groupby("session", sort=True).groups.items():
        position[rows] = _balanced(pairs.loc[rows, "condition"].to_numpy(), rng)
    table = _with_those_again(pairs.assign(judge=judge, position_of_anchor=position), again or {})
    table = table.iloc[rng.permutation(len(table))].reset_index(drop=True)
    width = max(3, len(str(len(table))))
    table["sheet_id"] = [f"{judge}-{number:0{width}d}" for number in range(1, len(table) + 1)]
    return table[BLINDING.names]


def _with_those_again(table: pd.DataFrame, again: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The pairs, and after them those that are shown once more."""
    tables = [table]
    for session, pairs in again.items():
        shown = pairs[["item_id", "document"]].merge(table, on=["item_id", "document"])
        if session == REVERSED:
            shown["position_of_anchor"] = shown["position_of_anchor"].map(OTHER)
        tables.append(shown.assign(session=session))
    return pd.concat(tables, ignore_index=True)


def _balanced(conditions: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A or B for each pair of a session: half and half in each condition; odd ones take turns."""
    position = np.empty(len(conditions), dtype=object)
    extra = int(rng.integers(2))
    for condition in rng.permutation(np.unique(conditions.astype(str))):
        rows = np.flatnonzero(conditions == condition)
        half, odd = divmod(len(rows), 2)
        n_first = half + (extra if odd else 0)
        extra = 1 - extra if odd else extra
        letters = np.array(["A"] * n_first + ["B"] * (len(rows) - n_first), dtype=object)
        position[rows] = rng.permutation(letters)
    return position


def sheets(
    blinding_map: pd.DataFrame,
    responses: pd.DataFrame,
    inputs: Mapping[str, str],
    rubric: str,
    form: Form,
    *,
    language: str,
    parameters: Mapping[str, Any] | None = None,
    positive: pd.DataFrame | None = None,
    own: Mapping[str, str] | None = None,
) -> list[Prompt]:
    """One judge's sheets: the rubric, then the input and both answers, and nothing that tells more.

    The rubric is the system prompt, the same for every sheet; `inputs` maps item ids to the texts
    of the test day, `positive` holds the pairs known by construction, `own` the study's own texts.
    Every sheet is judged by itself; they stand in the order of their texts, so that a judge in the
    process reads once what one sheet shares with the next. A sheet that is judged twice is asked
    anew, never taken from the ledger. Raises ValueError where the map and the responses don't fit
    together.
    """
    template = load_text("sheet", language, own)
    texts = _texts(responses, inputs) | _quotations(positive)
    prompts = []
    for row in blinding_map.itertuples(index=False):
        if (row.item_id, row.document) not in texts:
            raise ValueError(
                f"sheet {row.sheet_id} pairs item {row.item_id} under {row.document}, which the "
                "responses lack: the blinding map belongs to other responses"
            )
        asked, anchor, other = texts[(row.item_id, row.document)]
        first, second = (anchor, other) if row.position_of_anchor == "A" else (other, anchor)
        values = {"input": fence(asked), "answer_a": fence(first), "answer_b": fence(second)}
        turn = Turn(fill(template, values), form=form, system=rubric)
        take = int(row.session == REPEATED)
        prompts.append(Prompt(row.sheet_id, (turn,), parameters=dict(parameters or {}), take=take))
    return sorted(prompts, key=lambda prompt: prompt.turns[0].user)


def _texts(
    responses: pd.DataFrame, inputs: Mapping[str, str]
) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Input, anchor and answer of every item and document."""
    anchors = responses[responses["condition"] == "anchor"].set_index("item_id")["text"]
    rows = responses[responses["item_id"].isin(anchors.index)]
    return {
        (row.item_id, row.document): (inputs[row.item_id], anchors[row.item_id], row.text)
        for row in rows[rows["condition"] != "anchor"].itertuples(index=False)
    }


def _quotations(positive: pd.DataFrame | None) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Input, the own memory quoted and the stranger's, of every pair known by construction."""
    if positive is None:
        return {}
    rows = positive.itertuples(index=False)
    return {(row.item_id, row.document): (row.input, row.own, row.stranger) for row in rows}


def read_map(path: Path | str, judge: str | None = None) -> pd.DataFrame:
    """Read `blinding_map.csv`, whole or one judge's rows; ValueError where others have some and it
    has none."""
    table = read_table(path, BLINDING)
    if judge is None:
        return table
    own = table[table["judge"] == judge].reset_index(drop=True)
    if own.empty and len(table):
        raise ValueError(f"{path}: judge {judge!r} is not in the blinding map")
    return own


def _named(rows: pd.DataFrame) -> str:
    return ", ".join(" ".join(map(str, row)) for row in rows.itertuples(index=False, name=None))
