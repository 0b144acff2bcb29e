"""From a table to what a reader sees: chosen columns, headings and values in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import pandas as pd

from veridical.base.contract import Shown
from veridical.report.wording import Wording

Link = Callable[[Mapping[str, Any]], str]

NUMERIC = ("int", "number", "signed", "share", "p", "interval", "signed_interval", "bits")


def address(*path: Any) -> str:
    """The address of a place in the page: `#control3/A/qwen2.5`, each step escaped.

    >>> address("control3", "A", "llama3")
    '#control3/A/llama3'
    """
    return "#" + "/".join(quote(str(step), safe=":") for step in path)


def to(part: str, *columns: str) -> Link:
    """Links of rows by the values of `columns`."""
    return lambda row: address(part, *(row[column] for column in columns))


@dataclass(frozen=True)
class Column:
    """One column as shown: its heading, and whether its values align as numbers."""

    name: str
    label: str
    numeric: bool


@dataclass(frozen=True)
class Table:
    """A table in words. `rows` holds, for each row, its link (or None) and its cells' texts."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str | None, tuple[str, ...]], ...]


def cell(shown: Shown, row: Mapping[str, Any], words: Wording) -> str:
    """One value in words."""
    values = [row[source] for source in shown.taken]
    first = values[0]
    if shown.kind.startswith("value:"):
        return words.value(shown.kind.partition(":")[2], first)
    if any(value is None or (isinstance(value, float) and pd.isna(value)) for value in values):
        return words.value("", None)
    if pd.isna(first):
        return words.value("", None)
    match shown.kind:
        case "int":
            return words.number(float(first), 0)
        case "number" | "signed":
            return words.number(
                float(first),
                3 if shown.digits is None else shown.digits,
                sign=shown.kind == "signed",
            )
        case "share":
            return words.percent(float(first), 1 if shown.digits is None else shown.digits)
        case "points":
            return words.points(float(first))
        case "p":
            return words.p_value(float(first))
        case "interval" | "signed_interval":
            return words.interval(
                *map(float, values),
                3 if shown.digits is None else shown.digits,
                sign=shown.kind == "signed_interval",
            )
        case "share_interval":
            return words.interval(*(100 * float(value) for value in values), 1, sign=False)
        case "flag":
            return words.value("bool", bool(first))
        case "count":
            return words.percent(float(values[0]) / float(values[1])) + f" ({int(values[0])})"
        case "count_of":
            return right_of(values[0], values[1], words)
        case "of":
            return words("page.of", count=int(values[0]), all=int(values[1]))
    if isinstance(first, float) and first.is_integer():
        return words.number(first, 0)
    if isinstance(first, float):
        return words.number(first, 3)
    return str(first)


def right_of(right: float, answered: float, words: Wording) -> str:
    """A share with what it is a share of: "85.7% (6 of 7)"; a dash where nothing was answered."""
    if not answered:
        return words.value("", None)
    counts = words("page.of", count=int(right), all=int(answered))
    return f"{words.percent(right / answered)} ({counts})"


def tabulate(
    table: pd.DataFrame,
    columns: Sequence[Shown],
    words: Wording,
    name: str,
    link: Link | None = None,
) -> Table:
    """A table with those of `columns` that it has the sources for, its rows in their order.

    `link` makes a row's address from the row; its first cell becomes the link.
    """
    have = [shown for column in columns for shown in _matching(column, table, words)]
    have = [shown for shown in have if _says_something(shown, table)]
    rows = []
    for row in table.to_dict("records"):
        cells = tuple(cell(shown, row, words) for shown in have)
        rows.append((link(row) if link else None, cells))
    heads = tuple(
        Column(
            shown.name,
            shown.label or words.heading(shown.name),
            _numeric(shown.kind),
        )
        for shown in have
    )
    return Table(name, words(f"tables.{name}"), heads, tuple(rows))


def _matching(shown: Shown, table: pd.DataFrame, words: Wording) -> list[Shown]:
    """A column itself, or one for each of the table's columns that its pattern matches."""
    if not shown.pattern:
        return [shown]
    heading = words.heading(shown.name)
    found = [re.fullmatch(shown.pattern, str(name)) for name in table.columns]
    return [
        replace(shown, name=match[0], pattern="", label=heading.format(k=match[1]))
        for match in found
        if match
    ]


def _says_something(shown: Shown, table: pd.DataFrame) -> bool:
    """Whether a table has what a column shows, and not one and the same value throughout."""
    if not set(shown.taken) <= set(table.columns):
        return False
    if all(table[source].isna().all() for source in shown.taken):
        return False
    return not shown.several or table[shown.name].nunique() > 1


def _numeric(kind: str) -> bool:
    return kind in (*NUMERIC, "share_interval", "points", "count", "count_of", "of")
