from __future__ import annotations

import asyncio

import pytest
from support.wire_server import Answer, Fault, WireServer
from veridical.models.exchange import Call, Form, Model, ProviderError
from veridical.models.forms import read_answer
from veridical.models.providers import open_provider
from veridical.models.providers.batch import fetch, poll, submit
from veridical.models.providers.batching import note_batch, read_batches

CHOICE = Form("choice", ("Llama", "DeepSeek"), "Non lo so")
ENVIRON = {f"{name}_API_KEY": "canary-77ab10" for name in ("OPENAI", "ANTHROPIC", "GEMINI")}
BASES = {"openai": "/v1", "anthropic": "", "google": ""}


@pytest.fixture
def wire():
    with WireServer() as server:
        yield server


def model_of(provider, wire):
    return Model(
        "m",
        provider,
        "asked-1",
        base_url=wire.url + BASES[provider],
        structured="schema",
        parameters={"max_tokens": 64},
    )


def calls_of(model, *questions):
    system = {"role": "system", "content": "Memory."}
    return [Call(model, (system, {"role": "user", "content": q}), CHOICE) for q in questions]


def run(model, step):
    async def inside():
        async with open_provider(model, environ=ENVIRON) as provider:
            return await step(provider)

    return asyncio.run(inside())


@pytest.mark.parametrize("provider", BASES)
def test_a_batch_outlives_the_process(provider, wire):
    model = model_of(provider, wire)
    calls = calls_of(model, "one", "two", "slow", "wrong", "late", "cut")
    wire.batch_answers = {
        "two": Answer('{"answer": "DeepSeek"}', "It may be Llama."),
        "slow": Fault(429, "rate_limit_error", "slow down"),
        "wrong": Fault(400, "invalid_request_error", "no such parameter"),
        "late": None,  # not answered in time
        "cut": Answer("Lla", finish="length"),
    }
    batch = run(model, lambda opened: submit(opened, [*calls, calls[0]]))
    assert isinstance(batch, str)
    sent = len(wire.requests)
    wire.polls = 1
    states = [run(model, lambda opened: poll(opened, batch)).state for _ in range(2)]
    assert states == ["running", "ended"]
    found = run(model, lambda opened: fetch(opened, batch, calls))
    assert list(found) == [call.key for call in calls]
    one, two, slow, wrong, late, cut = found.values()
    assert read_answer(one, CHOICE) == ("ok", "Llama")
    assert read_answer(two, CHOICE) == ("ok", "DeepSeek")
    assert two.thinking == "It may be Llama."
    assert (two.served_model, two.prompt_tokens) == ("asked-1", 400)
    assert two.parameters["model"] == "asked-1"
    assert read_answer(cut, CHOICE) == ("truncated", None)
    assert [error.transient for error in (slow, wrong, late)] == [True, False, True]
    assert "no such parameter" in str(wrong)
    posts = [seen for seen in wire.requests[sent:] if seen["method"] == "POST"]
    assert posts == []  # nothing was submitted again


@pytest.mark.parametrize("provider", BASES)
def test_what_is_submitted_is_what_would_be_asked(provider, wire):
    model = model_of(provider, wire)
    calls = calls_of(model, "one")
    run(model, lambda opened: submit(opened, calls))
    alone = run(model, lambda opened: opened.ask(calls[0]))
    batched = run(model, lambda opened: fetch(opened, _id(wire), calls))[calls[0].key]
    assert batched.parameters == alone.parameters
    inside = _requests(provider, wire)
    assert len(inside) == 1
    bodies = [seen["body"] for seen in wire.requests if "batch" not in seen["path"]]
    assert inside[0] == bodies[-1] if provider != "openai" else inside[0] in bodies


def _id(wire):
    return next(iter({"file-1": "batch_1"}.get(name, name) for name in wire.batches))


def _requests(provider, wire):
    if provider == "openai":
        return [line["body"] for line in wire.batches["file-1"]["lines"]]
    if provider == "anthropic":
        return [call["params"] for call in wire.batches["msgbatch_1"]["requests"]]
    sent = wire.batches["batches/1"]["batch"]["inputConfig"]["requests"]["requests"]
    return [
        {key: value for key, value in call["request"].items() if key != "model"} for call in sent
    ]


def test_who_has_no_batches(wire):
    model = Model("m", "ollama", "llama3", base_url=wire.url, context=512)
    with pytest.raises(ValueError, match="'ollama' has no batch API; openai, anthropic, google"):
        run(model, lambda opened: submit(opened, calls_of(model, "one")))


def test_an_empty_batch_is_an_error(wire):
    with pytest.raises(ValueError, match="these are 0 calls"):
        run(model_of("openai", wire), lambda opened: submit(opened, []))


def test_a_server_that_is_gone(wire):
    model = model_of("openai", wire)
    wire.http.shutdown()
    wire.http.server_close()
    with pytest.raises(ProviderError, match="connection failed") as caught:
        run(model, lambda opened: poll(opened, "batch_1"))
    assert caught.value.transient


def ask_by_batch(wire, folder, *questions, stop_after=None, provider="openai"):
    """Ask through `open_provider` with option `batch`; what each call came to."""
    plain = model_of(provider, wire)
    model = Model(**{**vars(plain), "options": {"batch": True}})
    calls = calls_of(model, *questions)

    async def inside():
        async with open_provider(model, environ=ENVIRON, batches=folder) as opened:
            opened.quiet = opened.pause = 0.02
            asked = asyncio.gather(*map(opened.ask, calls), return_exceptions=True)
            try:
                return await asyncio.wait_for(asked, stop_after)
            except TimeoutError:
                return None

    return asyncio.run(inside())


def submitted(wire):
    return [s for s in wire.requests if s["method"] == "POST" and s["path"] == "/v1/batches"]


def test_calls_that_come_together_go_as_one_batch(wire, tmp_path):
    wire.polls = 1
    wire.batch_answers = {"two": Answer("DeepSeek"), "wrong": Fault(400, "invalid", "no")}
    one, two, wrong = ask_by_batch(wire, tmp_path, "one", "two", "wrong")
    assert [read_answer(raw, CHOICE)[1] for raw in (one, two)] == ["Llama", "DeepSeek"]
    assert not wrong.transient
    assert "batch_1" in str(wrong)
    assert len(submitted(wire)) == 1
    assert [len(keys) for keys in read_batches(tmp_path / "m.jsonl").values()] == [3]


def test_a_run_that_ended_early_is_continued_without_submitting_again(wire, tmp_path):
    wire.polls = 10**6
    assert ask_by_batch(wire, tmp_path, "one", "two", stop_after=0.3) is None
    assert len(submitted(wire)) == 1
    wire.polls = 1
    found = ask_by_batch(wire, tmp_path, "two", "one")
    assert [read_answer(raw, CHOICE)[1] for raw in found] == ["Llama", "Llama"]
    assert len(submitted(wire)) == 1


def test_what_went_wrong_in_an_earlier_batch_can_be_submitted_again(wire, tmp_path):
    wire.polls = 10**6
    ask_by_batch(wire, tmp_path, "one", stop_after=0.3)
    wire.polls, wire.batch_answers = 0, {"one": Fault(400, "invalid", "no")}
    (earlier,) = ask_by_batch(wire, tmp_path, "one")
    assert earlier.transient
    assert len(submitted(wire)) == 1


def test_a_torn_line_is_no_batch(tmp_path):
    file = tmp_path / "m.jsonl"
    note_batch(file, "b1", ["k1", "k2"])
    with file.open("a") as out:
        out.write('{"batch": "b2", "ke')
    note_batch(file, "b3", ["k1"])
    assert read_batches(file) == {"b1": ["k1", "k2"], "b3": ["k1"]}
    assert read_batches(tmp_path / "none.jsonl") == {}


def test_only_who_has_batches_can_be_told_to_use_them(wire, tmp_path):
    model = Model("m", "command", "x", options={"batch": True, "command": ["true"]})
    with pytest.raises(ValueError, match="command has no batch API"):
        open_provider(model, environ={}, batches=tmp_path)
