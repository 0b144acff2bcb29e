"""What a study brings of Control 1: answers to the test day, and verdicts given elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from veridical.base.brought import UNNAMED
from veridical.base.contract import Contract, number, text, whole
from veridical.base.tables import read_table
from veridical.control1.blinding import SESSION
from veridical.control1.cells import in_cells
from veridical.control1.tables import (
    BESIDE,
    BLINDING,
    CELL,
    KINDS,
    NONE,
    QUOTED,
    RESPONSES,
    SCORE,
    SESSIONS,
    VERDICT,
)
from veridical.documents.names import NUMBERED

WHOSE = (
    text("responder", "who answered; the config's responder where it isn't said",
         missing=True, optional=True),
    text("corpus", "in which corpus; the config's where it isn't said",
         missing=True, optional=True),
)  # fmt: skip
OWN_RESPONSES = Contract(
    "own/responses",
    "Answers to the test day that were given elsewhere (`control1: responses_csv`).",
    text("item_id", "the item of the corpus's test day"),
    text(
        "condition", "the kind of document; anchor for the lived agent's answer", *KINDS, "anchor"
    ),
    whole("seed", "which of its condition, where there may be several", missing=True),
    text("text", "the answer as a reader sees it"),
    *WHOSE,
    key=(*CELL, "item_id", "condition", "seed"),
    by_hand=True,
)
OWN_VERDICTS = Contract(
    "own/verdicts",
    "Verdicts that were given elsewhere, or in an earlier study (`verdicts_csv`, `original_csv`).",
    text("judge", "who judged"),
    text("metric", "what was scored"),
    text("item_id", "the item answered"),
    text("condition", "the kind of document; quoted where memories are", *KINDS, "quoted"),
    whole("seed", "which of its condition, where there may be several", missing=True),
    number("anchor_score", "the score of the anchor", **SCORE, missing=True),
    number("other_score", "the score of the answer beside it", **SCORE, missing=True),
    text("anchor_position", "which of the two answers was the anchor", "A", "B"),
    text("session", "the judging session; by the condition where it isn't said", *SESSIONS, *BESIDE,
         missing=True, optional=True),
    *WHOSE,
    key=("judge", "metric", *CELL, "item_id", "condition", "seed", "session"),
    by_hand=True,
)  # fmt: skip


def read_own_responses(
    path: Path,
    test_days: Mapping[str, pd.DataFrame],
    documents: Mapping[str, Sequence[str]],
    *,
    none: bool,
    responders: Sequence[str] = (),
) -> pd.DataFrame:
    """Answers given elsewhere as `control1/responses`, a cell after the other.

    Parameters
    ----------
    test_days
        Each corpus's items: item_id and anchor, which is taken where the table brings none.
    documents
        The counterfeits that the config describes, by corpus, by name (`foreign-1`).
    none
        Whether it wants answers with no document as well.
    responders
        Those that the config names, if it names any.

    Raises ValueError naming file and row where the table breaks its contract, the corpora that it
    lacks, and the documents that it lacks or has beside those of the config.
    """
    table = _whose(in_cells(read_table(path, OWN_RESPONSES), path, responders, [*test_days]), path)
    table["document"] = _documents(table, path)
    lacking = sorted(set(test_days) - set(table["corpus"]))
    if lacking:
        raise ValueError(f"{path}: it has no answer in corpus {', '.join(lacking)}")
    cells = [
        _one_cell(rows, path, test_days[cell[1]], documents[cell[1]], none).assign(
            **dict(zip(CELL, cell, strict=True))
        )
        for cell, rows in table.groupby(list(CELL), sort=False)
    ]
    found = pd.concat(cells, ignore_index=True)
    return found.assign(state="ok").astype({"seed": "Int64"})[RESPONSES.names]


def _whose(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """The table, where every row says whose it is and in which corpus; ValueError at one that
    doesn't."""
    for column in CELL:
        bare = table.index[table[column].isna()]
        if len(bare):
            raise ValueError(
                f"{path}, row {bare[0] + 2}, column {column}: missing; say it in every row, or "
                "leave the column out"
            )
    return table


def _one_cell(
    table: pd.DataFrame, path: Path, test_day: pd.DataFrame, documents: Sequence[str], none: bool
) -> pd.DataFrame:
    """One cell's answers, with the lived ones where it brings no anchors of its own."""
    anchors = table["condition"] == "anchor"
    if not anchors.any() and (test_day["anchor"].str.strip() != "").all():
        lived = test_day.rename(columns={"anchor": "text"})[["item_id", "text"]]
        lived = lived.assign(condition="anchor", document="test-day")
        table = pd.concat([table, lived], ignore_index=True)
    wanted = {"veridical", *documents, *([NONE] if none else [])}
    found = set(table["document"][table["condition"] != "anchor"])
    for names, says in (
        (wanted - found, "it lacks {}: answer under them too, or take them out of the config "
         "(under documents, or control1/none)"),
        (found - wanted, "it has {}, which the config doesn't describe"),
    ):  # fmt: skip
        if names:
            raise ValueError(f"{path}: {says.format(', '.join(sorted(names)))}")
    return table


def _documents(table: pd.DataFrame, path: Path) -> pd.Series:
    """The names of the documents; ValueError where a counterfeit's seed is missing."""
    seeded = table["condition"].isin(NUMBERED)
    bare = table[seeded & table["seed"].isna()]
    if len(bare):
        raise ValueError(
            f"{path}, row {bare.index[0] + 2}, column seed: missing; it says which "
            f"{bare['condition'].iloc[0]} document it was (1, 2, ...)"
        )
    numbered = table["condition"] + "-" + table["seed"].astype("string").fillna("")
    return table["condition"].where(~seeded, numbered).astype(object)


def read_own_verdicts(
    path: Path,
    sheet: str = "{judge}-{number}",
    *,
    responders: Sequence[str] = (),
    corpora: Sequence[str] = (),
) -> pd.DataFrame:
    """Verdicts given elsewhere as `control1/verdicts`, a sheet a judge, session, item and document.

    A sheet on which a score is missing is incomplete. `sheet` names the sheets; `responders` and
    `corpora` are the config's, if it names any. Raises ValueError naming file and row where the
    table breaks its contract, or a sheet has its anchor in two places.
    """
    table = in_cells(read_table(path, OWN_VERDICTS), path, responders, corpora)
    table["document"] = _documents(table, path)
    by_condition = table["condition"].map({**SESSION, "quoted": QUOTED}).fillna("counterfeit")
    given = table.get("session", by_condition)
    table["session"] = given.where(given.notna(), by_condition)
    quoted = table["session"] == QUOTED
    table["responder"] = table["responder"].where(~quoted, "")  # nobody's answers
    table = _whose(table, path)
    pair = ["judge", "session", *CELL, "item_id", "document"]
    number_ = table.groupby(pair, sort=False).ngroup() + 1
    scored = table[["anchor_score", "other_score"]].notna().all(axis=1)
    whole_ = scored.groupby(number_).transform("all")
    names = zip(table["judge"], number_, strict=True)
    found = table.assign(
        sheet_id=[sheet.format(judge=judge, number=f"{n:04d}") for judge, n in names],
        state=whole_.map({True: "complete", False: "incomplete"}),
        reason=whole_.map({True: "", False: "no score"}),
        at=None,
        attempt=pd.NA,
        rationale=None,
        served_model=None,
    )
    apart = found.groupby("sheet_id", sort=False)["anchor_position"].nunique() > 1
    if apart.any():
        row = found.index[found["sheet_id"] == apart.index[apart][0]]
        raise ValueError(
            f"{path}, rows {row[0] + 2} and after, column anchor_position: one pair of one judge "
            "has both A and B; both answers stand on one sheet, so all its metrics have one"
        )
    scores = ["anchor_score", "other_score"]
    found[scores] = found[scores].where(whole_)
    return found[VERDICT.names]


def blinding_of(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The blinding map that verdicts imply: which pair stands on which sheet."""
    sheets = verdicts.drop_duplicates("sheet_id")
    return sheets.rename(columns={"anchor_position": "position_of_anchor"})[BLINDING.names]


def read_earlier(path: Path, now: pd.DataFrame) -> pd.DataFrame:
    """An earlier study's verdicts on its veridical pairs, as the `original` session of this one.

    `now` are this study's verdicts; both must have the same cells, judges, metrics and items, or
    what lies between the sessions is no drift. Where either doesn't say whose answers they were,
    the other does. Raises ValueError naming what differs.
    """
    earlier = read_own_verdicts(path, "earlier-{judge}-{number}")
    earlier = earlier[earlier["session"] == "original"]
    if earlier.empty:
        raise ValueError(f"{path} has no verdict of the session original (veridical pairs)")
    main = now[now["session"] == "counterfeit"]
    earlier = _named_alike(earlier, main)
    for column in ("judge", "metric", *CELL, "item_id"):
        then, here = set(earlier[column]), set(main[column])
        if then != here:
            apart = ", ".join(sorted(map(str, then ^ here)))
            raise ValueError(
                f"{path}: its {column} and this study's are not the same ({apart}); what lies "
                "between two sessions is drift only where all else is the same"
            )
    return earlier


def _named_alike(earlier: pd.DataFrame, now: pd.DataFrame) -> pd.DataFrame:
    """The earlier verdicts, with this study's one responder and corpus where a side has no name."""
    for column in CELL:
        then, here = set(earlier[column]), set(now[column])
        if len(then) == len(here) == 1 and UNNAMED in then | here:
            earlier = earlier.assign(**{column: here.pop()})
    return earlier
