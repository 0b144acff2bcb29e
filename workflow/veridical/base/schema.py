"""The config's schema: one file a section, in which each key is described once, default and all.

Beside JSON Schema's own words a section may say `x-part: 3` (it is a part of the study, the third
in the report's order, and off where the config leaves it out) and a key `x-names: models`,
`corpora` or `files` (its value is a name, or a list of names, of such). What a provider alone
understands stands in its own file, as `OPTIONS`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from veridical.base.code import LIBRARY

SECTIONS = LIBRARY.parent / "schemas" / "config"
PROVIDERS = LIBRARY / "models" / "providers"
TOP = "study"  # the file of the keys that stand at the top

_DEFINITIONS = {
    "names": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}},
    "seeds": {
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "integer", "minimum": 0},
    },
}
_DEFINITIONS["decisions"] = {
    "type": "object",
    "propertyNames": {"pattern": "^[^/]+/[^/]+/[^/]+/.+$"},
    "additionalProperties": {
        "anyOf": [
            {"type": "string", "minLength": 1},
            {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
        ]
    },
}
_REQUIRED = ["study", "seed"]


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first is eight times as fast


@cache
def read_schema(folder: Path = SECTIONS, providers: Path = PROVIDERS) -> dict[str, Any]:
    """The schema of a config (JSON Schema 2020-12), closed at every level, from its sections.

    A model's entry may hold the options of any provider. Read once a process: change no part of it.
    """
    files = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}
    sections = {name: yaml.load(text, Loader=_LOADER) for name, text in files.items()}
    known = sections["models"]["additionalProperties"]["properties"]
    for path in provider_files(providers).values():
        known.update({name: below for name, below in _options(path).items() if name not in known})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": False,
        "required": _REQUIRED,
        "properties": {**sections.pop(TOP), **sections},
        "$defs": _DEFINITIONS,
    }


def provider_files(folder: Path = PROVIDERS) -> dict[str, Path]:
    """The providers there are, by name: the files in `folder` that define a class `Provider`."""
    return {
        path.stem.replace("_", "-"): path
        for path in sorted(folder.glob("*.py"))
        if b"class Provider" in path.read_bytes()
        and any(
            isinstance(node, ast.ClassDef) and node.name == "Provider" for node in _statements(path)
        )
    }


def _statements(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path)).body


def _options(path: Path) -> dict[str, Any]:
    """What a provider's file says of options of its own, read without running it."""
    for node in _statements(path):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OPTIONS":
            return ast.literal_eval(node.value)
    return {}


def part_names(schema: Mapping[str, Any]) -> list[str]:
    """The sections that are parts of the study, in the report's order."""
    found = {
        name: below["x-part"] for name, below in schema["properties"].items() if "x-part" in below
    }
    return sorted(found, key=found.__getitem__)


def named(schema: Mapping[str, Any], config: Mapping[str, Any], kind: str) -> dict[str, list[str]]:
    """What each key whose values are names of a `kind` names, by the key's path.

    >>> schema = {"properties": {"aas": {"properties": {"models": {"x-names": "models"}}}}}
    >>> named(schema, {"aas": {"models": ["gpt"]}}, "models")
    {'aas/models': ['gpt']}
    """
    found: dict[str, list[str]] = {}
    for path, below, value in _walk(schema, config):
        if below.get("x-names") == kind and value is not None:
            found.setdefault(path, []).extend([value] if isinstance(value, str) else value)
    return found


def _walk(
    schema: Mapping[str, Any], config: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Every key that both know: its path, its schema and its value; also in lists of mappings."""
    for key, below in schema.get("properties", {}).items():
        if key in config:
            where = f"{path}/{key}" if path else key
            yield where, below, config[key]
            inner = below.get("items", below)
            for each in config[key] if isinstance(config[key], list) else [config[key]]:
                if isinstance(each, Mapping) and isinstance(inner, Mapping):
                    yield from _walk(inner, each, where)


def at_defaults(schema: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a filled config that have the value which a study gets that doesn't say them.

    >>> at_defaults({"properties": {"a": {"default": 1}, "b": {"default": 2}}}, {"a": 1, "b": 3})
    {'a': 1}
    """
    return {
        path: value
        for path, below, value in _walk(schema, config)
        if "default" in below and not below.get("properties") and value == below["default"]
    }


def fill_defaults(
    schema: Mapping[str, Any], config: Mapping[str, Any], path: str = ""
) -> tuple[dict[str, Any], list[str]]:
    """A config with the default of every key that it leaves out, and the paths of those keys.

    A part that is left out stays out.
    """
    filled, unsaid = dict(config), []
    for key, below in schema.get("properties", {}).items():
        where = f"{path}/{key}" if path else key
        if key not in filled and "default" in below:
            filled[key] = copy.deepcopy(below["default"])
            if not below.get("properties"):
                unsaid.append(where)
        if isinstance(filled.get(key), Mapping) and below.get("properties"):
            filled[key], more = fill_defaults(below, filled[key], where)
            unsaid += more
    return filled, unsaid
