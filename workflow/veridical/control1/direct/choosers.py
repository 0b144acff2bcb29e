"""How each judge chose: by place, by neither, and the same again or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from veridical.control1.direct.choices import PAIR, in_both_orders, whole_pairs
from veridical.control1.direct.rules import WORTH
from veridical.control1.direct.tables import CHOOSERS, CONSTANT, NEITHER
from veridical.control1.tables import QUOTED, REPEATED


def chooser_table(choices: pd.DataFrame) -> pd.DataFrame:
    """Every judge on every metric: columns as `tables.CHOOSERS`.

    `choices` are all of them, the incomplete ones too (`tables.CHOICES`).
    """
    rows = [
        {"judge": judge, "metric": metric} | _chooser(own)
        for (judge, metric), own in choices.groupby(["judge", "metric"], sort=False)
    ]
    table = pd.DataFrame(rows, columns=CHOOSERS.names)
    shares = ["first", "neither", "same_answer", "chosen_again", "quoted"]
    return table.astype(dict.fromkeys(shares, float))


def _chooser(own: pd.DataFrame) -> dict[str, Any]:
    complete = own[own["state"] == "complete"]
    chosen = _chosen(complete)
    sides = chosen[chosen != NEITHER]
    quoted = complete[complete["session"] == QUOTED]["preferred"].map(WORTH)
    same = _twice(in_both_orders(whole_pairs(own)))
    again = _twice(_on_the_same_sheet(complete))
    return {
        "sheets": len(complete),
        "incomplete": len(own) - len(complete),
        "first": _share(sides == "A"),
        "neither": float((chosen == NEITHER).mean()) if len(chosen) else 0.0,
        "both_orders": len(same),
        "same_answer": _share(same),
        "given_twice": len(again),
        "chosen_again": _share(again),
        "n_quoted": len(quoted),
        "quoted": quoted.mean() if len(quoted) else np.nan,
        "note": CONSTANT if len(chosen) > 1 and chosen.nunique() == 1 else "",
    }


def _chosen(rows: pd.DataFrame) -> pd.Series:
    """What was named on the sheet: A, B or neither."""
    other = rows["own_position"].map({"A": "B", "B": "A"})
    return rows["own_position"].where(rows["preferred"] == "own", other).where(
        rows["preferred"] != NEITHER, NEITHER
    )  # fmt: skip


def _on_the_same_sheet(complete: pd.DataFrame) -> pd.DataFrame:
    """The choices on sheets that were given twice, both times."""
    again = complete[complete["session"] == REPEATED]
    keys = [*PAIR, "own_position"]
    return complete.merge(again[keys].drop_duplicates(), on=keys)


def _twice(rows: pd.DataFrame) -> pd.Series:
    """Of each pair that was judged twice, whether the same was preferred both times."""
    groups = rows.groupby([*PAIR], dropna=False)["preferred"]
    return (groups.nunique() == 1)[groups.size() == 2]


def _share(flags: pd.Series) -> float:
    return float(flags.mean()) if len(flags) else np.nan
