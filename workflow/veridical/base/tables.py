"""Tables on disk: one CSV dialect for every artefact, the same bytes from the same numbers.

A table is written and read by its contract (`base.contract`) and comes back as it was: names that
look like numbers stay names, and what plain CSV can't hold is escaped (`base.cells`).
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from veridical.base.cells import as_type, from_cells, to_cells
from veridical.base.contract import Column, Contract
from veridical.base.files import write_text


def write_table(table: pd.DataFrame, path: Path | str, contract: Contract) -> None:
    """Write a table as CSV: ten significant digits, `true`/`false`, empty for missing.

    Its columns take the contract's order. Raises ValueError naming file, row and column where the
    table breaks its contract.
    """
    write_text(path, table_text(table, contract, str(path)))


def table_text(table: pd.DataFrame, contract: Contract, where: str = "") -> str:
    """What `write_table` writes; `where` is named in its errors, the contract's name if empty."""
    where = where or contract.name
    typed = as_agreed(table, contract, where)
    columns = contract.order(typed.columns, where)
    cells = {name: to_cells(typed[name], column) for name, column in columns.items()}
    plain = pd.DataFrame(cells, index=typed.index)
    return plain.to_csv(index=False, float_format="%.10g", lineterminator="\n")


def as_agreed(table: pd.DataFrame, contract: Contract, where: str = "") -> pd.DataFrame:
    """A table in its contract's order and types, rows numbered anew, held to the contract.

    Text is str (None where missing), int is int64 (Int64 where it may be missing), float is
    float64, flag is bool (boolean where it may be missing). Raises ValueError naming `where` (the
    contract's name if there is none), row and column.
    """
    where = where or contract.name
    table = table.reset_index(drop=True)
    columns = contract.order(table.columns, where)
    read = {name: as_type(table[name], column, where) for name, column in columns.items()}
    return _held(pd.DataFrame(read, index=table.index), contract, columns, where)


def _held(
    table: pd.DataFrame, contract: Contract, columns: dict[str, Column], where: str
) -> pd.DataFrame:
    """A table held to its contract, then without a place for what may not be missing."""
    contract.check(table, where)
    plain = {"int": "int64", "flag": "bool"}
    strict = {
        name: plain[column.type]
        for name, column in columns.items()
        if column.type in plain and not column.missing
    }
    return table.astype(strict)


def read_table(path: Path | str, contract: Contract) -> pd.DataFrame:
    """Read a table by its contract, typed as `as_agreed` has it.

    Raises ValueError naming the file where it is no CSV table or lacks a column, and row and column
    where a cell breaks the contract.
    """
    cells, where = read_cells(path), str(path)
    columns = contract.order(cells.columns, where)
    read = {
        name: from_cells(cells[name], column, where, plain=contract.by_hand)
        for name, column in columns.items()
    }
    return _held(pd.DataFrame(read, index=cells.index), contract, columns, where)


def read_cells(path: Path | str) -> pd.DataFrame:
    """Every cell of a CSV file as the text that stands there.

    Raises ValueError naming the file where it is no CSV table.
    """
    try:
        cells = pd.read_csv(path, encoding="utf-8-sig", na_filter=False, dtype=str)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a CSV table ({error})") from error
    if not isinstance(cells.index, pd.RangeIndex):  # pandas takes the surplus for row names
        raise ValueError(f"{path}: not a CSV table (a row has more cells than there are columns)")
    return cells
