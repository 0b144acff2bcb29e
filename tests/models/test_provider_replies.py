"""Replies in every shape: what is no reply is an error, and what was cut short is no answer."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import pytest
from support.raw_server import RawServer, http
from support.wire_server import SUCCESS, Answer, ollama
from veridical.models.exchange import Call, Form, Model, ProviderError, Raw
from veridical.models.forms import read_answer
from veridical.models.providers import open_provider

APIS = ("chat", "responses", "anthropic", "google", "ollama")
KEYS = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "a-key-of-mine")
ENTRIES = {
    "chat": {"provider": "openai", "base": "/v1"},
    "responses": {"provider": "openai", "base": "/v1", "api": "responses"},
    "anthropic": {"provider": "anthropic", "parameters": {"max_tokens": 64}},
    "google": {"provider": "google"},
    "ollama": {"provider": "ollama", "context": 4096, "parameters": {"num_predict": 64}},
}
TEXT = Form()


class Bench:
    """A server, and for each API one provider that stays open: its SDK is slow to make."""

    def __init__(self, server: RawServer):
        self.server = server
        self.loop = asyncio.new_event_loop()
        self.open: dict[str, Any] = {}

    def provider(self, api: str) -> Any:
        if api not in self.open:
            own = dict(ENTRIES[api])
            address = self.server.url + own.pop("base", "")
            model = Model.from_config("m", {"model": "asked-1", "base_url": address, **own})
            provider = open_provider(model, environ=KEYS)
            self.open[api] = self.loop.run_until_complete(provider.__aenter__())
        return self.open[api]

    def ask(self, api: str, answer: bytes, question: str = "48 + 1?") -> Raw:
        self.server.answer = answer
        provider = self.provider(api)
        call = Call(provider.model, ({"role": "user", "content": question},), TEXT)
        return self.loop.run_until_complete(provider.ask(call))


@pytest.fixture(scope="module")
def server():
    with RawServer() as server:
        bench = Bench(server)
        yield bench
        for provider in bench.open.values():
            bench.loop.run_until_complete(provider.__aexit__())
        bench.loop.close()


def whole(api: str, text: str = "48 + 1 = 49") -> dict[str, Any]:
    """A reply as the API's reference has it, to be spoilt."""
    if api == "ollama":
        return ollama(Answer(text), {"model": "asked-1"}, 400)
    return SUCCESS[api](Answer(text), {"model": "asked-1"}, "/models/asked-1:generateContent")


def said(api: str, server: Bench, body: Any, status: str = "200 OK") -> Raw:
    """What is read in a body. Raises ProviderError."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return server.ask(api, http(data, status=status))


def fails(api: str, server: Bench, body: Any, status: str = "200 OK") -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        said(api, server, body, status)
    assert "'m'" in str(caught.value)
    return caught.value


def changed(body: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with one place set to another value, or without it where that is `...`."""
    body = copy.deepcopy(body)
    *above, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    place: Any = body
    for part in above:
        place = place[part]
    if value is ...:
        place.pop(last, None)
    else:
        place[last] = value
    return body


# What is no reply

NONE_ANYWHERE = [
    {
        "object": "error",
        "message": "CUDA out of memory",
        "type": "InternalServerError",
        "code": 500,
    },
    {"object": "error", "message": "**NETWORK ERROR DUE TO HIGH TRAFFIC**", "code": 50001},
    {"detail": "Service temporarily overloaded"},
    {"detail": [{"loc": ["body"], "msg": "busy"}]},
    {"message": "Endpoint request timed out"},
    {"error": "upstream connect error"},
    {"error": ["busy"]},
    {"error": {"message": {"odd": 1}}},
    {"error": True},
    {"errors": [{"code": 10000}], "success": False},
    {"status": "error", "msg": "no"},
    {"choices": None, "output": None, "content": None, "candidates": None, "message": None},
    {"choices": {}, "output": {}, "content": {}, "candidates": {}, "message": []},
    {"choices": "Llama", "output": "Llama", "content": "Llama", "candidates": "L", "message": "L"},
    {},
    [],
    [{"error": {"code": 503, "message": "busy"}}],
    42,
    None,
    True,
    "Llama",
    b"",
    b" \n",
    b"Llama",
    b"<html><body>Bad gateway</body></html>",
    b'{"choices": [',
    b'{"a": 1} {"a": 2}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"a": ' + b"9" * 5000 + b"}",
    b"data: {}\n\n",
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("body", NONE_ANYWHERE, ids=lambda body: str(body)[:40])
def test_what_is_no_reply_is_a_transient_error_and_never_an_empty_answer(api, body, server):
    assert fails(api, server, body).transient


NONE_HERE = {
    "chat": {
        "choices": ([], [None], ["Llama"], [[]], [{}], [{"text": "Llama"}], [{"message": None}]),
        "choices/0/message": ({}, "Llama", [], 7),
        "choices/0/message/content": (7, {"text": "Llama"}, ["Llama"], [7], [{"type": "text"}, 7]),
        "choices/0/message/tool_calls": (7, [7], [{}], [{"function": None}]),
        "choices/0": ({"message": {"content": None}, "finish_reason": None},),
    },
    "responses": {
        "output": ([None], ["Llama"], [7], {}),
        "output/0/content": (7, "Llama", ["Llama"], [None]),
        "output/0/content/0/text": (7, ["Llama"], {}),
        "status": ("failed", "in_progress", "queued", "cancelled"),
    },
    "anthropic": {
        "content": (None, "Llama", {}, [None], ["Llama"], 7),
        "content/0/text": (7, ["Llama"], {}, ...),
        "content/0": ({"type": "tool_use", "input": 7}, {"type": "tool_use"}),
    },
    "google": {
        "candidates": ([], [None], ["Llama"], [{}], [{"content": {"parts": []}}]),
        "candidates/0/content": ("Llama", [], 7),
        "candidates/0/content/parts": ("Llama", {"text": "Llama"}, [7], ["Llama"]),
        "candidates/0/content/parts/0/text": (7, ["Llama"], {}),
    },
    "ollama": {
        "message": (None, "Llama", [], 7, ...),
        "message/content": (7, ["Llama"], {}),
        "done_reason": ("load", "unload"),
    },
}


@pytest.mark.parametrize(
    ("api", "path", "value"),
    [
        (api, path, value)
        for api, places in NONE_HERE.items()
        for path, values in places.items()
        for value in values
    ],
    ids=lambda each: str(each)[:30],
)
def test_a_reply_out_of_its_apis_form_is_a_transient_error(api, path, value, server):
    body = whole(api)
    if path.endswith("tool_calls"):
        body = changed(body, "choices/0/message/content", None)
    if path == "done_reason":
        body = changed(body, "message/content", "")
    assert fails(api, server, changed(body, path, value)).transient


# What may have any shape without harm

SIDE = {
    "chat": ("usage", "model", "choices/0/logprobs", "choices/0/message/reasoning_content", "id"),
    "responses": ("usage", "model", "incomplete_details", "id", "object"),
    "anthropic": ("usage", "model", "stop_sequence", "id", "type"),
    "google": ("usageMetadata", "modelVersion", "promptFeedback", "responseId"),
    "ollama": ("prompt_eval_count", "eval_count", "model", "total_duration"),
}
ODD = (None, 7, -1.5, "text", [], [7], {"x": [1]}, True, float("nan"), float("inf"), "\ud800", ...)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("value", ODD, ids=str)
def test_what_only_goes_with_a_reply_may_have_any_shape(api, value, server):
    for path in SIDE[api]:
        raw = said(api, server, changed(whole(api), path, value))
        assert read_answer(raw, TEXT) == ("ok", "48 + 1 = 49"), path
        assert isinstance(raw.served_model, str | None)
        json.dumps(vars(raw))  # fit for a ledger


COUNTS = {  # where each API tells the tokens of the prompt and of the answer
    "chat": ("usage/prompt_tokens", "usage/completion_tokens"),
    "responses": ("usage/input_tokens", "usage/output_tokens"),
    "anthropic": ("usage/cache_read_input_tokens", "usage/output_tokens"),
    "google": ("usageMetadata/promptTokenCount", "usageMetadata/candidatesTokenCount"),
    "ollama": ("prompt_eval_count", "eval_count"),
}
NOT_TOLD = [
    0,
    -1,
    -(10**12),
    "400",
    "",
    float("nan"),
    float("inf"),
    -0.0,
    1.5,
    True,
    [400],
    10**400,
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("value", NOT_TOLD, ids=lambda value: str(value)[:12])
def test_a_count_that_is_none_is_not_told(api, value, server):
    """A server that counts 0 tokens has not cut the prompt, and -1 gives no money back."""
    body = whole(api)
    for path in COUNTS[api]:
        body = changed(body, path, value)
    if api == "google":
        body = changed(body, "usageMetadata/thoughtsTokenCount", value)
    if api == "anthropic":
        body = changed(body, "usage/input_tokens", value)
    raw = said(api, server, body)
    assert (raw.prompt_tokens, raw.completion_tokens) == (None, None)
    assert read_answer(raw, TEXT)[0] == "ok"


@pytest.mark.parametrize("api", APIS)
def test_a_long_prompt_of_which_nothing_is_counted_was_not_cut(api, server):
    prompt, _ = COUNTS[api]
    body = changed(whole(api), prompt, 0)
    if api == "anthropic":
        body = changed(body, "usage/input_tokens", 0)
    answer = http(json.dumps(body).encode())
    assert server.ask(api, answer, "a word " * 1000).prompt_tokens is None


@pytest.mark.parametrize("api", APIS)
def test_a_whole_number_may_be_written_as_a_decimal(api, server):
    body = changed(whole(api), COUNTS[api][1], 5.0)
    assert said(api, server, body).completion_tokens == {"google": 12}.get(api, 5)


# How a reply ended

FINISH = {
    "chat": "choices/0/finish_reason",
    "responses": "status",
    "anthropic": "stop_reason",
    "google": "candidates/0/finishReason",
    "ollama": "done_reason",
}
ENDS = {
    "chat": ["stop", "STOP", "eos", "eos_token", "end_turn", "stop_sequence", "tool_calls"],
    "responses": ["completed"],
    "anthropic": ["end_turn", "stop_sequence", "tool_use"],
    "google": ["STOP"],
    "ollama": ["stop"],
}
CUTS = ["max_tokens", "max_output_tokens", "MAX_TOKENS", "length", "model_length", "abort"]
CUTS += ["error", "cancelled_by_user", "time_limit", "insufficient_system_resource", "stopped?", 7]
CUTS += ["MALFORMED_FUNCTION_CALL", "OTHER", "FINISH_REASON_UNSPECIFIED", "pause_turn", "unload?"]


@pytest.mark.parametrize("api", APIS)
def test_an_end_that_is_known(api, server):
    for finish in ENDS[api]:
        raw = said(api, server, changed(whole(api), FINISH[api], finish))
        assert read_answer(raw, TEXT) == ("ok", "48 + 1 = 49"), finish
        assert raw.finish == finish


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("finish", [*CUTS, None, ..., "", [], {}], ids=str)
def test_what_is_not_known_to_be_an_end_is_none(api, finish, server):
    """'48 + 1 = 4', cut before the 9 under a word of the server's own, is no answer."""
    body = changed(whole(api, "48 + 1 = 4"), FINISH[api], finish)
    if api == "ollama":
        body["done"] = False  # else it has the last word, see below
    raw = said(api, server, body)
    assert raw.truncated
    assert read_answer(raw, TEXT)[0] == "truncated"


def test_responses_that_are_incomplete(server):
    for reason in ("max_output_tokens", "max_prompt_tokens", "turn_limit"):
        body = changed(whole("responses"), "status", "incomplete")
        body = changed(body, "incomplete_details", {"reason": reason})
        assert read_answer(said("responses", server, body), TEXT)[0] == "truncated"


@pytest.mark.parametrize(
    ("written", "text", "state"),
    [(5, "49", "ok"), (64, "4", "truncated"), (..., "4", "truncated"), (..., "", "empty")],
)
def test_an_older_ollama_only_says_done(written, text, state, server):
    """It says so at the token limit (64) as well."""
    body = changed(whole("ollama", text), "done_reason", ...)
    assert (
        read_answer(said("ollama", server, changed(body, "eval_count", written)), TEXT)[0] == state
    )


# Filters

FINISHES = {
    "chat": ["content_filter", "sensitive", "SAFETY", "prohibited_content", "guardrail_intervened"],
    "responses": ["content_filter"],
    "google": ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "MODEL_ARMOR"],
}


@pytest.mark.parametrize("api", FINISHES)
def test_a_filters_finish_reasons(api, server):
    for finish in FINISHES[api]:
        place = "incomplete_details" if api == "responses" else FINISH[api]
        value = {"reason": finish} if api == "responses" else finish
        raw = said(api, server, changed(whole(api, "48 + "), place, value))
        assert (read_answer(raw, TEXT)[0], raw.finish) == ("filtered", finish)


def oai(code: Any, message: str, kind: str = "invalid_request_error", **more) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}


VERDICTS = [
    ("400", oai("invalid_prompt", "Invalid prompt: we've limited access to this content.")),
    ("400", oai("content_policy_violation", "Your request was rejected.")),
    ("400", oai("content_filter", "The response was filtered.", innererror={"code": "x"})),
    ("400", oai(None, "no", innererror={"code": "ResponsibleAIPolicyViolation"})),
    ("400", oai("data_inspection_failed", "Output data may contain inappropriate content.")),
    ("400", {"code": "DataInspectionFailed", "message": "Input data may contain …"}),
    ("400", oai("invalid_request_error", "Content Exists Risk")),
    ("400", oai(400, "The request was rejected because it was considered high risk", "x")),
    (
        "400",
        {
            "type": "error",
            "error": {"type": "x", "message": "Output blocked by content filtering policy"},
        },
    ),
    (
        "400",
        {
            "error": {
                "code": 400,
                "status": "INVALID_ARGUMENT",
                "message": "Blocked by content policy",
            }
        },
    ),
    (
        "403",
        oai(403, "x requires moderation. Your input was flagged", metadata={"reasons": ["hate"]}),
    ),
    (
        "403",
        {
            "code": "no",
            "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE",
        },
    ),
    ("422", {"detail": "The prompt was flagged by our safety system."}),
    ("451", {"message": "sensitive content"}),
    ("400", b"Request blocked: content filter"),
    ("200", oai("invalid_prompt", "no")),
    ("200", {"error": {"code": "content_policy_violation", "message": "no"}, "choices": None}),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("status", "body"), VERDICTS, ids=lambda each: str(each)[:40])
def test_a_filters_verdict_in_other_words(api, status, body, server):
    raw = said(api, server, body, f"{status} No")
    assert read_answer(raw, TEXT) == ("filtered", None)
    assert raw.finish
    assert raw.parameters["model"] == "asked-1"  # what was sent is kept with it


def test_responses_tell_a_verdict_in_a_failed_response(server):
    body = changed(whole("responses"), "status", "failed") | oai("invalid_prompt", "no")
    assert read_answer(said("responses", server, body), TEXT)[0] == "filtered"


NO_VERDICTS = [
    ("500", oai("server_error", "the content_filter service is down"), True),
    ("503", {"message": "content_filter: upstream timed out"}, True),
    ("500", b"<html>content_filter crashed</html>", True),
    ("429", oai("rate_limit_exceeded", "too many requests to the moderation endpoint"), True),
    ("400", oai("x", "temperature is not supported"), False),
    ("422", {"detail": [{"msg": "field required", "input": {"content": "content_filter"}}]}, False),
    ("403", oai("x", "Your account was suspended: it violates our usage policies"), False),
    ("403", oai("x", "Country, region, or territory not supported"), False),
    ("401", oai("x", "flagged by our safety system"), False),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("status", "body", "transient"), NO_VERDICTS, ids=lambda e: str(e)[:40])
def test_a_filters_name_alone_is_no_verdict(api, status, body, transient, server):
    error = fails(api, server, body, f"{status} No")
    assert error.transient is transient


@pytest.mark.parametrize("api", APIS)
def test_which_errors_may_be_one_prompts_own(api, server):
    """A prompt that is too long stays out; a key that is wrong stops everything."""
    for status, alone in {
        "400": 1,
        "413": 1,
        "422": 1,
        "401": 0,
        "402": 0,
        "404": 0,
        "500": 0,
    }.items():
        error = fails(api, server, oai("x", "no"), f"{status} No")
        assert error.of_prompt is bool(alone), status
    assert not fails(api, server, oai("x", "API key not valid"), "400 No").of_prompt


# Texts that are said twice, or beside the answer


def messages(*texts: str, phases: tuple[str, ...] = ()) -> dict[str, Any]:
    """A Responses reply of several message items."""
    items = []
    for number, text in enumerate(texts):
        (item,) = whole("responses", text)["output"]
        items.append(item | ({"phase": phases[number]} if phases else {}))
    return whole("responses") | {"output": items}


def parts(api: str, *texts: str) -> dict[str, Any]:
    """A reply whose one text comes in several parts."""
    body = whole(api)
    match api:
        case "chat":
            place, kind = "choices/0/message/content", {"type": "text"}
        case "responses":
            place, kind = "output/0/content", {"type": "output_text"}
        case "anthropic":
            place, kind = "content", {"type": "text"}
        case _:
            place, kind = "candidates/0/content/parts", {}
    return changed(body, place, [{**kind, "text": text} for text in texts])


@pytest.mark.parametrize("api", ["chat", "responses", "anthropic", "google"])
def test_a_text_that_comes_twice_was_said_once(api, server):
    assert said(api, server, parts(api, "Llama", "Llama")).text == "Llama"
    assert said(api, server, parts(api, "Lla", "ma")).text == "Llama"


def test_messages_of_a_response_are_not_glued_together(server):
    raw = said("responses", server, messages("Llama", "Llama"))
    assert (raw.text, raw.thinking) == ("Llama", "")
    raw = said("responses", server, messages("DeepSeek? Let me see.", "Llama"))
    assert (raw.text, raw.thinking) == ("Llama", "DeepSeek? Let me see.")
    phases = ("final_answer", "commentary")
    raw = said("responses", server, messages("Llama", "Done.", phases=phases))
    assert (raw.text, raw.thinking) == ("Llama", "Done.")


CHANNELS = {
    "<|channel|>analysis<|message|>DeepSeek?<|end|><|start|>assistant<|channel|>final<|message|>Llama"
    "<|return|>": ("Llama", "DeepSeek?"),
    "analysis<|message|>DeepSeek?<|end|><|start|>assistant<|channel|>commentary<|message|>Hm.<|end|>"
    "<|start|>assistant<|channel|>final <|constrain|>json<|message|>Llama": (
        "Llama",
        "DeepSeek?\n\nHm.",
    ),
    "analysisDeepSeek? No.assistantfinalLlama": ("Llama", "DeepSeek? No."),
    "analysisDeepSeek?assistantcommentaryHm.assistantfinalLlama": ("Llama", "DeepSeek?\n\nHm."),
    "<|channel|>final<|message|>Llama<|end|><|channel|>final<|message|>Llama": ("Llama", ""),
    "<|channel|>analysis<|message|>DeepSeek? The budget ends he": (
        "",
        "DeepSeek? The budget ends he",
    ),
    "◁think▷DeepSeek?◁/think▷Llama": ("Llama", "DeepSeek?"),
    "<|START_THINKING|>DeepSeek?<|END_THINKING|><|START_RESPONSE|>Llama<|END_RESPONSE|>": (
        "Llama",
        "DeepSeek?",
    ),
    "<seed:think>DeepSeek?</seed:think>Llama": ("Llama", "DeepSeek?"),
    "analysis of the entries says Llama": ("analysis of the entries says Llama", ""),
    "final answer: Llama": ("final answer: Llama", ""),
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("text", CHANNELS, ids=lambda text: text[:30])
def test_what_is_said_beside_the_answer_is_never_read_as_one(api, text, server):
    raw = said(api, server, whole(api, text))
    assert (raw.text, raw.thinking) == CHANNELS[text]


def test_a_tools_arguments_may_come_as_an_object_and_twice(server):
    call = {"function": {"name": "answer", "arguments": {"answer": "Llama"}}}
    body = changed(whole("chat"), "choices/0/message/content", None)
    body = changed(body, "choices/0/message/tool_calls", [call, call])
    assert said("chat", server, body).text == '{"answer": "Llama"}'


# Which stop text ended it


def test_the_stop_that_ended_a_text_is_told_where_the_server_does(server):
    assert said("chat", server, whole("chat")).stopped_by is None  # OpenAI says `stop` for both
    body = changed(whole("chat"), "choices/0/stop_reason", "\n\n")
    assert said("chat", server, body).stopped_by == ("\n\n",)
    assert said("chat", server, changed(body, "choices/0/stop_reason", 2)).stopped_by is None
    assert said("anthropic", server, whole("anthropic")).stopped_by == ()
    body = changed(whole("anthropic"), "stop_reason", "stop_sequence")
    assert said("anthropic", server, body).stopped_by is None
    assert said("anthropic", server, changed(body, "stop_sequence", "###")).stopped_by == ("###",)
