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
    """How the page shows a column: `kind` decides the format (`report.tabulate.KINDS`).

    of: the columns that the shown one takes, itself alone where empty. name: its key among the
    texts' headings, its own name where empty.
    """

    kind: str
    of: tuple[str, ...] = ()
    name: str = ""
    digits: int | None = None


@dataclass(frozen=True)
class Column:
    """One column. `type` is text, int, float or flag; `low` and `high` bound a number, both in.

    words: the only values that a text may have. missing: whether a cell may be empty. shown: None
    where the page leaves it out. pattern: a regular expression of the names that columns of this
    kind have where there are several (`pass_at_1`, `pass_at_2`).
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

    No two rows agree in all columns of the key. A table `by_hand` comes from a person: its cells
    are taken as they stand, its columns come in any order, and further ones are passed over.
    """

    name: str
    says: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    by_hand: bool

    def __init__(
        self,
        name: str,
        says: str,
        *columns: Column,
        key: tuple[str, ...] = (),
        by_hand: bool = False,
    ):
        values = {"name": name, "says": says, "columns": columns, "key": key, "by_hand": by_hand}
        for field, value in values.items():
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

    def order(self, columns: Iterable[str], where: str) -> dict[str, Column]:
        """A table's columns in the contract's order, each with its line.

        Raises ValueError, naming `where` and the column, where one is missing or is unknown.
        """
        columns = list(columns)
        found: dict[str, Column] = {}
        for column in self.columns:
            named = column.names(columns)
            if not named and not column.pattern:
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

        Raises ValueError naming `where`, row (from 1) and column of the first faults.
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
            unique=list(self.key) or None,
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
            said.append(f"row {int(case.index) + 1}, column {case.column}: {fault}")
        more = len(per_cell) - FAULTS
        said += [f"and {more} more"] if more > 0 else []
        if self.key:
            twice = table[table.duplicated(list(self.key), keep=False)][list(self.key)]
            shown = [" ".join(map(str, row)) for row in twice.drop_duplicates().head(3).to_numpy()]
            rows = ", ".join(str(index + 1) for index in twice.index[:FAULTS])
            key = ", ".join(self.key)
            said += [f"rows {rows} have the same {key}: {'; '.join(shown)}"] if shown else []
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


def text(name: str, says: str, *words: str, shown: str | Shown = "text", **more: Any) -> Column:
    """A column of text; one of `words`, where there are any."""
    return Column(name, "text", says, words=words, shown=_shown(shown), **more)


def whole(name: str, says: str, *, shown: str | Shown = "int", **more: Any) -> Column:
    """A column of whole numbers, from 0 if `low` says nothing else."""
    return Column(name, "int", says, shown=_shown(shown), **{"low": 0} | more)


def number(name: str, says: str, *, shown: str | Shown = "number", **more: Any) -> Column:
    """A column of finite numbers."""
    return Column(name, "float", says, shown=_shown(shown), **more)


def share(name: str, says: str, *, shown: str | Shown = "share", **more: Any) -> Column:
    """A column of shares in [0, 1]."""
    return Column(name, "float", says, "share", 0, 1, shown=_shown(shown), **more)


def p_value(name: str, says: str, *, shown: str | Shown = "p", **more: Any) -> Column:
    """A column of p-values in [0, 1]."""
    return Column(name, "float", says, "probability", 0, 1, shown=_shown(shown), **more)


def flag(name: str, says: str, *, shown: str | Shown = "flag", **more: Any) -> Column:
    """A column of true and false."""
    return Column(name, "flag", says, shown=_shown(shown), **more)


def interval(
    name: str, says: str, of: Column, columns: tuple[str, str] | None = None
) -> tuple[Column, Column]:
    """The ends of an interval of the column `of`, with its unit, range and missing values.

    They are `<name>_low` and `<name>_high`, or `columns`; the page shows them as one.
    """
    low, high = columns or (f"{name}_low", f"{name}_high")
    kind = of.shown.kind if of.shown else ""
    kind = {"signed": "signed_interval", "share": "share_interval"}.get(kind, "interval")
    like = (of.unit, of.low, of.high, (), of.missing)
    return (
        Column(low, "float", f"{says}, lower end", *like, Shown(kind, (low, high), name)),
        Column(high, "float", f"{says}, upper end", *like),
    )


def _shown(kind: str | Shown) -> Shown | None:
    """A kind as a `Shown`; none where it is empty."""
    return Shown(kind) if isinstance(kind, str) and kind else kind or None
