"""A synthetic Control 1: responses, and verdicts of judges whose truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
from veridical.control1.blinding import blind, judge_rng
from veridical.control1.tables import RESPONSES, VERDICT

SEEDS = (1, 2, 3)
METRICS = ("identity_markers", "memory_reference")
JUDGES = ["one", "two"]
SETTINGS = {
    "judges": JUDGES,
    "metrics": list(METRICS),
    "equivalence_bound": 0.10,
    "registered": "unanchored",
    "resamples": 2_000,
}


def responses(
    n_items: int = 7, seeds: tuple[int, ...] = SEEDS, responder: str = "m", corpus: str = "A"
) -> pd.DataFrame:
    """One cell: an anchor, a veridical answer and one answer a counterfeit, for every item."""
    documents = [("encounter-log", "anchor", None), ("veridical", "veridical", None)]
    documents += [(f"{kind}-{s}", kind, s) for kind in ("foreign", "shuffled") for s in seeds]
    rows = [
        (responder, corpus, f"T{i}", name, condition, seed, f"text of T{i} under {name}", "ok")
        for name, condition, seed in documents
        for i in range(1, n_items + 1)
    ]
    return pd.DataFrame(rows, columns=RESPONSES.names).astype({"seed": "Int64"})


def verdicts(
    rng: np.random.Generator,
    *,
    n_items: int = 7,
    judges: tuple[str, ...] = ("one", "two", "three"),
    metrics: tuple[str, ...] = METRICS,
    effect: float = 0.0,
    item_sd: float = 0.04,
    noise: float = 0.0,
    drift: float = 0.0,
    first: float = 0.0,
    seed: int = 5,
    cells: tuple[tuple[str, str], ...] = (("m", "A"),),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The blinding map and the verdicts of a study whose true difference is `effect`.

    `item_sd` spreads the item differences, `noise` each score; in the counterfeit session every
    score is lower by `drift`; the text shown first scores higher by `first`. All `cells`
    (responder, corpus) are alike.
    """
    table = pd.concat([responses(n_items, responder=r, corpus=c) for r, c in cells])
    maps = pd.concat([blind(table, j, judge_rng(seed, j)) for j in judges], ignore_index=True)
    own = rng.normal(0, item_sd, size=(len(metrics), n_items))
    rows = []
    for sheet in maps.to_dict("records"):
        for m, metric in enumerate(metrics):
            item = int(sheet["item_id"][1:]) - 1
            anchor, other = 0.5, 0.5 + (own[m, item] + effect) * (sheet["condition"] == "veridical")
            shift = -drift if sheet["session"] == "counterfeit" else 0.0
            anchor_first = sheet["position_of_anchor"] == "A"
            rows.append(
                sheet
                | {
                    "metric": metric,
                    "anchor_score": anchor + shift + first * anchor_first + rng.normal(0, noise),
                    "other_score": other
                    + shift
                    + first * (not anchor_first)
                    + rng.normal(0, noise),
                    "anchor_position": sheet["position_of_anchor"],
                    "state": "complete",
                    "reason": "",
                    "at": None,
                    "attempt": 1,
                    "rationale": "",
                    "served_model": sheet["judge"],
                }
            )
    return maps, pd.DataFrame(rows, columns=VERDICT.names)
