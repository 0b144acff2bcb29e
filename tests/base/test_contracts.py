"""What every rule and every script of the workflow must be like."""

from __future__ import annotations

import ast
import functools
import inspect
import os
import re
from pathlib import Path

import pytest
import yaml
from support.scripts import load_script
from veridical.base.script import NUMBERS, PLACES

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
    assert main.args.vararg is None  # every argument has a name that a rule can give it
    assert "    log_to(" not in script.read_text(encoding="utf-8")
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "__future__" not in modules
    outside = [node for node in tree.body if not isinstance(node, ast.If)]
    names = {n.id for node in outside for n in ast.walk(node) if isinstance(n, ast.Name)}
    assert "snakemake" not in names


# What a rule's params hold only so that the engine notices a change; no script takes them.
DIGESTS = {"times", "vouched", "code", "deviations", "sources"}


@pytest.fixture(scope="module")
def planned():
    """Every rule of the workflow that has a script, as the engine reads it; nothing is run."""
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    before = Path.cwd()
    os.chdir(ROOT)
    try:
        with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
            workflow = api.workflow(
                resource_settings=ResourceSettings(cores=1),
                config_settings=ConfigSettings(),
                snakefile=ROOT / "Snakefile",
            )
            workflow.dag()
            return [rule for rule in workflow._workflow.rules if rule.script]
    finally:
        os.chdir(before)


def test_rule_and_script_agree_on_every_name(planned):
    """What `run` would refuse when the job starts, found before anything runs."""
    assert len(planned) > 50
    for rule in planned:
        script = rule.script.removeprefix("../scripts/")
        wanted = inspect.signature(load_script(script).main).parameters
        given = [name for place in PLACES for name in getattr(rule, place).keys()]  # noqa: SIM118
        given += list(rule.params.get(NUMBERS, {}))
        for name, parameter in wanted.items():
            times = given.count(name) or int(name in rule.wildcard_names)
            assert times <= 1, f"rule {rule.name}: {name} is named {times} times"
            absent = parameter.default is inspect.Parameter.empty and not times
            assert not absent, f"rule {rule.name} gives {script} no {name}"
        params = {name for name in [*rule.output.keys(), *given[len(rule.input.keys()) :]]}
        unused = params - set(wanted) - DIGESTS - {NUMBERS}
        assert unused == set(), f"rule {rule.name}: {script} takes no {unused}"


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
            assert "code=code_of(" in body or "collection=" in body, (
                f"{path.name}: rule {name}: no hash"
            )
            assert "\n    run:" not in body


def test_every_script_belongs_to_a_rule():
    text = "".join(path.read_text(encoding="utf-8") for path in RULES)
    used = set(re.findall(r'"\.\./scripts/([\w/]+\.py)"', text))
    known = {path.relative_to(ROOT / "workflow/scripts").as_posix() for path in SCRIPTS}
    by_hand = {
        "benchmarks/write_quay.py",
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


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_no_argument_hides_a_function_of_its_script(script):
    """`main(cells)` must not hide an imported `cells`: its call would be a path's."""
    module = load_script(script.relative_to(ROOT / "workflow/scripts").as_posix())
    hidden = set(inspect.signature(module.main).parameters) & set(vars(module))
    assert hidden == set()
