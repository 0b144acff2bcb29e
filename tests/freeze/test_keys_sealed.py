"""A key in a corpus, a prompt or a text stops the sealing of the design, by file and line."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from support.small_study import DESIGN, RUBRIC, WORDS, lay_out, record_of, seal_all
from veridical.freeze.deviations import add_deviation
from veridical.freeze.keys import KeyFound, check_keys
from veridical.freeze.sealing import found_path, seal

KEY = "sk-proj-Q7d2Kf9ZpLw3Xv8RtB5nYc1M"
VALUE = "correct-horse-battery-staple"


@pytest.fixture
def study(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    monkeypatch.setenv("LAB_ACCESS", VALUE)
    return tmp_path


def write(text: str, name: str = RUBRIC) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        f"Score.\nUse {KEY} for it.\n",
        f"Score.\n2025-08-01 — met Llama — keys: he wrote {KEY}\n",
        "Score.\nhttps://me:hunter2hunter2@proxy.example.org/\n",
        "Score.\nAuthorization: Bearer a8Kd92LmQz71Xw0PbV5tR4\n",
        "Score.\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n",
    ],
    ids=["host", "entry", "address", "header", "private"],
)
def test_what_looks_like_a_key_stops_the_sealing_and_is_not_shown(study, text):
    write(text)
    with pytest.raises(KeyFound, match=r"data/corpora/A/rubric\.txt, line 2") as found:
        seal("demo", "design", DESIGN)
    assert KEY not in str(found.value)
    assert "hunter2" not in str(found.value)
    assert not record_of("design").exists()


@pytest.mark.parametrize(
    "written",
    [VALUE, VALUE.replace("-", "%2D"), base64.b64encode(VALUE.encode()).decode()],
)
def test_a_key_of_the_environment_that_the_config_names_is_found_in_any_writing(study, written):
    """LAB_ACCESS is no key by its name; the sealed config says that it holds one."""
    write(f"Score.\n\nand {written}\n")
    config = "results/demo/config.json"
    write(json.dumps({"models": {"m": {"api_key_env": "LAB_ACCESS"}}}), config)
    with pytest.raises(KeyFound, match="line 3"):
        seal("demo", "design", [*DESIGN, config])
    write(json.dumps({"models": {}}), config)
    seal("demo", "design", [*DESIGN, config])  # unnamed, it is a variable like any other


def test_every_file_is_looked_at_and_every_finding_named(study):
    write(f"{KEY}\n{KEY}\n")
    write(f'{{"turns": "{KEY}"}}\n', "results/demo/prompts/p.jsonl")
    with pytest.raises(KeyFound, match="3 place"):
        seal("demo", "design", DESIGN)


def test_ordinary_texts_pass(study):
    write(
        "The key of the clock tower hung by the door; a token of thanks.\n"
        "Authorization was given at 10:45. sk-learn, task-force, SHA-256 "
        f"{'0123456789abcdef' * 4}\nsee https://example.org/path?page=2\n"
    )
    seal("demo", "design", DESIGN)


def test_what_is_no_text_passes(study):
    Path(RUBRIC).write_bytes(b"\x00\x01" + KEY.encode())
    check_keys([RUBRIC])


def test_the_very_text_may_be_allowed_with_a_reason(study):
    write(f"An old key, {KEY}, withdrawn.\n")
    write(f"path,text,why\ndata/corpora/*,{KEY},withdrawn in 2024\n", "config/privacy-allowed.csv")
    seal("demo", "design", DESIGN)
    write(f"{KEY}\n", "results/demo/prompts/p.jsonl")
    with pytest.raises(KeyFound, match=r"p\.jsonl, line 1"):
        check_keys(DESIGN)


def test_a_key_that_comes_with_a_change_is_adopted_by_no_deviation(study):
    seal_all()
    write(f"Score with {KEY}.\n")
    with pytest.raises(KeyFound):
        seal("demo", "design", DESIGN)
    assert not found_path("demo", "design").exists()
    with pytest.raises(ValueError, match="not listed yet"):
        add_deviation("demo", "design", **WORDS)


def test_a_sealed_study_is_not_searched_again(study, monkeypatch):
    """What was sealed once holds; a key that the environment has since is another matter."""
    write(f"Score, said {VALUE}.\n")
    seal("demo", "design", DESIGN)
    monkeypatch.setenv("LAB_API_KEY", VALUE)
    seal("demo", "design", DESIGN)
