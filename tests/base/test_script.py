"""Filling a script's `main` from its rule: by name, cast by annotation, refused where unclear."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from snakemake.iocontainers import InputFiles, Log, OutputFiles, Params, Wildcards
from veridical.base.script import arguments, run


def job(rule="score", input=None, output=None, params=None, wildcards=None, log=()):
    """What a script is given, made of the engine's own lists."""
    return SimpleNamespace(
        rule=rule,
        input=InputFiles(fromdict=input or {}),
        output=OutputFiles(fromdict=output or {}),
        params=Params(fromdict=params or {}),
        wildcards=Wildcards(fromdict=wildcards or {}),
        log=Log(toclone=log),
    )


def test_each_parameter_is_what_the_rule_names_alike():
    def main(prompts: Path, replies: Sequence[Path], table: Path, *, seed: int, rules: dict): ...

    given = arguments(
        main,
        job(
            input={"prompts": "p.jsonl", "replies": ["a.jsonl", "b.jsonl"], "sealed": "s.json"},
            output={"table": "t.csv"},
            params={"rules": {"bound": 0.1}, "code": "abc"},
            wildcards={"seed": "3"},
        ),
    )
    assert given == {
        "prompts": Path("p.jsonl"),
        "replies": [Path("a.jsonl"), Path("b.jsonl")],
        "table": Path("t.csv"),
        "seed": 3,  # a wildcard is text until the annotation says otherwise
        "rules": {"bound": 0.1},
    }


def test_numbers_that_stand_in_one_param_are_found_by_their_own_names():
    def main(*, n: int, smoothing: float): ...

    numbers = {"numbers": {"n": 24, "smoothing": 1}}
    given = arguments(main, job(params=numbers))
    assert given == {"n": 24, "smoothing": 1.0}
    assert isinstance(given["smoothing"], float)


def test_a_file_goes_before_a_wildcard_of_the_same_name():
    def main(document: Path): ...

    files = {"document": "results/veridical.txt"}
    given = arguments(main, job(input=files, wildcards={"document": "veridical"}))
    assert given == {"document": Path("results/veridical.txt")}


@pytest.mark.parametrize(("files", "path"), [([], None), (["d.txt"], Path("d.txt"))])
def test_an_input_that_may_be_absent_is_none_where_the_rule_lists_none(files, path):
    def main(document: Path | None): ...

    assert arguments(main, job(input={"document": files})) == {"document": path}


def test_one_file_for_a_sequence_is_a_sequence_of_one():
    def main(replies: Sequence[Path]): ...

    assert arguments(main, job(input={"replies": "a.jsonl"})) == {"replies": [Path("a.jsonl")]}


def test_a_default_stands_where_the_rule_gives_nothing():
    def main(table: Path, *, reask: int = 0): ...

    assert arguments(main, job(output={"table": "t.csv"})) == {"table": Path("t.csv")}


def test_any_and_mappings_come_as_they_are():
    def main(*, entry: Mapping[str, Any], value: Any): ...

    entry = {"provider": "scripted"}
    given = arguments(main, job(params={"entry": entry, "value": [1]}))
    assert given["entry"] == entry
    assert given["value"] == [1]


def test_what_the_rule_lacks_is_named():
    def main(answers: Path): ...

    with pytest.raises(TypeError, match="rule score gives its script nothing named 'answers'"):
        arguments(main, job(input={"prompts": "p.jsonl"}))


def test_a_name_with_two_meanings_is_refused():
    def main(table: Path): ...

    twice = job(input={"table": "in.csv"}, output={"table": "out.csv"})
    with pytest.raises(TypeError, match="rule score: 'table' is named more than once"):
        arguments(main, twice)


def test_several_files_for_one_parameter_are_refused():
    def main(table: Path): ...

    with pytest.raises(TypeError, match="table: one value is wanted, the rule gives 2"):
        arguments(main, job(input={"table": ["a.csv", "b.csv"]}))


def test_a_number_that_main_returns_is_the_exit_code():
    def fails() -> int:
        return 3

    def ends() -> None: ...

    with pytest.raises(SystemExit) as ended:
        run(fails, job())
    assert ended.value.code == 3
    assert run(ends, job()) is None


def test_what_main_prints_is_in_the_log(tmp_path, monkeypatch):
    import sys

    for name in ("stdout", "stderr", "excepthook"):  # put back when the test has ended
        monkeypatch.setattr(sys, name, getattr(sys, name))

    def main() -> None:
        print("forty replies")

    run(main, job(log=[str(tmp_path / "a.log")]))
    sys.stdout.flush()
    assert (tmp_path / "a.log").read_text(encoding="utf-8") == "forty replies\n"


def scripts_of_targets() -> dict[str, Path]:
    """The script of each rule that makes no file: a person types its name to be told something."""
    found = {}
    for path in sorted(Path("workflow/rules").glob("*.smk")):
        for block in re.split(r"\n(?:    )?(?=(?:use )?rule )", path.read_text("utf-8"))[1:]:
            script = re.search(r'script:\s+"\.\./(scripts/[^"]+)"', block)
            if script and not re.search(r"^ +output:", block, re.M):
                found[re.match(r"rule (\w+)", block)[1]] = Path("workflow", script[1])
    return found


def test_what_is_typed_to_be_told_something_says_it_on_the_terminal():
    targets = scripts_of_targets()
    assert {"check", "convert", "estimate", "timeline", "verify"} <= set(targets)
    silent = [
        name
        for name, script in targets.items()
        if not re.search(
            r"run\(main, snakemake, (show=True|log=False)\)", script.read_text("utf-8")
        )
    ]
    assert silent == []
