"""Fitting a call to a server that can't do all of it: its form, its system prompts, its stops."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.models.exchange import Call, Raw
from veridical.models.forms import choices

SYSTEMS = ("each", "last", "user")  # where a conversation's system prompts stand
INSTRUCTIONS = {
    "choice": "End your answer with a last line that is exactly one of these:\n{options}",
    "json": "Answer with one JSON object and nothing else. It must fit this JSON schema:\n{schema}",
    "begin": "Begin your answer with these words, and go on from there: {begin}",
}


def in_words(
    call: Call, *, enforced: bool, prefill: bool = False, system: str = "each"
) -> list[dict[str, str]]:
    """The messages, the form put into words on the last user turn where nothing enforces it.

    `prefill`: the server goes on from an assistant's turn already begun, so `begin` is given as
    one. The option `instructions` of a model replaces the English wording (keys `choice`, `json`,
    `begin`; fields `{options}`, `{schema}`, `{begin}`).
    """
    form, messages = call.form, arranged(call.messages, system)
    if added := words_added(call, enforced=enforced, prefill=prefill):
        last = max(i for i, message in enumerate(messages) if message["role"] == "user")
        messages[last]["content"] = "\n\n".join([messages[last]["content"], *added])
    if form.begin and prefill:
        messages.append({"role": "assistant", "content": form.begin})
    return messages


def words_added(call: Call, *, enforced: bool, prefill: bool = False) -> list[str]:
    """The sentences that `in_words` adds to the last user turn, as they are sent."""
    form = call.form
    wording = {**INSTRUCTIONS, **call.model.options.get("instructions", {})}
    added = []
    if form.begin and not prefill:
        added.append(wording["begin"].replace("{begin}", form.begin))
    if not enforced and form.kind == "choice":
        options = "\n".join(choices(form))
        added.append(wording["choice"].replace("{options}", options))
    if not enforced and form.kind == "json":
        schema = json.dumps(form.schema, ensure_ascii=False)
        added.append(wording["json"].replace("{schema}", schema))
    return added


def split_system(messages: Sequence[Mapping[str, str]]) -> tuple[str, list[dict[str, str]]]:
    """The system prompt in force (the last) and the messages, for APIs that take them apart."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    return (system[-1] if system else ""), [dict(m) for m in messages if m["role"] != "system"]


def arranged(messages: Sequence[Mapping[str, str]], system: str) -> list[dict[str, str]]:
    """The messages with their system prompts where the server takes them.

    `each`: where one comes into force. `last`: the one in force alone, at the front, for a chat
    template that takes one. `user`: that one at the head of the first user message, for a template
    that takes none.

    >>> said = [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]
    >>> arranged(said, "user")
    [{'role': 'user', 'content': 'S\\n\\nU'}]
    """
    found = [dict(message) for message in messages]
    systems = [message for message in found if message["role"] == "system"]
    if system == "each" or not systems:
        return found
    rest = [message for message in found if message["role"] != "system"]
    if system == "last":
        return [systems[-1], *rest]
    first = next(message for message in rest if message["role"] == "user")
    first["content"] = f"{systems[-1]['content']}\n\n{first['content']}"
    return rest


def next_way(call: Call, system: str) -> str | None:
    """What to try where a template refused the messages as they stood; None at the end."""
    systems = sum(message["role"] == "system" for message in call.messages)
    if system == "each" and systems > 1:
        return "last"
    return "user" if system != "user" and systems else None


def stops_of(call: Call) -> tuple[str, ...]:
    """The stop texts that a call asks for."""
    stops = call.effective().get("stop") or ()
    return (stops,) if isinstance(stops, str) else tuple(stops)


def cut_at(raw: Raw, stops: Sequence[str]) -> Raw:
    """The raw answer up to the first of the stop texts that the server wasn't sent.

    Where one stands in it, the server would have stopped there: so it did end, whatever came after.
    """
    places = {raw.text.find(stop): stop for stop in stops if stop and stop in raw.text}
    if not places or raw.refused or raw.filtered:
        return raw
    at = min(places)
    return replace(
        raw, text=raw.text[:at], truncated=False, token_bytes=None, stopped_by=(places[at],)
    )
