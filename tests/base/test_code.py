"""Code hashes: an edited module changes the hash of every script that reaches it, no other."""

from __future__ import annotations

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
    code._content.cache_clear()
    code.code_hash.cache_clear()
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
