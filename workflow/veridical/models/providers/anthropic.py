"""Anthropic's models, by the Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.models.exchange import Call, Raw
from veridical.models.forms import answer_schema, strict_schema
from veridical.models.providers.base import ServerProvider
from veridical.models.providers.fitting import in_words, split_system, stops_of
from veridical.models.providers.reading import (
    as_json,
    joined,
    listed,
    mapping,
    named_stop,
    total,
    within,
    words,
)

_REFUSED_KEYWORDS = (  # by structured output; the reply is checked against the whole schema
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "maxItems", "uniqueItems", "$schema"),
)
_COUNTED = ("", "cache_creation_", "cache_read_")  # cached input is counted apart


class Provider(ServerProvider):
    """Anthropic's API through its own SDK.

    `structured: schema` is structured output (`output_config.format`), `tool` a forced tool call
    (for models without the former, and not with thinking), `text` an instruction and strict
    reading. `max_tokens` must be given and includes the thinking.
    """

    sdk_package = "anthropic"
    default_key_env = "ANTHROPIC_API_KEY"
    default_url = "https://api.anthropic.com"
    modes = ("schema", "tool", "text")
    names = {  # noqa: RUF012 — read only
        "stop": "stop_sequences",
        **dict.fromkeys(("seed", "min_p", "repetition_penalty")),
        **dict.fromkeys(("presence_penalty", "frequency_penalty")),
    }
    texts = ("messages", "system")

    def headers(self, key: str) -> dict[str, str]:
        """The key and the version of the API that the bodies here are written for."""
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def connect(self, key: str) -> Any:
        """A client that never retries by itself and reports to no tracer of its environment's."""
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(
            api_key=key,
            base_url=self.url,
            max_retries=0,
            timeout=self.timeout,
            http_client=self.wire,
            open_telemetry=False,
        )

    def body(self, call: Call) -> dict[str, Any]:
        """The request to Messages."""
        enforced = self.enforces(call)
        system, messages = split_system(in_words(call, enforced=enforced))
        parameters = self.parameters(call)
        if parameters.get("top_k") == 0:  # "off" elsewhere, out of range here
            del parameters["top_k"]
        if blank := self.unsent(call):
            kept = [stop for stop in parameters["stop_sequences"] if stop not in blank]
            parameters["stop_sequences"] = kept
            if not kept:
                del parameters["stop_sequences"]
        if "max_tokens" not in parameters:
            raise self.error(
                "give max_tokens in `parameters`: this API asks for it", transient=False
            )
        body: dict[str, Any] = {"model": self.model.model, "messages": messages, **parameters}
        if system:
            body["system"] = system
        if enforced and self.model.structured == "tool":
            schema = answer_schema(call.form)
            tool = {"name": "answer", "description": "Give the answer.", "input_schema": schema}
            body["tools"] = [tool]
            body["tool_choice"] = {"type": "tool", "name": "answer"}
        elif enforced:
            schema = strict_schema(answer_schema(call.form), drop=_REFUSED_KEYWORDS)
            form = {"format": {"type": "json_schema", "schema": schema}}
            body["output_config"] = {**parameters.get("output_config", {}), **form}
        return body

    def unsent(self, call: Call) -> tuple[str, ...]:
        """Stop texts of white space alone, too, which this API refuses: they are applied here."""
        blank = tuple(stop for stop in stops_of(call) if not stop.strip())
        return super().unsent(call) or blank

    async def send(self, body: dict[str, Any]) -> str:
        """Send the body exactly as it is and bring back the reply's, unread by the SDK."""
        own = ("model", "messages", "max_tokens")
        rest = {name: value for name, value in body.items() if name not in own}
        reply = await self.client.messages.with_raw_response.create(
            **{name: body[name] for name in own}, extra_body=rest
        )
        return reply.http_response.text

    def read(self, body: Mapping[str, Any]) -> Raw:
        """Read a message: text blocks are the answer, thinking blocks the thinking."""
        text, thinking, tools = [], [], []
        for block in listed(body.get("content"), "content"):
            kind = mapping(block, "a block of content").get("type")
            if kind == "text":
                text.append(words(block["text"], "a block's text"))
            elif kind == "thinking":
                thinking.append(words(block["thinking"], "a block's thinking"))
            elif kind == "tool_use":
                tools.append(as_json(block["input"], "a tool's input"))
        stop = body.get("stop_reason")
        ended_by = named_stop(body.get("stop_sequence")) if stop == "stop_sequence" else None
        usage = within(body.get("usage"))
        read = [usage.get(f"{kind}input_tokens") for kind in _COUNTED]
        return Raw(
            text="\n".join(filter(None, [joined(text), *dict.fromkeys(tools)])),
            thinking="\n\n".join(thinking),
            finish=stop,
            prompt_tokens=total(read) if read[0] is not None else None,
            completion_tokens=usage.get("output_tokens"),
            served_model=body.get("model"),
            refused=stop == "refusal",
            stopped_by=() if stop == "end_turn" else ended_by,
        )
