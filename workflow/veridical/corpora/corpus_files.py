"""The files of a corpus folder: reading text, tables and settings with errors that say where."""

from __future__ import annotations

import csv
import difflib
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from veridical.base import yaml_files
from veridical.base.yaml_files import flag, words_of

REQUIRED = ("agent", "language", "partners", "line", "abstention", "question", "licence", "origin")
DEFAULTS = {"balanced": True, "associations": {}}
# Unicode's control characters (Cc) but the tab, and the separators of lines and paragraphs.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


def read_text(path: Path) -> str:
    """The file's text. A byte-order mark and Windows line ends are taken away.

    Characters are composed (NFC), so that a name typed on a Mac (NFD) is the same name.

    Raises ValueError where the file is missing or is not UTF-8.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise ValueError(f"{path}: missing; a corpus folder needs this file") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{path}, line {line}: not UTF-8 (byte 0x{content[error.start]:02x}); save the file "
            "as UTF-8"
        ) from error
    if "\x00" in text:
        raise ValueError(f"{path}: contains null characters; save the file as UTF-8, not UTF-16")
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True)
class Rows:
    """The rows of a table, each with its line number in the file, to be checked and then used."""

    path: Path
    columns: tuple[str, ...]
    rows: list[tuple[int, dict[str, str]]]

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def table(self) -> pd.DataFrame:
        """All rows, every column as text."""
        return pd.DataFrame([row for _, row in self.rows], columns=list(self.columns), dtype=object)

    def check(self, column: str, holds: Callable[[str], bool], complaint: str) -> None:
        """Raise ValueError at the first cell of `column` for which `holds` is false."""
        for number, row in self.rows:
            if not holds(row[column]):
                raise ValueError(
                    f"{self.path}, line {number}, column {column}: {row[column]!r} {complaint}"
                )

    def filled(self, *columns: str) -> None:
        """Raise ValueError at the first empty cell."""
        for column in columns:
            self.check(column, bool, "must not be empty")

    def unique(self, *columns: str) -> None:
        """Raise ValueError where two rows agree in all `columns` (capitals count as equal)."""
        seen: dict[tuple[str, ...], int] = {}
        for number, row in self.rows:
            key = tuple(row[column].casefold() for column in columns)
            if key in seen:
                raise ValueError(
                    f"{self.path}, line {number}, column {' and '.join(columns)}: "
                    f"{' '.join(row[column] for column in columns)!r} stands in line {seen[key]} "
                    "already"
                )
            seen[key] = number


def read_rows(
    path: Path,
    columns: Sequence[str],
    *,
    optional: Sequence[str] = (),
    breaks: Sequence[str] = (),
) -> Rows:
    """Read a CSV file that has exactly these columns, in any order, and at least one row.

    `optional` columns may be there as well; in those named by `breaks` a line break counts as a
    blank. Raises ValueError naming file, line and column.
    """
    text = read_text(path)
    if not text.strip():
        raise ValueError(f"{path}: empty; it needs the header {','.join(columns)}")
    check_separator(path, text)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = []
    try:
        header = [name.strip() for name in next(reader)]
        columns = (*columns, *(name for name in optional if name in header))
        _check_header(path, header, columns)
        for cells in reader:
            if not any(cells):
                continue
            number = reader.line_num
            if len(cells) != len(header):
                raise ValueError(
                    f"{path}, line {number}: {len(cells)} cells for {len(header)} columns; a text "
                    "that contains a comma needs quotation marks"
                )
            row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
            for name in breaks:
                row[name] = " ".join(row[name].split())
            for name, cell in row.items():
                if "\n" in cell:
                    raise ValueError(f"{path}, line {number}, column {name}: contains a line break")
                _check_characters(f"{path}, line {number}, column {name}", cell)
            rows.append((number, {name: row[name] for name in columns}))
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: not CSV ({error})") from error
    if not rows:
        raise ValueError(f"{path}: a header and no rows")
    return Rows(path, tuple(columns), rows)


def _check_characters(where: str, cell: str) -> None:
    """Refuse what can't be seen and what some programs take for the end of a line."""
    if found := _CONTROL.search(cell):
        raise ValueError(
            f"{where}: contains the control character U+{ord(found[0]):04X}; take it out"
        )


def check_separator(path: Path, text: str) -> None:
    """Commas must part the columns; spreadsheets of many countries save semicolons or tabs."""
    header = text.partition("\n")[0]
    for separator in (";", "\t", "|"):
        if separator in header and "," not in header:
            raise ValueError(f"{path}, line 1: separated by {separator!r}: save it with commas")


def _check_header(path: Path, header: list[str], columns: Sequence[str]) -> None:
    """The header must name each column once and no other."""
    for name in columns:
        if name not in header:
            near = difflib.get_close_matches(name, [h for h in header if h not in columns], n=1)
            hint = f" (is {near[0]!r} meant for it?)" if near else ""
            raise ValueError(
                f"{path}, line 1: column {name} is missing{hint}; found {', '.join(header)}"
            )
    for name in header:
        if name not in columns or header.count(name) > 1:
            raise ValueError(
                f"{path}, line 1: column {name!r} is unknown or stands twice; "
                f"the columns are {', '.join(columns)}"
            )


def read_settings(path: Path, fields: Sequence[str]) -> dict[str, Any]:
    """Read `corpus.yaml`; `fields` are what the entry template must contain, each once.

    Raises ValueError naming file and key.
    """
    settings = yaml_files.read_text(read_text(path), str(path))
    if not isinstance(settings, dict):
        raise ValueError(f"{path}: needs the keys {', '.join(REQUIRED)}")
    settings.pop("form", None)
    known = (*REQUIRED, *DEFAULTS)
    for key in REQUIRED:
        if key not in settings:
            raise ValueError(f"{path}: key {key} is missing")
    for key in settings:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            raise ValueError(
                f"{path}: unknown key {key!r}" + (f"; is {near[0]!r} meant?" if near else "")
            )
    settings = DEFAULTS | words_of(settings)
    if isinstance(settings["balanced"], str):
        settings["balanced"] = flag(settings["balanced"])
    for key in ("agent", "language", "line", "abstention", "licence", "origin"):
        if not isinstance(settings[key], str) or not settings[key].strip():
            raise ValueError(f"{path}, key {key}: must be a text, not {settings[key]!r}")
    _check_partners(path, settings)
    for field in fields:
        if settings["line"].count(f"{{{field}}}") != 1:
            raise ValueError(f"{path}, key line: must contain {{{field}}} exactly once")
    question = settings["question"]
    if not isinstance(question, dict) or "{topic}" not in str(question.get("with_whom")):
        raise ValueError(f"{path}, key question: needs with_whom, a text that contains {{topic}}")
    if not isinstance(settings["balanced"], bool):
        raise ValueError(f"{path}, key balanced: must be true or false")
    return settings


def _check_partners(path: Path, settings: dict[str, Any]) -> None:
    """At least two partners, whose names no other answer could be; associations only for them."""
    partners = settings["partners"]
    names = partners if isinstance(partners, list) else []
    if len(names) < 2 or not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError(f"{path}, key partners: must list two names or more, not {partners!r}")
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError(f"{path}, key partners: a name stands twice in {names}")
    if settings["abstention"].strip().casefold() in {name.strip().casefold() for name in names}:
        raise ValueError(
            f"{path}, key abstention: {settings['abstention']!r} is a partner's name too, so that "
            "no answer could be told from it"
        )
    associations = settings["associations"]
    if not isinstance(associations, dict) or not set(associations) <= set(names):
        raise ValueError(f"{path}, key associations: must list words under the partners {names}")
