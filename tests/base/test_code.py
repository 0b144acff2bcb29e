"""Code hashes: an edited module changes the hash of every script that reaches it, no other."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest
from veridical.base import code

ROOT = Path(__file__).parents[2]


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library of three modules: a imports b inside a function; c stands alone."""
    folder = tmp_path / "veridical"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inner/__init__.py").write_text("")
    (folder / "a.py").write_text(
        "if TYPE_CHECKING:\n    from veridical import c\n"
        "def f():\n    from veridical.inner import b\n    return b\n"
    )
    (folder / "inner/b.py").write_text("X = 1\n")
    (folder / "c.py").write_text("import json\n")
    (tmp_path / "script.py").write_text("import veridical.a\n")
    monkeypatch.setattr(code, "LIBRARY", folder)
    return tmp_path


def hashed(path: Path) -> str:
    code._imports.cache_clear()
    code._modules.cache_clear()
    code._files.cache_clear()
    code._content.cache_clear()
    code.FOUND.clear()
    return code.code_hash(path)


def test_reaches_through_functions_and_packages(library):
    names = [p.relative_to(library).as_posix() for p in code.reached(library / "script.py")]
    assert names == [
        "script.py",
        "veridical/a.py",
        "veridical/inner/__init__.py",
        "veridical/inner/b.py",
    ]


def test_hash_follows_reached_modules_only(library):
    before = hashed(library / "script.py")
    (library / "veridical/c.py").write_text("import sys\n")
    assert hashed(library / "script.py") == before
    (library / "veridical/inner/b.py").write_text("X = 2\n")
    assert hashed(library / "script.py") != before


def test_every_script_can_be_hashed():
    scripts = sorted((ROOT / "workflow/scripts").rglob("*.py"))
    assert scripts
    for script in scripts:
        assert len(hashed(script)) == 16


def by_the_parser(text: str) -> set[str]:
    """What a text imports when it runs, by Python's own parser; a name may be a module."""
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
                continue
            if isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names)
            if isinstance(child, ast.ImportFrom) and not child.level:
                found.update([child.module, *(f"{child.module}.{a.name}" for a in child.names)])
            visit(child)

    visit(ast.parse(text))
    return found


def files_of(names: Iterable[str]) -> set[Path]:
    return {path for name in names for path in code._files(name, code.LIBRARY)}


@pytest.mark.parametrize("room", sorted(path.name for path in (ROOT / "workflow").glob("*/")))
def test_the_quick_look_finds_what_the_parser_finds(room):
    """In every file of the project, whatever it imports of the library."""
    for path in (ROOT / "workflow" / room).rglob("*.py"):
        code._imports.cache_clear()
        code._content.cache_clear()
        expected = files_of(by_the_parser(path.read_text(encoding="utf-8")))
        assert code._imports(path) == expected, path


ONE_LINE = "from veridical.base import files, tables\n"
WHOLE = {"base/__init__.py", "base/files.py", "base/tables.py"}


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        (ONE_LINE, WHOLE),
        ("def f():\n    " + ONE_LINE, WHOLE),
        ("from veridical.base import (\n    files,\n    tables,\n)\n", WHOLE),
        ("from veridical.base import (  # both)\n    files,\n    tables,\n)\n", WHOLE),
        ("from veridical.base import files as f, tables as t  # why\n", WHOLE),
        ("from veridical.base import files, \\\n    tables\n", WHOLE),
        ("import veridical.base.files as f, veridical.base.tables\n", WHOLE),
        ("import re; import veridical.base.files; import veridical.base.tables\n", WHOLE),
        ("if True: from veridical.base import files, tables\n", WHOLE),
        ("try:\n    x()\nexcept OSError:\n    " + ONE_LINE, WHOLE),
        ("if TYPE_CHECKING:\n    " + ONE_LINE, set()),
        ("if TYPE_CHECKING:\n    import re\n\n    " + ONE_LINE + "import json\n", set()),
        ("if TYPE_CHECKING:\n    import re\n\n" + ONE_LINE, WHOLE),
        ("if TYPE_CHECKING:\n    import re\nelse:\n    " + ONE_LINE, set()),
        ("def f():\n    if TYPE_CHECKING:\n        import re\n    " + ONE_LINE, WHOLE),
        ("# " + ONE_LINE, set()),
        ("from veridical.base.files import write_text\n", {"base/__init__.py", "base/files.py"}),
        ("from veridical.nowhere import files\nimport verify\nimport os.path\n", set()),
    ],
)
def test_every_way_to_write_an_import(tmp_path, text, reached):
    """The last but one names a function, the last no module of ours."""
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    found = code._imports(tmp_path / "m.py")
    assert {path.relative_to(code.LIBRARY).as_posix() for path in found} == reached
    assert found == files_of(by_the_parser(text))


def test_a_statement_in_a_docstring_is_hashed_and_never_missed(tmp_path):
    text = f'"""An example:\n\n{ONE_LINE}"""\n'
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    assert code._imports(tmp_path / "m.py") >= files_of(by_the_parser(text))
