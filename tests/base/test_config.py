"""The config: closed, explained, and wrong keys named with the nearest right one."""

from __future__ import annotations

import copy
import datetime
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from veridical.base.checks import corpora_named, models_named
from veridical.base.config import ConfigError, check_config, configure, parts_on, unsaid

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config(monkeypatch) -> dict:
    monkeypatch.chdir(ROOT)
    return yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))


def merged(base: dict, over: dict) -> dict:
    """What the workflow engine makes of a config and another one laid over it."""
    result = copy.deepcopy(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result


def test_default_config_is_valid_and_dates_are_text(config):
    assert isinstance(config["aas"]["start"], datetime.date)
    assert check_config(config)["aas"]["start"] == "2025-08-11"


class NoKeyTwice(yaml.SafeLoader):
    """A loader that refuses what YAML allows: a key given twice, the last one winning."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"a key is given twice: {keys}"
        return super().construct_mapping(node, deep)


@pytest.mark.parametrize(
    "name", ["aas", "kairos", "mirror", "italian", "rehearsal", "tiny", "config"]
)
def test_shipped_configs_give_no_key_twice(name):
    with open(ROOT / f"config/{name}.yaml", encoding="utf-8") as file:
        assert yaml.load(file, NoKeyTwice)


@pytest.mark.parametrize("name", ["aas", "kairos", "italian", "rehearsal", "tiny"])
def test_shipped_configs_are_whole_without_the_demonstration(config, name):
    own = yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    checked = check_config(own)
    assert checked["study"] == name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contrl1": {}}, "contrl1: unknown key; did you mean 'control1'?"),
        ({"control1": {"jugdes": []}}, "control1/jugdes: unknown key; did you mean 'judges'?"),
        ({"control2": {"probes": 7}}, "control2/probes: 7 is not a multiple of 2"),
        ({"aas": {"epsilon": 0}}, "aas/epsilon: 0 is less than or equal to the minimum of 0"),
        ({"vpe": {"models": []}}, "vpe/models: [] should be non-empty"),
        ({"language": "fr"}, "language: 'fr' is not one of ['en', 'it']"),
        (
            {"control3": {"responders": ["smollm2-135"]}},
            "control3/responders: no model 'smollm2-135' under models; "
            "did you mean 'smollm2-135m'?",
        ),
        (
            {"control2": {"counterfeit": "foreign-9"}},
            "control2/counterfeit: no document 'foreign-9'",
        ),
        (
            {"documents": {"further_attempts": {"foreign-7": ["too short"]}}},
            "documents/further_attempts/foreign-7: foreign_seeds asks for no such document; "
            "known: foreign-1,",
        ),
        (
            {"models": {"mine": {"provider": "command", "model": "x", "command": "python a.py"}}},
            "models/mine/command: 'python a.py' is not a list, as in [a, b]",
        ),
        ({"vpe": {"rollouts": "four"}}, "vpe/rollouts: 'four' is not a whole number"),
        ({"control1": {"corpora": ["Z"]}}, "corpus 'Z': no folder data/corpora/Z"),
        (
            {"models": {"mine": {"provider": "command", "model": "x"}}},
            "models/mine/command: missing",
        ),
        (
            {"models": {"mine": {"provider": "openai-compatible", "model": "x"}}},
            "models/mine/base_url: missing",
        ),
        (
            {"models": {"mine": {"provider": "opnai", "model": "x"}}},
            "models/mine/provider: no provider 'opnai'; did you mean 'openai'?",
        ),
        (
            {"control1": {"metrics": ["memory_refrence"]}},
            "control1/metrics: 'memory_refrence' has no wording of its own, and no line in "
            "metrics.en.txt; did you mean 'memory_reference'? Or give it `question`",
        ),
        (
            {
                "models": {"big": {"provider": "openai", "model": "gpt-4.1"}},
                "control1": {"responders": ["big"]},
            },
            "would judge what 'big' (provider openai) writes; a model that runs in the process is",
        ),
        ({"documents": {"author": None}}, "documents/author: None is not text"),
        (
            {"documents": {"foreign_seeds": []}},
            "control1/positive: a pair known by construction quotes a stranger's memory, and there "
            "is no foreign document: give documents/foreign_seeds one, or set positive to 0",
        ),
        ({"control1": {"reversed": 1.5}}, "control1/reversed: 1.5"),
        ({"control1": {"repeated": -0.1}}, "control1/repeated: -0.1"),
        (
            {"models": {"qwen2.5-coder-0.5b": {"provider": "ollama"}}, "vpe": {"nested": True}},
            "vpe/nested: provider ollama of model 'qwen2.5-coder-0.5b' doesn't tell the tokens",
        ),
        ({"vpe": {"problems": "data/none.jsonl"}}, "vpe/problems: no file 'data/none.jsonl'"),
        (
            {"vpe": {"problems": str(ROOT / "data/problems/arithmetic.jsonl")}},
            "arithmetic.jsonl' may lie outside the project",
        ),
        ({"aas": {"sessions_csv": "data/../README.md"}}, "'data/../README.md' may lie outside"),
        (
            {"control1": {"corpora": ["my-agent"]}},
            "'my-agent': a name has only letters, digits and",
        ),
        ({"vpe": {"sampling": {"seed": None}}}, "vpe/sampling/seed: null, but embedded model"),
        ({"aas": {"sessions_csv": "mine.csv"}}, "aas/sessions_csv: no file 'mine.csv'"),
        (
            {"memories": {"systems": {"mine": {"adapter": "fts6"}}}},
            "memories/systems/mine/adapter: no 'fts6'; did you mean 'fts5'?",
        ),
        (
            {"memories": {"systems": {"mine": {"adapter": "command"}}}},
            "memories/systems/mine/command: adapter command needs the program to run",
        ),
        (
            {"memories": {"systems": {"smollm2-135m": {"adapter": "fts5"}}}},
            "memories/systems/smollm2-135m: a model is called 'smollm2-135m' too",
        ),
        ({"control1": {"memory": "mem"}}, "control1/memory: no 'mem' under memories/systems"),
        (
            {"control2": {"memory": "full-text"}, "memories": {"corpora": ["B"]}},
            "control2/memory: its corpus 'A' is none of the memory systems' corpora",
        ),
        (
            {"control1": {"memory": "full-text"}, "memories": {"entries": 6}},
            "control1/memory: its whole documents go in; take `entries` out of memories",
        ),
        (
            {"control1": {"memory": "full-text", "responses_csv": "data/prices.csv"}},
            "control1/memory: nobody is asked, since the study brings the answers as a table",
        ),
        ({"memories": {"entries": 30}}, "memories/entries: what is asked about goes in; control3"),
        ({"memories": {"entries": 1}}, "memories/entries: 1"),
        ({"memories": {"corpora": ["C"]}}, "memories/corpora: no 'C' under control3/corpora"),
        (
            {"memories": {"readers": [{"model": "qwen2.5-coder-1.5b", "systems": ["mem"]}]}},
            "memories/readers/qwen2.5-coder-1.5b: no 'mem' under memories/systems",
        ),
        (
            {"memories": {"systems": {"mine": {"adapter": "fts5", "patience": {"read": 1}}}}},
            "memories/systems/mine/patience: 'read' is not one of",
        ),
        ({"study": "../up"}, "study: '../up' does not match"),
    ],
)
def test_what_is_wrong_is_named(config, change, message):
    with pytest.raises(ConfigError) as caught:
        check_config(merged(config, change))
    assert message in str(caught.value)


def test_what_a_corpus_lacks_for_a_part_is_named_before_anything_is_asked(
    config, tmp_path, monkeypatch
):
    folder = tmp_path / "data/corpora/three"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    settings = {"partners": ["Ada", "Bo", "Cy"], "question": {"with_whom": "{topic}?", "or": ""}}
    (folder / "corpus.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    one = {"control1": {"corpora": ["three"]}, "control2": {"corpus": "three"}}
    del config["benchmarks"], config["control3"]["noticing"]  # which names corpus A
    problems = tmp_path / config["vpe"]["problems"]
    problems.parent.mkdir(parents=True)
    problems.write_text((ROOT / config["vpe"]["problems"]).read_text())
    with pytest.raises(ConfigError) as caught:
        check_config(merged(config, one | {"control3": {"corpora": ["three"], "probes": 10}}))
    # 10 probes leave one over for three partners; of the wordings only with_whom is there
    assert [line[4:].split(";")[0] for line in str(caught.value).splitlines()[1:]] == [
        "corpus 'three', corpus.yaml: question/recognise is missing",
        "corpus 'three', corpus.yaml: question/or is missing",
        "corpus 'three', corpus.yaml: question/quote is missing",
        "control3/probes: 10 is not a multiple of 3, the number of partners of corpus 'three'",
    ]


def test_missing_key_is_named(config):
    del config["control1"]["judges"]
    with pytest.raises(ConfigError, match="control1/judges: missing"):
        check_config(config)


def test_an_author_is_asked_for_only_where_a_life_is_to_be_written(config):
    del config["documents"]["author"]
    with pytest.raises(ConfigError, match="documents/author: missing; foreign_seeds asks for"):
        check_config(config)
    alone = {key: config[key] for key in ("study", "seed", "models", "control3")}
    assert check_config(alone)["documents"]["length_tolerance"] == 0.05


@pytest.mark.parametrize("off", [False, None, "off", [], {}])
def test_a_part_is_off_where_the_config_says_so_or_nothing(config, off):
    for part in ("control1", "control2", "memories", "aas", "vpe", "benchmarks", "zoo"):
        config[part] = off
    checked = check_config(config)
    assert parts_on(checked) == ["control3"]
    assert corpora_named(checked) == ["A", "B"]
    assert sorted(models_named(checked)) == ["control3/responders", "documents/author"]


def test_a_study_with_no_part_is_refused(config):
    alone = {key: config[key] for key in ("study", "seed", "models")}
    with pytest.raises(ConfigError, match="no part is on; describe at least one of control1,"):
        check_config(alone)


def test_a_study_inherits_nothing_of_the_demonstration(config):
    """Sizes of the demonstration are its own: another study gets the defaults of the schema."""
    own = {key: config[key] for key in ("study", "seed", "models")}
    own["vpe"] = {"models": ["smollm2-135m"], "problems": "data/problems/arithmetic.jsonl"}
    checked = check_config(own)["vpe"]
    assert (checked["horizons"], checked["n_problems"], checked["rollouts"]) == ([96, 160], 30, 32)
    assert checked["sampling"] == {
        "temperature": 0.8,
        "top_p": 0.95,
        "top_k": 0,
        "repetition_penalty": 1.0,
    }


def test_what_a_study_left_to_its_defaults_is_listed(config, tmp_path):
    own = {key: config[key] for key in ("study", "title", "seed", "models", "control3")}
    del own["control3"]["probes"]
    own["vpe"] = "off"
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(own), encoding="utf-8")
    left = unsaid([path])
    assert "control3/probes" in left
    assert "control3/document_encounters" not in left
    assert not [key for key in left if key.startswith(("control1", "vpe"))]
    assert "control3/probes" not in unsaid([path], ["control3={probes: 24}"])


def test_a_path_with_a_space_is_refused_with_the_reason(tmp_path):
    """The engine starts jobs through a shell and doesn't quote the interpreter's path."""
    place = tmp_path / "my study"
    for name in ("workflow", "profiles", "config", "data/corpora"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Snakefile", place)
    run = [sys.executable, "-m", "snakemake", "-n", "--cores", "1"]
    done = subprocess.run(run, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "my study: the engine can't start a job from a path with a space" in (
        done.stdout + done.stderr
    )


@pytest.mark.parametrize("own", [False, True])
def test_another_checkouts_environment_is_refused_by_name(project, own):
    """Its library would run, and be sealed as what lies here; PYTHONPATH takes this one's."""
    run = [sys.executable, "-m", "snakemake", "--list-rules", "--cores", "1"]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    env |= {"PYTHONPATH": str(project / "workflow")} if own else {}
    done = subprocess.run(run, cwd=project, env=env, capture_output=True, text=True, check=False)
    said = " ".join((done.stdout + done.stderr).split())
    assert (done.returncode == 0) == own, said
    assert ("runs the library of another checkout" in said) == (not own)
    assert own or f"{ROOT}; use this one's own" in said


def test_a_part_by_its_name_is_a_study_of_its_own(config, tmp_path):
    """Memory systems keep Control 3, whose probes they are asked; an unknown part is named."""
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    vpe = configure([path], ["only=vpe"])
    assert parts_on(vpe) == ["vpe"]
    assert vpe["study"] == "demo-vpe"
    assert "only" not in vpe
    both = configure([path], ["only=[memories, aas]"])
    assert parts_on(both) == ["control3", "memories", "aas"]
    assert both["study"] == "demo-memories-aas"
    assert configure([path])["study"] == "demo"
    assert not [key for key in unsaid([path], ["only=vpe"]) if key.startswith("control")]
    with pytest.raises(ConfigError, match="only: no part 'vpee'; did you mean 'vpe'"):
        configure([path], ["only=vpee"])
    path.write_text(yaml.safe_dump({**config, "aas": "off"}), encoding="utf-8")
    with pytest.raises(ConfigError, match="only: no part 'aas'"):
        configure([path], ["only=aas"])


@pytest.mark.parametrize(
    ("name", "part", "kept"),
    [
        ("rehearsal", "control1", {"control1", "memories", "control3"}),
        ("rehearsal", "control2", {"control2", "memories", "control3"}),
        ("rehearsal", "benchmarks", None),
        ("memories", "control2", {"control2", "memories", "control3"}),
    ],
)
def test_a_part_that_goes_through_a_memory_system_brings_it_along(name, part, kept):
    own = configure([ROOT / f"config/{name}.yaml"], [f"only={part}"])
    on = {key for key in ("control1", "control2", "control3", "memories", "vpe") if key in own}
    through = part != "benchmarks" or own["benchmarks"]["systems"]
    assert on == (kept or ({"memories", "control3"} if through else set()))


def test_lives_brought_for_a_part_that_is_left_out_stay_out(tmp_path):
    path, life = tmp_path / "own.yaml", "data/example/partners.csv"
    own = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    own["documents"]["own"] = {"A": {"foreign-1": life}}
    path.write_text(yaml.safe_dump(own), encoding="utf-8")
    assert configure([path], ["only=vpe"])["documents"]["own"] == {}
    assert configure([path], ["only=control2"])["documents"]["own"] == {"A": {"foreign-1": life}}
