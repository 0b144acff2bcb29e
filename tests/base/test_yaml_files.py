"""YAML as people write it: what they meant, and what is wrong by file, line and column."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from veridical.base.config import ConfigError, check_config, configure, read_schema
from veridical.base.given import as_wanted, read_config
from veridical.base.yaml_files import (
    Plain,
    YAMLError,
    as_mapping,
    number,
    read_text,
    read_yaml,
    words_of,
)

ROOT = Path(__file__).parents[2]
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "names": {"type": "array", "items": {"type": "string"}},
        "flag": {"type": "boolean"},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "seed": {"type": ["integer", "null"]},
        "label": {"type": ["string", "null"]},
        "choice": {"enum": [False, True, "given"]},
        "word": {"enum": ["en", "no"]},
        "start": {"type": ["string", "object"]},
        "free": {"type": "object"},
        "table": {"type": "object", "additionalProperties": {"$ref": "#/$defs/entry"}},
    },
    "$defs": {"entry": {"type": "object", "properties": {"model": {"type": "string"}}}},
}


def read(text: str):
    """One YAML text, each value as the schema above wants it; the problems apart."""
    return as_wanted(read_text(text, "mine.yaml"), SCHEMA)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("name: no", {"name": "no"}),
        ("name: 010", {"name": "010"}),
        ("name: 1_000", {"name": "1_000"}),
        ("name: 1e5", {"name": "1e5"}),
        ("name: 2024", {"name": "2024"}),
        ("name: 2025-08-11", {"name": "2025-08-11"}),
        ("name: 12:30", {"name": "12:30"}),
        ("name: 1.10", {"name": "1.10"}),
        ("name: null", {"name": "null"}),
        ("name: 0x1F", {"name": "0x1F"}),
        ("names: [01, yes, ~, 1.0]", {"names": ["01", "yes", "~", "1.0"]}),
        ("flag: yes", {"flag": True}),
        ("flag: Off", {"flag": False}),
        ("flag: 'false'", {"flag": False}),
        ("flag: maybe", {"flag": "maybe"}),  # for the check to refuse
        ("count: 1_000", {"count": 1000}),
        ("count: 1e3", {"count": 1000}),
        ("count: 0x10", {"count": 16}),
        ("count: 2.5", {"count": 2.5}),
        ("share: 1e-12", {"share": 1e-12}),
        ("share: .5", {"share": 0.5}),
        ("share: 1", {"share": 1}),
        ("share: .nan", {"share": ".nan"}),
        ("share: 0,1", {"share": "0,1"}),
        ("seed: ~", {"seed": None}),
        ("seed:", {"seed": None}),
        ("seed: 0", {"seed": 0}),
        ("label: null", {"label": None}),
        ("label: 'null'", {"label": "null"}),
        ("label: no", {"label": "no"}),
        ("choice: no", {"choice": False}),
        ("choice: given", {"choice": "given"}),
        ("choice: 1", {"choice": "1"}),
        ("word: no", {"word": "no"}),
        ("start: 2025-08-11", {"start": "2025-08-11"}),
        ("free: {a: yes, b: 1e-3, c: 'no', d: 2025-08-11, e: , f: x}",
         {"free": {"a": True, "b": 1e-3, "c": "no", "d": "2025-08-11", "e": None, "f": "x"}}),
        ("table: {010: {model: 3}, yes: {model: 1e5}}",
         {"table": {"010": {"model": "3"}, "yes": {"model": "1e5"}}}),
    ],
)  # fmt: skip
def test_a_value_is_what_is_wanted_where_it_stands(text, wanted):
    found, problems = read(text)
    assert (found, problems) == (wanted, [])
    assert repr(found) == repr(wanted)  # 1000 and 1000.0, True and 1 are not the same


def test_numbers_keep_their_kind():
    assert repr(read("share: 1.0")[0]) == "{'share': 1.0}"
    assert repr(read("count: 4")[0]) == "{'count': 4}"


@pytest.mark.parametrize("text", ["count: 010", "share: 00.5", "free: {a: {b: 07}}", "seed: -08"])
def test_a_number_that_could_be_two_is_refused(text):
    _, problems = read(text)
    if text == "share: 00.5":  # one reading only
        assert problems == []
    else:
        (problem,) = problems
        assert "write it without the 0 in front" in problem
        assert problem.startswith(text.split(":")[0])


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\nb:\n  c: 2\n  c: 3\n", (4, 3), "key 'c' is given twice, first in line 3"),
        ("a: 1\n'a': 2\n", (2, 1), "key 'a' is given twice, first in line 1"),
        ("a: {b: 1, b: 2}\n", (1, 11), "key 'b' is given twice"),
        ("a:\n\tb: 1\n", (2, 1), "a tab; indent with blanks"),
        ("a: 1\n  b: 2\n", (2, 4), "is a text with a colon in need of quotes?"),
        ("title: Two: three\n", (1, 11), "is a text with a colon in need of quotes?"),
        ("a: [1, 2\nb: 3\n", (2, 2), "expected ',' or ']'"),
        ("a: 'open\n", (2, 1), "a quoted scalar that begins in line 1"),
        ("a: *none\n", (1, 4), "undefined alias 'none'"),
        ("a: 1\n---\nb: 2\n", (2, 1), "a second document begins"),
        ("a: !!python/name:os.system\n", (1, 4), "could not determine a constructor"),
        ("? [a, b]\n: 1\n", (1, 3), "a key is one word or text"),
        ("a: b\x07c\n", (1, 5), "the sign U+0007 can't stand there"),
        ("a: @b\n", (1, 4), "'@' that cannot start any token"),
        ("a: 1\r\nb: [\r\n", (3, 1), "expected the node content"),
    ],
)
def test_a_mistake_is_told_by_file_line_and_column(tmp_path, text, place, words):
    path = tmp_path / "mine.yaml"
    path.write_bytes(text.encode())
    with pytest.raises(YAMLError) as caught:
        read_yaml(path)
    line, column = place
    assert str(caught.value).startswith(f"{path}, line {line}, column {column}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b"# nothing but a thought\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"---\n...\n", "the file is empty"),
        (b"- study: demo\n", "a list at its top"),
        (b"demo\n", "one text at its top"),
        (b'{"a": 1, "a": 2}', "key 'a' is given twice"),
        ("é: 1".encode("latin-1"), "line 1, column 1: not UTF-8 (byte 0xe9)"),
        ("a: 1\nb: é".encode("utf-16"), "line 1, column 1: not UTF-8 (byte 0xff)"),
    ],
)
def test_what_is_no_mapping_is_named(tmp_path, data, words):
    path = tmp_path / "mine.yaml"
    path.write_bytes(data)
    with pytest.raises(YAMLError) as caught:
        as_mapping(read_yaml(path), str(path))
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_marks_line_ends_and_json_change_nothing(tmp_path):
    plain = b"a: 1\nb: [x, 'y']\n"
    for data in (plain, b"\xef\xbb\xbf" + plain, plain.replace(b"\n", b"\r\n"),
                 plain.replace(b"\n", b"\r"), b'{"a": 1,\n\t"b": ["x", "y"]}'):  # fmt: skip
        path = tmp_path / "mine.yaml"
        path.write_bytes(data)
        assert read_yaml(path) == {"a": "1", "b": ["x", "y"]}


def test_anchors_and_merges_are_no_repetition():
    text = "x: &a {k: 1, l: 1}\ny: &b {<<: *a, k: 2}\nz: {<<: *b, k: 3}\nw: *b\n"
    assert read_text(text, "t") == {
        "x": {"k": "1", "l": "1"},
        "y": {"k": "2", "l": "1"},
        "z": {"k": "3", "l": "1"},
        "w": {"k": "2", "l": "1"},
    }


def test_quotes_and_tags_say_that_it_is_a_text():
    found = read_text("[1, '1', \"1\", !!str 1, |\n 1\n]".replace("|\n 1\n", "'1'"), "t")
    assert [isinstance(each, Plain) for each in found] == [True, False, False, False, False]


@pytest.mark.parametrize("text", ["1", "-2", "1.5", "1e3", "1_0", ".5", "5."])
def test_numbers_agree_with_python(text):
    assert number(text) == float(text)


@pytest.mark.parametrize(
    "text", ["", "one", "1 000", "1,5", "nan", "inf", "1e", "--1", "12:30", "_1"]
)
def test_no_number(text):
    assert number(text) is None


# Files and the command line


def test_files_are_laid_over_one_another_and_the_command_line_over_them(tmp_path):
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text(
        "study: one\naas: {epsilon: 1e-6, sessions: 20}\nnames: [a, b]\nbudget: {calls: 1}"
    )
    two.write_text("study: two\naas:\n  epsilon: 1e-12\nnames: [c]\nbudget:\n")
    found = read_config([one, two], ["collect=false", "aas={sessions: 4}", "title=Two: three"])
    assert found == {
        "study": "two",
        "aas": {"epsilon": "1e-12", "sessions": "4"},
        "names": ["c"],
        "budget": {"calls": "1"},  # a section with nothing in it says nothing
        "collect": "false",
        "title": "Two: three",
    }


def test_shipped_configs_are_read_as_the_engine_reads_them(monkeypatch):
    monkeypatch.chdir(ROOT)
    for name in ("config", "kairos", "tiny"):
        path = ROOT / f"config/{name}.yaml"
        found, problems = as_wanted(read_yaml(path), read_schema())
        assert problems == []
        assert found == check_plain(yaml.safe_load(path.read_text(encoding="utf-8")))


def check_plain(config):
    import json

    return json.loads(json.dumps(config, default=str))


@pytest.mark.parametrize(
    ("arguments", "path", "value"),
    [
        (["collect=false"], ("collect",), False),
        (["collect=no"], ("collect",), False),
        (["collect=False"], ("collect",), False),
        (["aas={epsilon: 1e-12}"], ("aas", "epsilon"), 1e-12),
        (["aas={'epsilon': 1e-12}"], ("aas", "epsilon"), 1e-12),  # as the engine hands it on
        (["study=010"], ("study",), "010"),
        (["study='010'"], ("study",), "010"),
        (["title="], ("title",), ""),
        (["seed=7"], ("seed",), 7),
        (["aas={normalise: no}"], ("aas", "normalise"), False),
    ],
)
def test_the_command_line(monkeypatch, arguments, path, value):
    monkeypatch.chdir(ROOT)
    found = configure(["config/config.yaml"], arguments)
    for key in path:
        found = found[key]
    assert repr(found) == repr(value)


def test_texts_for_flags_and_numbers_are_taken_where_a_config_comes_from_elsewhere(monkeypatch):
    monkeypatch.chdir(ROOT)
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    config["collect"], config["aas"]["epsilon"] = "false", "1e-12"
    checked = check_config(config)
    assert (checked["collect"], checked["aas"]["epsilon"]) == (False, 1e-12)


def test_a_config_that_cannot_be_read_is_a_config_error(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    broken = tmp_path / "mine.yaml"
    broken.write_text("aas: {epsilon: 1e-12\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml, line 2, column 1"):
        configure(["config/config.yaml", broken])
    with pytest.raises(ConfigError, match=r"none\.yaml: No such file"):
        configure(["config/config.yaml", tmp_path / "none.yaml"])


# Through the engine


def dry_run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--cores", "1", "--quiet", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd / "workflow")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("aas:\n\tepsilon: 1\n", "line 2, column 1: a tab"),
        ("control1: [a\n", "line 2, column 1: expected ',' or ']'"),
        ("seed: 1\nseed: 2\n", "line 2, column 1: key 'seed' is given twice, first in line 1"),
        ("", "the file is empty"),
        ("- a\n", "a list at its top"),
    ],
)
def test_the_engines_own_reading_is_explained(tmp_path, text, words):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    done = dry_run("--configfile", str(path))
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert str(path) in said
    assert words in said


def test_a_mistake_in_the_default_config_is_told_by_its_line(project):
    path = project / "config/config.yaml"
    path.write_text(path.read_text().replace("seed: 20250914", "seed: 20250914\nseed: 1"))
    done = dry_run(cwd=project)
    assert done.returncode != 0
    assert "config/config.yaml, line 10, column 1: key 'seed' is given twice" in done.stdout


def test_flags_and_small_numbers_of_the_command_line_are_taken():
    done = dry_run("--config", "collect=false", "aas={epsilon: 1e-12}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_words_are_plain_texts_whatever_they_look_like():
    """Not texts that remember how they were written: these go into tables and into JSON."""
    words = words_of(read_text("a: no\nb: 010\nc: [x, 2]\nd:\n1: 1.50\n", "t"))
    assert words == {"a": "no", "b": "010", "c": ["x", "2"], "d": "", "1": "1.50"}
    values = [*words, *words["c"], *(words[key] for key in ("a", "b", "d", "1"))]
    assert {type(value) for value in values} == {str}
    assert words_of([None, 3, True]) == [None, 3, True]  # what was no text stays what it is
