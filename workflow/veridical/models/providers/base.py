"""What providers that speak to a server share: address and key, asking, reading the reply."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from typing import Any, ClassVar

from veridical.base.network import origin
from veridical.models.counts import count
from veridical.models.exchange import Call, Model, ProviderError, Raw
from veridical.models.forms import split_thinking
from veridical.models.providers.errors import Blocked, WireError, error_inside
from veridical.models.providers.fitting import cut_at, next_way, stops_of, words_added
from veridical.models.providers.parameters import parameters_of
from veridical.models.providers.reading import ENDS, FILTERED, NoReply, word, words
from veridical.models.providers.reporting import Reporting
from veridical.models.providers.truncation import cut_short, fewest_tokens, length_of


class ServerProvider(Reporting):
    """A model behind an HTTP API, asked through its SDK.

    A provider says how a call becomes the body of a request (`body`), how that is sent (`send`)
    and how the body of the reply is read (`read`); the first and the last are pure, and the
    batch APIs share them.
    """

    sdk_package: ClassVar[str]
    default_key_env: ClassVar[str | None] = None
    default_url: ClassVar[str | None] = None
    modes: ClassVar[tuple[str, ...]] = ("schema", "text")
    names: ClassVar[Mapping[str, str | None]] = {}  # see `veridical.models.providers.parameters`
    texts: ClassVar[tuple[str, ...]] = ("messages",)  # parts of a body that are no parameters
    block = 1

    def __init__(self, model: Model, *, environ: Mapping[str, str], **context: Any):
        if model.structured not in self.modes:
            raise ValueError(
                f"model {model.name!r}: provider {model.provider!r} can't do "
                f"structured: {model.structured}; use one of {', '.join(self.modes)}"
            )
        if not (model.base_url or self.default_url):
            raise ValueError(f"model {model.name!r}: {model.provider} needs a base_url")
        self.model = model
        self.url = (model.base_url or self.default_url or "").rstrip("/")
        check_address(model.name, self.url)
        self.key_env = model.api_key_env or self.default_key_env
        self.concurrency = int(model.options.get("concurrency", 8))
        self.timeout = float(model.options.get("timeout", 600))
        self.system = model.options.get("system", "each")  # see `fitting.arranged`
        self._environ = environ
        self.wire: Any = None
        self.client: Any = None

    # What a provider must define

    def headers(self, key: str) -> dict[str, str]:
        """The headers of every request, the key's among them; no others are sent."""
        raise NotImplementedError

    def connect(self, key: str) -> Any:
        """Import the SDK and make its client on `self.wire`, its own retries turned off."""
        raise NotImplementedError

    def body(self, call: Call) -> dict[str, Any]:
        """The request's JSON, whole."""
        raise NotImplementedError

    async def send(self, body: dict[str, Any]) -> str:
        """Send it; the reply's body as text. May raise anything: `translate` reads it."""
        raise NotImplementedError

    def read(self, body: Mapping[str, Any]) -> Raw:
        """Read the reply's JSON, strictly in the form of its API (see `providers.reading`).

        Raises NoReply where it is none. What all replies share is seen to afterwards: thinking in
        tags, counts that are none, and finish reasons that are no end or a filter's.
        """
        raise NotImplementedError

    # What all share

    async def __aenter__(self) -> ServerProvider:
        key = self.key()
        try:
            self.wire = self.open_wire(key)
        except WireError as error:
            raise self.translate(error) from None
        self.client = self.connect(key)
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self.wire is not None:
            await self.wire.aclose()

    def open_wire(self, key: str) -> Any:
        """The client that everything goes through, whatever the SDK (see `providers.wire`)."""
        from veridical.models.providers.wire import Wire

        headers = self.headers(key)
        return Wire(self.url, headers, timeout=self.timeout, environ=self._environ)

    def key(self) -> str:
        """The key from the environment. Raises ProviderError naming the variable that is unset."""
        if self.key_env is None:
            return "none"
        key = self._environ.get(self.key_env, "").strip()
        if not key:
            raise ProviderError(
                f"{self.key_env} isn't set: model {self.model.name!r} ({self.model.provider}) "
                f"needs a key in that environment variable",
                transient=False,
            )
        return key

    async def ask(self, call: Call) -> Raw:
        """Send the call once. Raises ProviderError."""
        system, body = self.system, self.body(call)
        start = time.perf_counter()
        try:
            raw = self.cut(call, self.understand(await self.post(body), body))
        except Blocked as error:
            raw = self.blocked(error, body)
        except ProviderError as error:
            raise self.otherwise(call, error, system) from None
        raw = replace(raw, latency=time.perf_counter() - start)
        await self.check_untruncated(call, raw)
        return raw

    def otherwise(self, call: Call, error: ProviderError, system: str) -> ProviderError:
        """The error, or one that passes where the system prompts can stand elsewhere.

        From then on they do: a template that takes one is sent the one in force, one that takes
        none has it in the first user message. The attempt that failed is kept, and so is, with
        every reply, where the system prompt stood. The model's option `system` says it outright.
        """
        way = next_way(call, system) if error.of_template else None
        if way is None or "system" in self.model.options:
            return error
        self.system = way
        return ProviderError(
            f"{error}. From now on its system prompt is sent as `system: {way}`", transient=True
        )

    def cut(self, call: Call, raw: Raw) -> Raw:
        """Apply the stop texts that the server isn't sent, and say so with the reply; and what
        sentences were added to the prompt, which is kept without them."""
        parameters = dict(raw.parameters)
        if added := words_added(call, enforced=self.enforces(call), prefill=self.prefills(call)):
            parameters["words_added"] = added
        if unsent := self.unsent(call):
            parameters["stops_on_reading"] = list(unsent)
            raw = cut_at(raw, unsent)
        return replace(raw, parameters=parameters)

    def unsent(self, call: Call) -> tuple[str, ...]:
        """The stop texts that this server takes no word of: all, where it has no such parameter."""
        given = self.model.options.get("names", {})
        known = given["stop"] if "stop" in given else self.names.get("stop", "stop")
        return stops_of(call) if known is None else ()

    async def post(self, body: dict[str, Any]) -> str:
        """Send a body. Raises ProviderError, and nothing of the SDK's with a key in its frames."""
        try:
            async with asyncio.timeout(self.timeout):  # an SDK's own counts from byte to byte
                return await self.send(body)
        except Exception as error:
            raise self.translate(error) from None

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        """Send the call once for each sample index."""
        return list(await asyncio.gather(*(self.ask(call.with_sample(i)) for i in samples)))

    def enforces(self, call: Call) -> bool:
        """Whether the server binds the answer to its form; no schema binds one begun in words."""
        return self.model.structured != "text" and call.form.kind != "text" and not call.form.begin

    def prefills(self, call: Call) -> bool:
        """Whether the server goes on from an assistant's turn that was begun for it."""
        return False

    def understand(self, text: str, sent: Mapping[str, Any]) -> Raw:
        """The raw answer in a reply's body. Raises ProviderError where it holds none."""
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise self.error(f"answered with something that is no JSON object: {self.shown(text)}")
        if (inside := error_inside(body)) is not None:
            raise self.failed(*inside, {})
        try:
            return self.tidied(self.read(body), sent)
        except NoReply as error:
            raise self.error(f"answered with no reply ({error}): {self.shown(text)}") from None
        except Exception as error:  # whatever a body may hold, it ends nothing but its own call
            shown = self.shown(text)
            raise self.error(f"answered in an unknown shape ({error!r}): {shown}") from None

    def tidied(self, raw: Raw, sent: Mapping[str, Any]) -> Raw:
        """What is the same for all: thoughts apart, counts, how it ended, what was sent.

        Raises NoReply where there is neither an answer nor a word on how it ended.
        """
        answer, thought = split_thinking(words(raw.text, "the text"))
        thinking = "\n\n".join(part for part in (words(raw.thinking, "thinking"), thought) if part)
        finish = word(raw.finish)
        if not (answer or thinking or finish or raw.refused or raw.filtered):
            raise NoReply("it holds no text and doesn't say how it ended")
        filtered = raw.filtered or (finish or "").lower() in FILTERED
        raw = replace(
            raw,
            text=answer,
            thinking=thinking,
            finish=finish,
            prompt_tokens=count(raw.prompt_tokens),
            completion_tokens=count(raw.completion_tokens),
            served_model=word(raw.served_model),
            filtered=filtered,
            sdk=self.sdk,
            parameters=self.recorded(sent),
        )
        whole = raw.refused or filtered or self.ended(raw, sent)
        return replace(raw, truncated=raw.truncated or not whole)

    def ended(self, raw: Raw, sent: Mapping[str, Any]) -> bool:
        """Whether an answer is known to have come to its end: what isn't known as one is none."""
        return (raw.finish or "").lower() in ENDS

    def blocked(self, error: Blocked, sent: Mapping[str, Any]) -> Raw:
        """A filter's verdict as the raw answer that it is."""
        parameters = self.without_text(sent)
        return Raw("", finish=error.verdict, filtered=True, sdk=self.sdk, parameters=parameters)

    def recorded(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """What was sent, without texts, and where the system prompt stood if not in its place."""
        where = {} if self.system == "each" else {"system": self.system}
        return {**self.without_text(sent), **where}

    def without_text(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """The effective parameters: all of a request's body that isn't text."""
        return {name: value for name, value in sent.items() if name not in self.texts}

    def parameters(self, call: Call) -> dict[str, Any]:
        """What the call asks for, under the names that the server knows. Raises ProviderError."""
        try:
            return parameters_of(call, self.names)
        except ValueError as error:
            raise self.error(str(error), transient=False) from None

    @cached_property
    def sdk(self) -> str:
        """Name and version of the SDK, from its metadata, without importing it."""
        return f"{self.sdk_package} {version(self.sdk_package)}"

    async def check_untruncated(self, call: Call, raw: Raw) -> None:
        """Raises ProviderError where the server can't have read the whole prompt."""
        if cut_short(call, raw.prompt_tokens):
            raise self.error(
                f"the prompt was cut: the server read {raw.prompt_tokens} tokens of a prompt of "
                f"{length_of(call)} characters, which makes at least {fewest_tokens(call)}. "
                "Raise the server's context length",
                transient=False,
                of_prompt=True,
            )


def check_address(name: str, url: str) -> None:
    """Raise ValueError, naming the model, where `base_url` is no address to send a request to."""
    try:
        scheme, host, _ = origin(url)
    except ValueError as error:
        raise ValueError(f"model {name!r}: base_url {url!r} is no address ({error})") from None
    if scheme not in ("http", "https") or not host:
        raise ValueError(
            f"model {name!r}: base_url {url!r} is no address: write http:// or https:// and a host"
        )
