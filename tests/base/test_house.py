"""The house's measures: a module has one subject and fits a reader's head; a script is thin."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MODULE, SCRIPT, MAIN = 300, 130, 50  # lines: of a module, of a script, of what a script does


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
