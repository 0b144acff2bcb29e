"""Arguments of a tool from a pattern in the config, and texts out of what a tool gave back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PLACE = re.compile(r"\{(\w+)\}")


def fill_in(pattern: Any, values: Mapping[str, Any]) -> Any:
    """A pattern with every `{name}` replaced, at any depth; a text that is one place alone becomes
    the value itself, a number a number. What is filled in is never read again.

    Raises ValueError naming a place that there is nothing for.

    >>> fill_in({"q": "{query}", "limit": "{k}"}, {"query": "{k} loaves", "k": 3})
    {'q': '{k} loaves', 'limit': 3}
    """
    if isinstance(pattern, Mapping):
        return {key: fill_in(value, values) for key, value in pattern.items()}
    if isinstance(pattern, Sequence) and not isinstance(pattern, str):
        return [fill_in(value, values) for value in pattern]
    if not isinstance(pattern, str):
        return pattern
    if strange := [name for name in PLACE.findall(pattern) if name not in values]:
        known = ", ".join(f"{{{name}}}" for name in values)
        raise ValueError(f"{{{strange[0]}}} in {pattern!r} is nothing that is known here: {known}")
    whole = PLACE.fullmatch(pattern)
    if whole:
        return values[whole[1]]
    return PLACE.sub(lambda place: str(values[place[1]]), pattern)


def texts_at(value: Any, path: str) -> Iterator[str]:
    """The texts at a path into a JSON value: names with dots between, `*` for every one of a list
    or mapping. What is no text there is given as JSON.

    Raises ValueError naming the part of the path that isn't there.

    >>> list(texts_at({"nodes": [{"said": ["a", "b"]}, {"said": []}]}, "nodes.*.said.*"))
    ['a', 'b']
    """
    yield from (
        each if isinstance(each, str) else json.dumps(each, ensure_ascii=False)
        for each in _at(value, path.split(".") if path else [])
    )


def _at(value: Any, path: list[str]) -> Iterator[Any]:
    if not path:
        yield value
        return
    name, *rest = path
    if name == "*" and isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _at(each, rest)
    elif isinstance(value, dict) and name in value:
        yield from _at(value[name], rest)
    else:
        shown = json.dumps(value, ensure_ascii=False)[:200]
        raise ValueError(f"there is no {name!r} (of path {'.'.join(path)}) in {shown}")
