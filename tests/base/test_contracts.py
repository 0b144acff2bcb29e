"""What every rule and every script of the workflow must be like."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "workflow/scripts").rglob("*.py"))
RULES = sorted((ROOT / "workflow/rules").glob("*.smk"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_is_one_typed_main(script):
    """A script can be imported and tested without the workflow engine.

    The engine puts its own lines before a script's, so a __future__ import can't be its first.
    """
    tree = ast.parse(script.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert "main" in functions
    main = functions["main"]
    arguments = [*main.args.args, *main.args.kwonlyargs]
    assert all(argument.annotation for argument in arguments)
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "__future__" not in modules
    outside = [node for node in tree.body if not isinstance(node, ast.If)]
    names = {n.id for node in outside for n in ast.walk(node) if isinstance(n, ast.Name)}
    assert "snakemake" not in names


def rules_of(path: Path) -> list[tuple[str, str]]:
    """The name and the body of each rule in a file."""
    text = path.read_text(encoding="utf-8")
    parts = re.split(r"^(?:rule|use rule \w+ as) (\w+)(?: with)?:\n", text, flags=re.M)
    bodies = [re.split(r"^\S", body, maxsplit=1, flags=re.M)[0] for body in parts[2::2]]
    return list(zip(parts[1::2], bodies, strict=True))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rules_file_says_what_it_reads_and_writes(path):
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith("# Reads:")
    assert re.search(r"^# Writes:", path.read_text(encoding="utf-8").split("\n\n")[0], flags=re.M)
    assert second.startswith("#")


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rule_has_docstring_log_and_code_hash(path):
    for name, body in rules_of(path):
        assert re.match(r'\s+"""', body), f"{path.name}: rule {name} has no docstring"
        if "script:" in body:
            assert "code=code_of(" in body or "stage=" in body, f"{path.name}: rule {name}: no hash"
            assert "\n    run:" not in body


def test_every_script_belongs_to_a_rule():
    text = "".join(path.read_text(encoding="utf-8") for path in RULES)
    used = set(re.findall(r'"\.\./scripts/([\w/]+\.py)"', text))
    known = {path.relative_to(ROOT / "workflow/scripts").as_posix() for path in SCRIPTS}
    by_hand = {
        "corpora/assemble_corpus.py",
        "corpora/check_hints.py",
        "corpora/list_sources.py",
        "ledger/rebuild_ledgers.py",
    }
    assert used - known == set()
    assert known - used - by_hand == set()


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_no_rule_has_two_numbers_that_could_change_places_unnoticed(path):
    """The engine compares a rule's params as a set of values, so numbers share one mapping."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    for name, body in rules_of(path):
        numbers = []
        for place in re.findall(r'=lookup\(within=config, dpath="([^"]+)"', body):
            value = functools.reduce(
                lambda part, key: (part or {}).get(key), place.split("/"), config
            )
            if isinstance(value, int | float) and not isinstance(value, bool):
                numbers.append(place)
        assert len(numbers) <= 1, f"{path.name}: rule {name}: {numbers}"
