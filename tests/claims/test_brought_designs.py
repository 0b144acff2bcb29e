"""The design of tables that a study brings: its claims are measured at the size that they have."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import stranger
from veridical.base.config import configure
from veridical.claims.design import designs

ROOT = Path(__file__).parents[2]


@pytest.fixture
def example(monkeypatch) -> dict:
    monkeypatch.chdir(ROOT)
    return configure(["config/example.yaml"])


def test_the_examples_sizes_are_its_tables(example):
    """8 items under two documents of each kind, 7 quotations, no pair in both orders; 16 probes."""
    made = designs(example, ROOT / "data/corpora")
    one = made["control1"]
    assert (one.items, one.judges, one.metrics, one.quoted) == (8, 2, 1, 7)
    assert (one.seeds, one.none, one.both_orders) == ({"foreign": 2, "shuffled": 2}, False, 0.0)
    assert made["control3"].corpora == {"Elsewhere": 2}
    assert made["control3"].probes == 16


def test_pairs_shown_in_both_orders_are_a_share_of_the_original_ones(example, tmp_path):
    table = stranger.verdicts()
    again = table[(table["condition"] == "veridical") & (table["item_id"] < "Q5")]
    own = tmp_path / "data/own/verdicts.csv"
    whole = [table, again.assign(session="reversed")]
    stranger.write(stranger.pd.concat(whole), own)
    example["control1"]["verdicts_csv"] = str(own)
    assert designs(example, ROOT / "data/corpora")["control1"].both_orders == 0.5
