"""Contrasts of which there is nothing to analyse: not asked, or without a complete verdict.

Each counts as p = 1 on every metric, so that no other finding is corrected over fewer tests for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from veridical.control1.tables import CELL, QUOTED, REPEATED

REFUSED = "not admitted"  # a bank of the memory system isn't, so nobody was asked
UNREAD = "no verdict"  # judges were asked, and none gave a complete one on both sides
COUNTED = ("n_items", "n_documents")  # of a finding, and 0 here
MEASURED = (  # of a finding, and missing here
    *("estimate", "low", "high", "documents_low", "documents_high"),
    *("p_items", "p_documents", "p_same"),
)
Contrast = tuple[str, str, str]  # responder, corpus, contrast


def asked_of(verdicts: pd.DataFrame) -> list[Contrast]:
    """The contrasts that a judge was asked about, in their order, each once."""
    main = ~verdicts["session"].isin([QUOTED, REPEATED]) & (verdicts["condition"] != "veridical")
    rows = verdicts.loc[main, [*CELL, "condition"]].drop_duplicates()
    names = rows["condition"].astype(str)
    return list(zip(*(rows[name] for name in CELL), "veridical-" + names, strict=True))


def lacking_rows(
    metrics: Sequence[str],
    refused: Sequence[Contrast],
    unread: Sequence[Contrast],
    beside: pd.DataFrame,
    *,
    counted: Sequence[str] = COUNTED,
    measured: Sequence[str] = MEASURED,
) -> pd.DataFrame:
    """A row a metric and contrast: of no item, with no p. What the panel is known to notice on a
    corpus's metric stands `beside` (corpus, metric, sensitive)."""
    found = {**dict.fromkeys(unread, UNREAD), **dict.fromkeys(refused, REFUSED)}
    rows = [(*each, metric, word) for metric in metrics for each, word in found.items()]
    columns = [*CELL, "contrast", "metric", "finding"]
    table = pd.DataFrame(rows, columns=columns, dtype=object)
    keys = ["corpus", "metric"]
    table = table.merge(beside[[*keys, "sensitive"]].drop_duplicates(keys), on=keys, how="left")
    table["sensitive"] = table["sensitive"].fillna("not run").astype(object)
    return table.assign(**dict.fromkeys(counted, 0), **dict.fromkeys(measured, np.nan))


def nothing_known(
    metrics: Sequence[str], refused: Sequence[Contrast], unread: Sequence[Contrast] = ()
) -> pd.DataFrame:
    """The findings of a study in which there is nothing to analyse, as `conclude` gives them."""
    beside = pd.DataFrame(columns=["corpus", "metric", "sensitive"], dtype=object)
    table = lacking_rows(metrics, refused, unread, beside)
    for test in ("items_holm", "documents_holm", "same_hochberg"):
        table[f"p_{test}"] = 1.0
    return table
