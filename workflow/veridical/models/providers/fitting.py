"""Fitting a call to a server that can't do all of it: one system prompt, no blank stop texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.models.exchange import Call, Raw

SYSTEMS = ("each", "last", "user")  # where a conversation's system prompts stand


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
    told = [message for message in found if message["role"] == "system"]
    if system == "each" or not told:
        return found
    rest = [message for message in found if message["role"] != "system"]
    if system == "last":
        return [told[-1], *rest]
    first = next(message for message in rest if message["role"] == "user")
    first["content"] = f"{told[-1]['content']}\n\n{first['content']}"
    return rest


def next_way(call: Call, system: str) -> str | None:
    """What to try where a template refused the messages as they stood; None at the end."""
    told = sum(message["role"] == "system" for message in call.messages)
    if system == "each" and told > 1:
        return "last"
    return "user" if system != "user" and told else None


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
