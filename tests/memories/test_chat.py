"""The model behind a memory system: a server elsewhere, or our own runtime's."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from support.chat_server import chat_server
from support.memory_adapters import MODELS
from veridical.memories.chat import Chat
from veridical.memories.protocol import Usage

SCHEMA = {
    "type": "object",
    "properties": {"name": {"enum": ["bread", "boat"]}},
    "required": ["name"],
    "additionalProperties": False,
}
ASKED = [{"role": "user", "content": "Which of the two can be eaten?"}]


def test_a_server_is_asked_with_schema_and_key_and_counted():
    with chat_server(lambda body: "bread") as server:
        settings = {"base_url": f"{server.url}/", "model": "m", "api_key_env": "LAB"}
        chat = Chat(settings | {"max_tokens": 7}, {"LAB": "sesame"})
        assert chat.ask(ASKED, SCHEMA) == chat.ask(ASKED, SCHEMA) == "bread"
    first = server.asked[0]
    assert first["path"] == "/v1/chat/completions"
    assert first["authorization"] == "Bearer sesame"
    assert (first["model"], first["max_tokens"], first["temperature"]) == ("m", 7, 0)
    assert first["response_format"]["json_schema"]["schema"] == SCHEMA
    assert chat.usage() == Usage(2, 200, 20)
    assert chat.usage() == Usage()


def test_a_refusal_is_told_in_the_servers_words():
    with (
        chat_server(lambda body: 429) as server,
        pytest.raises(RuntimeError, match=r'm answered 429: \{"error": "refused"\}'),
    ):
        Chat({"base_url": server.url, "model": "m"}, {}).ask(ASKED, SCHEMA)


def test_what_a_memory_holds_never_goes_through_a_proxy_to_this_machine(monkeypatch):
    """Even where nobody took the proxy out of the environment that the adapter runs in."""
    with (
        chat_server(lambda body: "the proxy") as proxy,
        chat_server(lambda body: "bread") as server,
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert Chat({"base_url": server.url, "model": "m"}).ask(ASKED, SCHEMA) == "bread"
    assert proxy.asked == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "needs either `weights` or `base_url`"),
        ({"weights": "a", "base_url": "b"}, "needs either `weights` or `base_url`"),
        ({"base_url": "b"}, "needs `model` beside `base_url`"),
        ({"weight": "a"}, "has no 'weight'; known are api_key_env, base_url, context, "),
    ],
)
def test_settings_that_cannot_be(settings, words):
    with pytest.raises(ValueError, match=r"a memory's model") as caught:
        Chat(settings)
    assert words in str(caught.value)


def test_weights_that_are_not_there_name_the_command(tmp_path, monkeypatch):
    chat = Chat({"weights": "SmolLM2-135M-Instruct.Q4_1"}, {"VERIDICAL_MODELS": str(tmp_path)})
    with pytest.raises(FileNotFoundError, match=r"run `snakemake data/models/SmolLM2-135M"):
        _ = chat.base_url


def test_our_own_runtime_keeps_to_the_schema_and_says_the_same_twice(small_model):
    """The 98 MB model, bound to the schema: whatever it thinks, it is one of the two."""
    said = []
    for _ in range(2):
        chat = Chat({"weights": small_model}, {"VERIDICAL_MODELS": str(MODELS)})
        with closing(chat):
            said.append(chat.ask(ASKED, SCHEMA))
            spent = chat.usage()
        assert spent.calls == 1
        assert spent.prompt_tokens > 5
    assert said[0] == said[1]
    assert json.loads(said[0])["name"] in ("bread", "boat")
