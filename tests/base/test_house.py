"""The house's measures: a module has one subject and fits a reader's head; a script is thin."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MODULE, SCRIPT, MAIN = 300, 130, 50  # lines: of a module, of a script, of what a script does
RUN = 6  # lines in a row that two rooms may not have in common


def sources(folder: str) -> dict[str, str]:
    """The Python files below a folder of the project, by path."""
    found = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    assert found, folder
    return found


def longer(texts: dict[str, str], most: int) -> dict[str, int]:
    """The texts with more than so many lines, each with how many it has."""
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    return {name: n for name, n in lines.items() if n > most}


def longest_main(text: str) -> int:
    """Lines of the function `main`, from its `def` to its end; 0 where there is none."""
    return max(
        (
            node.end_lineno - node.lineno + 1
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef) and node.name == "main"
        ),
        default=0,
    )


def test_no_module_outgrows_its_subject():
    """Split one that does along its subjects; what is shared goes below, to be imported."""
    assert longer(sources("workflow"), MODULE) == {}


def test_no_script_holds_what_belongs_into_the_library():
    scripts = sources("workflow/scripts")
    assert longer(scripts, SCRIPT) == {}
    mains = {name: longest_main(text) for name, text in scripts.items()}
    assert {name: n for name, n in mains.items() if not 0 < n <= MAIN} == {}


@pytest.mark.parametrize(("lines", "found"), [(300, {}), (301, {"grown.py": 301})])
def test_a_module_that_grows_is_named(lines, found):
    assert longer({"grown.py": "x = 1\n" * lines, "small.py": "x = 1\n"}, MODULE) == found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("def main():\n    pass\n", 2),
        ("def other():\n    pass\n\n\ndef main(\n    a,\n):\n    b = a\n    return b\n", 5),
        ("def helper():\n    def main():\n        pass\n", 0),  # no script's own
    ],
)
def test_a_scripts_main_is_measured_from_def_to_end(text, lines):
    assert longest_main(text) == lines


def test_no_shipped_study_comes_with_the_record_of_someones_run():
    """A record in the tree makes a fresh clone's first run be refused as another design."""
    listed = subprocess.run(
        ["git", "ls-files", "data/freeze", "data/ledger", "data/memories", "data/models"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert listed.stdout == ""
    ignored = set((ROOT / ".gitignore").read_text(encoding="utf-8").split())
    for path in ROOT.glob("config/*.yaml"):
        study = yaml.safe_load(path.read_text(encoding="utf-8"))["study"]
        assert f"data/freeze/{study}/" in ignored, path.name


def written(text: str) -> list[str]:
    """A module's lines without imports, docstrings, comments and blank ones, each without its
    margin; brackets that stand alone say nothing and don't count."""
    tree, left = ast.parse(text), set()
    for node in ast.walk(tree):
        told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if told or isinstance(node, ast.Import | ast.ImportFrom):
            left |= set(range(node.lineno, node.end_lineno + 1))
    lines = [line.partition("  #")[0].strip() for line in text.splitlines()]
    return [
        line
        for number, line in enumerate(lines, start=1)
        if number not in left and re.search(r"\w", line) and not line.startswith("#")
    ]


def shared(rooms: dict[str, list[str]], run: int = RUN) -> dict[str, set[str]]:
    """Which rooms have a run of lines in common, by its first; `rooms` holds modules' texts."""
    found: dict[tuple[str, ...], set[str]] = {}
    for room, texts in rooms.items():
        for text in texts:
            lines = written(text)
            for at in range(len(lines) - run + 1):
                found.setdefault(tuple(lines[at : at + run]), set()).add(room)
    return {lines[0]: names for lines, names in found.items() if len(names) > 1}


def test_no_two_rooms_say_the_same():
    """What two rooms need stands in one below both (test_rooms.py says which that is)."""
    rooms: dict[str, list[str]] = {}
    for name, text in sources("workflow/veridical").items():
        rooms.setdefault(name.split("/")[2], []).append(text)
    assert len(rooms) > 20
    assert shared(rooms) == {}


def test_what_two_rooms_say_alike_is_named():
    lines = "\n".join(f"x{n} = {n}" for n in range(RUN))
    apart = lines.replace("x3", "y3")
    assert shared({"a": [lines], "b": [f"import os\n\n{lines}  # why"]}) == {"x0 = 0": {"a", "b"}}
    assert shared({"a": [lines], "b": [apart]}) == {}
    assert shared({"a": [lines, lines], "b": [apart]}) == {}
    assert shared({"a": ["import a\n" * 9], "b": ["import a\n" * 9]}) == {}
