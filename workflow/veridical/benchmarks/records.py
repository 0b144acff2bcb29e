"""Reading a benchmark's records field by field, so that whatever is wrong is named where it is."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veridical.benchmarks.items import BenchmarkError, Turn

KINDS = {
    str: "text",
    list: "a list",
    dict: "an object",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}

_LABEL = re.compile(r"\s*[(\[]?([A-Za-z])[)\].:]\s+")


class Record:
    """An object of a file and where it stands, for messages."""

    def __init__(self, data: Any, where: str):
        if not isinstance(data, Mapping):
            raise BenchmarkError(f"{where}: {_kind(data)} where an object was expected")
        self.data, self.where = data, where

    def __contains__(self, name: str) -> bool:
        return self.data.get(name) is not None

    def wrong(self, name: str, what: str) -> BenchmarkError:
        """The error that this field is not as it should be."""
        return BenchmarkError(f"{self.where}, field {name!r}: {what}")

    def get(self, name: str) -> Any:
        """The field as it is; raises where it is missing or null."""
        if name not in self:
            raise self.wrong(name, f"missing; the item has {', '.join(map(str, self.data))}")
        return self.data[name]

    def text(self, *names: str, default: str | None = None) -> str:
        """The first of the fields that is there, as text; numbers and booleans are written out.

        Raises BenchmarkError where none is there and no default is given, or it is empty or no
        text.
        """
        name = next((name for name in names if name in self), names[0])
        if name not in self and default is not None:
            return default
        value = self.get(name)
        if isinstance(value, (bool, int, float)):
            return str(value)
        if not isinstance(value, str):
            raise self.wrong(name, f"{_kind(value)} where text was expected")
        if not value.strip() and default is None:
            raise self.wrong(name, "empty")
        return value.strip()

    def list(self, name: str, *, optional: bool = False) -> Sequence[Any]:
        """The field as a list; empty where it may be missing and is."""
        if optional and name not in self:
            return []
        value = self.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, f"{_kind(value)} where a list was expected")
        return value

    def records(self, name: str, *, optional: bool = False) -> Iterator[Record]:
        """The objects of a list, each knowing its place."""
        for number, each in enumerate(self.list(name, optional=optional), start=1):
            yield Record(each, f"{self.where}, {name}[{number}]")

    def record(self, name: str) -> Record:
        """An object in a field."""
        return Record(self.get(name), f"{self.where}, {name}")

    def names(self, name: str) -> tuple[str, ...]:
        """A list of ids, as text; lists within are taken apart, an object by its values."""
        return tuple(_flat(self.data.get(name)))


def _kind(value: Any) -> str:
    return KINDS.get(type(value), type(value).__name__)


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _flat(each)
    elif value is not None:
        yield str(value).strip()


def listed(value: Any) -> list[str] | None:
    """A list of texts that a CSV field holds as JSON or as Python writes it; None if it is none."""
    if isinstance(value, list):
        found = value
    else:
        found = None
        for read in (json.loads, ast.literal_eval):
            try:
                found = read(str(value))
            except (ValueError, SyntaxError, RecursionError):
                continue
            break
    if not isinstance(found, (list, tuple)):
        return None
    return [str(each).strip() for each in found]


def unlabelled(options: Sequence[str]) -> tuple[str, ...]:
    """The options without `(a)`, `B.` or `c)` before them, where every one bears its own letter."""
    found = [_LABEL.match(option) for option in options]
    letters = [match[1].lower() if match else "" for match in found]
    if letters != [chr(ord("a") + place) for place in range(len(options))]:
        return tuple(options)
    return tuple(
        option[match.end() :].strip() for option, match in zip(options, found, strict=True)
    )


def find_key(answer: str, options: Sequence[str]) -> int | None:
    """The place of the option that the answer names: by its text, else by a letter, else None.

    >>> find_key("(b)", ["tea", "milk"])
    1
    """
    plain = [" ".join(option.split()).casefold() for option in options]
    wanted = " ".join(answer.split()).casefold()
    if plain.count(wanted) == 1:
        return plain.index(wanted)
    letter = re.fullmatch(r"[(\[]?([a-z])[)\].:]?", wanted)
    place = ord(letter[1]) - ord("a") if letter else len(options)
    return place if place < len(options) else None


def option_faults(options: Sequence[str], key: int | None) -> tuple[str, ...]:
    """What is inconsistent in an item's options and key, in words."""
    faults = []
    if len(options) < 2:
        faults.append("fewer than two options")
    if any(not option.strip() for option in options):
        faults.append("an option is empty")
    if len({" ".join(option.split()).casefold() for option in options}) < len(options):
        faults.append("two options read the same")
    if key is None:
        faults.append("the key is none of the options")
    return tuple(faults)


def message_turns(messages: Sequence[Any], where: str, prefix: str = "") -> tuple[Turn, ...]:
    """Turns from chat messages `{"role": ..., "content": ...}`, numbered from 0 after `prefix`."""
    if not isinstance(messages, list):
        raise BenchmarkError(f"{where}: {_kind(messages)} where a list of messages was expected")
    turns = []
    for number, message in enumerate(messages):
        record = Record(message, f"{where}, message {number + 1}")
        speaker, text = record.text("role", default=""), record.text("content", default="")
        turns.append(Turn(speaker, text, f"{prefix}{number}"))
    return tuple(turns)
