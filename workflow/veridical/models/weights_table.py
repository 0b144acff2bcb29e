"""data/weights.csv: which weights there are, what pins them, and what derived ones are made of."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TABLE = Path("data/weights.csv")
MADE = ("Q4_0",)  # what weights can be requantised to; the runtime has fast kernels for it


class WeightsError(RuntimeError):
    """The weights can't be had; the message says what was tried."""


@dataclass(frozen=True)
class Weights:
    """One row of data/weights.csv.

    `bytes` and `sha256` are the file's own, also where it is derived: `source` is then the row that
    it is made of and `requantised` the type of its tensors, and `url` and `carriers` are empty.
    """

    model: str
    file: str
    bytes: int
    sha256: str
    licence: str
    url: str
    carriers: str
    source: Weights | None = None
    requantised: str = ""

    def carrier_packages(self) -> list[str]:
        """The carriers in order: `name-part[1-3]==1.0` stands for part1, part2, part3."""
        match = re.fullmatch(r"(.*)\[(\d+)-(\d+)\](.*)", self.carriers)
        if not match:
            return [self.carriers] if self.carriers else []
        head, first, last, tail = match.groups()
        return [f"{head}{number}{tail}" for number in range(int(first), int(last) + 1)]

    def receipts(self) -> list[str]:
        """The names under which these weights' receipts lie: their own, then their source's."""
        return [self.model, *([self.source.model] if self.source else [])]


def read_weights(model: str, table: Path = TABLE) -> Weights:
    """The row of the table for a model, with its source's where it is derived.

    Raises WeightsError, naming the known ones where there is no such row, or saying what a derived
    row has wrong.
    """
    with open(table, encoding="utf-8", newline="") as file:
        rows = {row["model"]: row for row in csv.DictReader(file)}
    if model not in rows:
        raise WeightsError(
            f"{table}: no weights called {model!r}; known: {', '.join(rows)}. "
            "Add a row with file, bytes and sha256 to use other weights."
        )
    source = rows[model].get("derived_from")
    if fault := _fault(rows, model):
        raise WeightsError(f"{table}: {model} {fault}")
    return _weights(rows[model], _weights(rows[source]) if source else None)


def _weights(row: Mapping[str, str], source: Weights | None = None) -> Weights:
    fields = ("model", "file", "sha256", "licence", "url", "carriers")
    given = {key: row[key] for key in fields}
    made = row.get("requantised") or ""
    return Weights(bytes=int(row["bytes"]), **given, source=source, requantised=made)


def _fault(rows: Mapping[str, Mapping[str, str]], model: str) -> str | None:
    """What a row says of its source that can't be; none where it is derived of nothing or rightly.

    One step only: of weights that were rounded twice nobody could say what was lost where.
    """
    row = rows[model]
    named, made = row.get("derived_from"), row.get("requantised")
    if not named:
        return f"is requantised to {made}, but derived_from names nothing" if made else None
    if named not in rows:
        return f"is derived from {named!r}, which the table doesn't have; known: {', '.join(rows)}"
    if rows[named].get("derived_from"):
        return f"is derived from {named}, which is derived itself: name published weights"
    if made not in MADE:
        return f"is to be requantised to {made!r}; can be made: {', '.join(MADE)}"
    if row["url"] or row["carriers"]:
        return f"is derived from {named}, so it is made here: leave url and carriers empty"
    if row["licence"] != rows[named]["licence"]:
        return f"has licence {row['licence']!r}, but {named} has {rows[named]['licence']!r}"
    return None
