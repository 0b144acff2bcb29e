"""Google's models, by the Gemini API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.models.exchange import Call, Raw
from veridical.models.forms import answer_schema
from veridical.models.providers.base import ServerProvider
from veridical.models.providers.fitting import in_words, split_system
from veridical.models.providers.reading import (
    NoReply,
    joined,
    listed,
    mapping,
    total,
    within,
    words,
)


class Provider(ServerProvider):
    """Google's API through its own SDK (`google-genai`).

    `parameters` are those of its `GenerateContentConfig` (`max_output_tokens`,
    `thinking_config: {thinking_budget: 1024}`, ...). `structured: schema` is a response schema,
    `text` an instruction and strict reading. Option `api_version` (default `v1beta`).
    """

    sdk_package = "google-genai"
    default_key_env = "GEMINI_API_KEY"
    default_url = "https://generativelanguage.googleapis.com"
    names = {  # noqa: RUF012 — read only
        "max_tokens": "max_output_tokens",
        "stop": "stop_sequences",
        **dict.fromkeys(("min_p", "repetition_penalty")),
    }

    def headers(self, key: str) -> dict[str, str]:
        """The key."""
        return {"x-goog-api-key": key}

    def connect(self, key: str) -> Any:
        """A client that never retries by itself, never replays, and goes where the config says."""
        from google import genai
        from google.genai.client import DebugConfig

        options = {
            "base_url": self.url,
            "api_version": self.model.options.get("api_version", "v1beta"),
            "timeout": round(self.timeout * 1000),  # ms
            "retry_options": {"attempts": 1},
            "httpx_async_client": self.wire,
        }
        asked = DebugConfig(client_mode=None, replays_directory=None, replay_id=None)
        return genai.Client(api_key=key, vertexai=False, http_options=options, debug_config=asked)

    def body(self, call: Call) -> dict[str, Any]:
        """The arguments of the SDK's `generate_content`."""
        enforced = self.enforces(call)
        system, messages = split_system(in_words(call, enforced=enforced))
        config = self.parameters(call)
        if config.get("top_k") == 0:  # "off" elsewhere, out of range here
            del config["top_k"]
        if system:
            config["system_instruction"] = system
        if enforced:
            config["response_mime_type"] = "application/json"
            config["response_json_schema"] = answer_schema(call.form)
        roles = {"user": "user", "assistant": "model"}
        contents = [{"role": roles[m["role"]], "parts": [{"text": m["content"]}]} for m in messages]
        return {"model": self.model.model, "contents": contents, "config": config}

    def without_text(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """The effective parameters: model and config, without the system instruction."""
        config = {k: v for k, v in sent["config"].items() if k != "system_instruction"}
        return {"model": sent["model"], **config}

    async def send(self, body: dict[str, Any]) -> str:
        """Send it and bring back the reply's body, unread by the SDK."""
        from google.genai import types

        config = types.GenerateContentConfig(
            **body["config"],
            should_return_http_response=True,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        reply = await self.client.aio.models.generate_content(
            model=body["model"], contents=body["contents"], config=config
        )
        return reply.sdk_http_response.body or ""

    def read(self, body: Mapping[str, Any]) -> Raw:
        """Read a reply; without a candidate it is a filter's verdict, where it says why, or none.

        A candidate without a finish reason has not stopped, by this API's own word.
        """
        blocked = within(body.get("promptFeedback")).get("blockReason")
        candidates = listed([] if blocked else body.get("candidates"), "candidates")
        if not (blocked or candidates):
            raise NoReply("candidates is empty, and nothing says that the prompt was blocked")
        candidate = mapping(candidates[0], "a candidate") if candidates else {}
        content = candidate.get("content")
        parts = mapping({} if content is None else content, "a candidate's content").get("parts")
        said = [mapping(each, "a part") for each in listed(parts or [], "parts")]
        usage = within(body.get("usageMetadata"))
        return Raw(
            text=joined([_text(part) for part in said if not part.get("thought") and _text(part)]),
            thinking="\n\n".join(_text(part) for part in said if part.get("thought")),
            finish=candidate.get("finishReason") or blocked,
            prompt_tokens=usage.get("promptTokenCount"),
            completion_tokens=total(map(usage.get, ("candidatesTokenCount", "thoughtsTokenCount"))),
            served_model=body.get("modelVersion"),
            filtered=bool(blocked),
        )


def _text(part: Mapping[str, Any]) -> str:
    return words(part.get("text"), "a part's text")
