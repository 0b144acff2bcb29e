"""The rows behind the numbers, compact enough to carry a large study in one page.

A `Drill` is what one part lets a reader open: groups (a cell, a contrast), their rows, and what a
row opens into. Tables travel by column; a column with few different values as a list of them and
a list of indices.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from markupsafe import Markup

if TYPE_CHECKING:
    from veridical.report.study import Study
    from veridical.report.wording import Wording


@dataclass(frozen=True)
class Group:
    """One thing to open: its path in the address (one value a key), label, heading and facts.

    `where` narrows nested tables: column → the values that belong to this group.
    """

    path: tuple[str, ...]
    label: str
    heading: str = ""
    facts: tuple[str, ...] = ()
    where: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Nested:
    """A table inside an opened row: its rows agree with the row in the columns `on`."""

    label: str
    table: str
    on: tuple[str, ...]
    columns: tuple[tuple[str, str, str], ...]  # name, heading, kind


@dataclass(frozen=True)
class Drill:
    """What a part lets a reader open.

    rows: one table for all groups; its columns `keys` hold the group's path. id: the column that
    names a row in the address. columns: (name, heading, kind) of the rows; kind is text, number
    or mark (see `mark`). details: (name, heading) of longer texts in an opened row. filters:
    (heading, column of 0 and 1). documents: (label, text).
    """

    part: str
    keys: tuple[str, ...]
    id: str
    groups: tuple[Group, ...]
    rows: pd.DataFrame
    columns: tuple[tuple[str, str, str], ...]
    details: tuple[tuple[str, str], ...] = ()
    filters: tuple[tuple[str, str], ...] = ()
    nested: tuple[Nested, ...] = ()
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    documents: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> Markup:
        """The drill as JSON that may stand inside a script element: no `<` is left in it."""
        content = {
            "part": self.part,
            "keys": self.keys,
            "id": self.id,
            "groups": [
                {
                    "path": group.path,
                    "label": group.label,
                    "heading": group.heading,
                    "facts": group.facts,
                    "where": group.where,
                }
                for group in self.groups
            ],
            "columns": self.columns,
            "details": self.details,
            "filters": self.filters,
            "nested": [vars(nested) for nested in self.nested],
            "tables": {
                "rows": encode(self.rows),
                **{name: encode(table) for name, table in self.tables.items()},
            },
            "documents": self.documents,
        }
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=plain_value)
        return Markup(escape_json(text))


def escape_json(text: str) -> str:
    """JSON in which no character can end a script element or start a comment."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def encode(table: pd.DataFrame) -> dict[str, Any]:
    """A table by column: `{"n": rows, "c": {name: {"d": values, "i": indices}}}`.

    A column whose values rarely repeat is `{"v": values}`. Numbers keep six significant digits.
    """
    return {"n": len(table), "c": {name: _column(table[name]) for name in table.columns}}


def _column(values: pd.Series) -> dict[str, list]:
    plain = [plain_value(value) for value in values]
    distinct = list(dict.fromkeys(plain))
    if 2 * len(distinct) < len(plain):
        place = {value: index for index, value in enumerate(distinct)}
        return {"d": distinct, "i": [place[value] for value in plain]}
    return {"v": plain}


def plain_value(value: Any) -> Any:
    """A value of a table as JSON has it; missing is null, without bound is "∞"."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (float, np.floating)) and np.isinf(value):
        return "∞" if value > 0 else "−∞"
    if isinstance(value, (float, np.floating)):
        return int(value) if float(value).is_integer() else float(f"{value:.6g}")
    return int(value) if isinstance(value, np.integer) else value


def heads(words: Wording, *columns: str | tuple[str, str]) -> tuple[tuple[str, str, str], ...]:
    """Columns as (name, heading, kind); written as a name, or as (name, kind)."""
    pairs = [(column, "text") if isinstance(column, str) else column for column in columns]
    return tuple((name, words.heading(name), kind) for name, kind in pairs)


def details(words: Wording, *columns: str) -> tuple[tuple[str, str], ...]:
    """Columns as (name, heading)."""
    return tuple((name, words.heading(name)) for name in columns)


def states(table: pd.DataFrame, words: Wording) -> pd.Series:
    """The states in words."""
    return table["state"].map(lambda state: words.value("state", state))


def documents_of(
    study: Study, words: Wording, corpora: Iterable[str], names: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """The documents of these names, labelled, in the order of the names."""
    return tuple(
        (words("drill.document_shown", name=name, corpus=corpus), study.documents[corpus, name])
        for corpus in corpora
        for name in names
        if (corpus, name) in study.documents
    )
