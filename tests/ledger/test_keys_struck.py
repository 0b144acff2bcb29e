"""Keys on their way through a collection: sent by real clients, repeated by a real server, kept
nowhere. What is read at the end is every byte that was written."""

from __future__ import annotations

import json
import sys

import pytest
from support.scripted import Scripted
from support.wire_server import Answer, Fault, WireServer
from veridical.ledger.collecting import CollectionStopped, MissingReplies, collect
from veridical.models.exchange import Form, Model, Raw
from veridical.models.prompts import Prompt, Turn

KEY = "canary" + "-of-no-host-0f3b61d2c9a8b7e6"  # 35 characters
OTHERS = ["ghp_" + "Zq4" * 12, "AIza" + "Zq4" * 12, "glpat-" + "Zq4" * 8, "hf_" + "abcdefghij" * 4]
ENDS = ["", "\n", "\r\n", "\r", " ", "\t"]


@pytest.fixture
def wire():
    with WireServer() as server:
        yield server


def prompts(*texts: str) -> list[Prompt]:
    return [Prompt(f"p{n}", (Turn(text, Form()),)) for n, text in enumerate(texts)]


def model(wire, **entry) -> Model:
    entry = {"provider": "openai-compatible", "model": "m", "base_url": f"{wire.url}/v1"} | entry
    return Model.from_config("mine", entry)


def written(folder) -> str:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return b"".join(path.read_bytes() for path in files).decode("latin-1")


def assert_gone(text: str, *keys: str) -> None:
    """Not a key, nor ten characters of one in a row."""
    for key in keys:
        assert key not in text
        assert not any(key[n : n + 10] in text for n in range(8, len(key) - 9)), text


@pytest.mark.parametrize("end", ENDS, ids=repr)
@pytest.mark.parametrize("name", ["LAB", "OPENAI_KEY", "OPENAI_API_KEY"])
def test_a_server_that_repeats_its_key_leaves_none(wire, tmp_path, monkeypatch, name, end, capfd):
    monkeypatch.setenv(name, KEY + end)
    wire.plan = [Fault(503, message=f"busy, {KEY}"), Answer(f"your key is {KEY}", thinking=KEY)]
    collect(
        prompts("Who?"),
        model(wire, api_key_env=name),
        tmp_path / "ledger/a/m.sqlite",
        out=tmp_path / "replies.jsonl",
        backoff=0.001,
    )
    assert wire.requests[-1]["headers"]["authorization"] == f"Bearer {KEY}"
    assert_gone(written(tmp_path), KEY)
    assert_gone("".join(capfd.readouterr()), KEY)
    (line,) = (tmp_path / "replies.jsonl").read_text().splitlines()
    assert json.loads(line)["text"] == "your key is [key]"


def test_a_key_of_another_model_of_the_study_is_struck_too(wire, tmp_path, monkeypatch):
    monkeypatch.setenv("LAB", KEY)
    wire.plan = [Answer(f"I found {KEY} in my memory")]
    out = tmp_path / "replies.jsonl"
    ledger = tmp_path / "ledger/a/m.sqlite"
    collect(prompts("Who?"), model(wire), ledger, out=out, secret=["LAB"])
    assert_gone(written(tmp_path), KEY)


@pytest.mark.parametrize("key", OTHERS)
def test_other_hosts_tokens_are_struck_before_anything_is_written(wire, tmp_path, key):
    wire.plan = [Answer(f"try {key}!", model=f"m {key}")]
    out = tmp_path / "replies.jsonl"
    collect(prompts("Who?"), model(wire), tmp_path / "ledger/a/m.sqlite", out=out)
    assert_gone(written(tmp_path), key)
    assert json.loads(out.read_text())["text"] == "try [key]!"


@pytest.mark.parametrize("before", range(160, 205, 4))
def test_a_text_is_struck_before_it_is_cut(wire, tmp_path, monkeypatch, before):
    """A page that is no JSON is told by its first 200 characters; the key lies across the cut."""
    monkeypatch.setenv("LAB", KEY)
    wire.plan = [Fault(how="text", text="x" * before + KEY + "y" * 400)]
    with pytest.raises(CollectionStopped) as caught:
        collect(
            prompts(*"abcde"),
            model(wire, api_key_env="LAB"),
            tmp_path / "ledger/a/m.sqlite",
            out=tmp_path / "replies.jsonl",
            retries=0,
        )
    for text in (written(tmp_path), str(caught.value)):
        assert not any(KEY[:n] in text for n in range(12, len(KEY)))


@pytest.mark.parametrize("before", range(460, 510, 6))
def test_an_errors_message_is_struck_before_it_is_cut(wire, tmp_path, monkeypatch, before, capfd):
    monkeypatch.setenv("LAB", KEY)
    wire.plan = [Fault(400, "invalid_request_error", "x" * before + KEY + "y" * 400)]
    with pytest.raises((CollectionStopped, MissingReplies)) as caught:
        collect(
            prompts("a"),
            model(wire, api_key_env="LAB"),
            tmp_path / "ledger/a/m.sqlite",
            out=tmp_path / "replies.jsonl",
        )
    for text in (written(tmp_path), str(caught.value), "".join(capfd.readouterr())):
        assert not any(KEY[:n] in text for n in range(12, len(KEY)))


@pytest.mark.parametrize("after", range(468, 500, 4))
def test_a_programs_last_words_are_struck_before_they_are_cut(tmp_path, monkeypatch, after):
    monkeypatch.setenv("LAB", KEY)
    script = f"import os, sys; sys.exit('x' * 300 + os.environ['LAB'] + 'y' * {after})"
    entry = {"provider": "command", "model": "x", "command": [sys.executable, "-c", script]}
    agent = Model.from_config("mine", {**entry, "api_key_env": "LAB"})
    with pytest.raises(CollectionStopped) as caught:
        collect(prompts("a"), agent, tmp_path / "ledger/a/m.sqlite", out=tmp_path / "r.jsonl")
    for text in (written(tmp_path), str(caught.value)):
        assert not any(KEY[n:] in text for n in range(len(KEY) - 12))


def test_a_program_that_writes_out_its_environment_leaves_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_TOKEN", KEY + "\n")
    script = "import json, os; print(json.dumps({'text': json.dumps(dict(os.environ))}))"
    entry = {"provider": "command", "model": "x", "command": [sys.executable, "-c", script]}
    agent = Model.from_config("mine", entry)
    collect(prompts("a"), agent, tmp_path / "ledger/a/m.sqlite", out=tmp_path / "r.jsonl")
    assert_gone(written(tmp_path), KEY)


def test_a_prompt_that_holds_a_key_is_not_sent(tmp_path, monkeypatch):
    """What is asked is kept word for word and sealed, so it can't be struck afterwards."""
    monkeypatch.setenv("LAB_KEY", KEY)
    provider = Scripted(lambda call, n: Raw("never"))
    with pytest.raises(CollectionStopped, match=r"p1.*the prompt holds a key") as caught:
        collect(
            prompts("Who?", f"Whose is {KEY}?"),
            Model("mine", "openai", "m"),
            tmp_path / "ledger/a/m.sqlite",
            out=tmp_path / "r.jsonl",
            provider=provider,
        )
    assert KEY not in str(caught.value)
    assert all(KEY not in call.messages[-1]["content"] for call in provider.seen)
