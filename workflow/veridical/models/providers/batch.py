"""Batch APIs: many calls at once for half the price, answered within a day.

For stages that can wait. A batch outlives the process that submitted it: whoever keeps its id can
ask for its state and its answers from another run. Only single calls go into a batch: a
conversation whose next turn depends on the last reply can't.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.models.exchange import Call, ProviderError, Raw
from veridical.models.providers.base import ServerProvider
from veridical.models.providers.errors import Blocked

PRICE = 0.5  # of the price of the same calls one by one, at all three providers
LIMITS = {  # requests and bytes that one batch may hold
    "openai": (50_000, 200_000_000),
    "anthropic": (100_000, 256_000_000),
    "google": (100_000, 20_000_000),
}


@dataclass(frozen=True)
class Progress:
    """How far a batch is: `running`, `ended` (answers can be fetched) or `failed` (none will be).

    `done` of `total` calls are answered, where the provider says so.
    """

    state: str
    done: int | None = None
    total: int | None = None
    reason: str = ""


Outcome = Raw | ProviderError


async def submit(provider: ServerProvider, calls: Sequence[Call]) -> str:
    """Submit the calls (each key once) and bring back the batch's id, to be kept at once.

    Raises ValueError where the provider has no batch API or a batch can't hold so much, and
    ProviderError where submitting failed.
    """
    api = _api(provider)
    bodies = {call.key: provider.body(call) for call in calls}
    size = sum(len(json.dumps(body)) for body in bodies.values())
    most, longest = LIMITS[provider.model.provider]
    if not bodies or len(bodies) > most or size > longest:
        raise ValueError(
            f"a batch of {provider.model.provider} holds 1 to {most} calls and {longest} bytes; "
            f"these are {len(bodies)} calls and {size} bytes"
        )
    try:
        return await api.submit(provider, bodies)
    except Exception as error:
        raise provider.translate(error) from None


async def poll(provider: ServerProvider, batch: str) -> Progress:
    """How far the batch is. Raises ProviderError."""
    api = _api(provider)
    try:
        return await api.poll(provider, batch)
    except Exception as error:
        raise provider.translate(error) from None


async def fetch(provider: ServerProvider, batch: str, calls: Iterable[Call]) -> dict[str, Outcome]:
    """The answers of a batch that ended: for each call's key a raw answer or what went wrong.

    A call that expired, or that the batch doesn't hold, comes back as a transient error: it can
    be submitted again. Raises ProviderError where nothing could be fetched.
    """
    wanted = {call.key: call for call in calls}
    results = await fetch_results(provider, batch, list(wanted))
    return {key: read_result(provider, call, results.get(key)) for key, call in wanted.items()}


async def fetch_results(
    provider: ServerProvider, batch: str, keys: list[str]
) -> dict[str, tuple[int, Any]]:
    """For each key (those submitted, in their order) the status and body that came back."""
    from veridical.models.providers.wire import LONGEST_FILE

    api = _api(provider)
    try:
        with provider.wire.taking(LONGEST_FILE):
            return await api.fetch(provider, batch, keys)
    except Exception as error:
        raise provider.translate(error) from None


def read_result(provider: ServerProvider, call: Call, result: tuple[int, Any] | None) -> Outcome:
    """The raw answer in one result of a batch, or what went wrong."""
    status, body = result or (408, {"error": "the batch has no answer to it"})
    text = json.dumps(body)
    sent = provider.body(call)
    try:
        if status >= 400:
            raise provider.failed(status, text, {})
        return provider.cut(call, provider.understand(text, sent))
    except Blocked as error:
        return provider.blocked(error, sent)
    except ProviderError as error:
        return error


def _api(provider: ServerProvider) -> Any:
    name = provider.model.provider
    if name not in _APIS:
        raise ValueError(f"provider {name!r} has no batch API; {', '.join(_APIS)} have")
    return _APIS[name]


class _OpenAI:
    @staticmethod
    async def submit(provider: Any, bodies: Mapping[str, dict[str, Any]]) -> str:
        url = "/v1/responses" if provider.api == "responses" else "/v1/chat/completions"
        lines = [
            json.dumps({"custom_id": key, "method": "POST", "url": url, "body": body})
            for key, body in bodies.items()
        ]
        data = "\n".join(lines).encode()
        file = await provider.client.files.create(file=("calls.jsonl", data), purpose="batch")
        batch = await provider.client.batches.create(
            input_file_id=file.id, endpoint=url, completion_window="24h"
        )
        return batch.id

    @staticmethod
    async def poll(provider: Any, batch: str) -> Progress:
        found = await provider.client.batches.retrieve(batch)
        counts = found.request_counts
        done = counts and counts.completed + counts.failed
        total = counts and counts.total
        if found.status == "failed":
            problems = (found.errors and found.errors.data) or []
            reason = "; ".join(str(problem.message) for problem in problems)
            return Progress("failed", done, total, reason or "failed")
        ended = found.status in ("completed", "expired", "cancelled")
        return Progress("ended" if ended else "running", done, total)

    @staticmethod
    async def fetch(provider: Any, batch: str, keys: list[str]) -> dict[str, tuple[int, Any]]:
        found = await provider.client.batches.retrieve(batch)
        results = {}
        for file in (found.output_file_id, found.error_file_id):
            if file is None:
                continue
            text = (await provider.client.files.content(file)).text
            for line in filter(None, text.split("\n")):
                entry = json.loads(line)
                response = entry.get("response") or {"status_code": 408, "body": entry}
                results[entry["custom_id"]] = (response["status_code"], response["body"])
        return results


class _Anthropic:
    @staticmethod
    async def submit(provider: Any, bodies: Mapping[str, dict[str, Any]]) -> str:
        requests = [{"custom_id": key, "params": body} for key, body in bodies.items()]
        return (await provider.client.messages.batches.create(requests=requests)).id

    @staticmethod
    async def poll(provider: Any, batch: str) -> Progress:
        found = await provider.client.messages.batches.retrieve(batch)
        counts = found.request_counts
        done = counts.succeeded + counts.errored + counts.canceled + counts.expired
        state = "ended" if found.processing_status == "ended" else "running"
        return Progress(state, done, done + counts.processing)

    @staticmethod
    async def fetch(provider: Any, batch: str, keys: list[str]) -> dict[str, tuple[int, Any]]:
        results = {}
        async for entry in await provider.client.messages.batches.results(batch):
            result = entry.result.to_dict(mode="json")
            if result["type"] == "succeeded":
                results[entry.custom_id] = (200, result["message"])
            elif result["type"] == "errored":
                results[entry.custom_id] = (200, result["error"])  # its type says which status
            else:
                results[entry.custom_id] = (408, {"error": f"the call is {result['type']}"})
        return results


class _Google:
    @staticmethod
    async def submit(provider: Any, bodies: Mapping[str, dict[str, Any]]) -> str:
        requests = [
            {"contents": body["contents"], "config": body["config"], "metadata": {"key": key}}
            for key, body in bodies.items()
        ]
        model = provider.model.model
        return (await provider.client.aio.batches.create(model=model, src=requests)).name

    @staticmethod
    async def poll(provider: Any, batch: str) -> Progress:
        found = await provider.client.aio.batches.get(name=batch)
        state = found.state.value.removeprefix("JOB_STATE_")
        if state in ("SUCCEEDED", "PARTIALLY_SUCCEEDED"):
            return Progress("ended")
        if state in ("FAILED", "CANCELLED", "EXPIRED"):
            return Progress("failed", reason=str(found.error or state.lower()))
        return Progress("running")

    @staticmethod
    async def fetch(provider: Any, batch: str, keys: list[str]) -> dict[str, tuple[int, Any]]:
        found = await provider.client.aio.batches.get(name=batch)
        results = {}
        responses = (found.dest and found.dest.inlined_responses) or []
        for place, entry in enumerate(responses):  # in the order of the requests
            key = (entry.metadata or {}).get("key") or keys[place]
            plain = entry.model_dump(mode="json", by_alias=True, exclude_none=True)
            if "response" in plain:
                results[key] = (200, plain["response"])
            else:
                error = plain.get("error") or {}
                results[key] = (_RPC.get(error.get("code"), 500), {"error": error})
        return results


_RPC = {3: 400, 4: 408, 5: 404, 7: 403, 8: 429, 13: 500, 14: 503, 16: 401}  # gRPC codes
_APIS = {"openai": _OpenAI, "anthropic": _Anthropic, "google": _Google}
