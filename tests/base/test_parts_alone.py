"""Each part runs alone: what is planned names its own models and nothing of the others'."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))

#: The weights of the demonstration's models; the two smaller ones' are made of others.
SMALLEST = {"SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-Instruct.Q4_1-as-Q4_0"}
SMALLER = {"qwen2.5-coder-0.5b-instruct-q4_k_m", "qwen2.5-coder-0.5b-instruct-q4_k_m-as-q4_0"}
LARGEST = {"qwen2.5-coder-1.5b-instruct-q4_k_m"}
#: Of the demonstration, part by part: the weights that it needs, and a rule of another part's that
#: it must not plan.
ALONE = {
    "control1": (SMALLEST | SMALLER | LARGEST, "check_symmetry"),
    "control2": (SMALLER | LARGEST, "write_sheets"),
    "control3": (SMALLEST | LARGEST, "collect_foreign"),
    "memories": (SMALLEST | LARGEST, "collect_foreign"),
    "aas": (SMALLEST | SMALLER, "copy_memory"),
    "vpe": (SMALLER | LARGEST, "copy_memory"),
    "benchmarks": (SMALLER, "copy_memory"),
    "zoo": (SMALLEST | LARGEST, "collect_foreign"),
}


def planned(path: Path, *words: str) -> tuple[dict[str, int], str]:
    """The jobs of a dry run, by rule, and all that it prints."""
    command = [sys.executable, "-m", "snakemake", "-n", "--cores", "2", *words]
    done = subprocess.run(
        [*command, "--configfile", path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    stats = re.search(r"^job +count\n-+ +-+\n(.*?)^total", done.stdout, re.DOTALL | re.MULTILINE)
    rows = dict(line.split() for line in stats[1].splitlines())
    return {rule: int(count) for rule, count in rows.items()}, done.stdout


@pytest.mark.parametrize("part", list(ALONE))
def test_a_part_alone_plans_what_it_needs_and_no_more(part, tmp_path):
    weights, foreign_rule = ALONE[part]
    own = {key: CONFIG[key] for key in ("seed", "models", part)} | {"study": f"only-{part}"}
    if part in ("control1", "control2"):  # these two have counterfeits
        own["documents"] = CONFIG["documents"]
    if part in ("memories", "zoo"):  # Control 3's probes, and studies of its size
        own["control3"] = CONFIG["control3"]
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(own), encoding="utf-8")
    jobs, said = planned(path)
    fetched = set(re.findall(r"output: data/models/(\S+)\.json", said))
    assert fetched == weights
    assert len(fetched) == jobs["fetch_weights"]
    assert foreign_rule not in jobs
    assert {"seal_design", "seal_results", "build_report"} <= jobs.keys()


@pytest.mark.parametrize(("studies", "jobs_of_the_judge"), [(0, 0), (60, 1)])
def test_the_zoo_asks_a_judge_where_the_study_has_one(tmp_path, studies, jobs_of_the_judge):
    own = {
        "study": "judged",
        "seed": 1,
        "models": {"any": {"provider": "scripted", "model": "any", "structured": "grammar"}},
        "control3": {"corpora": ["A"], "responders": ["any"]},
        "zoo": {"judge": {"model": "any", "studies": studies}},
    }
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(own), encoding="utf-8")
    jobs, said = planned(path)
    assert jobs.get("write_zoo_sheets", 0) == jobs.get("collect_zoo", 0) == jobs_of_the_judge
    sealed = {
        stage: re.search(rf"rule seal_{stage}:\n +input: ([^\n]+)\n +output: \S+/zoo-", said)[1]
        for stage in ("design", "responses")
    }
    assert sealed["design"].count("zoo/prompts/answers.jsonl") == jobs_of_the_judge
    assert sealed["responses"].count("zoo/replies/answers/any.jsonl") == jobs_of_the_judge


def test_the_zoos_own_instruments_are_sealed_in_its_design(tmp_path):
    """Any file of the project does: what an instrument is made of decides what is noticed."""
    own = {
        "study": "mine",
        "seed": 1,
        "models": {"any": {"provider": "scripted", "model": "any", "structured": "grammar"}},
        "control3": {"corpora": ["A"], "responders": ["any"]},
        "zoo": {
            "instruments": {
                "one": {"function": "tests/support/small_zoo.py:seen"},
                "two": {"command": ["python3", "tests/support/said.py"]},
            }
        },
    }
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(own), encoding="utf-8")
    _, said = planned(path)
    sealed = re.search(r"rule seal_design:\n +input: ([^\n]+)\n +output: \S+/zoo-", said)[1]
    assert {"tests/support/small_zoo.py", "tests/support/said.py"} <= set(sealed.split(", "))


OPEN = {"qwen3.5-27b", "qwen3.6-35b-a3b", "llama3", "qwen3-32b", "deepseek-r1-32b"}
PAID = {"gpt-4.1", "gemini-2.5-pro"}
#: Of the panel's config and the demonstration: a part by its name, the models that are asked, so
#: many jobs at most (134 and 156 are planned for the whole), and a rule that another part has.
NAMED = [
    ("kairos", "control1", {*PAID, "claude-opus-4-7", "qwen3.5-27b", "qwen3.6-35b-a3b"}, 50,
     "check_symmetry"),
    ("kairos", "control2", {*PAID, *OPEN}, 60, "write_sheets"),
    ("kairos", "control3", {*PAID, *OPEN}, 80, "collect_foreign"),
    ("config", "vpe", {"qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"}, 30, "collect_partners"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "part", "models", "most", "foreign_rule"), NAMED)
def test_one_part_is_run_by_its_name(config, part, models, most, foreign_rule):
    """`only` makes a study of its own: no other part's jobs or models, and seals of its own."""
    jobs, said = planned(ROOT / f"config/{config}.yaml", "--config", f"only={part}")
    study = {"kairos": "kairos", "config": "demo"}[config]
    assert set(re.findall(r"output: results/\S*replies\S*/([^/\s]+)\.jsonl", said)) == models
    assert f"output: results/{study}-{part}/freeze/{part}-design.json" in said
    assert f"results/{study}/" not in said
    assert foreign_rule not in jobs
    assert sum(jobs.values()) <= most


SMALL, MIDDLE, LARGE = "smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"
PANEL = dict.fromkeys({*PAID, *OPEN}, 6)
#: A table of one part as a plain target: the jobs, and how many of them ask which model.
PLAIN = [
    ("config", "demo", "control1/contrasts", 37, {SMALL: 1, MIDDLE: 2, LARGE: 2}),
    ("config", "demo", "control2/validity", 29, {MIDDLE: 3, LARGE: 1}),
    ("config", "demo", "control3/cells", 43, {SMALL: 8, LARGE: 8}),
    ("config", "demo", "memories/cells", 26, {"full-text": 2, "window": 2, LARGE: 1}),
    ("config", "demo", "aas/summary", 15, {SMALL: 2, MIDDLE: 2}),
    ("config", "demo", "vpe/summary", 17, {MIDDLE: 1, LARGE: 1}),
    ("config", "demo", "benchmarks/arms", 21, {MIDDLE: 5}),
    ("config", "demo", "zoo/rates", 1, {}),
    ("kairos", "kairos", "control1/contrasts", 32,
     dict.fromkeys({*PAID, "claude-opus-4-7", "qwen3.5-27b", "qwen3.6-35b-a3b"}, 1)),
    ("kairos", "kairos", "control3/cells", 64, PANEL),
    ("aas", "aas", "aas/summary", 9, {"gpt-5": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("config", "study", "table", "count", "asked"), PLAIN)
def test_a_table_of_one_part_plans_that_part_alone(config, study, table, count, asked):
    """Nobody else's prompts, models or seals; and what all parts share is sealed first."""
    target = f"results/{study}/{table}.csv"
    jobs, said = planned(ROOT / f"config/{config}.yaml", target, "--forceall")
    found = re.findall(r"output: results/\S*replies\S*/([^/\s]+)\.jsonl", said)
    assert {model: found.count(model) for model in found} == asked
    assert sum(jobs.values()) == count
    part = table.partition("/")[0]
    seals = set(re.findall(rf"output: results/{study}/freeze/(\S+)\.json", said))
    own = {f"{part}-{kind}" for kind in ("design", "responses")} | {"study"}
    judged = {"control1-verdicts"} if part == "control1" else set()
    assert seals == (own | judged if asked else set())


def test_what_the_author_altered_is_sealed_with_the_design(tmp_path):
    """Prompts and replies from which the probes of Control 2 are made, where no rule alters."""
    text = (ROOT / "config/rehearsal.yaml").read_text(encoding="utf-8")
    old = "control2: { corpus: A, memory: full-text,"
    assert old in text
    path = tmp_path / "author.yaml"
    path.write_text(text.replace(old, "control2: { corpus: A, alterations: author,"), "utf-8")
    target = "results/rehearsal/freeze/control2-design.json"
    said = planned(path, target, "--forceall")[1]
    (sealed,) = (block for block in said.split("\n\n") if f"output: {target}" in block)
    place = "results/rehearsal/control2/alterations"
    assert f"{place}/prompts.jsonl" in sealed
    assert f"{place}/replies/first.jsonl" in sealed
