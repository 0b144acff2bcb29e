"""Rows that fit a contract, for tests that care about a few of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
from veridical.base.contract import Column, Contract
from veridical.base.tables import as_agreed, write_table


def row_of(contract: Contract, **values: Any) -> dict[str, Any]:
    """A row with these values; elsewhere nothing, or the least that the column takes.

    Raises KeyError where the contract has no column of a name.
    """
    for name in values:
        contract[name]
    plain = {column.name: _least(column) for column in contract.columns if not column.pattern}
    return plain | values


def table_of(contract: Contract, *rows: dict[str, Any]) -> pd.DataFrame:
    """A table of such rows, in the contract's types and held to it."""
    return as_agreed(pd.DataFrame([row_of(contract, **row) for row in rows]), contract)


def write_rows(path: Path, contract: Contract, *rows: dict[str, Any]) -> Path:
    """Write a table of such rows; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(table_of(contract, *rows), path, contract)
    return path


def _least(column: Column) -> Any:
    if column.missing:
        return None
    if column.type == "text":
        return column.words[0] if column.words else "x"
    if column.type == "flag":
        return False
    return column.low if column.low is not None else 0
