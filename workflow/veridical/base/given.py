"""A config as it was given, in files and on the command line, each value read as what is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.yaml_files import (
    NOTHING,
    Plain,
    as_mapping,
    flag,
    number,
    read_text,
    read_yaml,
    value_of,
)


def read_config(
    files: Iterable[Path | str], arguments: Sequence[str] | None = None
) -> dict[str, Any]:
    """The files laid over one another, and over them the command line's `key=value`.

    Mappings are merged key by key, anything else is replaced; a section with nothing in it says
    nothing. Values stay as they were written until `as_wanted` reads them. Raises YAMLError naming
    file, line and column; OSError where a file can't be opened.
    """
    config: dict[str, Any] = {}
    for path in files:
        _lay_over(config, as_mapping(read_yaml(path), str(path)))
    for argument in arguments or ():
        key, _, text = str(argument).partition("=")
        _lay_over(config, {key: _argument(text, f"--config {key}")})
    return config


def _argument(text: str, name: str) -> Any:
    """The value of `--config key=value`: one text as it stands, or YAML's short form of more."""
    return read_text(text, name) if text.strip()[:1] in ("{", "[", "'", '"') else Plain(text)


def _lay_over(config: dict[str, Any], over: Mapping[str, Any]) -> None:
    for key, value in over.items():
        below = config.get(key)
        if isinstance(value, Mapping):
            config[key] = below if isinstance(below, dict) else {}
            _lay_over(config[key], value)
        elif not (isinstance(below, dict) and isinstance(value, Plain) and value in NOTHING):
            config[key] = value


def as_wanted(config: Any, schema: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """A config with each text read as what its schema wants there, and what could be two things.

    Where a flag or a number is wanted, `no` and `1e-12` are one; where a text is wanted, both stay
    texts, and so do names such as `010`. Where the schema doesn't say, a value written without
    quotes is what it looks like. What is none of what is wanted stays a text, for the check.
    """
    problems: list[str] = []
    return _read(config, schema, schema.get("$defs", {}), "", problems), problems


def _read(
    value: Any, schema: Mapping[str, Any], defs: Mapping[str, Any], where: str, problems: list[str]
) -> Any:
    schema = defs[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if isinstance(value, Mapping):
        known, other = schema.get("properties", {}), schema.get("additionalProperties")
        other = other if isinstance(other, Mapping) else {}
        return {
            str(key): _read(each, known.get(key, other), defs, f"{where}/{key}", problems)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        items = schema.get("items", {})
        return [_read(each, items, defs, where, problems) for each in value]
    if not isinstance(value, str):
        return value
    try:
        return next(_readings(value, schema), str(value))
    except ValueError as error:
        problems.append(f"{where.lstrip('/')}: {error}")
        return str(value)


def _readings(text: str, schema: Mapping[str, Any]) -> Iterator[Any]:
    """What a text can be where a schema is in force, what is wanted most first."""
    kinds = schema.get("type", ())
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    if "enum" in schema:
        listed = [(type(each), each) for each in schema["enum"]]
        found = [str(text), flag(text)]
        yield from (each for each in found if (type(each), each) in listed)
        return
    if "null" in kinds and isinstance(text, Plain) and text.lower() in NOTHING:
        yield None
    if "string" in kinds:
        yield str(text)
    if "boolean" in kinds and flag(text) is not None:
        yield flag(text)
    if kinds & {"integer", "number"} and (found := number(text)) is not None:
        yield int(found) if "integer" in kinds and found == int(found) else found
    if not kinds:
        yield value_of(text)
