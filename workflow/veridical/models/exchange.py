"""The words that every part uses for talking to a model: model, form, call, raw answer, reply."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from veridical.models.grammars import grammar
from veridical.models.pieces import Pieces, from_json, to_json

STATES = (
    "ok",  # an answer in the form asked for
    "abstained",  # the listed option that says "no answer"
    "refused",  # the model declined
    "filtered",  # the provider's content filter stepped in
    "truncated",  # the token budget ended before the answer did
    "empty",  # the model returned no answer text
    "unparseable",  # text came back, but not in the form asked for
    "failed",  # no reply could be had
)

MANNERS = frozenset(  # options on how a server is treated: they decide no answer, so no key
    {
        "timeout",
        "concurrency",
        "requests_per_minute",
        "tokens_per_minute",
        "batch",
        "characters_per_token",
        "served",
    }
)


@dataclass(frozen=True)
class Model:
    """One entry of the config's `models`, with its name in the study.

    `parameters` are sent with every call (temperature, max_tokens, ...), under the provider's own
    names; `structured` says how a form is enforced: `grammar`, `schema`, `tool` or `text`.
    """

    name: str
    provider: str
    model: str
    base_url: str | None = None
    api_key_env: str | None = None
    context: int | None = None
    structured: str = "text"
    quoting: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_config(cls, name: str, entry: Mapping[str, Any]) -> Model:
        """Read a model from the config; what is no field of its own goes to `options`."""
        own = set(cls.__dataclass_fields__) - {"name", "options"}
        known = {key: value for key, value in entry.items() if key in own}
        rest = {key: value for key, value in entry.items() if key not in own}
        return cls(name=name, options=rest, **known)


@dataclass(frozen=True)
class Form:
    """The form an answer must take.

    kind `text`: anything not empty. kind `choice`: one of `options`, or `abstention` where given.
    kind `json`: an object that fits `schema`. `begin` starts the assistant's turn for it, and
    `pieces` say what the continuation is made of, where the provider can do either; without them
    `forms.pieces_of` has those that options or schema imply.
    """

    kind: str = "text"
    options: tuple[str, ...] = ()
    abstention: str | None = None
    schema: Mapping[str, Any] | None = None
    begin: str | None = None
    pieces: Pieces = ()

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Form:
        """Read a form from a prompts file; an unknown key raises TypeError."""
        pieces = tuple(map(from_json, entry.get("pieces", ())))
        return cls(**{**entry, "options": tuple(entry.get("options", ())), "pieces": pieces})

    def to_dict(self) -> dict[str, Any]:
        """Only the keys that differ from the default, for a prompts file."""
        listed = {"options": list(self.options), "pieces": [to_json(each) for each in self.pieces]}
        plain = vars(self) | listed
        return {k: v for k, v in plain.items() if k == "kind" or v not in (None, [])}

    def to_request(self) -> dict[str, Any]:
        """The same as a call's request records it, and its key: the pieces by their grammar."""
        entry = self.to_dict()
        if entry.pop("pieces", None):
            entry["grammar"] = grammar(self.pieces)
        return entry


@dataclass(frozen=True)
class Call:
    """One request to one model; two calls with the same `key` ask the same thing.

    `document` is the text of the memory document in the system prompt, for a provider that passes
    it on apart from its instruction; the messages hold it already, so it enters no key. Neither
    does `about`, what an agent with a memory of its own must know of where it stands: the phase,
    session and run of the age score; never what is expected, nor which condition of a control.
    """

    model: Model
    messages: tuple[Mapping[str, str], ...]
    form: Form = Form()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sample: int = 0
    document: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def effective(self) -> dict[str, Any]:
        """The parameters sent: the model's own, overridden by the call's; None removes one."""
        merged = {**self.model.parameters, **self.parameters}
        return {key: value for key, value in merged.items() if value is not None}

    def canonical(self) -> str:
        """Everything that decides the answer, as JSON with sorted keys."""
        return self._canonical

    @cached_property
    def _canonical(self) -> str:
        return json.dumps(self.content(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    def content(self) -> dict[str, Any]:
        """Everything that decides the answer, in plain JSON types."""
        return {
            "provider": self.model.provider,
            "base_url": self.model.base_url,
            "model": self.model.model,
            "options": {k: v for k, v in self.model.options.items() if k not in MANNERS},
            "context": self.model.context,
            "structured": self.model.structured,
            "parameters": self.effective(),
            "messages": [dict(message) for message in self.messages],
            "form": self.form.to_request(),
            "sample": self.sample,
        }

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical request, in hex: the ledger's key."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def with_sample(self, sample: int) -> Call:
        """The same call, another sample."""
        return replace(self, sample=sample)


@dataclass(frozen=True)
class Raw:
    """What a provider brought back, before anyone reads it as an answer.

    `token_bytes` is how long each token of the text is, in bytes of UTF-8, where the call asked for
    `logprobs` and the server told the tokens. `stopped_by` are the stop texts of which one ended
    the text, `()` where the model ended it by itself; None where the server doesn't tell which.
    `cost` is what a program says it paid, in US dollars.
    """

    text: str
    thinking: str = ""
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    served_model: str | None = None
    refused: bool = False
    filtered: bool = False
    truncated: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sdk: str = ""
    latency: float = 0.0
    token_bytes: Sequence[int] | None = None
    stopped_by: Sequence[str] | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Reply:
    """A raw answer, read: its honest state and, where it is `ok` or `abstained`, its value.

    `value` is the text (kind text), the option (kind choice) or the object (kind json). `record` is
    the SHA-256 of the freeze record under which it was asked for, that of the design or, for a
    judge, of the responses; empty where none was sealed yet.
    """

    key: str
    state: str
    value: Any
    raw: Raw
    attempt: int = 1
    time: str = ""
    error: str = ""
    record: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, for the ledger and its exports; what isn't known is left out."""
        raw = dict(vars(self.raw))
        for optional in ("token_bytes", "stopped_by", "cost"):
            if raw[optional] is None:
                del raw[optional]
        entry = vars(self) | {"raw": raw}
        if not self.record:
            del entry["record"]
        return entry

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Reply:
        """The inverse of `to_dict`."""
        return cls(**{**entry, "raw": Raw(**entry["raw"])})


class ProviderError(Exception):
    """A call that brought no reply. A `transient` one may be tried again, after `retry_after` s.

    `of_prompt` says of one that stays that it may concern this prompt alone: others may go well.
    `of_template` says that the model's chat template refused the messages' roles.
    """

    def __init__(
        self,
        message: str,
        *,
        transient: bool,
        retry_after: float | None = None,
        of_prompt: bool = False,
        of_template: bool = False,
    ):
        super().__init__(message.encode("utf-8", "replace").decode())  # no half of a character
        self.transient = transient
        self.retry_after = retry_after
        self.of_prompt = of_prompt
        self.of_template = of_template


class Provider(Protocol):
    """What a provider must be able to do: open, answer one call, answer one call several times.

    `concurrency` is how many requests may be under way at once, and `block` how many samples of
    one call go into one request: 1, or the fixed size of the blocks in which they are drawn.
    """

    concurrency: int
    block: int

    async def __aenter__(self) -> Provider: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def ask(self, call: Call) -> Raw:
        """Send the call once. Raises ProviderError."""
        ...

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        """Send the call once for each sample index, in one batch where the provider can."""
        ...
