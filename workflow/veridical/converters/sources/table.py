"""A CSV with named columns: when, who, what; and columns that say something of a subject."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from veridical.converters.life import ConversionError, Event, Fact, Life, Wish
from veridical.converters.moments import time_of
from veridical.converters.talk import as_life
from veridical.corpora.corpus_files import check_separator, read_text

NEEDED = ("time", "text")
OWN = ("time", "speaker", "text", "session", "subject")


def convert(wish: Wish) -> Life:
    """A row an event. `columns` says which column is which of `OWN`; `facts` names, by attribute,
    the columns that hold values of the row's `subject`."""
    rows = list(_rows(wish))
    if not rows:
        raise ConversionError(f"{wish.file}: nothing is said in it: a header and no row")
    events = tuple(_event(number, row, wish) for number, row in rows)
    attributes = wish["facts"] or {}
    if not attributes:
        return as_life(events, wish, {})
    if "subject" not in (wish["columns"] or {}) and "subject" not in rows[0][1]:
        raise ConversionError(
            f"{wish.file}: facts say something of a subject; name its column, as in "
            "`columns: {subject: …}`"
        )
    facts = tuple(
        Fact(subject, attribute, value, f"e{number}")
        for number, row in rows
        for attribute, column in attributes.items()
        if (value := _cell(row, column, wish, number)) and (subject := _own(row, "subject", wish))
    )
    life = as_life(events, wish, {})
    kept = {event.id for event in life.events}  # `sessions` may have cut some
    facts = tuple(fact for fact in facts if fact.event in kept)
    lacking = tuple(text for text in life.lacking if not text.startswith("who said it"))
    worded: Mapping[str, Mapping[str, str]] = {attribute: {} for attribute in attributes}
    return replace(life, facts=facts, attributes=worded, lacking=lacking)


def _rows(wish: Wish) -> Iterator[tuple[int, dict[str, str]]]:
    path = Path(wish.file)
    text = read_text(path)
    check_separator(path, text)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = [name.strip() for name in next(reader, ())]
        _check_columns(columns, wish)
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) != len(columns):
                raise ConversionError(
                    f"{wish.file}, line {reader.line_num}: not as many cells as the header has"
                )
            values = (cell.strip() for cell in cells)
            yield reader.line_num, dict(zip(columns, values, strict=True))
    except csv.Error as error:
        raise ConversionError(f"{wish.file}, line {reader.line_num}: {error}") from error


def _check_columns(columns: Sequence[str], wish: Wish) -> None:
    if twice := [name for name in columns if columns.count(name) > 1]:
        raise ConversionError(f"{wish.file}: column {twice[0]!r} is there more than once")
    for name in NEEDED:
        named = (wish["columns"] or {}).get(name, name)
        if named not in columns:
            raise ConversionError(
                f"{wish.file}: no column {named!r} for {name}; it has {', '.join(columns)}; say "
                f"which it is, as in `columns: {{{name}: …}}`"
            )


def _own(row: Mapping[str, str], name: str, wish: Wish) -> str:
    return row.get((wish["columns"] or {}).get(name, name), "")


def _cell(row: Mapping[str, str], column: str, wish: Wish, number: int) -> str:
    if column not in row:
        raise ConversionError(f"{wish.file}, line {number}: no column {column!r}, named in `facts`")
    return row[column]


def _event(number: int, row: Mapping[str, str], wish: Wish) -> Event:
    told = {name: _own(row, name, wish) for name in OWN}
    time = time_of(told["time"])
    column = (wish["columns"] or {}).get("time", "time")
    if time is None:
        raise ConversionError(
            f"{wish.file}, line {number}, column {column}: {told['time']!r} is no time that is "
            "sure; write it as 2025-03-31 or 2025-03-31T14:05"
        )
    if not told["text"]:
        raise ConversionError(f"{wish.file}, line {number}, column text: empty")
    speaker = told["speaker"] or str(wish["agent"] or "note")
    return Event(time, speaker, told["text"], told["session"] or time[:10], f"e{number}")
