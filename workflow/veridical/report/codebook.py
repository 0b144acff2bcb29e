"""The codebook: what every table of a study holds, one row a table and one a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from veridical.base.contract import Column, Contract, flag, text

CODEBOOK = Contract(
    "codebook",
    "What every table holds, one row a table and one a column, from the contracts that they keep.",
    text("table", "the table's file, from the study's results folder, without .csv"),
    text("column", "the column, or a pattern of its name; empty for the table as a whole"),
    text("type", "what a cell is", "table", "text", "int", "float", "flag"),
    text("range", "the least and the greatest value, both in"),
    text("unit", "the unit"),
    text("words", "the only values that a text may have, parted by `; `"),
    flag("missing", "whether a cell may be empty", missing=True),
    flag("key", "whether it is one of the columns that together occur once", missing=True),
    text("description", "what it is"),
    key=("table", "column"),
)


def codebook(contracts: Iterable[Contract]) -> pd.DataFrame:
    """The rows of `CODEBOOK` for these tables, each table followed by its columns in order."""
    rows = [row for contract in (*contracts, CODEBOOK) for row in _rows(contract)]
    return pd.DataFrame(rows, columns=CODEBOOK.names)


def _rows(contract: Contract) -> Iterator[tuple]:
    folder, _, name = contract.name.rpartition("/")
    table = f"{folder}/<{contract.of}>/{name}" if contract.of else contract.name
    yield (table, "", "table", "", "", "", None, None, contract.says)
    for column in contract.columns:
        yield (table, *_described(column), column.name in contract.key, column.says)


def _described(column: Column) -> tuple:
    words = "; ".join(word for word in column.words if word)
    name = column.pattern or column.name
    return (name, column.type, column.range, column.unit, words, column.missing)
