"""A model that a memory system uses: any OpenAI-compatible server, by default our own runtime's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.base.network import open_client
from veridical.memories.protocol import Usage

SETTINGS = frozenset(
    {"weights", "base_url", "model", "api_key_env", "context", "threads", "max_tokens", "timeout"}
)
CONTEXT = 4096
TIMEOUT = 600.0  # seconds that one reply may take


class Chat:
    """A model to talk to, at temperature 0.

    `settings` hold either `weights`, a name in data/weights.csv that the embedded runtime serves on
    loopback (with `context` tokens, on `threads`), or `base_url` and `model`; then `api_key_env`
    names the variable that holds the key. `max_tokens` bounds a reply, `timeout` its seconds.

    Raises ValueError naming a setting that is unknown or missing.
    """

    def __init__(self, settings: Mapping[str, Any], environ: Mapping[str, str] = os.environ):
        if strange := sorted(set(settings) - SETTINGS):
            known = ", ".join(sorted(SETTINGS))
            raise ValueError(f"a memory's model has no {strange[0]!r}; known are {known}")
        given = [name for name in ("weights", "base_url") if settings.get(name)]
        if len(given) != 1:
            raise ValueError("a memory's model needs either `weights` or `base_url`")
        if given == ["base_url"] and not settings.get("model"):
            raise ValueError("a memory's model needs `model` beside `base_url`")
        self._settings, self._environ = settings, environ
        self._server: Any = None
        self._spent = Usage()

    @property
    def model(self) -> str:
        """The model's name: as the server calls it, or that of the weights."""
        return str(self._settings.get("model") or self._settings["weights"])

    @property
    def key(self) -> str:
        """The key; a word where the server needs none."""
        return self._environ.get(self._settings.get("api_key_env", ""), "") or "none"

    @property
    def max_tokens(self) -> int:
        """The most tokens of a reply."""
        return int(self._settings.get("max_tokens", 400))

    @property
    def base_url(self) -> str:
        """Where the server listens; our own is started when this is first asked for."""
        if self._settings.get("base_url"):
            return str(self._settings["base_url"]).rstrip("/")
        if self._server is None:
            self._server = self._open()
        return f"{self._server.listening_address}/v1"

    def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> str:
        """The reply to a conversation, bound to a JSON schema.

        Raises RuntimeError with the words of a server that refuses.
        """
        body = {
            "model": self.model,
            "messages": list(messages),
            "max_tokens": self.max_tokens,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            },
        }
        timeout = float(self._settings.get("timeout", TIMEOUT))
        headers = {"Authorization": f"Bearer {self.key}"}
        url = f"{self.base_url}/chat/completions"
        with open_client(url, self._environ, timeout=timeout) as client:
            reply = client.post(url, json=body, headers=headers)
        if reply.status_code != 200:
            raise RuntimeError(f"{self.model} answered {reply.status_code}: {reply.text[:500]}")
        found = reply.json()
        self.count(found.get("usage") or {})
        return found["choices"][0]["message"]["content"] or ""

    def count(self, usage: Mapping[str, Any]) -> None:
        """Add one call, with the tokens that the server says it took."""
        read, written = (usage.get(f"{name}_tokens") or 0 for name in ("prompt", "completion"))
        self._spent += Usage(1, int(read), int(written))

    def usage(self) -> Usage:
        """What was spent since this was last asked."""
        spent, self._spent = self._spent, Usage()
        return spent

    def close(self) -> None:
        """Let go of the server."""
        self._server = None

    def _open(self) -> Any:
        from veridical.models.providers.embedded_server import load
        from veridical.models.weights import weights_there

        path = weights_there(self._settings["weights"], None, self._environ)
        settings = self._settings
        return load(path, settings.get("context", CONTEXT), 1, settings.get("threads", 1))
