"""The lint as a person runs it: words, files, the command, and what it says when it can't."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.benchmark_forms import write_form, write_lines
from support.scripts import load_script
from support.simulated_benchmarks import (
    SHAPES,
    Shape,
    as_benchmark,
    length_cue,
    repeated,
    simulate,
    topic_leak,
)
from veridical.base.tables import read_table
from veridical.benchmarks import tables
from veridical.benchmarks.asked import asked_benchmark, lint_name
from veridical.benchmarks.lint import CHECKS, SHUFFLED, lint
from veridical.benchmarks.summary import EARNS, NAMES, as_json, false_alarms, summary


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def spoiled():
    """A length cue and repeated items, in one benchmark."""
    items = repeated(length_cue(simulate(Shape(n=800), 5), 0.1, 1), 0.05, 2)
    items[0] = replace(items[0], faults=("two options read the same",))
    return lint(as_benchmark(items))


def test_every_check_has_its_words():
    assert set(EARNS) == set(SHUFFLED)
    assert set(NAMES) >= set(SHUFFLED)
    reported = {"chance", "clusters", "effective_items", "abstentions"}
    assert set(CHECKS) - reported == set(NAMES)


def test_the_summary_names_what_was_found_with_its_numbers(spoiled):
    text = flat(summary(spoiled))
    row = spoiled.checks.set_index("check").loc["length"]
    assert "840 items, 3 strata, 10 lives, chance 25.0%" in text
    assert f"Answering by length (way longest): right in {row['statistic']:.1%} of 800" in text
    assert f"with random keys {row['expected']:.1%} (p = 0.005 over all checks)" in text
    assert "40 of 840 items repeat an earlier one (4.8%)." in text
    assert "1 inconsistencies. item 0: two options read the same." in text
    assert "a release unknown here" in text
    clear = text.partition("Looked at and clear: ")[2].partition(".")[0]
    assert "the right option's place" in clear
    assert "the options' length" not in clear
    alarms, n = false_alarms()["any"]
    assert f"Of {n:,} clean simulated benchmarks this lint found something in {alarms}" in text


def test_a_clean_benchmark_says_nothing_was_found():
    text = flat(summary(lint(as_benchmark(simulate(SHAPES["options"], 3)))))
    assert "Found: - Nothing." in text
    assert "that it is needed it can't show" in text


def test_a_topic_leak_is_called_one():
    text = flat(summary(lint(as_benchmark(topic_leak(simulate(Shape(n=1500), 5), 0.3, 1)))))
    assert text.count("Topic leak: with topics held out as well it is 2") == 2


def test_what_is_not_there_is_told():
    items = [replace(each, history=None) for each in simulate(SHAPES["open"], 3)]
    text = flat(summary(lint(as_benchmark(items))))
    assert "open questions" in text
    assert "no item has one, so nothing here needs to be remembered" in text


def test_the_rate_of_false_alarms_is_the_one_measured_and_keeps_its_promise():
    measured = false_alarms()
    alarms, n = measured["any"]
    assert n >= 1000
    assert alarms / n <= 0.05
    assert {each for each in measured if each != "any"} <= set(CHECKS)
    assert max(count for name, (count, _) in measured.items() if name != "any") <= alarms


def test_the_json_says_the_same(spoiled):
    value = json.loads(as_json(spoiled, 7))
    assert set(value["found"]) >= {"length", "duplicates", "inconsistencies"}
    assert value["benchmark"]["items"] == 840
    assert value["benchmark"]["release"] is None
    assert value["rule"]["seed"] == 7
    assert len(value["checks"]) == len(CHECKS)
    row = next(each for each in value["checks"] if each["check"] == "recurring_option")
    assert row["statistic"] is None  # missing is null, not NaN
    assert value["flagged_items"] == 41


def test_the_script_writes_what_the_contracts_say(tmp_path):
    script = load_script("benchmarks/lint_benchmark.py")
    names = ("items", "checks", "strata", "flags")
    paths = [tmp_path / f"{name}.csv" for name in names]
    words = tmp_path / "lint.json", tmp_path / "summary.txt"
    script.main(write_form(tmp_path, "locomo"), *paths, *words, format=None, seed=1)
    for path, contract in zip(
        paths, (tables.ITEMS, tables.CHECKS, tables.STRATA, tables.FLAGS), strict=True
    ):
        read_table(path, contract)
    assert list(read_table(paths[0], tables.ITEMS)["item_id"]) == [f"conv-1:{n}" for n in range(3)]
    assert json.loads(words[0].read_text())["benchmark"]["format"] == "locomo"
    assert "LoCoMo" in words[1].read_text()


def test_the_figure_marks_every_stratum(tmp_path):
    script = load_script("benchmarks/lint_benchmark.py")
    paths = [
        tmp_path / name for name in ("i.csv", "c.csv", "strata.csv", "f.csv", "l.json", "s.txt")
    ]
    script.main(write_form(tmp_path, "membench"), *paths, format=None, seed=1)
    load_script("benchmarks/draw_lint.py").main(paths[2], tmp_path / "a.svg", tmp_path / "a.pdf")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "simple/roles" in drawn
    assert "guessing among the options" in drawn
    assert (tmp_path / "a.pdf").stat().st_size > 1000


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("../LoCoMo data/locomo10.json", "locomo10"),
        ("a.b/gsm 8k.v1.jsonl", "gsm-8k-v1"),
        ("chats/100K", "100K"),
        ("…", "benchmark"),
        (None, "benchmark"),
    ],
)
def test_the_name_under_which_a_lint_is_kept(path, name):
    assert lint_name(path) == name


def test_what_to_type_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"snakemake lint --config benchmark=path/to/file\.json"):
        asked_benchmark(None)
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(ValueError, match=r"no file or folder 'a\.json'.*in \. lie other\.json"):
        asked_benchmark("a.json")
    with pytest.raises(ValueError, match=r"no/such is no folder"):
        asked_benchmark("no/such/a.json")
    assert asked_benchmark("other.json") == "other.json"


def snakemake(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "lint", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_a_file_and_no_study(project, tmp_path):
    """A path with dots and spaces, no model, no corpus: tables, figure and words."""
    folder = tmp_path / "some.where else"
    folder.mkdir()
    items = simulate(Shape(n=60, sessions=0), 1)
    lines = [
        {"question": i.question, "answer": i.answer, "options": i.options, "cluster": i.cluster}
        for i in items
    ]
    path = write_lines(folder / "my benchmark.v2.jsonl", lines)
    done = snakemake(project, "--config", f"benchmark={path}")
    assert done.returncode == 0, done.stderr
    assert "my benchmark.v2.jsonl: plain form" in done.stderr
    assert "Of 1,000 clean simulated benchmarks" in done.stderr
    made = project / "results/lint/my-benchmark-v2"
    assert {each.name for each in made.iterdir()} == {
        *("items.csv", "checks.csv", "strata.csv", "flags.csv"),
        *("lint.json", "summary.txt", "strata.svg", "strata.pdf"),
    }
    assert not (project / "results/demo").exists()
    assert not (project / "data/models").exists()


def test_no_file_and_a_broken_one(project):
    for arguments, told in (
        ((), "say which benchmark: snakemake lint --config benchmark=path/to/file.json"),
        (("--config", "benchmark=README.md"), "README.md, line 3: not as many fields"),
    ):
        done = snakemake(project, *arguments)
        assert done.returncode != 0
        assert told in done.stderr + done.stdout
