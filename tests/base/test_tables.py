"""Tables: the same bytes from the same numbers, and back without loss of meaning."""

from __future__ import annotations

import csv

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.base.cells import guard, unguard
from veridical.base.contract import Contract, flag, number, text, whole
from veridical.base.files import write_text
from veridical.base.tables import read_table, write_table

SAID = Contract(
    "control9/said",
    "What was said.",
    text("name", "who, often a name that looks like a number"),
    text("said", "what came back", missing=True),
    whole("n", "how often", missing=True),
    number("x", "how much", missing=True),
    flag("kept", "whether it counts", missing=True),
)
# one value of each kind that plain CSV, a spreadsheet or an older reader would change
HARD = [
    "01", "2024", "1e5", "NA", "nan", "true", "", "two\nlines", "a\rb", "a\r\nb", "\r", "nul\x00",
    "\x1b[0m", "=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\tab", "'quoted'", "'", "a\\x0db",
    "'\\", '"', 'a "b", c', "−0.5", "+0.032", "-3", "\ufeffmark", "half \ud800", "\x85",
    "\u2028", " ",
]  # fmt: skip


def test_numbers_are_written_alike(tmp_path):
    path = tmp_path / "t.csv"
    table = said(["NA", None, "two\nlines, quoted"])
    table["n"], table["kept"] = [1, None, 3], [True, None, False]
    table["x"] = [0.1 + 0.2, float("nan"), 1e-12]
    write_table(table, path, SAID)
    written = path.read_bytes().splitlines()
    assert written[:3] == [b"name,said,n,x,kept", b"a,NA,1,0.3,true", b"a,,,,"]
    back = read_table(path, SAID)
    assert back["x"].isna().tolist() == [False, True, False]
    assert back["n"].tolist() == [1, pd.NA, 3]


def test_missing_column_is_named_with_the_file(tmp_path):
    (tmp_path / "t.csv").write_text("name,said\n1,2\n")
    with pytest.raises(ValueError, match=r"t\.csv: column 'n' is missing; it has name, said"):
        read_table(tmp_path / "t.csv", SAID)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b'a,b\n1,"2\n'])
def test_no_table_is_an_error_that_names_the_file(tmp_path, content):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"t\.csv: not a CSV table"):
        read_table(tmp_path / "t.csv", SAID)


def test_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["t.txt"]


def said(texts, names=None):
    n = len(texts)
    return pd.DataFrame(
        {
            "name": names or ["a"] * n,
            "said": pd.Series(texts, dtype=object),
            "n": [None] * n,
            "x": [0.5] * n,
            "kept": [None] * n,
        }
    )


def test_a_table_comes_back_as_it_was_written(tmp_path):
    path = tmp_path / "said.csv"
    write_table(said([*HARD, None], names=[*HARD, "a"]), path, SAID)
    back = read_table(path, SAID)
    assert back["said"].tolist() == [*HARD, None]
    assert back["name"].tolist() == [*HARD, "a"]
    assert back["n"].isna().all()
    assert back["x"].tolist() == [0.5] * (len(HARD) + 1)
    first = path.read_bytes()
    write_table(back, path, SAID)
    assert path.read_bytes() == first


@settings(max_examples=200, deadline=None)
@given(st.lists(st.none() | st.text(st.characters(exclude_categories=[])), min_size=1))
def test_any_text_comes_back(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("any") / "said.csv"
    write_table(said(texts), path, SAID)
    assert read_table(path, SAID)["said"].tolist() == texts


def test_other_readers_see_no_formula_and_no_control_character(tmp_path):
    """Python's own csv, which before 3.12 leaves a lone carriage return without quotes."""
    path = tmp_path / "said.csv"
    write_table(said(HARD), path, SAID)
    content = path.read_bytes().decode("utf-8")
    assert not set(content) & {chr(n) for n in [*range(9), *range(11, 32), 127, 0x85]}
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(HARD)
    assert {row["said"][:1] for row in rows} & set("=@\t") == set()
    signed = [row["said"] for row in rows if row["said"].startswith(("+", "-"))]
    assert signed == ["+0.032", "-3"]  # numbers are no formulas
    assert [unguard(row["said"]) for row in rows] == HARD


def test_plain_texts_are_written_as_they_are():
    for plain in (
        "Llama",
        "a\\b",
        "don't",
        "1e5",
        "-3.5",
        "+.5",
        "+0.0 %",
        "-",
        "-/",
        "two\nlines\tand a tab",
        "",
    ):
        assert guard(plain) == plain == unguard(plain)
    assert guard("=1") == "'=1"
    assert guard("a\\b\r") == r"'a\\b\x0d"


def test_a_cell_of_another_type_is_named_with_its_row(tmp_path):
    path = tmp_path / "said.csv"
    for column, cell, kind in (("n", "1.5", "whole number"), ("x", "1,5", "number"),
                               ("kept", "yes", "true or false")):  # fmt: skip
        cells = {"name": "a", "said": "b", "n": "1", "x": "2", "kept": "true"} | {column: cell}
        pd.DataFrame([cells, cells]).to_csv(path, index=False)
        with pytest.raises(
            ValueError, match=rf"said\.csv: row 2, column {column}: .* is no {kind}"
        ):
            read_table(path, SAID)


def test_a_row_with_too_many_cells_is_no_table(tmp_path):
    (tmp_path / "t.csv").write_text("name,said,n,x,kept\na,b,1,2,true,more\n")
    with pytest.raises(ValueError, match=r"t\.csv: not a CSV table"):
        read_table(tmp_path / "t.csv", SAID)


def test_a_table_written_by_hand_is_taken_as_it_stands(tmp_path):
    answers = Contract("own", "By hand.", text("a", ""), whole("n", "", missing=True), by_hand=True)
    (tmp_path / "t.csv").write_text("extra,n,a\nx, 7 ,'Monday'\ny,,=1\n")
    table = read_table(tmp_path / "t.csv", answers)
    assert list(table) == ["a", "n"]
    assert table["a"].tolist() == ["'Monday'", "=1"]
    assert table["n"].tolist() == [7, pd.NA]


def test_a_table_that_breaks_its_contract_is_not_written(tmp_path):
    path = tmp_path / "said.csv"
    with pytest.raises(ValueError, match=r"said\.csv: row 2, column name: a value is missing"):
        write_table(said(["x"]).assign(name=None), path, SAID)
    assert not path.exists()
