"""YAML as people write it: texts as they stand, mistakes by file, line and column.

YAML 1.1, which most readers speak, makes 8 of `010`, false of `no`, a date of `2025-08-11`, a text
of `1e-12`, and keeps the last of two equal keys. Here a value without quotes stays what was written
(`Plain`) until it is known what is wanted there; a key given twice is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

TRUE = ("true", "yes", "on")
FALSE = ("false", "no", "off")
NOTHING = ("", "~", "null")


class YAMLError(ValueError):
    """A file can't be read as YAML; the message names file, line and column and says why."""


class Plain(str):
    """A value written without quotes, as it was written."""

    __slots__ = ()


class _Loader(yaml.SafeLoader):
    """Scalars as text, `Plain` where they have neither quotes nor a tag; no key twice."""

    def __init__(self, stream):
        super().__init__(stream)
        self.flattened: set[int] = set()

    def compose_scalar_node(self, anchor):
        tagged = self.peek_event().tag not in (None, "!")
        node = super().compose_scalar_node(anchor)
        if tagged and not node.style:
            node.style = "'"  # a tag says what it is, as quotes do
        return node

    def flatten_mapping(self, node):
        """Before a merge brings in keys that the mapping's own may replace: each own key once."""
        if id(node) in self.flattened:
            return
        self.flattened.add(id(node))
        seen: dict[str, yaml.Mark] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _problem("a key is one word or text, no list or mapping", key.start_mark)
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                first = seen[key.value].line + 1
                raise _problem(
                    f"key {key.value!r} is given twice, first in line {first}", key.start_mark
                )
            seen[key.value] = key.start_mark
        super().flatten_mapping(node)


def _text(loader: _Loader, node: yaml.ScalarNode) -> str:
    return node.value if node.style else Plain(node.value)


def _problem(problem: str, mark: yaml.Mark) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


for _kind in ("str", "int", "float", "bool", "null", "timestamp", "value"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _text)


def read_yaml(path: Path | str) -> Any:
    """What a YAML (or JSON) file holds: mappings, lists, and texts, `Plain` where not quoted.

    Raises YAMLError, naming file, line and column, where it is none, holds a key twice, or is not
    UTF-8; OSError where it can't be opened.
    """
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8", "replace"))
        raise YAMLError(
            f"{path}, line {line}, column {column}: not UTF-8 (byte 0x{data[error.start]:02x}); "
            "save the file in that encoding"
        ) from None
    return read_text(text, str(path))


def read_words(path: Path | str) -> Any:
    """What a YAML file of texts holds, every value as it was written: `no` and `010` stay that.

    Raises as `read_yaml`.
    """
    return words_of(read_yaml(path))


def words_of(content: Any) -> Any:
    """What was read with every value a plain text, at any depth."""
    if isinstance(content, Mapping):
        return {str(key): words_of(value) for key, value in content.items()}
    if isinstance(content, list):
        return [words_of(value) for value in content]
    return str(content) if isinstance(content, str) else content


def read_text(text: str, name: str) -> Any:
    """What a YAML (or JSON) text holds; `name` is what messages call it. Raises YAMLError."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text, object_pairs_hook=_once, parse_int=Plain, parse_float=Plain)
        except json.JSONDecodeError:
            pass  # YAML's own short form begins alike
        except ValueError as error:
            raise YAMLError(f"{name}: {error}") from None
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.reader.ReaderError as error:
        line, column = _place(text[: error.position])
        sign = f"the sign U+{ord(text[error.position]):04X}" if error.position < len(text) else ""
        raise YAMLError(f"{name}, line {line}, column {column}: {sign} can't stand there") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YAMLError(f"{name}{_at(mark)}: {_in_words(error)}") from None
    except RecursionError:
        raise YAMLError(f"{name}: a part of it holds itself") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key {key!r} is given twice")
    return dict(pairs)


def _place(before: str) -> tuple[int, int]:
    """Line and column, from 1, of what follows a text."""
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _at(mark: yaml.Mark | None) -> str:
    return f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""


def _in_words(error: yaml.MarkedYAMLError) -> str:
    """What is wrong, with what mostly is the cause."""
    problem = error.problem or str(error)
    if "\\t" in problem:
        return "a tab; indent with blanks"
    if problem.startswith("mapping values are not allowed"):
        return f"{problem}: is a text with a colon in need of quotes?"
    if "document" in problem and "single" in (error.context or ""):
        return "a second document begins; leave out the ---"
    begun, ended = error.context_mark, error.problem_mark
    if error.context and begun and ended and begun.line != ended.line:
        return f"{problem} ({error.context} that begins in line {begun.line + 1})"
    return f"{problem} ({error.context})" if error.context else problem


def as_mapping(content: Any, name: str) -> dict[str, Any]:
    """A file's content where it is a mapping; raises YAMLError saying what it is instead."""
    if isinstance(content, Mapping):
        return dict(content)
    if content is None or (isinstance(content, Plain) and content in NOTHING):
        raise YAMLError(f"{name}: the file is empty")
    kind = "a list" if isinstance(content, list) else "one text"
    raise YAMLError(f"{name}: {kind} at its top; keys with values are wanted, as in `study: demo`")


def value_of(text: str) -> Any:
    """A value as it is meant where nothing says what is wanted: flag, nothing, number or text.

    Raises ValueError where it could be two numbers.

    >>> [value_of(Plain(text)) for text in ("1e-12", "no", "2025-08-11", "1_000", "12:30")]
    [1e-12, False, '2025-08-11', 1000, '12:30']
    >>> value_of("1e-12")
    '1e-12'
    """
    if not isinstance(text, Plain):
        return str(text)
    for found in (flag(text), number(text)):
        if found is not None:
            return found
    return None if text.lower() in NOTHING else str(text)


def flag(text: str) -> bool | None:
    """`true`, `yes` or `on` as True, their opposites as False, None for anything else."""
    word = text.strip().lower()
    return True if word in TRUE else False if word in FALSE else None


def number(text: str) -> int | float | None:
    """A text as a number, None where it is none.

    Raises ValueError where it begins with a zero that YAML 1.1 takes for base 8.
    """
    plain = text.strip()
    if re.fullmatch(r"[-+]?0[0-9_]+", plain):
        raise ValueError(
            f"{plain}: write it without the 0 in front (YAML 1.1 takes that for base 8)"
        )
    digits = re.sub(r"(?<=[0-9])_(?=[0-9])", "", plain)
    if re.fullmatch(r"[-+]?[0-9]+", digits):
        return int(digits)
    if re.fullmatch(r"0x[0-9a-fA-F]+|0o[0-7]+", digits):
        return int(digits, 0)
    if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", digits):
        return float(digits)
    return None
