"""A table's contract: one line a column, and nothing else is ever written under its name.

    ANSWERS = Contract(
        "control9/answers",
        "What every model answered.",
        text("model", "the model's name in the study"),
        text("state", "what became of the reply", "ok", "failed", shown="value:state"),
        share("accuracy", "right answers among the answered", missing=True),
        key=("model",),
    )

`base.tables` writes and reads by it; the codebook and the page's tables are made from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

NEAR = 1e-9  # how far beyond its range a computed number may lie by rounding alone
FAULTS = 5  # so many are named in an error


@dataclass(frozen=True)
class Shown:
    """How the page shows a column: `kind` decides the format, `of` are the columns it takes.

    Kinds: text, int, number, signed, share, points, p, interval, signed_interval, share_interval,
    flag, count and count_of (a share with its count, and with its denominator), of (a count of
    another), and `value:<group>` for words of the vocabulary. name: the key of its heading among
    the texts; `label` is the heading itself where no text has it. One of `several` is left out
    where all rows have the same value. A `pattern` stands for every column that it matches; what
    its group holds fills the heading's place `{k}`.
    """

    name: str
    kind: str = "text"
    of: tuple[str, ...] = ()
    digits: int | None = None
    label: str = ""
    several: bool = False
    pattern: str = ""

    @property
    def taken(self) -> tuple[str, ...]:
        """The columns that it needs."""
        return self.of or (self.name,)


@dataclass(frozen=True)
class Column:
    """One column. `type` is text, int, float or flag; `low` and `high` bound a number, both in.

    words: the only values that a text may have. missing: whether a cell may be empty. shown: None
    where the page leaves it out. optional: whether a table may lack it. pattern: a regular
    expression of the names that columns of this kind have where there are several (`pass_at_1`,
    `pass_at_2`).
    """

    name: str
    type: str
    says: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()
    missing: bool = False
    shown: Shown | None = None
    optional: bool = False
    pattern: str = ""

    @property
    def range(self) -> str:
        """The range as a person writes it: `0..1`, `1..`, empty where there is none."""
        if self.low is None and self.high is None:
            return ""
        return "..".join("" if end is None else f"{end:g}" for end in (self.low, self.high))

    def names(self, columns: Iterable[str]) -> list[str]:
        """Which of a table's columns are this one."""
        if not self.pattern:
            return [self.name] if self.name in columns else []
        return [name for name in columns if re.fullmatch(self.pattern, name)]


@dataclass(frozen=True, init=False)
class Contract:
    """A table: `part/file`, what it holds, its columns in order, and the columns of its `key`.

    No two rows agree in all columns of the key. Where there is a file for each `of` something, its
    folder says of which: `documents/<corpus>/fidelity.csv`. A table `by_hand` comes from a person:
    its cells are taken as they stand, its columns come in any order, and further ones are passed
    over.
    """

    name: str
    says: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    of: str
    by_hand: bool

    def __init__(
        self,
        name: str,
        says: str,
        *columns: Column,
        key: tuple[str, ...] = (),
        of: str = "",
        by_hand: bool = False,
    ):
        fields = {"name": name, "says": says, "columns": columns, "key": key, "of": of}
        for field, value in (fields | {"by_hand": by_hand}).items():
            object.__setattr__(self, field, value)
        unknown = set(key) - {column.name for column in columns}
        if unknown:
            raise ValueError(f"{name}: the key names {sorted(unknown)}, which are no columns")

    def __getitem__(self, name: str) -> Column:
        """A column by its name; KeyError where there is none."""
        for column in self.columns:
            if column.names([name]):
                return column
        raise KeyError(f"{self.name} has no column {name!r}")

    @property
    def names(self) -> list[str]:
        """The columns' names, in order."""
        return [column.name for column in self.columns]

    @property
    def required(self) -> list[str]:
        """The names of the columns that every such table has."""
        return [column.name for column in self.columns if not column.optional]

    def shown(self, *names: str) -> tuple[Shown, ...]:
        """How the page shows it: the columns of these headings, in their order; else all of them.

        Raises KeyError where there is none of a name.
        """
        every = {column.shown.name: column.shown for column in self.columns if column.shown}
        return tuple(every[name] for name in names or every)

    def order(self, columns: Iterable[str], where: str) -> dict[str, Column]:
        """A table's columns in the contract's order, each with its line.

        Raises ValueError, naming `where` and the column, where one is missing or is unknown.
        """
        columns = list(columns)
        found: dict[str, Column] = {}
        for column in self.columns:
            named = column.names(columns)
            if not named and not column.pattern and not column.optional:
                raise ValueError(
                    f"{where}: column {column.name!r} is missing; it has {', '.join(columns)}"
                )
            found |= dict.fromkeys(named, column)
        unknown = [name for name in columns if name not in found]
        if unknown and not self.by_hand:
            raise ValueError(
                f"{where}: column {unknown[0]!r} is unknown; the contract of {self.name} has "
                + ", ".join(self.names)
            )
        return found

    def check(self, table: pd.DataFrame, where: str) -> None:
        """Hold a table with the contract's types to ranges, words, missing values and key.

        Raises ValueError naming `where`, row (the header is row 1, as in a spreadsheet) and column
        of the first faults.
        """
        import pandera.pandas as pandera

        try:
            self._schema(pandera, self.order(table.columns, where)).validate(table, lazy=True)
        except pandera.errors.SchemaErrors as error:
            raise ValueError(f"{where}: {self._faults(error.failure_cases, table)}") from None

    def _schema(self, pandera: Any, columns: dict[str, Column]) -> Any:
        return pandera.DataFrameSchema(
            {
                name: pandera.Column(None, _checks(pandera, column), nullable=column.missing)
                for name, column in columns.items()
            },
            unique=[name for name in self.key if name in columns] or None,
        )

    def _faults(self, cases: pd.DataFrame, table: pd.DataFrame) -> str:
        """The first faults in words; the rows that repeat a key in one of them."""
        said = []
        per_cell = cases[cases["schema_context"] == "Column"].sort_values("index", kind="stable")
        for case in per_cell.head(FAULTS).itertuples():
            value = case.failure_case
            value = repr(value) if isinstance(value, str) else str(value)
            fault = f"{value} {_wanted(self[case.column])}"
            fault = "a value is missing" if case.check == "not_nullable" else fault
            said.append(f"row {int(case.index) + 2}, column {case.column}: {fault}")
        more = len(per_cell) - FAULTS
        said += [f"and {more} more"] if more > 0 else []
        key = [name for name in self.key if name in table]
        if key:
            twice = table[table.duplicated(key, keep=False)][key]
            shown = [" ".join(map(str, row)) for row in twice.drop_duplicates().head(3).to_numpy()]
            rows = ", ".join(str(index + 2) for index in twice.index[:FAULTS])
            same = f"rows {rows} have the same {', '.join(key)}: {'; '.join(shown)}"
            said += [same] if shown else []
        return "; ".join(said)


def _checks(pandera: Any, column: Column) -> list[Any]:
    """The checks of a column as pandera has them."""
    checks = []
    if column.words:
        checks.append(pandera.Check.isin(column.words))
    if column.type in ("int", "float"):
        low = -math.inf if column.low is None else column.low
        high = math.inf if column.high is None else column.high
        slack = NEAR if column.type == "float" else 0
        ends = {"include_min": column.low is not None, "include_max": column.high is not None}
        checks.append(pandera.Check.in_range(low - slack, high + slack, **ends))
    return checks


def _wanted(column: Column) -> str:
    if column.words:
        return f"is none of {', '.join(column.words)}"
    return f"is not in {column.range}" if column.range else "is not finite"


def _column(type_: str, name: str, says: str, shown: str | Shown, **more: Any) -> Column:
    """A column; `shown` is a kind, a whole `Shown`, or empty where the page leaves it out."""
    if isinstance(shown, str):
        more["shown"] = Shown(name, shown, pattern=more.get("pattern", "")) if shown else None
    else:
        more["shown"] = shown
    return Column(name, type_, says, **more)


def text(name: str, says: str, *words: str, shown: str | Shown = "text", **more: Any) -> Column:
    """A column of text; one of `words`, where there are any."""
    return _column("text", name, says, shown, words=words, **more)


def whole(name: str, says: str, *, shown: str | Shown = "int", **more: Any) -> Column:
    """A column of whole numbers, from 0 if `low` says nothing else."""
    return _column("int", name, says, shown, **{"low": 0} | more)


def number(name: str, says: str, *, shown: str | Shown = "number", **more: Any) -> Column:
    """A column of finite numbers."""
    return _column("float", name, says, shown, **more)


def share(name: str, says: str, *, shown: str | Shown = "share", **more: Any) -> Column:
    """A column of shares in [0, 1]."""
    return _column("float", name, says, shown, **{"unit": "share", "low": 0, "high": 1} | more)


def p_value(name: str, says: str, *, shown: str | Shown = "p", **more: Any) -> Column:
    """A column of p-values in [0, 1]."""
    return share(name, says, shown=shown, unit="probability", **more)


def flag(name: str, says: str, *, shown: str | Shown = "flag", **more: Any) -> Column:
    """A column of true and false."""
    return _column("flag", name, says, shown, **more)


def interval(
    name: str,
    says: str,
    of: Column,
    columns: tuple[str, str] | None = None,
    *,
    missing: bool = False,
) -> tuple[Column, Column]:
    """The ends of an interval of the column `of`, with its unit and range.

    They are `<name>_low` and `<name>_high`, or `columns`; the page shows them as one, `name`. They
    may be missing where `of` may be, and where `missing` says so.
    """
    low, high = columns or (f"{name}_low", f"{name}_high")
    kind = of.shown.kind if of.shown else ""
    kind = {"signed": "signed_interval", "share": "share_interval"}.get(kind, "interval")
    like = {"unit": of.unit, "low": of.low, "high": of.high}
    like["missing"] = of.missing or missing
    shown = Shown(name, kind, (low, high))
    return (
        Column(low, "float", f"{says}, lower end", shown=shown, **like),
        Column(high, "float", f"{says}, upper end", **like),
    )
