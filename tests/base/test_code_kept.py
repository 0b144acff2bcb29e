"""What scripts reach, kept between commands: used where nothing changed, and never else."""

from __future__ import annotations

import atexit
import json
import os
from pathlib import Path

import pytest
from veridical.base import code, code_kept
from veridical.base.code_kept import NAME, keep_code, signature


@pytest.fixture
def root(tmp_path, monkeypatch) -> Path:
    """A workflow of one script and a library of two modules, and nothing known of it yet."""
    library = tmp_path / "workflow/veridical"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("")
    (library / "a.py").write_text("from veridical import b\n")
    (library / "b.py").write_text("X = 1\n")
    (tmp_path / "workflow/scripts").mkdir()
    (tmp_path / "workflow/scripts/s.py").write_text("import veridical.a\n")
    monkeypatch.setattr(code, "LIBRARY", library)
    monkeypatch.setattr(code, "FOUND", {})
    return tmp_path


@pytest.fixture
def ends(monkeypatch) -> list:
    """What is to be done when the process ends."""
    later: list = []
    monkeypatch.setattr(atexit, "register", later.append)
    return later


def forget() -> None:
    for cached in (code._imports, code._modules, code._files, code._content):
        cached.cache_clear()
    code.FOUND.clear()


def command(root: Path, ends: list) -> tuple[str, list[str]]:
    """One command of the engine: what it finds of the script, kept at its end."""
    forget()
    keep_code(root / "kept")
    script = root / "workflow/scripts/s.py"
    found = code.code_hash(script), [path.name for path in code.reached(script)]
    ends.pop()()
    return found


def counted(monkeypatch) -> list:
    """The scripts that are followed anew from here on."""
    followed = []
    real = code._followed
    monkeypatch.setattr(code, "_followed", lambda path: followed.append(path.name) or real(path))
    return followed


def test_a_second_command_finds_the_same_and_follows_nothing(root, ends, monkeypatch):
    first = command(root, ends)
    assert first[1] == ["s.py", "a.py", "b.py"]
    followed = counted(monkeypatch)
    assert command(root, ends) == first
    assert followed == []


def change(root: Path, how: str) -> None:
    library = root / "workflow/veridical"
    if how == "edited":
        (library / "b.py").write_text("X = 2\n")
    elif how == "same size and time":
        before = (library / "b.py").stat()
        (library / "b.py").write_text("X = 3\n")
        os.utime(library / "b.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    elif how == "replaced":
        before = (library / "b.py").stat()
        (root / "new.py").write_text("X = 4\n")
        os.utime(root / "new.py", ns=(before.st_atime_ns, before.st_mtime_ns))
        (root / "new.py").replace(library / "b.py")
    elif how == "script":
        (root / "workflow/scripts/s.py").write_text("import veridical.b\n")


@pytest.mark.parametrize("how", ["edited", "same size and time", "replaced", "script"])
def test_any_change_of_a_file_is_seen(root, ends, how):
    """Also one that leaves a file's size and time as they were, as unpacked archives do."""
    first = command(root, ends)
    change(root, how)
    second = command(root, ends)
    assert second[0] != first[0]
    forget()  # and it is what is found without anything kept
    assert code.code_hash(root / "workflow/scripts/s.py") == second[0]


def test_a_new_module_that_an_import_now_means_is_seen(root, ends):
    (root / "workflow/veridical/a.py").write_text("from veridical.b import more\n")
    first = command(root, ends)
    (root / "workflow/veridical/b.py").unlink()
    (root / "workflow/veridical/b").mkdir()
    (root / "workflow/veridical/b/__init__.py").write_text("")
    (root / "workflow/veridical/b/more.py").write_text("")
    assert "more.py" in command(root, ends)[1]
    assert "more.py" not in first[1]


def test_a_removed_module_is_seen(root, ends):
    assert "b.py" in command(root, ends)[1]
    (root / "workflow/veridical/b.py").unlink()
    assert "b.py" not in command(root, ends)[1]


def test_a_moved_project_takes_nothing_along(root, ends, monkeypatch, tmp_path):
    command(root, ends)
    moved = tmp_path.parent / f"{tmp_path.name}-moved"
    root.rename(moved)
    monkeypatch.setattr(code, "LIBRARY", moved / "workflow/veridical")
    forget()
    keep_code(moved / "kept")
    assert code.FOUND == {}
    ends.clear()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"signature": 3}', '{"signature": "%s", "found": [1]}',
             '{"signature": "%s", "found": {"s.py": 1}}'],
)  # fmt: skip
def test_what_can_not_be_read_is_found_anew(root, ends, text):
    first = command(root, ends)
    now = signature(root / "workflow")
    (root / "kept" / NAME).write_text(text.replace("%s", now))
    assert command(root, ends) == first


def test_a_file_edited_while_the_command_ran_is_not_kept(root, ends):
    forget()
    keep_code(root / "kept")
    code.code_hash(root / "workflow/scripts/s.py")
    change(root, "edited")
    ends.pop()()
    assert not (root / "kept" / NAME).exists()


def test_a_folder_that_can_not_be_written_stops_nothing(root, ends):
    (root / "kept").write_text("a file in its place")
    assert len(command(root, ends)[0]) == 16


def test_nothing_new_writes_nothing(root, ends):
    command(root, ends)
    kept = root / "kept" / NAME
    before = kept.stat().st_mtime_ns
    command(root, ends)
    assert kept.stat().st_mtime_ns == before
    assert set(json.loads(kept.read_text())) == {"signature", "found"}


def test_compiled_files_change_no_signature(root):
    before = signature(root / "workflow")
    folder = root / "workflow/veridical/__pycache__"
    folder.mkdir()
    (folder / "a.cpython-311.py").write_text("")
    (root / "workflow/veridical/notes.md").write_text("")
    assert signature(root / "workflow") == before


def test_the_projects_own_tree_is_told_by_its_signature():
    assert signature(code.LIBRARY.parent) == signature(code.LIBRARY.parent)
    assert code_kept.signature is signature
