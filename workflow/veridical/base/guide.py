"""The tables of config/README.md, written from the schema.

python -m veridical.base.guide            # write them anew
python -m veridical.base.guide --check    # 1 where they differ from the schema
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from veridical.base.files import write_text
from veridical.base.schema import SECTIONS, read_schema

GUIDE = SECTIONS.parents[2] / "config" / "README.md"
_TABLE = re.compile(r"<!-- keys of (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def render(text: str, schema: Mapping[str, Any]) -> str:
    """The guide with each table between its two marks written anew.

    The marks are `<!-- keys of SECTION -->` and `<!-- end -->`; the section `study` has the keys at
    the top. Raises ValueError where a section has no table or a table no section.
    """
    tables = {name: list(rows) for name, rows in _sections(schema)}
    marked = _TABLE.findall(text)
    if sorted(marked) != sorted(tables):
        odd = sorted(set(marked) ^ set(tables)) or sorted(marked)
        raise ValueError(f"config/README.md: one table each, please, of {', '.join(odd)}")
    return _TABLE.sub(lambda match: _table(match[1], tables[match[1]]), text)


def _sections(schema: Mapping[str, Any]) -> Iterator[tuple[str, Iterator[tuple[str, str, str]]]]:
    top = {}
    for name, below in schema["properties"].items():
        keyed = below.get("properties") or (below.get("additionalProperties") or {})
        inner = keyed.get("properties", keyed) if isinstance(keyed, Mapping) else {}
        if below.get("type") == "object" and inner:
            yield name, _rows(inner)
        else:
            top[name] = below
    yield "study", _rows(top)


def _rows(properties: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str, str]]:
    """Key, meaning and default of each key, those of a mapping below it."""
    for key, below in properties.items():
        where = f"{path}.{key}" if path else key
        inner, mark = _inside(below)
        plain = "default" in below and "properties" not in below
        yield where, _meaning(below), f"`{_default(below['default'])}`" if plain else ""
        yield from _rows(inner, where + mark)


def _inside(below: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The keys within a key's value, and how it is written that they lie in each of several."""
    for word, mark in (("additionalProperties", ".<name>"), ("items", "[]")):
        if isinstance(below.get(word), Mapping) and "properties" in below[word]:
            return below[word]["properties"], mark
    return below.get("properties", {}), ""


def _meaning(below: Mapping[str, Any]) -> str:
    """The description, with the words that are allowed where it doesn't name them all."""
    said = below["description"].replace("|", "\\|")
    words = [_default(word) for word in below.get("enum", [])]
    if all(f"`{word}`" in said for word in words):
        return said
    return f"{said.rstrip('.')}: {', '.join(f'`{word}`' for word in words)}."


def _default(value: Any) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _table(name: str, rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| `{key}` | {meaning} | {default} |" for key, meaning, default in rows]
    head = ["| key | meaning | default |", "| --- | --- | --- |"]
    return "\n".join([f"<!-- keys of {name} -->", *head, *lines, "<!-- end -->"])


def main(words: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.base.guide", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; 1 where they differ")
    parser.add_argument("guide", nargs="?", type=Path, default=GUIDE, help="the file")
    chosen = parser.parse_args(words)
    before = chosen.guide.read_text(encoding="utf-8")
    after = render(before, read_schema())
    if not chosen.check:
        write_text(chosen.guide, after)
    elif after != before:
        print(f"{chosen.guide}: its tables are not the schema's; run {parser.prog}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
