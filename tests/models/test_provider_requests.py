"""What each provider sends: the form, the parameters, the key's place. No SDK is needed for it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from veridical.models.exchange import Call, Form, Model, ProviderError
from veridical.models.providers import open_provider, provider_names

CHOICE = Form("choice", ("Llama", "DeepSeek"), "Non lo so")
QUOTE = Form("choice", ("Llama", "DeepSeek"), begin="The entry is dated", pieces=("x",))
SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "number", "minimum": 0, "maximum": 1}},
    "required": ["score"],
}
SCORES = Form("json", schema=SCHEMA)
ANSWER = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["Llama", "DeepSeek", "Non lo so"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
CLOSED = {**SCHEMA, "additionalProperties": False}
SYSTEM = {"role": "system", "content": "Memory."}
USER = {"role": "user", "content": "With whom?"}


def body(provider: str, form: Form = CHOICE, call: dict | None = None, sample=0, **entry):
    entry = {"model": "asked-1", "provider": provider, **entry}
    if provider == "openai-compatible":
        entry.setdefault("base_url", "http://127.0.0.1:8000/v1")
    if provider == "ollama":
        entry.setdefault("context", 8192)
    if provider == "anthropic":
        entry["parameters"] = {"max_tokens": 64} | entry.get("parameters", {})
    model = Model.from_config("m", entry)
    return open_provider(model, environ={}).body(
        Call(model, (SYSTEM, USER), form, parameters=call or {}, sample=sample)
    )


def test_openai_schema():
    sent = body("openai", structured="schema")["response_format"]
    assert sent == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": ANSWER},
    }
    sent = body("openai", SCORES, structured="schema")["response_format"]["json_schema"]
    assert sent["schema"] == CLOSED


def test_openai_tool():
    sent = body("openai", structured="tool")
    function = {"name": "answer", "strict": True, "parameters": ANSWER}
    assert sent["tools"] == [{"type": "function", "function": function}]
    assert sent["tool_choice"]["function"]["name"] == "answer"


def test_openai_responses():
    sent = body("openai", structured="schema", api="responses", call={"max_tokens": 64})
    assert sent["text"]["format"]["type"] == "json_schema"
    assert sent["text"]["format"]["schema"] == ANSWER
    assert sent["input"] == [SYSTEM, USER]
    assert sent["max_output_tokens"] == 64


def test_anthropic():
    sent = body("anthropic", SCORES, structured="schema")
    assert (sent["system"], sent["messages"]) == ("Memory.", [USER])
    score = {"score": {"type": "number"}}  # its structured output takes no range
    assert sent["output_config"]["format"]["schema"] == {**CLOSED, "properties": score}
    sent = body("anthropic", structured="tool")
    assert sent["tools"][0]["input_schema"] == ANSWER
    assert sent["tool_choice"] == {"type": "tool", "name": "answer"}
    with pytest.raises(ProviderError, match="max_tokens"):
        body("anthropic", parameters={"max_tokens": None})


def test_google():
    sent = body("google", structured="schema", call={"max_tokens": 64, "top_k": 0, "stop": ["x"]})
    assert sent["contents"] == [{"role": "user", "parts": [{"text": "With whom?"}]}]
    assert sent["config"] == {
        "system_instruction": "Memory.",
        "max_output_tokens": 64,
        "stop_sequences": ["x"],
        "response_mime_type": "application/json",
        "response_json_schema": ANSWER,
    }


def test_ollama():
    sent = body(
        "ollama",
        structured="schema",
        parameters={"think": False, "temperature": 0.0},
        call={"max_tokens": 64, "repetition_penalty": 1.0, "top_k": 0},
    )
    assert sent["format"] == ANSWER
    assert (sent["think"], sent["stream"], sent["truncate"]) == (False, False, False)
    assert sent["options"] == {
        "temperature": 0.0,
        "num_predict": 64,
        "repeat_penalty": 1.0,
        "top_k": 0,
        "num_ctx": 8192,
    }
    assert body("ollama", parameters={"num_ctx": 999})["options"]["num_ctx"] == 999


def test_compatible_servers():
    sent = body("openai-compatible", structured="grammar")
    assert sent["grammar"] == 'root ::= "Llama" | "DeepSeek" | "Non lo so"'
    assert sent["messages"] == [SYSTEM, USER]
    sent = body("openai-compatible", SCORES, structured="grammar")
    assert sent["response_format"]["json_schema"]["schema"] == CLOSED
    sent = body("openai-compatible", QUOTE, structured="grammar", prefill=True)
    assert sent["grammar"] == 'root ::= "x"'
    assert sent["messages"][-1] == {"role": "assistant", "content": "The entry is dated"}
    sent = body("openai-compatible", QUOTE, structured="grammar")  # no prefill: in words
    assert "grammar" not in sent
    assert "Begin your answer with these words" in sent["messages"][-1]["content"]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google", "ollama"])
def test_forms_in_words(provider):
    def last(form, **entry):
        sent = body(provider, form, **entry)
        turn = (sent.get("messages") or sent.get("contents"))[-1]
        return turn["parts"][0]["text"] if "parts" in turn else turn["content"]

    assert last(CHOICE).endswith("exactly one of these:\nLlama\nDeepSeek\nNon lo so")
    assert '"maximum": 1' in last(SCORES)
    assert last(Form()) == "With whom?"
    assert last(CHOICE, structured="schema") == "With whom?"
    quoted = last(QUOTE, structured="schema")  # no schema binds an answer that is begun in words
    assert "go on from there: The entry is dated" in quoted
    assert quoted.endswith("Llama\nDeepSeek")
    italian = {"choice": "Termina con una di queste righe:\n{options}"}
    assert "Termina con una di queste righe:\nLlama" in last(CHOICE, instructions=italian)


def test_a_reasoning_model_is_described_in_the_config():
    sent = body(
        "openai",
        Form(),
        parameters={"reasoning_effort": "low"},
        names={"temperature": None, "top_p": None},
        thinking_room=2000,
        call={"temperature": 0.7, "top_p": 0.95, "max_tokens": 64},
    )
    assert set(sent) == {"model", "messages", "reasoning_effort", "max_completion_tokens"}
    assert sent["max_completion_tokens"] == 2064


def test_the_calls_parameters_count_under_whatever_name():
    own = {"max_completion_tokens": 4000, "temperature": 0}
    sent = body("openai", Form(), parameters=own, call={"max_tokens": 64, "temperature": None})
    assert sent["max_completion_tokens"] == 64
    assert "temperature" not in sent


def test_parameters_that_a_provider_lacks():
    neutral = {"top_k": 0, "repetition_penalty": 1.0, "min_p": 0.0}
    assert set(body("openai", Form(), call=neutral)) == {"model", "messages"}
    with pytest.raises(ProviderError, match=r"no parameter 'top_k' here, and 40 is no neutral"):
        body("openai", Form(), call={"top_k": 40})
    sent = body("openai-compatible", Form(), call={"top_k": 40, "max_tokens": 8})
    assert (sent["top_k"], sent["max_tokens"]) == (40, 8)
    assert "max_completion_tokens" not in sent  # older servers don't know it


def test_a_seed_is_left_out_where_there_is_none():
    assert "seed" not in body("anthropic", Form(), {"seed": 7})
    assert "seed" not in body("openai", Form(), {"seed": 7}, api="responses")


@pytest.mark.parametrize("provider", ["openai", "openai-compatible"])
def test_samples_differ_by_their_seed(provider):
    seeds = [body(provider, Form(), {"seed": 7}, sample)["seed"] for sample in range(3)]
    assert seeds == [7, 8, 9]


def test_providers_are_found_by_their_file():
    assert {
        *("openai", "openai-compatible", "anthropic", "google", "ollama", "command", "embedded"),
        "scripted",
    } == set(provider_names())
    with pytest.raises(ValueError, match="'opena1'; did you mean 'openai'"):
        open_provider(Model("m", "opena1", "x"))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"provider": "openai", "structured": "grammar"}, "can't do structured: grammar; use one"),
        ({"provider": "openai", "api": "completions"}, "api is 'chat' or 'responses'"),
        ({"provider": "openai-compatible"}, "needs a base_url"),
        ({"provider": "ollama"}, "give `context`"),
        ({"provider": "command"}, "`command` must be a list"),
        ({"provider": "command", "command": "python agent.py"}, "no shell reads it"),
    ],
)
def test_entries_that_do_not_suit(entry, message):
    with pytest.raises(ValueError, match=message):
        open_provider(Model.from_config("m", {"model": "x", **entry}), environ={})


def test_no_sdk_is_imported_before_a_provider_is_entered():
    code = """
import sys
from veridical.models.exchange import Model
from veridical.models.providers import open_provider
for name in ("openai", "anthropic", "google", "ollama"):
    open_provider(Model("m", name, "x", context=512), environ={})
heavy = {"openai", "anthropic", "google.genai", "httpx", "jsonschema", "pandas"} & set(sys.modules)
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tokens_are_known_where_the_server_tells_them():
    from veridical.models.providers.openai import read_chat

    def reply(logprobs):
        choice = {"message": {"content": "½ 🙂"}, "finish_reason": "stop", "logprobs": logprobs}
        return read_chat({"choices": [choice]}).token_bytes

    told = [
        {"token": "½", "bytes": [194, 189]},
        {"token": " ", "bytes": None},
        {"token": "\\xf0\\x9f", "bytes": [240, 159]},
        {"token": "\\x99\\x82", "bytes": [153, 130]},
    ]
    assert reply({"content": told}) == [2, 1, 2, 2]
    assert reply(None) is None
    assert reply({"content": []}) is None
