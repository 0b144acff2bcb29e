"""Models served by Ollama, by its own HTTP API."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from veridical.models.exchange import Call, ProviderError, Raw
from veridical.models.forms import answer_schema
from veridical.models.providers.base import ServerProvider
from veridical.models.providers.fitting import in_words
from veridical.models.providers.reading import NoReply, mapping, words
from veridical.models.providers.truncation import SHORTEST_CHECKED, cut_short, length_of

_BESIDE_OPTIONS = ("think", "keep_alive", "logprobs", "top_logprobs")


class Provider(ServerProvider):
    """Ollama at `base_url`, over plain HTTP.

    `context` is sent as `num_ctx`, and must be given: without it Ollama reads a few thousand
    tokens and cuts the rest of a prompt silently. `parameters` are Ollama's options, and `think`,
    `keep_alive`. `structured: schema` is `format`. Option `prefill: true` begins the assistant's
    turn for forms with `begin`.
    """

    sdk_package = "httpx2"
    default_url = "http://localhost:11434"
    names = {"max_tokens": "num_predict", "repetition_penalty": "repeat_penalty"}  # noqa: RUF012

    def __init__(self, model, *, environ, **context):
        super().__init__(model, environ=environ, **context)
        if not model.context and "num_ctx" not in model.parameters:
            raise ValueError(
                f"model {model.name!r}: give `context` (in tokens): Ollama cuts a prompt that is "
                f"longer than its num_ctx silently, and its default is short"
            )
        self.concurrency = int(model.options.get("concurrency", 1))
        self._untruncated: set[str] = set()  # system prompts seen to be read whole

    def headers(self, key: str) -> dict[str, str]:
        """A key only where the config names one."""
        return {"authorization": f"Bearer {key}"} if self.key_env else {}

    def connect(self, key: str) -> Any:
        """Nothing stands between us and the wire."""
        return self.wire

    def body(self, call: Call) -> dict[str, Any]:
        """The request to /api/chat; a server that knows how is told to refuse a long prompt."""
        enforced = self.enforces(call)
        options = self.parameters(call)
        beside = {name: options.pop(name) for name in _BESIDE_OPTIONS if name in options}
        if self.model.context:
            options.setdefault("num_ctx", self.model.context)
        body = {
            "model": self.model.model,
            "messages": in_words(
                call, enforced=enforced, prefill=self.prefills(call), system=self.system
            ),
            "stream": False,
            "truncate": False,
            "shift": False,
            "options": options,
            **beside,
        }
        return body | ({"format": answer_schema(call.form)} if enforced else {})

    def prefills(self, call: Call) -> bool:
        """As the model's option `prefill` says."""
        return bool(self.model.options.get("prefill", False))

    async def send(self, body: dict[str, Any]) -> str:
        """Post it."""
        reply = await self.client.post("/api/chat", json=body)
        reply.raise_for_status()
        return reply.text

    def read(self, body: Mapping[str, Any]) -> Raw:
        """Read a reply to /api/chat; one that only says that a model was loaded is none."""
        message = mapping(body.get("message"), "message")
        if body.get("done_reason") in ("load", "unload"):
            raise NoReply(f"it only says {body['done_reason']!r}")
        done = body.get("done_reason") or ("done" if body.get("done") is True else None)
        return Raw(
            text=words(message.get("content"), "the message's content"),
            thinking=words(message.get("thinking"), "the message's thinking"),
            finish=done,
            prompt_tokens=body.get("prompt_eval_count"),
            completion_tokens=body.get("eval_count"),
            served_model=body.get("model"),
        )

    def ended(self, raw: Raw, sent: Mapping[str, Any]) -> bool:
        """As elsewhere; older versions say `done` alone, which the token limit may belie."""
        if raw.finish != "done":
            return super().ended(raw, sent)
        limit, written = sent["options"].get("num_predict", -1), raw.completion_tokens
        unlimited = not isinstance(limit, int) or limit < 0
        return unlimited or not raw.text or (written is not None and written < limit)

    async def check_untruncated(self, call: Call, raw: Raw) -> None:
        """Raises ProviderError, with the two numbers, where the prompt can't have been read whole.

        The server's `prompt_eval_count` counts, by version, the whole prompt or only what no
        cached prefix held, and may be missing. A server that cuts leaves at least half of the
        window filled. So: a count that fills the window is a cut. One that is plausible and below
        half of the window is none. Else, once for each system prompt, the prompt is measured.
        """
        sent = self.body(call)
        window = int(sent["options"]["num_ctx"])
        count = raw.prompt_tokens
        if count is not None and count >= window - 1:
            raise self._cut(call, count, window)
        likely = count and count < window / 2 and not cut_short(call, count)
        system = "".join(m["content"] for m in call.messages if m["role"] == "system")
        if length_of(call) < SHORTEST_CHECKED or likely or system in self._untruncated:
            return
        await self._measure(call, sent, window)
        self._untruncated.add(system)

    async def _measure(self, call: Call, sent: dict[str, Any], window: int) -> None:
        """Count the prompt with no help from a cache, and then its longest text by halves."""
        count = await self._count(sent, None)
        if count is None:  # a server that counts nothing can't be checked
            return
        if count >= window - 1 or cut_short(call, count):
            raise self._cut(call, count, window)
        if count < window / 2:
            return
        texts = [message["content"] for message in sent["messages"]]
        at = max(range(len(texts)), key=lambda index: len(texts[index]))
        half = texts[at].find(" ", len(texts[at]) // 2)
        pieces = ("", texts[at][:half], texts[at][half:])
        counts = [await self._count(sent, (at, piece)) or 0 for piece in pieces]
        if count < 0.97 * (counts[1] + counts[2] - counts[0]):
            raise self._cut(call, count, window)

    async def _count(self, sent: dict[str, Any], instead: tuple[int, str] | None) -> int | None:
        """Tokens of a prompt (one of its texts replaced) behind a word that no cache holds."""
        messages = [dict(message) for message in sent["messages"]]
        if instead is not None:
            messages[instead[0]]["content"] = instead[1]
        word = hashlib.sha256(json.dumps(messages).encode()).hexdigest()[:12]
        messages[0]["content"] = f"{word}\n{messages[0]['content']}"
        options = {**sent["options"], "num_predict": 1}
        body = {**sent, "messages": messages, "options": options}
        return self.understand(await self.post(body), body).prompt_tokens

    def _cut(self, call: Call, count: int, window: int) -> ProviderError:
        return self.error(
            f"the prompt was cut: the server read {count} tokens of a prompt of {length_of(call)} "
            f"characters, with num_ctx = {window}. Raise `context`, or the model's own limit",
            transient=False,
            of_prompt=True,
        )
