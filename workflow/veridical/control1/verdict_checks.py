"""Is the table of verdicts whole? Nothing is analysed before it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from veridical.base.contract import Contract
from veridical.base.tables import read_table
from veridical.control1.blinding import read_map
from veridical.control1.direct.tables import CHOICES
from veridical.control1.tables import CELL, NONE, SESSIONS, VERDICT
from veridical.control1.verdicts import incomplete

GRID = (*SESSIONS, NONE)  # sessions in which every item stands; the others show some of them again
KEYS = ["judge", "session", *CELL, "item_id", "condition", "seed", "metric"]


def load_verdicts(
    verdicts: Path | str, blinding_map: Path | str, settings: Mapping[str, Any]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read `verdicts.csv` and check it against the map and the config's `control1`.

    Returns every verdict, and the complete ones that the analysis rests on. Raises ValueError as
    `check_verdicts` does, and where verdicts and map don't hold the same sheets. Where the control
    goes through a memory system of which no bank was admitted, both are empty.
    """
    return _load(verdicts, VERDICT, blinding_map, settings, check_verdicts)


def load_choices(
    choices: Path | str, blinding_map: Path | str, settings: Mapping[str, Any]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same of direct pairs: every choice, and the complete ones. Raises as `load_verdicts`."""
    return _load(choices, CHOICES, blinding_map, settings, check_whole)


def _load(
    verdicts: Path | str,
    contract: Contract,
    blinding_map: Path | str,
    settings: Mapping[str, Any],
    check: Callable[..., pd.DataFrame],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    every = read_table(verdicts, contract)
    drawn = read_map(blinding_map)
    if settings.get("memory") and drawn.empty and every.empty:
        return every, every
    sheets = every["sheet_id"]
    if settings.get("original_csv"):  # judged in an earlier study: on no sheet of this one
        sheets = sheets[every["session"] != "original"]
    apart = sorted(set(sheets) ^ set(drawn["sheet_id"]))
    if apart:
        raise ValueError(
            f"{verdicts} and {blinding_map} don't hold the same sheets: {', '.join(apart[:8])}"
        )
    complete = check(
        every,
        settings["judges"],
        settings["metrics"],
        drawn[drawn["session"].isin(GRID)][[*CELL, "item_id"]].drop_duplicates(),
        omit_incomplete=settings.get("omit_incomplete", False),
        path=verdicts,
    )
    return every, complete


def check_verdicts(
    verdicts: pd.DataFrame,
    judges: Sequence[str],
    metrics: Sequence[str],
    items: pd.DataFrame,
    *,
    omit_incomplete: bool = False,
    path: Path | str = "verdicts.csv",
) -> pd.DataFrame:
    """The complete verdicts, once it is sure that the design is whole.

    Parameters
    ----------
    verdicts
        One row a verdict and metric: sheet_id, judge, session, responder, corpus, item_id,
        condition, seed, metric, anchor_score, other_score, state, reason.
    judges, metrics, items
        What the study declares, the items by cell (responder, corpus, item_id); each judge must
        have scored each item on each metric once under the veridical memory and once under every
        counterfeit of its corpus (and with none, where that was asked), and each pair that is shown
        beside those to any judge.
    omit_incomplete
        Go on without incomplete verdicts, which the caller must then name; else they stop it.
    path
        The file that the verdicts come from, to be named where some are incomplete.

    Raises
    ------
    ValueError
        Naming the rows: a score outside [0, 1], and what `check_whole` refuses.
    """
    more = {"omit_incomplete": omit_incomplete, "path": path}
    whole = check_whole(verdicts, judges, metrics, items, **more)
    scores = whole[["anchor_score", "other_score"]]
    outside = whole[~((scores >= 0) & (scores <= 1)).all(axis=1)]
    if len(outside):
        raise ValueError(f"scores outside [0, 1] or missing: {_named(outside)}")
    return whole


def check_whole(
    verdicts: pd.DataFrame,
    judges: Sequence[str],
    metrics: Sequence[str],
    items: pd.DataFrame,
    *,
    omit_incomplete: bool = False,
    path: Path | str = "verdicts.csv",
) -> pd.DataFrame:
    """The complete verdicts, of scores or of choices, once it is sure that the design is whole.

    Parameters as `check_verdicts` has them. Raises ValueError, naming the rows, at a verdict given
    twice, a judge, metric, item or cell missing, incomplete verdicts (counted by judge, one
    quoted), fewer than two items.
    """
    few = items.groupby(list(CELL)).size().min() if len(items) else 0
    if few < 2:
        raise ValueError(f"a contrast needs at least 2 items, and the study has {few}")
    main = verdicts[verdicts["session"].isin(GRID)]
    for column, declared in (
        ("judge", judges),
        ("metric", metrics),
        *((name, items[name].unique()) for name in (*CELL, "item_id")),
    ):
        lacking = [name for name in declared if name not in set(main[column])]
        extra = sorted(set(main[column]) - set(declared))
        if lacking:
            raise ValueError(f"no verdict has the {column} {', '.join(map(repr, lacking))}")
        if extra:
            raise ValueError(f"verdicts have the undeclared {column} {', '.join(map(repr, extra))}")
    repeated = verdicts[verdicts.duplicated(KEYS)]
    if len(repeated):
        raise ValueError(f"verdicts occur twice: {_named(repeated)}")
    documents = main[["session", "corpus", "condition", "seed"]].drop_duplicates()
    again = verdicts[~verdicts["session"].isin(GRID)]
    pairs = pd.concat(
        [
            items.merge(documents, on="corpus"),
            again[["responder", "item_id", *documents.columns]].drop_duplicates(),
        ]
    )
    cells = pd.MultiIndex.from_product([judges, metrics], names=["judge", "metric"])
    grid = cells.to_frame(index=False).merge(pairs, how="cross")
    grid = grid.merge(verdicts[KEYS], indicator=True, how="left")
    absent = grid[grid["_merge"] == "left_only"]
    if len(absent):
        raise ValueError(f"{len(absent)} scores are missing: {_named(absent)}")
    gaps = incomplete(verdicts)
    if len(gaps) and not omit_incomplete:
        asked = verdicts.groupby("judge")["sheet_id"].nunique()
        failing = gaps["judge"].value_counts()
        counts = ", ".join(
            f"{judge} {failing[judge]} of {asked[judge]}" for judge in judges if judge in failing
        )
        raise ValueError(
            f"{path}: {len(gaps)} verdicts are incomplete ({counts}), such as "
            f"{gaps['sheet_id'].iloc[0]}: {_why(gaps.iloc[0])}. The columns reason and at say of "
            "each what is wrong. Collect them again, or set control1.omit_incomplete, and the "
            "tables will name them"
        )
    return verdicts[verdicts["state"] == "complete"]


def _why(gap: pd.Series) -> str:
    """An incomplete verdict's reason, and where."""
    return f"{gap['reason']} ({gap['at']})" if pd.notna(gap["at"]) else str(gap["reason"])


def _named(rows: pd.DataFrame) -> str:
    """The first rows of a table as a list for a message."""
    keys = [key for key in KEYS if key != "session"]
    shown = [" ".join(map(str, row)) for row in rows[keys].head(8).itertuples(index=False)]
    more = f" and {len(rows) - 8} more" if len(rows) > 8 else ""
    return "; ".join(shown) + more
