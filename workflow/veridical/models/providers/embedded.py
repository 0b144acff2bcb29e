"""Models in the process: llama.cpp behind an OpenAI-compatible server on loopback.

The server starts when the provider is opened and ends with it. What makes a text repeatable on
one machine is fixed here: no flash attention (with it, the number of threads changes the text),
one request at a time in the order of the prompts file, and rollouts in batches of `slots` with the
prefix cache off. A job with several threads runs several servers that take the prompts in turn: two
of one thread write half as much again as one of two.

What a form leaves no choice about is never drawn token by token: see `Provider._choose`.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.models.exchange import Call, Form, Model, ProviderError, Raw
from veridical.models.forms import pieces_of
from veridical.models.grammars import grammar
from veridical.models.pieces import Fixed, after, certain, fixed
from veridical.models.providers.embedded_server import Server, runtime
from veridical.models.providers.errors import of_template
from veridical.models.providers.fitting import arranged, next_way
from veridical.models.providers.openai import token_bytes
from veridical.models.weights import folder_of_models
from veridical.models.weights_table import read_weights

SERVERS = 4  # at most, each with weights of its own in memory
TOKENS = 4096  # drawn at most for one bound answer, where the config sets no limit (or -1)
SEEDS = 2**31  # seeds below this, so that a sample's and a step's own stay whole numbers of 32 bits
STRIDE = 1_000_003  # between the seeds of an answer's steps
ROLLOUT_CONTEXT = 2048  # tokens a slot may hold while rollouts are sampled side by side
DEFAULTS = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "repeat_penalty": 1.0, "seed": 0}
COMPACT = {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"}
NAMES = {"repetition_penalty": "repeat_penalty"}


class Provider:
    """Answers calls with weights from the models folder (see `veridical.models.weights`)."""

    def __init__(
        self,
        model: Model,
        *,
        environ: Mapping[str, str] = os.environ,
        models_folder: str | None = None,
        threads: int = 1,
    ):
        self.model = model
        self.threads = threads
        self.concurrency = min(threads, SERVERS)
        self.slots = int(model.options.get("slots", 8))
        self.block = self.slots
        self.context = model.context or 4096
        self.timeout = float(model.options.get("timeout", 1800))
        self.system = model.options.get("system", "each")  # see `fitting.arranged`
        self.path = folder_of_models(models_folder, environ) / read_weights(model.model).file
        self._servers: list[Server] = []
        self._shape: tuple[int, ...] | None = None
        self._asked = 0
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Provider:
        if not self.path.exists():
            raise ProviderError(
                f"{self.path} is not there: run `snakemake data/models/{self.model.model}.json -f` "
                "to fetch the weights",
                transient=False,
            )
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._stop()

    async def ask(self, call: Call) -> Raw:
        """Answer one call; sample k is drawn with seed + k. Raises ProviderError.

        The servers take the calls in turn, so that which one answers depends on their order alone.
        Where the form fixes text between the model's choices, the model is asked for the choices
        only (`_choose`).
        """
        turn, self._asked = self._asked % self.concurrency, self._asked + 1
        await self._start(self.context, 1, self.concurrency)
        parameters = self._parameters(call)
        parameters["seed"] = int(parameters["seed"]) + call.sample
        parts = None if parameters.get("logprobs") else fixed(pieces_of(call.form))
        sent = parameters | {"cache_prompt": True}
        async with self._servers[turn].taken:
            if parts and any(isinstance(part, tuple) for part in parts):
                body = await self._choose(call, sent, parts, turn)
            else:
                body = await self._post(call, sent, self._grammar(call.form), turn)
        return self._raw(call, body, body["choices"][0], parameters)

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        """Draw the samples in batches of `slots`, one seed a batch.

        Where any sample of a batch is wanted the whole batch is drawn, since its texts depend on
        one another's places; so a resumed collection draws what an unbroken one would have.
        """
        await self._start(min(self.context, ROLLOUT_CONTEXT), self.slots, 1)
        wanted, drawn = list(samples), {}
        for batch in sorted({index // self.slots for index in wanted}):
            parameters = self._parameters(call)
            parameters["seed"] = int(parameters["seed"]) + batch * self.slots
            extra = {"n": self.slots, "cache_prompt": False}
            async with self._servers[0].taken:
                body = await self._post(call, parameters | extra, self._grammar(call.form))
            for choice in body["choices"]:
                drawn[batch * self.slots + choice["index"]] = self._raw(
                    call, body, choice, parameters | {"n": self.slots}
                )
        return [drawn[index] for index in wanted]

    @property
    def _placed(self) -> dict[str, str]:
        """Where the system prompt stood, if not in its place."""
        return {} if self.system == "each" else {"system": self.system}

    def _parameters(self, call: Call) -> dict[str, Any]:
        given = {NAMES.get(key, key): value for key, value in call.effective().items()}
        if given.get("stop"):  # the tokens tell an end of the model's own from a stop text
            given.setdefault("logprobs", True)
        if given.get("logprobs"):  # only for the tokens, so no more than one a place
            given.setdefault("top_logprobs", 1)
        sent = {**DEFAULTS, **given}
        if not 0 <= int(sent["seed"]) < SEEDS:
            raise ProviderError(
                f"{self.model.name}: seed {sent['seed']} is not within 0 and {SEEDS - 1}; the "
                "runtime would draw one of its own: set another",
                transient=False,
            )
        return sent

    async def _post(
        self,
        call: Call,
        parameters: dict[str, Any],
        bound: str | None,
        turn: int = 0,
        written: str = "",
    ) -> dict[str, Any]:
        """The server's reply; the answer it goes on with is `written` so far, after `begin`."""
        system = self.system
        messages = arranged(call.messages, system)
        body = {**parameters}
        if begun := (call.form.begin or "") + written:
            messages.append({"role": "assistant", "content": begun})
        if bound:
            body["grammar"] = bound
        response = await self._servers[turn].post({"messages": messages, **body})
        if response.status_code != 200:
            refused = of_template(response.status_code, response.text)
            if refused and (way := next_way(call, system)):
                self.system = way
                raise ProviderError(
                    f"{self.model.name}: its chat template takes no such messages. From now on its "
                    f"system prompt is sent as `system: {way}`",
                    transient=True,
                )
            raise ProviderError(
                f"{self.model.name}: the embedded server answered {response.status_code}: "
                f"{response.text[:500]}",
                transient=response.status_code >= 500,
            )
        return response.json() | {"latency": response.elapsed.total_seconds()}

    async def _choose(
        self, call: Call, parameters: dict[str, Any], parts: Fixed, turn: int
    ) -> dict[str, Any]:
        """The reply to a call whose form is fixed text with choices in it (jump-forward decoding).

        A token of a choice is drawn at a time, step n with seed + n * `STRIDE`; what is certain
        after it is read along with the next step's prompt, in one batch, and never written token by
        token. `max_tokens` counts the tokens drawn.
        """
        left, written, drawn, finish = parts, "", 0, "stop"
        bodies: list[dict[str, Any]] = []
        asked = int(parameters.get("max_tokens") or -1)
        budget = asked if asked > 0 else TOKENS

        async def draw(tokens: int) -> str:
            step = {"max_tokens": tokens, "seed": (parameters["seed"] + drawn * STRIDE) % SEEDS}
            body = await self._post(call, parameters | step, grammar(left), turn, written)
            bodies.append(body)
            return self._continued(call, body["choices"][0], written)

        while left:
            if sure := certain(left):
                written, left = written + sure, after(left, sure)
                continue
            if drawn >= budget:
                finish = "length"
                break
            text = await draw(1)
            rest = after(left, text)
            if not text or rest is None:  # a piece of a character: draw all that is left
                written += await draw(budget - drawn)
                drawn += bodies[-1]["usage"]["completion_tokens"]
                finish = bodies[-1]["choices"][0]["finish_reason"]
                break
            written, drawn, left = written + text, drawn + 1, rest
        usage = bodies[0]["usage"] | {"completion_tokens": drawn}
        return bodies[-1] | {
            "choices": [{"message": {"content": written}, "finish_reason": finish}],
            "usage": usage,
            "latency": sum(body["latency"] for body in bodies),
        }

    @staticmethod
    def _continued(call: Call, choice: Mapping[str, Any], written: str = "") -> str:
        """What a reply adds to the answer begun; some templates repeat the beginning."""
        text = choice["message"].get("content") or ""
        return text.removeprefix((call.form.begin or "") + written)

    def _grammar(self, form: Form) -> str | None:
        """The grammar that binds the form, if anything does."""
        if form.kind == "json" and not form.pieces:
            return self._schema_grammar(form.schema or {})
        pieces = pieces_of(form)
        return grammar(pieces) if pieces else None

    @staticmethod
    def _schema_grammar(schema: Mapping[str, Any]) -> str:
        """The runtime's own grammar for a schema: ranges kept, no budget spent on white space."""
        import xllamacpp

        return xllamacpp.json_schema_to_grammar(json.dumps({**schema, "x-guidance": COMPACT}))

    def _raw(self, call: Call, body: dict, choice: dict, parameters: dict[str, Any]) -> Raw:
        usage, many = body.get("usage", {}), parameters.get("n", 1) > 1
        return Raw(
            text=(call.form.begin or "") + self._continued(call, choice),
            finish=choice.get("finish_reason"),
            truncated=choice.get("finish_reason") != "stop",
            prompt_tokens=usage.get("prompt_tokens"),
            completion_tokens=None if many else usage.get("completion_tokens"),
            served_model=Path(body.get("model", "")).name,
            parameters=parameters | {"threads": self._servers[0].threads} | self._placed,
            sdk=f"xllamacpp {runtime().__version__}",
            latency=body["latency"],
            token_bytes=token_bytes(choice) if call.effective().get("logprobs") else None,
            stopped_by=self._stopped_by(call, choice),
        )

    @staticmethod
    def _stopped_by(call: Call, choice: Mapping[str, Any]) -> tuple[str, ...] | None:
        """The stop texts of which one ended the text; none where the model did.

        The runtime lists the token with which a model ends its text, which has no bytes.
        """
        stops, lengths = call.effective().get("stop") or [], token_bytes(choice)
        stops = [stops] if isinstance(stops, str) else stops
        if choice.get("finish_reason") != "stop" or (stops and lengths is None):
            return None
        return () if not stops or lengths[-1] == 0 else tuple(stops)

    async def _start(self, context: int, slots: int, servers: int) -> None:
        """Load the model in this shape, if it isn't loaded so already."""
        async with self._starting:
            if self._shape == (context, slots, servers):
                return
            await self._stop()
            threads = self.threads // servers
            begun = time.monotonic()
            for _ in range(servers):
                server = Server(self.path, context, slots, threads, self.timeout)
                await server.start()
                self._servers.append(server)
            self._shape = (context, slots, servers)
            loaded = "loaded" if servers == 1 else f"{servers} servers of {threads} threads loaded"
            print(f"{self.path.name}: {loaded} in {time.monotonic() - begun:.1f} s", flush=True)

    async def _stop(self) -> None:
        while self._servers:
            await self._servers.pop().stop()
        self._shape = None
