"""What goes first when several jobs could start: the order of a dry run's priorities."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def jobs() -> list[tuple[str, str, int]]:
    """Rule, output and priority of every job of the demonstration, planned as if none was made."""
    command = [sys.executable, "-m", "snakemake", "-n", "--forceall", "--cores", "8"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    blocks = re.split(r"^(?=(?:local)?rule )", done.stdout, flags=re.MULTILINE)
    found = []
    for block in blocks[1:]:
        rule = re.match(r"(?:local)?rule (\w+):", block)[1]
        output = re.search(r"^    output: (.*)$", block, re.MULTILINE)
        priority = re.search(r"^    priority: (\d+)$", block, re.MULTILINE)
        found.append((rule, output[1] if output else "", int(priority[1]) if priority else 0))
    return found


def of(jobs: list[tuple[str, str, int]], rule: str, *ends: str) -> list[int]:
    """The priorities of a rule's jobs, in the order of the models that their outputs end with."""
    mine = [(output, priority) for name, output, priority in jobs if name == rule]
    return (
        [next(p for output, p in mine if end in output) for end in ends]
        if ends
        else [priority for _, priority in mine]
    )


@pytest.mark.parametrize(
    ("rule", "models"),
    [("collect_verdicts", ("1.5b", "0.5b", "135m")), ("collect_partners", ("1.5b", "135m"))],
)
def test_the_largest_model_of_a_stage_is_begun_first(jobs, rule, models):
    priorities = of(jobs, rule, *models)
    assert priorities == sorted(set(priorities), reverse=True)


def test_whoever_others_wait_for_goes_before_them(jobs):
    """Author, then responses and verdicts of whatever size, then what nothing waits for."""
    (author,) = of(jobs, "collect_foreign")
    judged = of(jobs, "collect_responses") + of(jobs, "collect_verdicts")
    free = [
        priority
        for rule in ("collect_partners", "collect_beside", "collect_rollouts", "collect_items")
        for priority in of(jobs, rule)
    ]
    assert author > max(judged) >= min(judged) > max(free) >= min(free) > 0
    assert min(free) > max(of(jobs, "measure_zoo")) == 0


def test_a_step_of_a_second_never_waits_behind_a_model_and_a_figure_does(jobs):
    asking = [priority for rule, _, priority in jobs if rule.startswith(("collect_", "visit_"))]
    steps = ("gather_responses", "blind_responses", "write_sheets", "write_reader_prompts")
    assert min(p for step in steps for p in of(jobs, step)) > max(asking)
    assert min(p for rule, _, p in jobs if rule.startswith("seal_")) > max(asking)
    assert {priority for _, output, priority in jobs if output.startswith("figures/")} == {0}
    assert min(of(jobs, "draw_items") + of(jobs, "draw_recognition_probes")) > max(asking)


def test_the_largest_weights_are_fetched_before_all_else(jobs):
    large, middle, small = of(jobs, "fetch_weights", "1.5b", "0.5b", "135M")
    assert large > middle > small
    assert small > max(priority for rule, _, priority in jobs if rule != "fetch_weights")


#: Weights made of others, which are made of what no model of the config names itself.
DERIVED = {"m": "SmolLM2-135M-Instruct.Q4_1-as-Q4_0", "n": "qwen2.5-coder-0.5b-instruct-q4_k_m"}


def planned(tmp_path: Path, models: dict[str, str], *words: str) -> str:
    """A dry run of an age score of some embedded models, planned as if nothing was made."""
    path = tmp_path / "own.yaml"
    entries = [
        f"  {name}: {{ provider: embedded, model: {weights}, structured: grammar }}\n"
        for name, weights in models.items()
    ]
    path.write_text(
        "study: derived\nseed: 1\nmodels:\n" + "".join(entries) + "aas:\n"
        f"  models: [{', '.join(models)}]\n  sessions: 2\n  start: 2025-08-11\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "snakemake", "-n", "--forceall", "--cores", "2"]
    done = subprocess.run(
        [*command, "--configfile", path, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def fetched(said: str) -> dict[str, str]:
    """The blocks of the jobs that have weights, by the weights' names."""
    blocks = re.split(r"^(?=\S)", said, flags=re.MULTILINE)
    named = [block for block in blocks if block.startswith("rule fetch_weights:")]
    return {re.search(r"output: data/models/(\S+)\.json", block)[1]: block for block in named}


def test_weights_that_others_are_made_of_are_fetched_once_and_go_with_them(tmp_path):
    """Two models of one source; the larger's priority is that of its source too."""
    said = planned(tmp_path, DERIVED | {"o": "SmolLM2-135M-Instruct.Q4_1"})
    jobs = fetched(said)
    assert set(jobs) == {*DERIVED.values(), "SmolLM2-135M-Instruct.Q4_1"}
    source, made = jobs["SmolLM2-135M-Instruct.Q4_1"], jobs[DERIVED["m"]]
    assert "input: data/weights.csv, data/models/SmolLM2-135M-Instruct.Q4_1.json\n" in made
    assert "input: data/weights.csv\n" in source
    assert "downloads=1" in source
    assert "downloads=0" in made  # makes what it needs of what is there: keeps no other waiting
    assert "priority: 302" in source  # 92 and 98 MB, then 491
    assert "priority: 301" in made
    assert "priority: 303" in jobs[DERIVED["n"]]


def test_a_replay_needs_no_weights_derived_or_not(tmp_path):
    assert not fetched(planned(tmp_path, DERIVED, "--config", "collect=False"))


def test_weights_that_no_table_has_are_named_before_anything_is_fetched(tmp_path):
    said = planned(tmp_path, {"m": "SmolLM2-135M-Instruct.Q4_0"})
    assert (
        "no weights called 'SmolLM2-135M-Instruct.Q4_0'; known: SmolLM2-135M-Instruct.Q4_1," in said
    )
