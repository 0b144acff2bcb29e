"""The codebook: every table and column of the study, from the contracts that they keep."""

from __future__ import annotations

import pytest
from support.scripts import load_script
from veridical.base.contract import Column, Contract, number, share, text, whole
from veridical.base.tables import read_table
from veridical.parts import CONTRACTS
from veridical.report.codebook import CODEBOOK, codebook

WEATHER = Contract(
    "control9/weather",
    "The weather of every day.",
    text("day", "the day, ISO"),
    text("sky", "how the sky was", "", "clear", "clouded"),
    whole("gusts", "gusts counted", low=1, high=9, unit="gusts"),
    number("warmth", "the mean", unit="degrees", low=-40, missing=True),
    share("wet", "hours of rain"),
    Column("rain_1", "float", "rain within k hours", pattern=r"rain_(\d+)"),
    key=("day",),
    of="place",
)


def rows() -> dict[str, dict]:
    table = codebook([WEATHER])
    own = table[table["table"] == "control9/<place>/weather"]
    return {row["column"]: row for row in own.to_dict("records")}


def test_a_table_stands_before_its_columns_in_their_order():
    found = rows()
    assert list(found) == ["", "day", "sky", "gusts", "warmth", "wet", r"rain_(\d+)"]
    assert found[""]["type"] == "table"
    assert found[""]["description"] == "The weather of every day."
    assert found[""]["missing"] is None


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("day", {"type": "text", "range": "", "words": "", "key": True, "missing": False}),
        ("sky", {"words": "clear; clouded", "key": False}),  # the empty word is no word
        ("gusts", {"type": "int", "range": "1..9", "unit": "gusts"}),
        ("warmth", {"type": "float", "range": "-40..", "unit": "degrees", "missing": True}),
        ("wet", {"range": "0..1", "unit": "share"}),
    ],
)
def test_a_column_is_said_as_its_contract_has_it(column, said):
    found = rows()[column]
    assert {name: found[name] for name in said} == said


def test_it_describes_itself():
    table = codebook([])
    assert table["table"].unique().tolist() == ["codebook"]
    assert table["column"].tolist() == ["", *CODEBOOK.names]


def test_the_script_writes_every_table_of_the_study(tmp_path):
    path = tmp_path / "codebook.csv"
    load_script("report/write_codebook.py").main(path)
    table = read_table(path, CODEBOOK)
    tables = table[table["type"] == "table"]
    assert len(tables) == len(CONTRACTS) + 1
    assert tables["table"].is_unique
    assert (table["description"].str.len() > 0).all()
    for contract in CONTRACTS:
        named = f"<{contract.of}>/" if contract.of else ""
        folder, _, name = contract.name.rpartition("/")
        own = table[table["table"] == (f"{folder}/{named}{name}" if folder else contract.name)]
        assert len(own) == len(contract.columns) + 1, contract.name
