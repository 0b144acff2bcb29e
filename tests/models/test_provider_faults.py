"""The real SDKs against a server that speaks each API's wire format and misbehaves on purpose."""

from __future__ import annotations

import asyncio
import traceback

import pytest
from support.wire_server import Answer, WireServer
from veridical.models.exchange import Call, Form, Model, ProviderError
from veridical.models.forms import read_answer
from veridical.models.providers import open_provider

APIS = ("chat", "responses", "anthropic", "google", "ollama")
CANARY = "canary-0f3b61d2c9"
ENVIRON = {
    "OPENAI_API_KEY": f"openai-{CANARY}",
    "ANTHROPIC_API_KEY": f"anthropic-{CANARY}",
    "GEMINI_API_KEY": f"google-{CANARY}",
    "PROXY_PASS": f"ollama-{CANARY}",
}
ENTRIES = {
    "chat": {"provider": "openai", "base": "/v1"},
    "responses": {"provider": "openai", "base": "/v1", "api": "responses"},
    "anthropic": {"provider": "anthropic", "base": "", "parameters": {"max_tokens": 64}},
    "google": {"provider": "google", "base": ""},
    "ollama": {"provider": "ollama", "base": "", "context": 4096, "api_key_env": "PROXY_PASS"},
}
PASSING = ("429", "408", "409", "500", "503", "529", "overload-200")
PASSING += ("hang", "trickle", "cut", "invalid-json", "html")
CHOICE = Form("choice", ("Llama", "DeepSeek"), "Non lo so")
SCORES = Form(
    "json",
    schema={
        "type": "object",
        "properties": {"score": {"type": "number", "minimum": 0, "maximum": 1}},
        "required": ["score"],
    },
)


@pytest.fixture(scope="module")
def wire():
    with WireServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _fresh(wire):
    wire.plan, wire.ollama = [Answer()], "counts all"
    wire.requests.clear()
    wire.ollama_cache.clear()


def model_of(api: str, wire: WireServer, **entry) -> Model:
    own = dict(ENTRIES[api])
    url = wire.url + own.pop("base")
    return Model.from_config("m", {"model": "asked-1", "base_url": url, **own, **entry})


def call_of(model: Model, form: Form = CHOICE, question: str = "With whom?", **more) -> Call:
    messages = ({"role": "system", "content": "Memory."}, {"role": "user", "content": question})
    return Call(model, messages, form, **more)


def ask(model: Model, *calls: Call, environ=ENVIRON):
    async def run():
        async with open_provider(model, environ=environ) as provider:
            return [await provider.ask(call) for call in calls]

    return asyncio.run(run())


def ask_one(api, wire, *plan, form=CHOICE, **entry):
    """Ask once; the state, the value and the raw answer. One request, whatever happened."""
    wire.plan = list(plan)
    model = model_of(api, wire, **entry)
    raw = ask(model, call_of(model, form))[0]
    assert len(wire.requests) == 1
    return (*read_answer(raw, form), raw)


def fail_one(api, wire, *plan, **entry) -> ProviderError:
    """Ask once and fail; the SDK must not have tried again, nor told the key."""
    wire.plan = list(plan)
    model = model_of(api, wire, **entry)
    with pytest.raises(ProviderError) as caught:
        ask(model, call_of(model))
    assert len(wire.requests) == 1, "the SDK retried by itself"
    shown = "".join(traceback.format_exception(caught.value))
    assert CANARY not in shown
    return caught.value


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    "fault",
    [
        "429",
        "408",
        "409",
        "500",
        "503",
        "529",
        "overload-200",
        "hang",
        "cut",
        "invalid-json",
        "html",
    ],
)
def test_faults_that_pass(api, fault, wire):
    error = fail_one(
        api, wire, fault, **({"timeout": 0.25} if fault in ("hang", "trickle") else {})
    )
    assert error.transient
    assert error.retry_after is None
    assert "'m'" in str(error)  # the model's name in the study


@pytest.mark.parametrize("api", APIS)
def test_retry_after(api, wire):
    assert fail_one(api, wire, "429-seconds").retry_after == 7.0
    wire.requests.clear()
    error = fail_one(api, wire, "429-date")  # a date 30 s ahead, in whole seconds
    assert error.transient
    assert 25 < error.retry_after <= 30


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", ["400", "400-long", "401", "403", "404", "429-quota"])
def test_faults_that_stay(api, fault, wire):
    error = fail_one(api, wire, fault)
    assert not error.transient
    if fault in ("401", "403"):
        variable = model_of(api, wire).api_key_env or {
            "openai": "OPENAI_API_KEY",
            "anthropic": "ANTHROPIC_API_KEY",
            "google": "GEMINI_API_KEY",
        }.get(ENTRIES[api]["provider"])
        assert variable in str(error)
    if fault == "401":
        assert "[key]" in str(error)  # the server repeated the key, the error must not
    if fault == "404":
        assert "asked-1" in str(error)
    if fault == "400-long":
        assert "longer than the model reads" in str(error)


@pytest.mark.parametrize("api", ["chat", "responses", "anthropic", "google"])
def test_a_missing_key_is_named_before_anything_is_sent(api, wire):
    model = model_of(api, wire)
    with pytest.raises(ProviderError, match=r"_API_KEY isn't set: model 'm'") as caught:
        ask(model, call_of(model), environ={})
    assert not caught.value.transient
    assert wire.requests == []


def test_google_says_400_for_a_wrong_key(wire):
    from support.wire_server import Fault

    error = fail_one("google", wire, Fault(400, message="API key not valid. Please pass one."))
    assert "GEMINI_API_KEY" in str(error)


@pytest.mark.parametrize("api", APIS)
def test_an_answer_and_what_is_kept_of_it(api, wire):
    state, value, raw = ask_one(api, wire, Answer("Llama.", model="served-2"))
    assert (state, value) == ("ok", "Llama")
    assert raw.served_model == "served-2"  # not the name that was asked for
    assert raw.completion_tokens == {"google": 12}.get(api, 5)  # thinking is paid for, too
    if api != "ollama":
        assert raw.prompt_tokens == 400  # anthropic: 10 new and 390 from the cache
    assert raw.sdk.split()[0] in ("openai", "anthropic", "google-genai", "httpx2")
    assert raw.latency > 0
    assert raw.parameters["model"] == "asked-1"
    assert "Memory." not in str(raw.parameters)
    sent = wire.requests[0]["headers"]
    assert CANARY in str(sent)  # the key did reach the server
    assert CANARY not in str(raw)


STATES = [  # what the model says, the form asked for, and what that is
    (Answer("non lo so"), CHOICE, ("abstained", "Non lo so")),
    (Answer("I don't know"), CHOICE, ("unparseable", None)),  # not the abstention that is listed
    (Answer("Llama or DeepSeek"), CHOICE, ("unparseable", None)),
    (Answer("<think>Llama? No.</think>DeepSeek"), CHOICE, ("ok", "DeepSeek")),
    (Answer("<think>Llama? Perhaps"), CHOICE, ("empty", None)),
    (Answer("Llama? No.</think>\n\nDeepSeek"), CHOICE, ("ok", "DeepSeek")),
    (Answer('```json\n{"score": 0.5}\n```'), SCORES, ("ok", {"score": 0.5})),
    (Answer('{"score": 0.5} {"score": 1}'), SCORES, ("unparseable", None)),
    (Answer('{"score": 1.5}'), SCORES, ("unparseable", None)),
    (Answer("Lla", finish="length"), CHOICE, ("truncated", None)),
    (Answer(None), CHOICE, ("empty", None)),  # null, and all is said to be well
    (Answer("", "Llama? DeepSeek?", "length"), CHOICE, ("truncated", None)),  # thinking only
]


@pytest.mark.parametrize("api", APIS)
def test_states(api, wire):
    wire.plan = [answer for answer, _, _ in STATES]
    model = model_of(api, wire)
    found = ask(model, *(call_of(model, form) for _, form, _ in STATES))
    for raw, (answer, form, expected) in zip(found, STATES, strict=True):
        assert read_answer(raw, form) == expected, answer


@pytest.mark.parametrize("api", APIS)
def test_thinking_is_kept_apart(api, wire):
    *_, raw = ask_one(api, wire, Answer("DeepSeek", "It could be Llama."))
    assert (raw.text, raw.thinking) == ("DeepSeek", "It could be Llama.")


@pytest.mark.parametrize("api", ["responses", "anthropic", "ollama"])
def test_a_reply_without_text_is_an_empty_answer(api, wire):
    assert ask_one(api, wire, "empty-list")[0] == "empty"


@pytest.mark.parametrize("api", ["chat", "google"])
def test_no_candidate_at_all_is_no_answer(api, wire):
    """These APIs put even an empty answer into a candidate: none is an outage told in a 200."""
    assert fail_one(api, wire, "empty-list").transient


@pytest.mark.parametrize("api", ["chat", "responses", "anthropic"])
def test_refusals(api, wire):
    state, value, raw = ask_one(api, wire, Answer(None, finish="refusal"))
    assert (state, value, raw.refused) == ("refused", None, True)


@pytest.mark.parametrize("api", ["chat", "responses", "google"])
def test_filtered_answers(api, wire):
    assert ask_one(api, wire, Answer("Lla", finish="filter"))[0] == "filtered"


@pytest.mark.parametrize("api", ["chat", "responses", "anthropic"])
def test_a_filtered_prompt_is_an_answer_no_failure(api, wire):
    state, _, raw = ask_one(api, wire, "400-filter")
    assert (state, raw.finish) == ("filtered", "content_filter")


def test_google_blocks_a_prompt(wire):
    from support.wire_server import Fault

    blocked = '{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "m"}'
    state, _, raw = ask_one("google", wire, Fault(how="text", text=blocked))
    assert (state, raw.finish) == ("filtered", "PROHIBITED_CONTENT")


def test_a_gateway_breaks_off_inside_a_choice(wire):
    from support.wire_server import Fault

    text = '{"choices": [{"finish_reason": "error", "error": {"code": 502, "message": "gone"}}]}'
    error = fail_one("chat", wire, Fault(how="text", text=text))
    assert error.transient
    assert "502" in str(error)


def test_google_names_its_delay_in_the_body(wire):
    from veridical.models.providers.errors import http_error

    body = '{"error": {"message": "slow", "details": [{"@type": "x", "retryDelay": "34s"}]}}'
    words, transient, wait = http_error(429, body, {}, model="m", key_env=None)
    assert (words, transient, wait) == ("HTTP 429: slow", True, 34.0)


def test_a_local_servers_folders_are_not_kept(wire):
    wire.plan = [Answer(model="/home/me/models/x.gguf")]
    url = f"{wire.url}/v1"
    model = Model("m", "openai-compatible", "x", base_url=url)
    assert ask(model, call_of(model))[0].served_model == "x.gguf"
    assert "authorization" in wire.requests[0]["headers"]  # the SDK sends one; it holds no key
    assert CANARY not in str(wire.requests[0]["headers"])
