"""Which of the library's modules a script reaches, and a hash of them all.

The workflow engine notices an edited script but no edited module; a rule whose params hold
`code_hash(script)` runs again when anything that it imports has changed.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LIBRARY = Path(__file__).parents[1]


@cache
def _imports(path: Path) -> frozenset[Path]:
    """The library's files that one file imports when it runs, anywhere in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    found: set[Path] = set()
    for node in _runs(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            found |= _files(name, LIBRARY)
    return frozenset(found)


def _runs(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement but those that only a type checker reads; expressions import nothing."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, None) or ():
            if isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
                continue
            yield child
            yield from _runs(child)


@cache
def _files(name: str, library: Path) -> frozenset[Path]:
    """The file of a dotted module name and of the packages it lies in; none if not ours."""
    head, *rest = name.split(".")
    if head != library.name:
        return frozenset()
    files, folder = set(), library
    for part in rest:
        if (folder / f"{part}.py").is_file():
            files.add(folder / f"{part}.py")
            break
        folder = folder / part
        if not (folder / "__init__.py").is_file():
            break
        files.add(folder / "__init__.py")
    return frozenset(files)


def reached(script: Path | str) -> list[Path]:
    """The script and every module of the library that it imports, directly or not, sorted."""
    todo, seen = [Path(script)], set()
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo.extend(_imports(path))
    return sorted(seen)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@cache
def code_hash(script: Path | str) -> str:
    """Sixteen hex digits over the content of all files that `reached` names."""
    digest = hashlib.sha256()
    for path in reached(script):
        digest.update(path.name.encode() + b"\0" + _content(path) + b"\0")
    return digest.hexdigest()[:16]
