"""The rows behind the numbers, compact enough to carry a large study in one page.

A `Drill` is what one part lets a reader open: groups (a cell, a contrast), their rows, and what a
row opens into. Tables travel by column; a column with few different values as a list of them and
a list of indices.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup


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
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=_plain)
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
    plain = [_plain(value) for value in values]
    distinct = list(dict.fromkeys(plain))
    if 2 * len(distinct) < len(plain):
        place = {value: index for index, value in enumerate(distinct)}
        return {"d": distinct, "i": [place[value] for value in plain]}
    return {"v": plain}


def _plain(value: Any) -> Any:
    """A value of a table as JSON has it; missing is null."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return int(value) if float(value).is_integer() else float(f"{value:.6g}")
    return int(value) if isinstance(value, np.integer) else value


def mark(answers: pd.DataFrame, words: Any) -> pd.Series:
    """Answers with their mark: `1|text` right, `0|text` wrong, `-|state` neither.

    `answers` has state, answer and correct (true, false or missing).
    """
    marks = []
    for state, answer, correct in zip(
        answers["state"], answers["answer"], answers["correct"], strict=True
    ):
        if correct is None or pd.isna(correct) or state != "ok":
            marks.append("-|" + words.value("state", state))
        else:
            marks.append(f"{int(bool(correct))}|{_plain(answer)}")
    return pd.Series(marks, index=answers.index, dtype=object)


def pivot(
    answers: pd.DataFrame, keys: Sequence[str], column: str, names: dict[str, str], words: Any
) -> pd.DataFrame:
    """One row a probe, its marked answers side by side: `names` maps values of `column` to columns.

    Only the first sample of a probe counts, where it was asked several times.
    """
    if "sample" in answers:
        answers = answers[answers["sample"] == 0]
    answers = answers.assign(mark=mark(answers, words))
    wide = answers.pivot(index=list(keys), columns=column, values="mark")
    wide = wide.rename(columns=names)[[names[name] for name in names if name in wide]]
    order = answers[list(keys)].drop_duplicates()
    return order.merge(wide.reset_index(), on=list(keys), how="left")
