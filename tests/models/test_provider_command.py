from __future__ import annotations

import asyncio
import json
import os
import sys
import time

import pytest
from veridical.models.conversation import converse
from veridical.models.exchange import Call, Form, Model, ProviderError
from veridical.models.forms import read_answer
from veridical.models.prompts import Document, Prompt, Turn
from veridical.models.providers import open_provider

ECHO = """
import json, sys
asked = json.load(sys.stdin)
print(json.dumps({"text": json.dumps(asked), "model": "echo-1", "version": "agent 0.1"}))
"""


def ask(script: str, *calls: Call, environ=None, **options):
    command = [sys.executable, "-c", script]
    model = Model.from_config(
        "m", {"provider": "command", "model": "x", "command": command, **options}
    )
    messages = ({"role": "system", "content": "Memory."}, {"role": "user", "content": "Who?"})
    calls = calls or (Call(model, messages, Form("choice", ("A", "B"), "Non lo so"), {"seed": 1}),)

    async def run():
        async with open_provider(model, environ=environ or dict(os.environ)) as provider:
            return [await provider.ask(call) for call in calls]

    return asyncio.run(run())[0]


def test_the_request():
    raw = ask(ECHO)
    asked = json.loads(raw.text)
    assert asked.pop("key")
    assert asked == {
        "protocol": 1,
        "model": "x",
        "system": "Memory.",
        "document": None,
        "about": {},
        "messages": [
            {"role": "system", "content": "Memory."},
            {"role": "user", "content": "Who?"},
        ],
        "form": {"kind": "choice", "options": ["A", "B"], "abstention": "Non lo so"},
        "parameters": {"seed": 1},
        "sample": 0,
    }
    assert (raw.served_model, raw.sdk) == ("echo-1", "agent 0.1")
    assert raw.latency > 0


def test_the_document_comes_through_its_own_door_and_its_name_does_not():
    model = Model("m", "command", "x")
    document = Document("foreign-1", "2025-03-04 — met Llama — bread: rose\n\n{agent} met DeepSeek")
    for language in ("en", "tr"):  # whatever words stand around it
        system = f"Senin belleğin ({language}):\n{document.text}\n\nSoruya yanıt ver."
        prompt = Prompt("foreign-1-p1", (Turn("Who?", system=system, document=document),))
        _, call = next(converse(prompt, 0, model))
        raw = ask(ECHO, call)
        assert json.loads(raw.text)["document"] == document.text
        assert "foreign" not in raw.text
    _, call = next(converse(Prompt("p", (Turn("Who?", system="You are a judge."),)), 0, model))
    assert json.loads(ask(ECHO, call).text)["document"] is None


def reply(**fields):
    return f"print({json.dumps(json.dumps(fields))})"


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"text": "A"}, "ok"),
        ({"text": "<think>B?</think>A"}, "ok"),
        ({"text": "Non lo so."}, "abstained"),
        ({"text": ""}, "empty"),
        ({"text": "A", "truncated": True}, "truncated"),
        ({"text": "", "refused": True}, "refused"),
        ({"text": "", "filtered": True}, "filtered"),
        ({"text": "perhaps"}, "unparseable"),
    ],
)
def test_states(fields, state):
    assert read_answer(ask(reply(**fields)), Form("choice", ("A", "B"), "Non lo so"))[0] == state


CANARY = "canary-51f0a2"


@pytest.mark.parametrize(
    ("script", "message", "transient"),
    [
        ("import sys; sys.exit(3)", "exit code 3", False),
        ("import sys; sys.exit(75)", "exit code 75", True),
        ("1/0", "ZeroDivisionError", False),
        ("print('hello')", "no JSON object: 'hello", False),
        ("pass", "no JSON object", False),
        ("print('[1]')", "no JSON object", False),
        ("print('{} {}')", "no JSON object", False),
        ("print('{}')", "has no `text`", False),
        (reply(text=3), "`text` of its reply is no str: 3", False),
        (reply(text="A", refused="no"), "`refused` of its reply is no bool", False),
        (reply(error="no memory"), "no memory", False),
        (reply(error="busy", transient=True, retry_after=3), "busy", True),
        ("import os, sys; sys.exit(os.environ['AGENT_TOKEN'])", r"it said: \[key\]", False),
        ("import os; print(b'\\xff\\xfe'.decode('latin1'))", "no JSON object", False),
    ],
)
def test_failures(script, message, transient):
    environ = {**os.environ, "AGENT_TOKEN": CANARY}
    with pytest.raises(ProviderError, match=message) as caught:
        ask(script, environ=environ)
    assert caught.value.transient is transient
    assert CANARY not in str(caught.value)
    assert caught.value.retry_after == (3.0 if "busy" in message else None)


def test_a_hang_ends_with_all_that_it_started(tmp_path):
    mark = tmp_path / "alive"
    child = f"import time, pathlib; time.sleep(1.5); pathlib.Path({str(mark)!r}).touch()"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    start = time.perf_counter()
    with pytest.raises(ProviderError, match=r"no answer within 0\.5 s") as caught:
        ask(script, timeout=0.5)
    assert caught.value.transient
    assert time.perf_counter() - start < 1.4
    time.sleep(1.6)
    assert not mark.exists()


def test_endless_output_is_cut_short(monkeypatch):
    monkeypatch.setattr("veridical.models.providers.command.LONGEST", 100_000)
    with pytest.raises(ProviderError, match="wrote more than 100000 bytes"):
        ask("while True: print('x' * 1000)", timeout=20)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_more_than_the_limit_ends_at_once(stream):
    """At the real limit most of it is still in the pipe when the program is ended."""
    start = time.perf_counter()
    with pytest.raises(ProviderError, match="wrote more than 16777216 bytes"):
        ask(f"import sys; sys.{stream}.write('x' * 20_000_000)", timeout=20)
    assert time.perf_counter() - start < 15


def test_a_large_request_to_a_program_that_does_not_read_it():
    model = Model("m", "command", "x")
    call = Call(model, ({"role": "user", "content": "x" * 2_000_000},))
    assert ask(reply(text="A"), call).text == "A"


def test_arguments_reach_the_program_as_they_are(tmp_path):
    odd = "$(touch pwned); `id` && *"
    script = "import json, sys; print(json.dumps({'text': sys.argv[1]}))"
    model = Model.from_config(
        "m",
        {"provider": "command", "model": "x", "command": [sys.executable, "-c", script, odd]},
    )

    async def run():
        async with open_provider(model) as provider:
            return await provider.ask(Call(model, ({"role": "user", "content": "x"},)))

    assert asyncio.run(run()).text == odd


def test_a_program_that_is_not_there():
    model = Model.from_config("m", {"provider": "command", "model": "x", "command": ["no-such"]})

    async def run():
        async with open_provider(model):
            pass

    with pytest.raises(ProviderError, match="there is no program 'no-such'"):
        asyncio.run(run())


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"error": "busy", "transient": "no"}, "`transient` of its reply is no bool"),
        ({"error": "busy", "transient": 1}, "`transient` of its reply is no bool"),
        ({"text": "A", "prompt_tokens": "400"}, "`prompt_tokens` of its reply is no int"),
        ({"text": "A", "cost": "1 dollar"}, "`cost` of its reply is no number"),
    ],
)
def test_a_reply_of_the_wrong_type_is_refused_by_name(fields, message):
    with pytest.raises(ProviderError, match=message):
        ask(reply(**fields))


@pytest.mark.parametrize(
    ("wait", "seconds"),
    [(2, 2.0), (-5, 0.0), (float("nan"), None), ("soon", None), (True, None), ("3", 3.0)],
)
def test_a_wait_that_is_none_is_not_told(wait, seconds):
    with pytest.raises(ProviderError) as caught:
        ask(reply(error="busy", transient=True, retry_after=wait))
    assert caught.value.retry_after == seconds


def test_counts_and_costs_that_are_none_are_not_told():
    raw = ask(reply(text="A", prompt_tokens=-400, completion_tokens=0, cost=-1.0))
    assert (raw.prompt_tokens, raw.completion_tokens, raw.cost) == (None, None, None)
    raw = ask(reply(text="A", prompt_tokens=400, completion_tokens=3, cost=0.25))
    assert (raw.prompt_tokens, raw.completion_tokens, raw.cost) == (400, 3, 0.25)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"finish": "max_tokens"}, "truncated"),
        ({"finish": "stop"}, "ok"),
        ({"finish": "max_tokens", "truncated": False}, "ok"),  # its own word counts
        ({"finish": "content_filter"}, "filtered"),
        ({}, "ok"),
    ],
)
def test_how_a_program_says_that_it_ended(fields, state):
    raw = ask(reply(text="A", **fields))
    assert read_answer(raw, Form("choice", ("A", "B")))[0] == state
