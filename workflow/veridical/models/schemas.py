"""The pieces of an answer that fits a JSON schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from veridical.models.pieces import CHOICES, Pieces

_WORDS = {"title", "description", "$comment", "examples", "default"}  # keywords that bind nothing


def schema_pieces(schema: Mapping[str, Any]) -> Pieces:
    """The pieces of an answer that fits a schema, written without white space.

    Known are objects whose properties are all required and no others allowed, `enum` of texts,
    `const`, truth values, null, and whole numbers between two bounds. Empty where the schema says
    anything else, which pieces can't.

    >>> closed = {"required": ["pick"], "additionalProperties": False}
    >>> schema_pieces({"type": "object", "properties": {"pick": {"enum": ["A", "B"]}}, **closed})
    ('{', '"pick":', ('"A"', '"B"'), '}')
    """
    try:
        return _pieces(schema)
    except _OpenError:
        return ()


class _OpenError(Exception):
    """The schema leaves more open than choices between texts."""


def _pieces(schema: Mapping[str, Any]) -> Pieces:
    said = {key: value for key, value in schema.items() if key not in _WORDS}
    match said:
        case {"properties": {**properties}, "required": [*required], **rest}:
            closed = rest == {"type": "object", "additionalProperties": False}
            if closed and sorted(required) == sorted(properties):
                return _object(properties)
        case {"enum": [*values], **rest} if rest in ({}, {"type": "string"}):
            if all(isinstance(value, str) for value in values):
                return (tuple(map(_compact, values)),)
        case {"const": value, **rest} if not rest:
            return (_compact(value),)
        case {"type": "integer", "minimum": int(low), "maximum": int(high), **rest} if not rest:
            if 0 <= high - low < CHOICES:
                return (tuple(map(str, range(low, high + 1))),)
        case {"type": "boolean", **rest} if not rest:
            return (("true", "false"),)
        case {"type": "null", **rest} if not rest:
            return ("null",)
    raise _OpenError


def _object(properties: Mapping[str, Any]) -> Pieces:
    """The pieces of a closed object, its properties in the schema's order."""
    found: list[Any] = ["{"]
    for number, (name, schema) in enumerate(properties.items()):
        found += [("," if number else "") + f"{_compact(name)}:", *_pieces(schema)]
    return (*found, "}")


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
