"""Blinding: which answer stands first, how the pairs are numbered, and what a judge reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from veridical.base.characters import fence
from veridical.base.tables import read_table
from veridical.control1.asks import texts_shown
from veridical.control1.beside import PAIR, quoted_pairs
from veridical.control1.cells import by_cell
from veridical.control1.tables import BLINDING, CELL, NONE, REPEATED, REVERSED
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


def check_cells(
    responses: pd.DataFrame,
    cells: Sequence[tuple[str, str]],
    items: Mapping[str, Sequence[str]],
    *,
    anchored: bool = True,
) -> None:
    """Refuse responses that lack a cell or, in one, an answer (`check_responses`).

    `cells` are (responder, corpus), `items` the test day's by corpus. Raises ValueError, naming the
    cell where there are several.
    """
    given = dict(by_cell(responses))
    missing = [" ".join(cell) for cell in cells if cell not in given]
    if missing:
        raise ValueError(f"there are no responses of (responder, corpus) {', '.join(missing)}")
    for (responder, corpus), rows in given.items():
        try:
            check_responses(rows, items[corpus], anchored=anchored)
        except ValueError as error:
            where = f"{responder} in corpus {corpus}: " if len(given) > 1 else ""
            raise ValueError(f"{where}{error}") from None


def check_responses(
    responses: pd.DataFrame,
    items: Sequence[str],
    *,
    accepted: Sequence[bool] | None = None,
    anchored: bool = True,
) -> None:
    """Refuse one cell's responses that lack an item's anchor, or its one answer to a document.

    `responses` has the columns item_id, document, condition (veridical, foreign, shuffled or
    anchor), seed, text and state. A truncated answer counts as it stands (the token budget is part
    of the design). Raises ValueError, naming the items and documents that lack an answer, have two,
    or have one that is empty or failed and not `accepted` (a truth for each row). Where nothing is
    `anchored` there need be no anchors.
    """
    keys = responses[["item_id", "document"]]
    repeated = keys[keys.duplicated()]
    if len(repeated):
        raise ValueError(f"responses occur twice: {_named(repeated)}")
    unknown = keys[~keys["item_id"].isin(items)]
    if len(unknown):
        raise ValueError(f"responses to items that the test day lacks: {_named(unknown)}")
    if anchored and (responses["condition"] == "anchor").sum() == 0:
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
    half of each cell's pairs in a session, and within it of each condition, as nearly as the counts
    allow; of a pair known by construction (`positive`) the quotation of the own memory takes the
    anchor's place. What `again` shows once more stands the other way round (`reversed`), or as it
    stood (`repeated`). The sheets of all cells are numbered in one random order, so that a sheet's
    number doesn't tell whose answer stands on it or what it is for.

    Returns a table with the columns sheet_id, judge, session (original for veridical, none where
    there was no document, counterfeit for the rest; positive, reversed, repeated), responder,
    corpus, item_id, document, condition, seed and position_of_anchor (A or B).
    """
    pairs = responses[responses["condition"] != "anchor"][PAIR]
    pairs = pairs.assign(session=pairs["condition"].map(SESSION).fillna("counterfeit"))
    if positive is not None and len(positive):
        pairs = pd.concat([pairs, quoted_pairs(positive)])
    pairs = pairs.reset_index(drop=True)
    position = np.empty(len(pairs), dtype=object)
    for _, rows in pairs.groupby(["session", *CELL], sort=True).groups.items():
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
        keys = [*CELL, "item_id", "document"]
        shown = pairs[keys].merge(table, on=keys)
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


@dataclass(frozen=True)
class Reading:
    """What a judge reads about one corpus besides the answers, in its language.

    inputs: the texts of the test day, by item id. rubric: the system prompt, the same for every
    sheet. own: the study's own texts. memory: the agent's true memory document, where the sheet
    shows it to an open-book judge; None where the judge is blind to it. direct: whether a side is
    to be named, and no score.
    """

    inputs: Mapping[str, str]
    rubric: str
    language: str
    own: Mapping[str, str] = field(default_factory=dict)
    memory: str | None = None
    direct: bool = False

    @property
    def template(self) -> str:
        """The text of a sheet."""
        name = texts_shown(direct=self.direct, opened=self.memory is not None)["sheet"]
        return load_text(name, self.language, self.own)

    @property
    def shown(self) -> dict[str, str]:
        """What the sheet shows of the memory."""
        return {} if self.memory is None else {"memory": fence(self.memory)}


def sheets(
    blinding_map: pd.DataFrame,
    responses: pd.DataFrame,
    readings: Mapping[str, Reading],
    form: Form,
    *,
    parameters: Mapping[str, Any] | None = None,
    positive: pd.DataFrame | None = None,
) -> list[Prompt]:
    """One judge's sheets: the rubric, then the input and both answers, and nothing that tells more.

    `readings` are what stands around the answers, by corpus; `positive` holds the pairs known by
    construction. Every sheet is judged by itself; they stand in the order of their texts, so that a
    judge in the process reads once what one sheet shares with the next. A sheet that is judged
    twice is asked anew, never taken from the ledger. Raises ValueError where the map and the
    responses don't fit together.
    """
    templates = {corpus: reading.template for corpus, reading in readings.items()}
    texts = _texts(responses, readings) | _quotations(positive)
    prompts = []
    for row in blinding_map.itertuples(index=False):
        key = (row.responder, row.corpus, row.item_id, row.document)
        if key not in texts:
            raise ValueError(
                f"sheet {row.sheet_id} pairs item {row.item_id} under {row.document}, which the "
                "responses lack: the blinding map belongs to other responses"
            )
        asked, anchor, other = texts[key]
        first, second = (anchor, other) if row.position_of_anchor == "A" else (other, anchor)
        values = {"input": fence(asked), "answer_a": fence(first), "answer_b": fence(second)}
        values |= readings[row.corpus].shown
        text, rubric = fill(templates[row.corpus], values), readings[row.corpus].rubric
        turn = Turn(text, form=form, system=rubric)
        take = int(row.session == REPEATED)
        prompts.append(Prompt(row.sheet_id, (turn,), parameters=dict(parameters or {}), take=take))
    return sorted(prompts, key=lambda prompt: (prompt.turns[0].system, prompt.turns[0].user))


Pair = tuple[str, str, str, str]  # responder, corpus, item, document
Texts = dict[Pair, tuple[str, str, str]]  # what was asked, the anchor, the answer beside it


def _texts(responses: pd.DataFrame, readings: Mapping[str, Reading]) -> Texts:
    """Input, anchor and answer of every item and document."""
    anchors = responses["condition"] == "anchor"
    keys = [*CELL, "item_id"]
    lived = responses[anchors][[*keys, "text"]].rename(columns={"text": "anchor"})
    return {
        (row.responder, row.corpus, row.item_id, row.document): (
            readings[row.corpus].inputs[row.item_id],
            row.anchor,
            row.text,
        )
        for row in responses[~anchors].merge(lived, on=keys).itertuples(index=False)
    }


def _quotations(positive: pd.DataFrame | None) -> Texts:
    """Input, the own memory quoted and the stranger's, of every pair known by construction."""
    if positive is None:
        return {}
    rows = positive.itertuples(index=False)
    return {
        ("", row.corpus, row.item_id, row.document): (row.input, row.own, row.stranger)
        for row in rows
    }


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
