"""OpenAI's models, by Chat Completions or (option `api: responses`) by the Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.base.network import origin
from veridical.models.exchange import Call, Raw
from veridical.models.forms import answer_schema, strict_schema
from veridical.models.providers.base import ServerProvider
from veridical.models.providers.fitting import in_words
from veridical.models.providers.reading import (
    NoReply,
    as_json,
    joined,
    last_of,
    listed,
    mapping,
    named_stop,
    token_lengths,
    within,
    words,
)

_REFUSED_KEYWORDS = ("minLength", "maxLength", "$schema", "uniqueItems")  # by strict mode
ACCOUNT = {"openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID"}
_ABSENT = {"top_k": None, "min_p": None, "repetition_penalty": None}
NAMES = (
    {"max_tokens": "max_completion_tokens", **_ABSENT},  # Chat Completions
    {"max_tokens": "max_output_tokens", "stop": None, "seed": None, **_ABSENT},  # Responses
)


class Provider(ServerProvider):
    """OpenAI's API through its own SDK.

    `parameters` go into the request under their own names, `max_tokens` as the
    `max_completion_tokens` that every model takes. `structured: schema` is structured output,
    `tool` a forced function call, `text` an instruction and strict reading.
    """

    sdk_package = "openai"
    default_key_env = "OPENAI_API_KEY"
    default_url = "https://api.openai.com/v1"
    modes = ("schema", "tool", "text")
    texts = ("messages", "input")

    def __init__(self, model, *, environ, **context):
        super().__init__(model, environ=environ, **context)
        self.api = model.options.get("api", "chat")
        if self.api not in ("chat", "responses"):
            raise ValueError(f"model {model.name!r}: api is 'chat' or 'responses', not {self.api}")
        if self.api == "responses" and model.structured == "tool":
            raise ValueError(f"model {model.name!r}: with api: responses use structured: schema")
        self.names = self.names or NAMES[self.api == "responses"]

    def headers(self, key: str) -> dict[str, str]:
        """The key; at OpenAI's own address also the account's organisation and project."""
        headers = {"authorization": f"Bearer {key}"}
        if self.default_url and origin(self.url) == origin(self.default_url):
            for name, variable in ACCOUNT.items():
                if value := self._environ.get(variable, "").strip():
                    headers[name] = value
        return headers

    def connect(self, key: str) -> Any:
        """A client that never retries by itself and never takes its address from elsewhere."""
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            api_key=key,
            base_url=self.url,
            max_retries=0,
            timeout=self.timeout,
            http_client=self.wire,
        )

    def body(self, call: Call) -> dict[str, Any]:
        """The request to Chat Completions or Responses."""
        enforced = self.enforces(call)
        messages = in_words(
            call, enforced=enforced, prefill=self.prefills(call), system=self.system
        )
        if self.api == "responses":
            body = {"model": self.model.model, "input": messages, **self.parameters(call)}
            if enforced:
                text = body.get("text", {})
                body["text"] = {**text, "format": {"type": "json_schema", **self.named(call)}}
            return body
        body = {"model": self.model.model, "messages": messages, **self.parameters(call)}
        return body | (self.enforcement(call) if enforced else {})

    def enforcement(self, call: Call) -> dict[str, Any]:
        """The part of a Chat Completions request that binds the answer to its form."""
        if self.model.structured == "tool":
            tool = {"type": "function", "function": self.named(call, "parameters")}
            choice = {"type": "function", "function": {"name": "answer"}}
            return {"tools": [tool], "tool_choice": choice}
        return {"response_format": {"type": "json_schema", "json_schema": self.named(call)}}

    def named(self, call: Call, place: str = "schema") -> dict[str, Any]:
        """The answer's schema as strict mode takes it, under the name `answer`."""
        schema = strict_schema(answer_schema(call.form), drop=_REFUSED_KEYWORDS)
        return {"name": "answer", "strict": True, place: schema}

    async def send(self, body: dict[str, Any]) -> str:
        """Send the body exactly as it is and bring back the reply's, unread by the SDK.

        It goes by the SDK's own way to an address that it has no method for, since its methods walk
        through some fifty arguments that aren't there: a tenth of what a call costs.
        """
        import httpx2

        path = "/responses" if self.api == "responses" else "/chat/completions"
        reply = await self.client.post(path, body=body, cast_to=httpx2.Response)
        return reply.text

    def read(self, body: Mapping[str, Any]) -> Raw:
        """Read a reply of either API."""
        return read_response(body) if self.api == "responses" else read_chat(body)


def read_chat(body: Mapping[str, Any]) -> Raw:
    """Read a Chat Completions reply. Raises NoReply where it holds no choice."""
    choices = listed(body.get("choices"), "choices")
    if not choices:
        raise NoReply("choices is empty")
    choice = mapping(choices[0], "a choice")
    message = mapping(choice.get("message"), "a choice's message")
    if not message:
        raise NoReply("a choice's message is empty")
    text, thinking = _parts(message.get("content"))
    if not text:
        calls = [_arguments(call) for call in message.get("tool_calls") or []]
        text = "\n".join(dict.fromkeys(calls))
    thoughts = [thinking, message.get("reasoning_content"), message.get("reasoning")]
    finish = choice.get("finish_reason")
    refusal = words(message.get("refusal"), "a refusal")
    usage = within(body.get("usage"))
    lengths = token_bytes(choice)
    own_end = () if lengths and lengths[-1] == 0 else None  # llama.cpp lists the token that ends
    return Raw(
        text=text or refusal,
        thinking=next((said for said in thoughts if isinstance(said, str) and said), ""),
        finish=finish,
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        served_model=body.get("model"),
        refused=bool(refusal) or finish == "refusal",
        token_bytes=lengths,
        stopped_by=named_stop(choice.get("stop_reason")) or own_end,  # vLLM names a stop text
    )


def token_bytes(choice: Mapping[str, Any]) -> list[int] | None:
    """The length of each token of a choice in bytes; None where the server didn't tell them."""
    return token_lengths(within(choice.get("logprobs")).get("content"))


def read_response(body: Mapping[str, Any]) -> Raw:
    """Read a Responses reply: the last message item is the answer, reasoning items the thinking.

    A message of phase `commentary` is none of the answer, nor is an earlier one that says
    something else: each item is a message of its own. Raises NoReply where it holds no items, or
    was not carried out.
    """
    thinking: list[str] = []
    refusal: list[str] = []
    messages: list[tuple[str, str]] = []
    for item in listed(body.get("output"), "output"):
        kind = mapping(item, "an item of output").get("type")
        parts = [*(item.get("content") or []), *(item.get("summary") or [])]
        if kind == "reasoning":
            thinking += [words(part.get("text"), "a thought") for part in parts]
            continue
        refusal += [part["refusal"] for part in parts if part.get("type") == "refusal"]
        texts = [part["text"] for part in parts if part.get("type") == "output_text"]
        if texts:
            said = joined([words(text, "a message's text") for text in texts])
            messages.append((str(item.get("phase")), said))
    status = body.get("status")
    if status in ("failed", "cancelled", "queued", "in_progress"):
        raise NoReply(f"its status is {status}")
    answer, beside = last_of([said for phase, said in messages if phase != "commentary"])
    beside = [said for phase, said in messages if phase == "commentary"] + [beside]
    usage = within(body.get("usage"))
    return Raw(
        text=answer or joined([words(said, "a refusal") for said in refusal]),
        thinking="\n\n".join(filter(None, [*thinking, *beside])),
        finish=within(body.get("incomplete_details")).get("reason") or status,
        prompt_tokens=usage.get("input_tokens"),
        completion_tokens=usage.get("output_tokens"),
        served_model=body.get("model"),
        refused=bool(refusal),
    )


def _arguments(call: Any) -> str:
    """What a tool was called with."""
    function = mapping(mapping(call, "a tool call").get("function"), "a tool call's function")
    return as_json(function.get("arguments"), "a tool call's arguments")


def _parts(content: Any) -> tuple[str, str]:
    """Text and thinking of a message's content, which some servers give in parts."""
    if not isinstance(content, list):
        return words(content, "a message's content"), ""
    text, thinking = [], []
    for part in content:
        kind = mapping(part, "a part of a message's content").get("type")
        if kind == "thinking":
            thinking.append(_parts(part.get("thinking"))[0])
        elif kind in ("text", "output_text"):
            text.append(words(part.get("text"), "a part's text"))
    return joined(text), "\n\n".join(thinking)
