"""Tables on disk: one CSV dialect for every artefact, the same bytes from the same numbers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from veridical.base.files import write_text


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table as CSV: no index, ten significant digits, `true`/`false`, empty for missing."""
    plain = table.copy()
    for column in plain.columns:
        if plain[column].dtype == object or pd.api.types.is_bool_dtype(plain[column]):
            plain[column] = plain[column].astype(object).map(_flag, na_action="ignore")
    write_text(path, plain.to_csv(index=False, float_format="%.10g", lineterminator="\n"))


def _flag(value: object) -> object:
    """`true` or `false` for a boolean; anything else as it is."""
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else value


def read_table(
    path: Path | str, columns: Iterable[str] = (), *, text: Iterable[str] = ()
) -> pd.DataFrame:
    """Read a CSV written by `write_table`.

    Only an empty field is missing (a model's answer may be the word NA); columns in `text` stay
    strings, empty where missing. Raises ValueError naming file and column where one of `columns`
    is absent or the file is no CSV table.
    """
    text = list(text)
    try:
        table = pd.read_csv(
            path,
            encoding="utf-8-sig",
            keep_default_na=False,
            na_values={},
            dtype=dict.fromkeys(text, str),
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a CSV table ({error})") from error
    missing = [column for column in [*columns, *text] if column not in table.columns]
    if missing:
        raise ValueError(
            f"{path}: column {missing[0]!r} is missing; it has {', '.join(map(str, table.columns))}"
        )
    for column in table.columns.difference(text):
        table[column] = _typed(table[column])
    return table


def _typed(values: pd.Series) -> pd.Series:
    """Numbers and booleans where every filled field is one; None where a field is empty."""
    if values.dtype != object:
        return values
    filled = values[values.map(lambda value: value != "")]
    if filled.isin(["true", "false"]).all() and len(filled):
        flags = values.map({"true": True, "false": False})
        return flags.astype(bool) if len(filled) == len(values) else flags.astype("boolean")
    numbers = pd.to_numeric(filled, errors="coerce")
    if len(filled) == 0 or numbers.notna().all():
        return numbers.reindex(values.index)
    return values.where(values.map(lambda value: value != ""), None)
