"""One's own metrics and texts: read into the config, refused with file, key and remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from veridical.base.config import ConfigError, check_config
from veridical.base.instrument import own_texts, places, resolve, said_in, shipped
from veridical.control1.verdicts import rubric

ROOT = Path(__file__).parents[2]
WARMTH = {"question": "how warm the answer is", "low": "cold", "high": "as to a friend"}


@pytest.fixture
def config(monkeypatch) -> dict:
    monkeypatch.chdir(ROOT)
    return yaml.safe_load((ROOT / "config/rehearsal.yaml").read_text(encoding="utf-8"))


def with_metrics(config: dict, metrics: object) -> dict:
    return {**config, "control1": {**config["control1"], "metrics": metrics}}


def test_metrics_inline_become_names_and_wordings(config):
    checked = check_config(with_metrics(config, {"warmth": WARMTH, "memory_reference": None}))
    assert checked["control1"]["metrics"] == ["warmth", "memory_reference"]
    assert checked["control1"]["wording"] == {"warmth": WARMTH}


def test_metrics_may_stand_in_a_file_beside_the_config(config, tmp_path):
    path = tmp_path / "metrics.yaml"
    path.write_text(
        "memory_reference:\nwarmth:\n  question: {en: how warm it is, it: quanto è caldo}\n"
        "  low: no\n  high: 1\n",
        encoding="utf-8",
    )
    part = check_config(with_metrics(config, str(path)))["control1"]
    assert part["metrics"] == ["memory_reference", "warmth"]
    # what is written stays what was written: `no` is no truth value, `1` no number
    question = {"en": "how warm it is", "it": "quanto è caldo"}
    assert part["wording"] == {"warmth": {"question": question, "low": "no", "high": "1"}}


def test_what_was_resolved_is_resolved_to_itself(config):
    """A replay's config is the resolved one: no file beside it is needed any more."""
    own = {"texts": {"task-partner": "Answer."}}
    once = check_config(with_metrics(config, {"warmth": WARMTH}) | own)
    assert check_config(once) == once


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        ({"warmth": {**WARMTH, "low": ""}}, "control1/metrics/warmth/low: missing; give it"),
        (
            {"warmth": {key: WARMTH[key] for key in ("question", "low")}},
            "control1/metrics/warmth/high: missing; give it `question`",
        ),
        (
            {"warmth": {**WARMTH, "quesion": "x"}},
            "control1/metrics/warmth/quesion: unknown key; did you mean 'question'?",
        ),
        ({"warmth": "how warm"}, "control1/metrics/warmth: 'how warm' is no wording"),
        ({"war mth": WARMTH}, "control1/metrics: 'war mth' is no metric's name"),
        ({"0warm": WARMTH}, "control1/metrics: '0warm' is no metric's name"),
        ({"warmth": {**WARMTH, "high": "a\nb"}}, "warmth/high: more than one line"),
        ({"warmth": {**WARMTH, "high": ["a"]}}, "warmth/high: ['a'] is no text"),
        (
            {"warmth": {**WARMTH, "low": {"it": "freddo"}}},
            "'warmth' has no low in the corpus's language, 'en': write it, as in `{en: ...}`",
        ),
        ({"charm": None}, "'charm' has no wording of its own, and no line in metrics.en.txt"),
        ("no/such.yaml", "control1/metrics: no file 'no/such.yaml' can be read"),
        ({}, "control1/metrics: [] should be non-empty"),
    ],
)
def test_a_wording_that_is_not_whole_is_refused(config, metrics, said):
    with pytest.raises(ConfigError) as error:
        check_config(with_metrics(config, metrics))
    assert said in str(error.value)


def test_the_file_is_named_where_its_wording_is_wrong(config, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("warmth: {question: how warm}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"mine\.yaml/warmth/low: missing"):
        check_config(with_metrics(config, str(path)))
    path.write_text("- warmth\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"mine\.yaml holds no mapping"):
        check_config(with_metrics(config, str(path)))
    path.write_text("warmth: {question: [\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"control1/metrics: .*mine\.yaml, line"):
        check_config(with_metrics(config, str(path)))


def test_every_problem_is_told_at_once(config):
    wrong = with_metrics(config, {"warmth": {"question": "x"}}) | {"texts": {"rubrc": "x"}}
    with pytest.raises(ConfigError) as error:
        check_config(wrong)
    assert [word in str(error.value) for word in ("warmth/low", "warmth/high", "texts/rubrc")] == (
        [True] * 3
    )


def test_the_rubric_has_the_own_wording_before_the_shipped_one():
    said = rubric(["warmth", "memory_reference"], "en", {"warmth": WARMTH})
    assert "- warmth: how warm the answer is; 0 = cold; 1 = as to a friend\n- memory_ref" in said
    own = {"memory_reference": {"question": "q", "low": "l", "high": "h"}}
    assert "- memory_reference: q; 0 = l; 1 = h\n" in rubric(["memory_reference"], "en", own)
    assert rubric(["warmth"], "en", {"warmth": WARMTH}, {"rubric": "Say {metrics}!"}) == (
        "Say - warmth: how warm the answer is; 0 = cold; 1 = as to a friend!"
    )


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"rubrik": "{metrics}"}, "texts/rubrik: no text of the study's; did you mean 'rubric'?"),
        ({"rubric": "Score them."}, "texts/rubric: lacks {metrics}, where the study puts"),
        (
            {"memory": "{agent} {task} {document} {who}"},
            "texts/memory: {who} is filled by nothing; its places are {agent}, {document}, {task}",
        ),
        ({"task-partner": "{agent}"}, "{agent} is filled by nothing; its places are none"),
        ({"sheet": ""}, "texts/sheet: empty"),
        ({"sheet": {"it": "{input}"}}, "texts/sheet/it: lacks {answer_a}, {answer_b}"),
        ({"metrics": "x"}, "texts/metrics: no text of the study's; its metrics are worded under"),
        ({"benchmark-none": "x"}, "texts/benchmark-none: no text of the study's"),
        ({"drive-keep": "x: {text}"}, "texts/drive-keep: no text of the study's"),
        ("no/texts.yaml", "texts: no file 'no/texts.yaml' can be read"),
    ],
)
def test_a_text_that_can_not_be_filled_is_refused(config, texts, said):
    with pytest.raises(ConfigError) as error:
        check_config({**config, "texts": texts})
    assert said in str(error.value)


def test_texts_may_stand_in_a_file_and_be_of_one_language(config, tmp_path):
    path = tmp_path / "texts.yaml"
    path.write_text("rubric: {it: 'Giudica: {metrics}'}\ntask-partner: Answer.\n", encoding="utf-8")
    texts = check_config({**config, "texts": str(path)})["texts"]
    assert own_texts(texts, "it") == {"rubric": "Giudica: {metrics}", "task-partner": "Answer."}
    assert own_texts(texts, "en") == {"task-partner": "Answer."}


def test_every_shipped_text_can_be_its_own_replacement(config):
    """The check accepts what ships: its places are read from the very file."""
    folder = ROOT / "workflow/veridical/texts"
    whole = {name: (folder / f"{name}.en.txt").read_text(encoding="utf-8") for name in shipped()}
    assert len(whole) > 15
    assert "rubric" in whole
    assert "question-partner" in whole
    assert resolve({"texts": whole})[1] == []
    assert places("a {b} {c_d} {} { e }") == {"b", "c_d"}


def test_what_is_said_in_a_language():
    assert said_in({"en": " "}, "en") is None
    assert said_in("a\n", "xx") == "a"
    assert said_in(None, "en") is None


def test_the_prompts_are_made_of_the_own_texts(config, project):
    """From the config's key through the rules to what is asked; other texts stay as they ship."""
    asked = {"question-partner": "{question} {options}? / {abstention}"}
    own = {key: config[key] for key in ("seed", "models")}
    own |= {"study": "owntexts", "texts": {"task-partner": "Consult your notes.", **asked}}
    own["control3"] = {"corpora": ["A"], "responders": ["first"], "probes": 4}
    (project / "own.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    target = "results/owntexts/control3/prompts/A-veridical.jsonl"
    command = [sys.executable, "-m", "snakemake", "--cores", "1", target]
    done = subprocess.run(
        [*command, "--configfile", "own.yaml"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    written = (project / target).read_text(encoding="utf-8")
    assert "Consult your notes." in written
    assert "? / I" in written
    assert "Answer from your memory" not in written
    assert "Below is your memory document" in written
