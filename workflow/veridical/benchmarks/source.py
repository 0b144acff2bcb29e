"""A benchmark's file or folder: what kind it is, its records, its hash."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from veridical.benchmarks.items import BenchmarkError


class Source:
    """What the user brought. Nothing is read before a reader asks for it."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        if not self.path.exists():
            raise BenchmarkError(f"{path}: no such file or folder")
        self.name = self.path.name or str(path)

    def beside(self, *names: str) -> Path | None:
        """The first of the named files that lies in the same folder; None if none does."""
        folder = self.path if self.path.is_dir() else self.path.parent
        return next((folder / name for name in names if (folder / name).is_file()), None)

    @cached_property
    def kind(self) -> str:
        """`folder`, `json` (one value), `jsonl` (a value a line) or `csv`."""
        if self.path.is_dir():
            return "folder"
        with open(self.path, "rb") as file:
            start = file.read(4).removeprefix(b"\xef\xbb\xbf").lstrip()
            file.seek(0)
            if start[:1] == b"[":
                return "json"
            if start[:1] != b"{":
                return "csv"
            first = file.readline()
            rest = any(line.strip() for line in file) if _whole(first) else False
        return "jsonl" if rest or self.path.suffix.lower() == ".jsonl" else "json"

    @cached_property
    def value(self) -> Any:
        """The value of a JSON file."""
        self._must_be_a_file()
        try:
            return json.loads(self.path.read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError as error:
            raise BenchmarkError(f"{self.name}: not UTF-8 text ({error})") from error
        except json.JSONDecodeError as error:
            raise BenchmarkError(f"{self.name}: not JSON ({error})") from error

    def lines(self) -> Iterator[tuple[int, Any]]:
        """The values of a JSONL file with their line numbers from 1; empty lines don't count."""
        try:
            with open(self.path, encoding="utf-8-sig", newline="\n") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        yield number, json.loads(line)
        except UnicodeDecodeError as error:
            raise BenchmarkError(f"{self.name}: not UTF-8 text ({error})") from error
        except json.JSONDecodeError as error:
            raise BenchmarkError(f"{self.name}, line {number}: not JSON ({error})") from error

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of a CSV file, by column, with the line each ends on."""
        before = csv.field_size_limit(2**31 - 1)  # an option or a history may be long
        try:
            with open(self.path, encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(file, strict=True)
                for row in reader:
                    if None in row or None in row.values():
                        raise BenchmarkError(
                            f"{self.name}, line {reader.line_num}: not as many fields as columns"
                        )
                    yield reader.line_num, row
        except UnicodeDecodeError as error:
            raise BenchmarkError(f"{self.name}: not UTF-8 text ({error})") from error
        except csv.Error as error:
            raise BenchmarkError(f"{self.name}: not a CSV table ({error})") from error
        finally:
            csv.field_size_limit(before)  # the process's, not this file's

    @cached_property
    def records(self) -> list[tuple[str, Any]]:
        """Every record of the file and where it stands, whatever the kind."""
        self._must_be_a_file()
        if self.kind == "json":
            values = self.value if isinstance(self.value, list) else [self.value]
            return [(f"{self.name}, item {n}", each) for n, each in enumerate(values, start=1)]
        pairs = self.lines() if self.kind == "jsonl" else self.rows()
        return [(f"{self.name}, line {number}", each) for number, each in pairs]

    def _must_be_a_file(self) -> None:
        if self.kind == "folder":
            raise BenchmarkError(f"{self.name}: a folder where this format is one file")

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first record, by which a format is known; empty where it is no object."""
        if self.kind == "folder":
            return {}
        if self.kind == "json":
            found = self.value[0] if isinstance(self.value, list) and self.value else self.value
        else:
            pairs = self.lines() if self.kind == "jsonl" else self.rows()
            found = next(pairs, (0, {}))[1]
        return found if isinstance(found, dict) else {}

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the file; of a folder, of the lines `hash  path` of all its files, sorted."""
        if not self.path.is_dir():
            return file_hash(self.path)
        lines = [
            f"{file_hash(path)}  {path.relative_to(self.path).as_posix()}\n"
            for path in sorted(self.path.rglob("*.json"))
        ]
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _whole(line: bytes) -> bool:
    """Whether a line is a JSON value by itself."""
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
