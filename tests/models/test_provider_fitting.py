"""Calls that a server can't do all of: one system prompt, stop texts of white space."""

from __future__ import annotations

import asyncio
import json

import pytest
from support.raw_server import RawServer, http
from support.wire_server import SUCCESS, Answer, ollama
from veridical.aas.protocol import phase_prompts, plan_sessions
from veridical.ledger.collecting import collect
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Call, Form, Model, Raw
from veridical.models.providers import open_provider
from veridical.models.providers.fitting import arranged, cut_at

SAID = [
    {"role": "system", "content": "first"},
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": "two"},
    {"role": "system", "content": "second"},
    {"role": "user", "content": "three"},
]
ENVIRON = {"OPENAI_API_KEY": "a-key-of-mine", "ANTHROPIC_API_KEY": "a-key-of-mine"}


def test_where_system_prompts_stand():
    assert arranged(SAID, "each") == SAID
    assert arranged(SAID, "last") == [SAID[3], SAID[1], SAID[2], SAID[4]]
    assert arranged(SAID, "user") == [
        {"role": "user", "content": "second\n\none"},
        SAID[2],
        SAID[4],
    ]
    assert arranged(SAID[1:3], "user") == SAID[1:3]
    assert SAID[1]["content"] == "one"  # nothing was changed in place


REFUSALS = [
    ("400 Bad Request", "System message must be at the beginning."),
    ("500 Internal Server Error", "Jinja Exception: Only one system message is supported"),
    ("400 Bad Request", "Conversation roles must alternate user/assistant/user/assistant/..."),
    ("400 Bad Request", "Error rendering prompt with jinja template: raise_exception"),
]


def strict(refusal: tuple[str, str], most: int, api: str):
    """A server whose model's template takes so many system messages, and only at the front."""
    status, words = refusal

    def answer(request: bytes) -> bytes:
        body = json.loads(request.partition(b"\r\n\r\n")[2])
        roles = [message["role"] for message in body["messages"]]
        if roles.count("system") > most or "system" in roles[1:]:
            return http(json.dumps({"error": {"message": words}}).encode(), status=status)
        said = Answer(f"answer {len(roles)}")
        reply = ollama(said, body, 400) if api == "ollama" else SUCCESS["chat"](said, body)
        return http(json.dumps(reply).encode())

    return answer


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda each: each[1][:24])
@pytest.mark.parametrize(("most", "way"), [(1, "last"), (0, "user")])
@pytest.mark.parametrize("api", ["openai-compatible", "ollama"])
def test_age_sessions_go_on_where_a_template_takes_one_system_prompt_or_none(
    api, most, way, refusal, tmp_path
):
    """The second session has another system prompt: there the phase stopped, after seven tries."""
    prompts = phase_prompts("persistent", plan_sessions(3, "2025-08-11", ["en", "tr"]))
    with RawServer(strict(refusal, most, api)) as server:
        url = server.url + ("/v1" if api == "openai-compatible" else "")
        entry = {"provider": api, "model": "gemma", "base_url": url, "context": 4096}
        model = Model.from_config("m", entry)
        out, ledger = tmp_path / "r.jsonl", tmp_path / "l.sqlite"
        collect(prompts, model, ledger, out=out, backoff=0.01)
    replies = read_replies(out)
    assert list(replies["state"]) == ["ok"] * 6
    last = json.loads(server.requests[-1].partition(b"\r\n\r\n")[2])["messages"]
    assert [m["role"] for m in last].count("system") == most
    told = last[0]["content"] if most else last[0]["content"].partition("\n\n")[0]
    assert "13" in told  # the third day's system prompt is the one in force, not the first's
    with Ledger(ledger, create=False) as book:
        failed = [each.reply.error for each in book.exchanges() if each.reply.state == "failed"]
    assert len(failed) == 1  # on the record, and once
    assert f"From now on its system prompt is sent as `system: {way}`" in failed[-1]
    assert replies["parameters"].iloc[-1]["system"] == way


def test_the_way_out_is_named_where_the_config_has_said_one(tmp_path):
    prompts = phase_prompts("persistent", plan_sessions(2, "2025-08-11", ["en"]))
    with RawServer(strict(REFUSALS[1], 1, "chat")) as server:
        entry = {"provider": "openai-compatible", "model": "x", "base_url": f"{server.url}/v1"}
        model = Model.from_config("m", {**entry, "system": "each"})
        with pytest.raises(RuntimeError, match=r"`system: last`.*`date_in: message`"):
            collect(prompts, model, tmp_path / "l.sqlite", out=tmp_path / "r", backoff=0.01)
    assert len(server.requests) == 3  # the third was refused, and not tried seven times


# Stop texts

STOPS = ["\n\n", "\nProblem:"]  # as path entropy sends them


def ask(model: Model, text: str, finish: str = "stop") -> tuple[Raw, dict]:
    api = {"anthropic": "anthropic"}.get(model.provider, "responses")
    with RawServer() as server:
        reply = SUCCESS[api](Answer(text, finish=finish), {"model": "x"})
        server.answer = http(json.dumps(reply).encode())
        base = server.url + ("" if api == "anthropic" else "/v1")
        entry = {"provider": model.provider, "model": "x", "base_url": base, **model.options}
        model = Model.from_config("m", entry)
        call = Call(
            model, ({"role": "user", "content": "q"},), Form(), {"stop": STOPS, "max_tokens": 9}
        )

        async def run() -> Raw:
            async with open_provider(model, environ=ENVIRON) as provider:
                return await provider.ask(call)

        raw = asyncio.run(run())
        return raw, json.loads(server.requests[0].partition(b"\r\n\r\n")[2])


CLAUDE = Model("m", "anthropic", "x")
RESPONSES = Model("m", "openai", "x", options={"api": "responses"})


def test_a_stop_of_white_space_is_applied_here_where_anthropic_refuses_it():
    raw, sent = ask(CLAUDE, "3 * 4 = 12\n#### 12\n\nProblem: another one")
    assert sent["stop_sequences"] == ["\nProblem:"]
    assert (raw.text, raw.stopped_by) == ("3 * 4 = 12\n#### 12", ("\n\n",))
    assert raw.parameters["stops_on_reading"] == ["\n\n"]


def test_an_api_without_stops_has_them_applied_here():
    raw, sent = ask(RESPONSES, "12\n\n13")
    assert "stop" not in sent
    assert (raw.text, raw.stopped_by) == ("12", ("\n\n",))


@pytest.mark.parametrize("model", [CLAUDE, RESPONSES], ids=lambda model: model.provider)
def test_what_ran_on_behind_a_stop_into_the_token_limit_had_ended(model):
    raw, _ = ask(model, "#### 12\n\nAnd so o", finish="length")
    assert (raw.text, raw.truncated) == ("#### 12", False)
    raw, _ = ask(model, "48 + 1 = 4", finish="length")
    assert (raw.text, raw.truncated, raw.stopped_by) == ("48 + 1 = 4", True, None)


def test_the_first_of_several_stops_counts():
    raw = cut_at(Raw("a\nProblem: b\n\nc"), ["\n\n", "\nProblem:", ""])
    assert (raw.text, raw.stopped_by) == ("a", ("\nProblem:",))
    assert cut_at(Raw("a\n\nb", filtered=True), ["\n\n"]).text == "a\n\nb"


# Words added to the prompt

FORMS = {
    "choice": Form("choice", ("Llama", "DeepSeek"), "I don't know"),
    "json": Form("json", schema={"type": "object", "properties": {"score": {"type": "number"}}}),
    "begun": Form("text", begin="The answer is"),
}


def sent_and_kept(provider: str, wire: str, form: Form, **options) -> tuple[str, Raw]:
    """The whole request as it went over the wire, and what was kept with the reply."""
    with RawServer() as server:
        said = {"model": "x", "message": {"role": "assistant", "content": "Llama"}}
        said |= {"done": True, "done_reason": "stop"}
        if wire != "ollama":
            said = SUCCESS[wire](
                Answer("Llama", finish="stop"),
                {"model": "x"},
                *["models/x"] * (wire == "google"),
            )
        server.answer = http(json.dumps(said).encode())
        base = server.url + ("/v1" if provider in ("openai", "openai-compatible") else "")
        entry = {"provider": provider, "model": "x", "base_url": base, "context": 4096}
        model = Model.from_config("m", {**entry, "structured": "text", **options})
        call = Call(model, ({"role": "user", "content": "Who?"},), form, {"max_tokens": 9})

        async def run() -> Raw:
            async with open_provider(
                model, environ={**ENVIRON, "GEMINI_API_KEY": "k-123456789"}
            ) as opened:
                return await opened.ask(call)

        raw = asyncio.run(run())
        return server.requests[0].partition(b"\r\n\r\n")[2].decode(), raw


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize(
    ("provider", "api"),
    [("openai", "chat"), ("anthropic", "anthropic"), ("ollama", "ollama"), ("google", "google")],
)
def test_every_word_added_to_a_prompt_is_kept_with_the_reply(provider, api, kind):
    """The prompt is kept as the study wrote it; what a model read beside it decides its answer."""
    options = {"api": "chat"} if provider == "openai" else {}
    sent, raw = sent_and_kept(provider, api, FORMS[kind], **options)
    (added,) = raw.parameters["words_added"]
    assert json.dumps(f"Who?\n\n{added}", ensure_ascii=False)[1:-1] in json.dumps(
        json.loads(sent), ensure_ascii=False
    )
    mark = {"choice": "Llama\nDeepSeek", "json": '"score"', "begun": "The answer is"}[kind]
    assert mark in added


def test_a_models_own_wording_is_kept_as_sent():
    given = {"instructions": {"choice": "Nimm eine davon:\n{options}"}, "api": "chat"}
    sent, raw = sent_and_kept("openai", "chat", FORMS["choice"], **given)
    assert raw.parameters["words_added"][0].startswith("Nimm eine davon:\nLlama")
    assert "Nimm eine davon" in json.loads(sent)["messages"][-1]["content"]


def test_where_nothing_is_added_nothing_is_kept():
    _, raw = sent_and_kept("openai", "chat", Form(), api="chat")
    assert "words_added" not in raw.parameters
    _, raw = sent_and_kept("ollama", "ollama", FORMS["begun"], prefill=True)
    assert "words_added" not in raw.parameters
