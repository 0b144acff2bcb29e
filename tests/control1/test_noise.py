"""The same sheet judged twice: by hand, and what does not count."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from veridical.control1.noise import noise_table
from veridical.control1.panel_tables import NOISE

COLUMNS = ["judge", "session", "item_id", "document", "condition", "seed"]
COLUMNS += ["metric", "anchor_score", "other_score"]


def sheets(*rows) -> pd.DataFrame:
    """Verdicts of judge `x` on metric `m` from (session, item, document, anchor, other)."""
    filled = []
    for session, item, document, anchor, other in rows:
        kind, _, seed = document.partition("-")
        head = ("x", session, item, document, kind, int(seed) if seed else None)
        filled.append((*head, "m", anchor, other))
    table = pd.DataFrame(filled, columns=COLUMNS).astype({"seed": "Int64"})
    return table.assign(responder="m", corpus="A")


SOURCE = [
    ("original", "T1", "veridical", 0.5, 0.6),
    ("counterfeit", "T1", "foreign-1", 0.7, 0.4),
    ("original", "T2", "veridical", 0.2, 0.2),
    ("counterfeit", "T2", "foreign-1", 0.2, 0.2),
]


def test_noise_and_movement_by_hand():
    again = [("repeated", "T1", "veridical", 0.6, 0.6), ("repeated", "T2", "foreign-1", 0.2, 0.4)]
    (row,) = noise_table(sheets(*SOURCE, *again)).itertuples()
    # differences of the four texts: 0.1, 0, 0, 0.2; half their mean square is 0.05 / 8
    assert (row.n_repeated, row.identical) == (4, 0.5)
    assert row.noise == pytest.approx(np.sqrt(0.05 / 8))
    # anchors: T1 at 0.5 and 0.7, T2 twice at 0.2: 0.02 + 0 over two degrees of freedom
    assert row.moved == pytest.approx(np.sqrt(0.01))
    assert row.beyond == pytest.approx(np.sqrt(0.01 - 0.00625))


def test_less_movement_than_noise_leaves_nothing_beyond():
    (row,) = noise_table(
        sheets(*SOURCE[2:], ("repeated", "T2", "veridical", 0.9, 0.2))
    ).itertuples()
    assert row.moved == 0
    assert row.noise == pytest.approx(0.35)  # differences 0.7 and 0
    assert row.beyond == 0


def test_only_the_sources_sheets_are_what_is_repeated():
    more = [("reversed", "T1", "veridical", 0.0, 1.0), ("none", "T1", "none", 1.0, 0.0)]
    again = ("repeated", "T1", "veridical", 0.5, 0.6)
    (row,) = noise_table(sheets(*SOURCE, *more, again)).itertuples()
    assert (row.n_repeated, row.noise) == (2, 0)
    assert row.moved == pytest.approx(0.1)


def test_without_repeats_there_is_an_empty_table():
    table = noise_table(sheets(*SOURCE))
    assert table.empty
    assert list(table.columns) == NOISE.names


def test_one_sheet_an_item_cannot_show_movement():
    (row,) = noise_table(
        sheets(SOURCE[0], SOURCE[2], ("repeated", "T1", "veridical", 0.4, 0.6))
    ).itertuples()
    assert row.noise == pytest.approx(0.05)
    assert np.isnan(row.moved)
    assert np.isnan(row.beyond)


def test_each_judge_and_metric_has_its_own_row():
    table = sheets(*SOURCE, ("repeated", "T1", "veridical", 0.6, 0.7))
    other = table.assign(judge="y", anchor_score=0.5, other_score=0.5)
    rows = noise_table(pd.concat([table, other])).set_index("judge")
    assert rows.loc["x", "noise"] == pytest.approx(0.1 / np.sqrt(2))
    assert (rows.loc["y", "noise"], rows.loc["y", "identical"]) == (0, 1)
