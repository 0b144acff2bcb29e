"""Between a table's values and the cells of a CSV file, column by column, without loss."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from veridical.base.contract import Column

# What a spreadsheet would run as a formula: a sign and something to work on, unless a number.
_FORMULA = re.compile(r"[=+\-@].*\w|\t", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?( ?%)?")
# Control characters other than tab and line feed, and halves of a character, which UTF-8 refuses.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(?:\\|x([0-9a-f]{2})|u([0-9a-f]{4}))")
DTYPES = {"text": object, "int": "Int64", "float": float, "flag": "boolean"}
NAMED = {"text": "text", "int": "whole number", "float": "number", "flag": "true or false"}


def guard(text: str) -> str:
    r"""A text as it stands in a cell: where it needs it, behind an apostrophe and escaped.

    It does where a spreadsheet would take it for a formula, where it starts with an apostrophe, and
    where it holds a control character. In a guarded text a backslash
    is written `\\` and a control character by its code, `\x0d`. `unguard` undoes it.

    >>> print(guard("=1+1"), guard("-3.5"), guard("one" + chr(13) + "two"))
    '=1+1 -3.5 'one\x0dtwo
    """
    runs = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    if not (runs or text.startswith("'") or _CONTROL.search(text)):
        return text
    return "'" + _CONTROL.sub(_code, text.replace("\\", "\\\\"))


def unguard(cell: str) -> str:
    """The text that a cell stands for."""
    if not cell.startswith("'"):
        return cell
    return _ESCAPED.sub(lambda found: chr(int(found[1] or found[2] or "5c", 16)), cell[1:])


def _code(found: re.Match[str]) -> str:
    point = ord(found[0])
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"


def to_cells(values: pd.Series, column: Column) -> pd.Series:
    """A column in its contract's type as CSV has it; numbers stay numbers, to be formatted."""
    if column.type == "text":
        empty = "'" if column.missing else ""  # else it could not be told from a missing one
        cells = [None if value is None else guard(value) or empty for value in values]
        return pd.Series(cells, index=values.index, dtype=object)
    if column.type == "flag":
        return values.astype(object).map({True: "true", False: "false"})
    return values


def from_cells(cells: pd.Series, column: Column, where: str, *, plain: bool = False) -> pd.Series:
    """A column in its contract's type from the text of its cells; `plain` cells were not guarded.

    Raises ValueError naming `where`, row and column where a cell is of another type.
    """
    if column.type == "text":
        texts = cells if plain else cells.map(unguard)
        return texts.where(cells != "", None) if column.missing else texts
    filled = cells[cells != ""]
    try:
        if column.type == "flag":
            read = filled.map({"true": True, "false": False}.__getitem__)
        else:
            read = filled.map(float if column.type == "float" else int)
    except (ValueError, KeyError):
        return _one_by_one(cells, column, where, lambda cell: _number(cell, column))
    return read.astype(DTYPES[column.type]).reindex(cells.index)


def _number(cell: str, column: Column) -> Any:
    if cell == "":
        return None
    if column.type == "flag":
        return {"true": True, "false": False}[cell]
    return float(cell) if column.type == "float" else int(cell)


def as_type(values: pd.Series, column: Column, where: str) -> pd.Series:
    """A column of a table in its contract's type.

    Raises ValueError naming `where`, row and column where a value is of another type: a number is
    no text, a text no number, 1 no flag and 1.5 no whole number.
    """
    kinds = {"int": "iu", "float": "iuf", "flag": "b"}.get(column.type, "")
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in kinds:
        return values.astype(DTYPES[column.type])
    return _one_by_one(values.astype(object), column, where, lambda value: _value(value, column))


def _one_by_one(
    values: pd.Series, column: Column, where: str, read: Callable[[Any], Any]
) -> pd.Series:
    """Each value read by itself, so that the first one that can't be is named."""
    found = []
    for row, value in enumerate(values, start=2):  # the header is row 1, as in a spreadsheet
        try:
            found.append(read(value))
        except (ValueError, KeyError):
            raise ValueError(
                f"{where}: row {row}, column {values.name}: {value!r} is no {NAMED[column.type]}"
            ) from None
    return pd.Series(found, index=values.index, name=values.name, dtype=DTYPES[column.type])


def _value(value: Any, column: Column) -> Any:
    """A value as its column has it, None where it is missing. Raises ValueError at another type."""
    if isinstance(value, str) and column.type == "text":
        return value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    is_flag = isinstance(value, (bool, np.bool_))
    if is_flag and column.type == "flag":
        return bool(value)
    if isinstance(value, (int, float, np.integer, np.floating)) and not is_flag:
        if column.type == "float":
            return float(value)
        if column.type == "int" and value == int(value):
            return int(value)
    raise ValueError(value)
