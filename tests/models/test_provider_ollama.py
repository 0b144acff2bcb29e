"""Ollama cuts a prompt silently: it must be noticed, and a cached prefix must not look like a cut.

The server of these tests counts a token every four characters.
"""

from __future__ import annotations

import asyncio

import pytest
from support.wire_server import WireServer
from veridical.models.exchange import Call, Model, ProviderError
from veridical.models.providers import open_provider

# 6,500 characters, 1,625 tokens
DOCUMENT = "2025-03-04 — met Llama — sourdough: the third loaf rose at last.\n" * 100


@pytest.fixture
def wire():
    with WireServer() as server:
        yield server


def ask(wire, counting, context, questions=("With whom?",), document=DOCUMENT, **entry):
    wire.ollama = counting
    entry = {"provider": "ollama", "model": "llama3", "base_url": wire.url, **entry}
    model = Model.from_config("m", entry | {"context": context})

    async def run():
        async with open_provider(model, environ={}) as provider:
            system = {"role": "system", "content": document}
            calls = [Call(model, (system, {"role": "user", "content": q})) for q in questions]
            return [await provider.ask(call) for call in calls]

    return asyncio.run(run())


def test_a_prompt_read_whole(wire):
    assert ask(wire, "counts all", 4096)[0].prompt_tokens == (6500 + 10) // 4
    assert len(wire.requests) == 1
    assert wire.requests[0]["body"]["options"]["num_ctx"] == 4096


@pytest.mark.parametrize(
    ("counting", "context", "read"),
    [
        ("counts all", 1024, 1024),  # cut to the window: 6.3 characters a token gives it away
        ("counts all", 1536, 1536),  # 4.2 characters a token are likely, but the window is full
        # Older servers drop blocks of half a window; with the fresh word there are 1,630 tokens.
        ("halves", 1024, 606),  # 1630 - 2 × 512
        ("halves", 1088, 1086),  # 1630 - 544: 5.99 characters a token are likely, half by half not
    ],
)
def test_a_prompt_cut_silently(wire, counting, context, read):
    with pytest.raises(ProviderError) as caught:
        ask(wire, counting, context)
    assert not caught.value.transient
    assert f"{read} tokens" in str(caught.value)
    assert "6510 characters" in str(caught.value)
    assert f"num_ctx = {context}" in str(caught.value)


def test_a_cut_is_known_by_its_halves_in_a_language_of_long_tokens(wire):
    with pytest.raises(ProviderError, match="read 830 tokens"):  # 1630 - 800
        ask(wire, "halves", 1600, characters_per_token=10)


def test_a_prompt_that_fills_most_of_its_window_is_measured_once(wire):
    found = ask(wire, "counts all", 2048, ("With whom?", "When was it?"))
    assert len(found) == 2
    assert len(wire.requests) == 2 + 4  # whole, without its longest text, and that in two halves


def test_a_server_that_refuses_says_why(wire):
    with pytest.raises(ProviderError, match="longer than the model reads"):
        ask(wire, "refuses", 1024)


@pytest.mark.parametrize("counting", ["counts new", "counts none"])
def test_a_cached_prefix_is_no_cut(wire, counting):
    wire.ollama_cache.add(DOCUMENT)  # from another run: the first count is small already
    found = ask(wire, counting, 4096, ("With whom?", "When was it?", "Where was it?"))
    assert [raw.prompt_tokens for raw in found] != [len(DOCUMENT) // 4] * 3
    assert len(wire.requests) == 4  # one more, once, to measure the prompt behind a fresh word
    extra = wire.requests[1]["body"]
    assert extra["options"]["num_predict"] == 1
    assert extra["messages"][0]["content"].endswith(DOCUMENT)


@pytest.mark.parametrize("counting", ["counts new", "counts none"])
def test_a_cut_behind_a_cached_prefix_is_found(wire, counting):
    wire.ollama_cache.add(DOCUMENT)
    with pytest.raises(ProviderError, match="the server read 1024 tokens"):
        ask(wire, counting, 1024)


def test_other_servers_are_checked_by_their_count_too(wire):
    from support.wire_server import Answer

    wire.plan = [Answer("Llama", prompt_tokens=512)]
    model = Model.from_config(
        "m", {"provider": "openai-compatible", "model": "x", "base_url": f"{wire.url}/v1"}
    )

    async def run():
        async with open_provider(model, environ={}) as provider:
            await provider.ask(Call(model, ({"role": "user", "content": DOCUMENT},)))

    with pytest.raises(ProviderError, match=r"read 512 tokens of a prompt of 6500 characters"):
        asyncio.run(run())
