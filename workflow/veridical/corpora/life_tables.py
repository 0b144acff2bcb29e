"""The two tables of a life, `events.csv` and `facts.csv`, read and checked cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from veridical.corpora.corpus_files import Rows, read_rows
from veridical.corpora.life_settings import Attribute
from veridical.corpora.moments import moment, order, zoned
from veridical.corpora.tables import EVENTS, FACTS
from veridical.corpora.validity import standings

NO_TIME = "is no time of the form 2025-03-31 or 2025-03-31T14:05"
TRUTH = {"true": True, "false": False}


def read_events(path: Path) -> pd.DataFrame:
    """The events in the order of their times (of the file, at one time).

    Columns of `tables.EVENTS`; `in_memory` is missing where the file has none. Raises ValueError.
    """
    rows = read_rows(
        path,
        [name for name in EVENTS.names if name != "in_memory"],
        optional=("in_memory",),
        breaks=("text",),
    )
    rows.filled("id", "time", "speaker", "text")
    rows.check("time", lambda time: moment(time) is not None, NO_TIME)
    rows.unique("id")
    _check_zones(rows)
    table = rows.table()
    if "in_memory" in rows.columns:
        rows.check("in_memory", lambda v: v.lower() in TRUTH, "is neither true nor false")
        table["in_memory"] = table["in_memory"].str.lower().map(TRUTH).astype(bool)
    keys = table["time"].map(order)
    return table.iloc[keys.argsort(kind="stable")].reset_index(drop=True)


def _check_zones(rows: Rows) -> None:
    """Times with a zone and times without can't be put in one order; a day alone says none."""
    first: tuple[int, str] | None = None
    for number, row in rows:
        if len(row["time"]) <= len("2025-03-31"):
            continue
        if first is None:
            first = (number, row["time"])
        elif zoned(row["time"]) != zoned(first[1]):
            raise ValueError(
                f"{rows.path}, line {number}, column time: {row['time']!r} and, in line "
                f"{first[0]}, {first[1]!r}: give every time a zone or none"
            )


def read_facts(
    path: Path,
    events: pd.DataFrame,
    attributes: Mapping[str, Attribute],
    today: str,
    planted: Sequence[dict[str, str]] = (),
) -> pd.DataFrame:
    """The facts in the order since when they hold, each with its standing on the test day.

    Columns of `tables.FACTS`, then those of `validity.Standing`, of which `holder` counts rows of
    this table, and `line` in the file. The `planted` ones stand in no file, in line 0. No
    rows where there are none. Raises ValueError.
    """
    more = ["since", "state", "until", "stale", "holder"]  # and `line`, where it stands in the file
    if not path.exists() and not planted:
        return pd.DataFrame(columns=[*FACTS.names, *more, "line"], dtype=object)
    names = tuple(FACTS.names)
    rows = read_rows(path, names) if path.exists() else Rows(path, names, [])
    rows.rows.extend((0, row) for row in planted)
    times = dict(zip(events["id"], events["time"], strict=True))
    rows.filled("subject", "attribute", "value", "event")
    known = "is the id of no event in events.csv; name the event that says this"
    rows.check("event", times.__contains__, known)
    for column in ("valid_from", "valid_to"):
        rows.check(column, lambda time: not time or moment(time) is not None, NO_TIME)
    rows.unique("subject", "attribute", "value", "event")
    _check_values(rows, attributes)
    for number, row in rows:
        since = row["valid_from"] or times[row["event"]]
        if row["valid_to"] and order(row["valid_to"]) <= order(since):
            raise ValueError(
                f"{path}, line {number}, column valid_to: {row['valid_to']!r} is not after "
                f"{since!r}, since when it holds"
            )
    found = standings(rows, times, today)
    table = rows.table()
    for name in more:
        table[name] = [getattr(standing, name) for standing in found]
    return _in_order(table.assign(line=[number for number, _ in rows]))


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """By since when they hold; who holds in whose place counts the new order."""
    order_ = table["since"].map(order).argsort(kind="stable").to_numpy()
    place = {int(old): new for new, old in enumerate(order_)}
    table = table.iloc[order_].reset_index(drop=True)
    table["holder"] = [place.get(int(number), -1) for number in table["holder"]]
    return table


def _check_values(rows: Rows, attributes: Mapping[str, Attribute]) -> None:
    """A value is one of those listed, where any are, and is spelled in one way."""
    seen: dict[tuple[str, str], tuple[str, int]] = {}
    for number, row in rows:
        listed = attributes[row["attribute"]].values if row["attribute"] in attributes else ()
        if listed and row["value"] not in listed:
            raise ValueError(
                f"{rows.path}, line {number}, column value: {row['value']!r} is none of the values "
                f"of {row['attribute']} in corpus.yaml: {', '.join(listed)}"
            )
        key = (row["attribute"], row["value"].casefold())
        spelled, first = seen.setdefault(key, (row["value"], number))
        if spelled != row["value"]:
            raise ValueError(
                f"{rows.path}, line {number}, column value: {row['value']!r} is written "
                f"{spelled!r} in line {first}; write it in one way"
            )
