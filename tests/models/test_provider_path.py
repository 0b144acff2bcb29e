"""Every provider through the same path: prompts file, ledger, replies; and no key on the way."""

from __future__ import annotations

import sys

import pytest
from support.wire_server import Answer, WireServer
from veridical.ledger.collecting import CollectionStopped, collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Form, Model
from veridical.models.prompts import Prompt, Turn, write_prompts

CANARY = "canary-90d1c4aa"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
CHOICE = Form("choice", ("Llama", "DeepSeek"), "Bilmiyorum")
AGENT = """
import json, sys
asked = json.load(sys.stdin)
said = {"q0": "Llama", "q1": "Bilmiyorum", "q2": "perhaps"}
print(json.dumps({"text": said[asked["messages"][-1]["content"]], "version": "agent 1"}))
"""
ENTRIES = {
    "openai": {"base": "/v1", "structured": "schema"},
    "openai-compatible": {"base": "/v1", "structured": "grammar"},
    "anthropic": {"structured": "tool", "parameters": {"max_tokens": 9}},
    "google": {"structured": "schema"},
    "ollama": {"structured": "schema", "context": 512},
}


@pytest.fixture
def wire(monkeypatch):
    for name in KEYS:
        monkeypatch.setenv(name, CANARY)
    with WireServer() as server:
        yield server


@pytest.fixture
def prompts(tmp_path):
    file = tmp_path / "prompts.jsonl"
    write_prompts(file, [Prompt(f"p{i}", (Turn(f"q{i}", CHOICE, "Memory."),)) for i in range(3)])
    return file


def model_of(provider, wire):
    entry = dict(ENTRIES[provider])
    url = wire.url + entry.pop("base", "")
    more = {"model": "asked-1", "base_url": url, "concurrency": 1}
    return Model.from_config("m", {"provider": provider, **more, **entry})


def written(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def states(folder):
    return list(read_replies(folder / "replies.jsonl")["state"])


@pytest.mark.parametrize("provider", ENTRIES)
def test_providers(provider, wire, prompts, tmp_path, capfd):
    wire.plan = ["429", Answer("Llama"), "cut", Answer("Bilmiyorum"), Answer("perhaps")]
    model = model_of(provider, wire)
    for _ in range(2):  # the second time from the ledger
        collect(prompts, model, tmp_path / "l.sqlite", out=tmp_path / "replies.jsonl", backoff=0.01)
    assert states(tmp_path) == ["ok", "abstained", "unparseable"]
    assert len(wire.requests) == 5
    shown = capfd.readouterr()
    assert CANARY not in shown.out + shown.err
    assert CANARY.encode() not in written(tmp_path)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
def test_a_wrong_key_stops_at_once(provider, wire, prompts, tmp_path, capfd):
    wire.plan = ["401"]  # and it repeats the key
    with pytest.raises(CollectionStopped, match=r"environment variable \w+_API_KEY is wrong"):
        collect(
            prompts, model_of(provider, wire), tmp_path / "l.sqlite", out=tmp_path / "replies.jsonl"
        )
    assert len(wire.requests) == 1
    shown = capfd.readouterr()
    assert CANARY not in shown.out + shown.err
    assert CANARY.encode() not in written(tmp_path)


def test_a_program_of_the_users(prompts, tmp_path):
    command = [sys.executable, "-c", AGENT]
    model = Model.from_config("m", {"provider": "command", "model": "x", "command": command})
    collect(prompts, model, tmp_path / "l.sqlite", out=tmp_path / "replies.jsonl")
    assert states(tmp_path) == ["ok", "abstained", "unparseable"]
