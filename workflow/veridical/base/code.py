"""Which of the library's modules a script reaches, and a hash of them all.

The workflow engine notices an edited script but no edited module; a rule whose params hold
`code_hash(script)` runs again when anything that it imports has changed.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

LIBRARY = Path(__file__).parents[1]

# By script: its hash, and the files that it reaches. `code_kept.py` keeps them between commands.
FOUND: dict[str, dict[str, Any]] = {}


# Only what a type checker reads: such a block, with all that is indented deeper.
CHECKED = re.compile(
    r"^([ \t]*)if TYPE_CHECKING:[^\n]*\n(?:\1[ \t]+[^\n]*\n|[ \t]*\n)*", re.MULTILINE
)
IMPORT = re.compile(
    r"^[ \t]*(?:import[ \t]+(?P<modules>[^\n#]+)"
    r"|from[ \t]+(?P<source>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^()]*\)|[^\n#()]+))",
    re.MULTILINE,
)
# An import that doesn't begin a line of its own, or goes on in the next: left to the parser.
ODD = re.compile(
    r"[;:][ \t]*(?:import|from)[ \t]+\w"
    r"|^[ \t]*(?:import|from)\b[^\n]*(?:[\\;]|\([^)]*#)",
    re.MULTILINE,
)
ELSE = re.compile(CHECKED.pattern + r"\1el(?:se|if)\b", re.MULTILINE)


@cache
def _imports(path: Path) -> frozenset[Path]:
    """The library's files that one file imports when it runs, anywhere in it."""
    text = _content(path).decode("utf-8")
    names = _parsed(text, path) if _is_odd(text) else _scanned(text)
    return frozenset(file for name in names for file in _files(name, LIBRARY))


def _is_odd(text: str) -> bool:
    """Whether only the parser can tell what is imported: an `else` to what a type checker reads, an
    import beside another statement, a comment among the names."""
    return bool(ODD.search(text) or ("TYPE_CHECKING" in text and ELSE.search(text)))


def _scanned(text: str) -> Iterator[str]:
    """The modules, and what may be modules, that a text's import statements name.

    Parsing the whole library takes several times as long, and every command of the engine waits for
    it. A statement in a docstring counts: its module is hashed though it isn't reached.
    """
    if "TYPE_CHECKING" in text:
        text = CHECKED.sub("", text)
    for found in IMPORT.finditer(text):
        if modules := found["modules"]:
            yield from (module.split()[0] for module in modules.split(",") if module.strip())
        else:
            yield found["source"]
            names = found["names"].strip("()").split(",")
            yield from (f"{found['source']}.{name.split()[0]}" for name in names if name.strip())


def _parsed(text: str, path: Path) -> Iterator[str]:
    """The same by Python's own parser."""
    for node in _runs(ast.parse(text, filename=str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]


def _runs(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement but those that only a type checker reads; expressions import nothing."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, None) or ():
            if isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
                continue
            yield child
            yield from _runs(child)


@cache
def _modules(library: Path) -> dict[str, Path]:
    """The library's files by their modules' dotted names; a package's is its `__init__.py`."""
    found = {}
    for path in library.rglob("*.py"):
        parts = (library.name, *path.relative_to(library).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def _files(name: str, library: Path) -> frozenset[Path]:
    """The file of a dotted module name and of the packages it lies in; none if not ours."""
    head, *rest = name.split(".")
    if head != library.name:
        return frozenset()
    files, dotted = set(), head
    for part in rest:
        dotted += f".{part}"
        if dotted not in _modules(library):
            break
        files.add(_modules(library)[dotted])
    return frozenset(files)


def reached(script: Path | str) -> list[Path]:
    """The script and every module of the library that it imports, directly or not, sorted."""
    found = FOUND.setdefault(str(script), {})
    if "reached" not in found:
        found["reached"] = [str(path) for path in _followed(Path(script))]
    return [_path(name) for name in found["reached"]]


_path = cache(Path)


def _followed(script: Path) -> list[Path]:
    todo, seen = [script], set()
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo.extend(_imports(path))
    return sorted(seen)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


def code_hash(script: Path | str) -> str:
    """Sixteen hex digits over the content of all files that `reached` names."""
    found = FOUND.setdefault(str(script), {})
    if "hash" not in found:
        found["hash"] = _hashed(script)
    return found["hash"]


def _hashed(script: Path | str) -> str:
    digest = hashlib.sha256()
    for path in reached(script):
        digest.update(path.name.encode() + b"\0" + _content(path) + b"\0")
    return digest.hexdigest()[:16]
