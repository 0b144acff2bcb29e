"""OpenAI's models, by Chat Completions or (option `api: responses`) by the Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.base.network import origin
from veridical.models.exchange import Call, Raw
from veridical.models.forms import answer_schema, strict_schema
from veridical.models.providers.base import ServerProvider, in_words
from veridical.models.providers.errors import is_filter

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
        messages = in_words(call, enforced=enforced, prefill=self.prefills(call))
        if self.api == "responses":
            body = {"model": self.model.model, "input": messages, **self.parameters(call)}
            if enforced:
                text = body.get("text", {})
                body["text"] = {**text, "format": {"type": "json_schema", **self.named(call)}}
            return body
        body = {"model": self.model.model, "messages": messages, **self.parameters(call)}
        return body | (self.enforcement(call) if enforced else {})

    def prefills(self, call: Call) -> bool:
        """Whether the server goes on from an assistant's turn that was begun for it."""
        return False

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

        It goes as `extra_body`, which the SDK puts over what it makes of its own arguments without
        looking into it; walking through long messages would cost it half a millisecond a call.
        """
        import openai

        try:
            if self.api == "responses":
                reply = await self.client.responses.with_raw_response.create(
                    model=self.model.model, input=[], extra_body=body
                )
            else:
                reply = await self.client.chat.completions.with_raw_response.create(
                    model=self.model.model, messages=[], extra_body=body
                )
            return reply.http_response.text
        except openai.APIStatusError as error:
            if not is_filter(error.response.text):
                raise
            return error.response.text

    def read(self, body: Mapping[str, Any]) -> Raw:
        """Read a reply of either API."""
        return read_response(body) if self.api == "responses" else read_chat(body)


def read_chat(body: Mapping[str, Any]) -> Raw:
    """Read a Chat Completions reply; no choice at all is an empty answer."""
    choice = (body.get("choices") or [{}])[0]
    message = choice.get("message") or {}
    text, thinking = _parts(message.get("content"))
    if not text:
        calls = message.get("tool_calls") or []
        text = "\n".join(call["function"]["arguments"] for call in calls)
    thinking = thinking or message.get("reasoning_content") or message.get("reasoning") or ""
    finish = choice.get("finish_reason")
    usage = body.get("usage") or {}
    return Raw(
        text=text or message.get("refusal") or "",
        thinking=thinking,
        finish=finish,
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        served_model=body.get("model"),
        refused=bool(message.get("refusal")),
        filtered=finish == "content_filter",
        truncated=finish == "length",
        token_bytes=token_bytes(choice),
    )


def token_bytes(choice: Mapping[str, Any]) -> list[int] | None:
    """The length of each token of a choice in bytes; None where the server didn't tell them."""
    told = (choice.get("logprobs") or {}).get("content")
    if not told:
        return None
    return [
        len(token["token"].encode() if token.get("bytes") is None else token["bytes"])
        for token in told
    ]


def read_response(body: Mapping[str, Any]) -> Raw:
    """Read a Responses reply: message items are the answer, reasoning items the thinking."""
    text, thinking, refusal = [], [], []
    for item in body.get("output") or []:
        parts = [*(item.get("content") or []), *(item.get("summary") or [])]
        for part in parts:
            if part.get("type") == "refusal":
                refusal.append(part["refusal"])
            elif item.get("type") == "reasoning":
                thinking.append(part.get("text") or "")
            elif part.get("type") == "output_text":
                text.append(part["text"])
    reason = (body.get("incomplete_details") or {}).get("reason")
    usage = body.get("usage") or {}
    return Raw(
        text="".join(text) or "".join(refusal),
        thinking="\n\n".join(thinking),
        finish=reason or body.get("status"),
        prompt_tokens=usage.get("input_tokens"),
        completion_tokens=usage.get("output_tokens"),
        served_model=body.get("model"),
        refused=bool(refusal),
        filtered=reason == "content_filter",
        truncated=reason == "max_output_tokens",
    )


def _parts(content: Any) -> tuple[str, str]:
    """Text and thinking of a message's content, which some servers give in parts."""
    if not isinstance(content, list):
        return content or "", ""
    text, thinking = [], []
    for part in content:
        if part.get("type") == "thinking":
            inner = part.get("thinking") or ""
            thinking.append(inner if isinstance(inner, str) else _parts(inner)[0])
        elif part.get("type") == "text":
            text.append(part.get("text") or "")
    return "".join(text), "\n\n".join(thinking)
