"""Cells of a CSV file: what stands there means one value, and what is no value is named."""

from __future__ import annotations

import csv
import io
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.cells import as_type, from_cells, guard, to_cells, unguard
from veridical.base.contract import flag, number, text, whole

ANY = st.text(st.characters(codec=None), max_size=30)
TEXT, MAYBE = text("said", "what was said"), text("said", "what was said", missing=True)


@given(ANY)
def test_a_guarded_text_is_unguarded_to_itself(said):
    assert unguard(guard(said)) == said


@given(ANY)
def test_no_cell_starts_what_a_spreadsheet_runs_or_holds_a_control_character(said):
    cell = guard(said)
    cell.encode("utf-8")  # no half of a character
    assert not any(ord(sign) < 32 and sign not in "\t\n" for sign in cell)
    assert not cell.startswith("\t")
    if cell[:1] in ("=", "+", "-", "@") and re.search(r"\w", cell[1:]):
        float(cell.rstrip("% "))  # a number, or it would be run


@given(ANY.filter(lambda said: said.isalnum()))
def test_a_plain_text_is_left_alone(said):
    assert guard(said) == said


@pytest.mark.parametrize(
    ("said", "cell"),
    [
        ("-3.5", "-3.5"),
        ("+1e-3", "+1e-3"),
        ("-5 %", "-5 %"),
        ("-.5", "-.5"),
        ("--", "--"),  # works on nothing
        ("-a", "'-a"),
        ("=SUM(A1)", "'=SUM(A1)"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("- first\nsecond", "'- first\nsecond"),
        ("'quoted'", "''quoted'"),
        ("a\\b", "a\\b"),  # a backslash alone needs no guard
        ("=a\\b", "'=a\\\\b"),
        ("a\x00b", "'a\\x00b"),
        ("a\ud800b", "'a\\ud800b"),
        ("", ""),
    ],
)
def test_what_is_guarded_and_how(said, cell):
    assert guard(said) == cell


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("'", ""),
        ("''", "'"),
        ("'\\x0d", "\r"),
        ("'\\\\x0d", "\\x0d"),
        ("'\\q", "\\q"),
        ("a'", "a'"),
    ],
)
def test_what_a_cell_stands_for(cell, said):
    assert unguard(cell) == said


@given(st.lists(st.one_of(st.none(), ANY), max_size=6))
def test_missing_and_empty_texts_come_back_through_a_csv_file(values):
    column = pd.Series(values, dtype=object)
    out = io.StringIO()
    csv.writer(out).writerows(
        [cell if cell is not None else ""] for cell in to_cells(column, MAYBE)
    )
    rows = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    cells = pd.Series([row[0] if row else "" for row in rows], dtype=object)
    assert from_cells(cells, MAYBE, "t").tolist() == values


def test_where_nothing_may_be_missing_an_empty_cell_is_an_empty_text():
    assert to_cells(pd.Series([""], dtype=object), TEXT).tolist() == [""]
    assert from_cells(pd.Series([""]), TEXT, "t").tolist() == [""]
    assert from_cells(pd.Series([""]), MAYBE, "t").tolist() == [None]


def test_cells_written_by_hand_are_taken_as_they_stand():
    assert from_cells(pd.Series(["'=1"]), TEXT, "t", plain=True).tolist() == ["'=1"]
    assert from_cells(pd.Series(["'=1"]), TEXT, "t").tolist() == ["=1"]


@pytest.mark.parametrize(
    ("column", "cells", "values"),
    [
        (whole("n", ""), ["3", "", "-2"], [3, pd.NA, -2]),
        (number("x", ""), ["0.5", "1e-3", ""], [0.5, 0.001, None]),
        (flag("f", ""), ["true", "", "false"], [True, pd.NA, False]),
    ],
)
def test_cells_are_read_in_the_contracts_type(column, cells, values):
    read = from_cells(pd.Series(cells), column, "t")
    assert [None if pd.isna(value) else value for value in read] == [
        None if pd.isna(value) else value for value in values
    ]


@pytest.mark.parametrize(
    ("column", "cell", "named"),
    [
        (whole("n", ""), "1.5", "whole number"),
        (whole("n", ""), "many", "whole number"),
        (number("x", ""), "1,5", "number"),
        (flag("f", ""), "True", "true or false"),
        (flag("f", ""), "1", "true or false"),
    ],
)
def test_a_cell_of_another_type_is_named_by_row_and_column(column, cell, named):
    cells = pd.Series(["", cell], name=column.name)
    with pytest.raises(
        ValueError, match=f"^t.csv: row 3, column {column.name}: '{cell}' is no {named}$"
    ):
        from_cells(cells, column, "t.csv")


@pytest.mark.parametrize(
    ("column", "values", "kept"),
    [
        (whole("n", ""), np.array([1, 2], dtype="int32"), [1, 2]),
        (whole("n", ""), [1.0, None, 3], [1, None, 3]),
        (number("x", ""), np.array([1, 2]), [1.0, 2.0]),
        (number("x", ""), [1, float("nan"), np.float32(0.5)], [1.0, None, 0.5]),
        (flag("f", ""), [True, None, np.bool_(False)], [True, None, False]),
        (text("s", ""), ["a", None, float("nan"), pd.NA], ["a", None, None, None]),
    ],
)
def test_values_take_the_contracts_type(column, values, kept):
    found = as_type(pd.Series(values, name=column.name), column, "t")
    assert [None if pd.isna(value) else value for value in found] == kept


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (whole("n", ""), 1.5),
        (whole("n", ""), True),
        (whole("n", ""), "1"),
        (number("x", ""), "0.5"),
        (number("x", ""), False),
        (flag("f", ""), 1),
        (flag("f", ""), "true"),
        (text("s", ""), 5),
        (text("s", ""), True),
    ],
)
def test_a_value_of_another_type_is_refused_though_it_could_be_made_one(column, value):
    values = pd.Series([None, value], dtype=object, name=column.name)
    with pytest.raises(ValueError, match=f"t: row 3, column {column.name}: {value!r} is no "):
        as_type(values, column, "t")


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_numbers_stay_numbers(values):
    column = number("x", "")
    cells = to_cells(as_type(pd.Series(values, name="x"), column, "t"), column)
    assert all(math.isinf(a) or a == b for a, b in zip(cells, values, strict=True))
