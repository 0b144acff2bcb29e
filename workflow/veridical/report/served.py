"""What the page says of the names under which servers answered."""

from __future__ import annotations

import pandas as pd

from veridical.base.terminal import printable
from veridical.report.study import Study
from veridical.report.wording import Wording


def names_served(study: Study, words: Wording) -> list[str]:
    """A sentence for each model that was served under another name than it was asked for by, or
    under several in one stage; from the table `served`, empty without one."""
    table = study.tables.get("served")
    if table is None or table.empty:
        return []
    told = otherwise_named(table)
    return [
        _said(model, asked, rows, words)
        for (model, asked), rows in told.groupby(["model", "asked"], sort=False)
    ]


def otherwise_named(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of models that were served under another name than they were asked for by, or under
    several in one stage. Weights that run here are known by their hash, whatever they are called.
    """
    told = table[table["served"].notna() & (table["provider"] != "embedded")]
    several = told.groupby(["stage", "model"])["served"].transform("nunique") > 1
    return told[several | (told["served"] != told["asked"])].reset_index(drop=True)


def _said(model: str, asked: str, rows: pd.DataFrame, words: Wording) -> str:
    changed = bool((rows.groupby("stage")["served"].nunique() > 1).any())
    counts = rows.groupby("served", sort=False)["n_replies"].sum()
    names = words.join(
        f"{printable(name)} ({words.number(int(n), 0)})" for name, n in counts.items()
    )
    stages = words.join(words.value("stage", stage) for stage in dict.fromkeys(rows["stage"]))
    key = "page.served_changed" if changed else "page.served_otherwise"
    return words(key, model=model, asked=asked, served=names, stages=stages)
