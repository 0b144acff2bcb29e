"""Reading a reply's body: strictly in the form of its API, so that an outage is no empty answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from veridical.models.counts import count

# Finish reasons, in small letters, that say an answer came to its end; any other cut it off.
ENDS = frozenset(
    {
        *("stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed"),
        *("tool_calls", "tool_call", "tool_use", "function_call"),
    }
)
FILTERED = frozenset(  # finish reasons, in small letters, of a filter
    {
        *("content_filter", "content_filtered", "content-filter", "sensitive", "moderation"),
        *("safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety"),
        *("model_armor", "jailbreak", "guardrail_intervened", "error_toxic"),
    }
)


class NoReply(Exception):
    """A body with status 200 that is no reply in the form of its API; the message says why."""


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """The value, which must be an object. Raises NoReply."""
    if not isinstance(value, Mapping):
        raise NoReply(f"{name} is {_kind(value)}, not an object")
    return value


def listed(value: Any, name: str) -> Sequence[Any]:
    """The value, which must be a list. Raises NoReply."""
    if not isinstance(value, list):
        raise NoReply(f"{name} is {_kind(value)}, not a list")
    return value


def words(value: Any, name: str) -> str:
    """The value, which must be text or null. Raises NoReply."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NoReply(f"{name} is {_kind(value)}, not text")
    return value


def within(value: Any) -> Mapping[str, Any]:
    """The value where it is an object; what only adds to a reply may have any shape, or none."""
    return value if isinstance(value, Mapping) else {}


def word(value: Any) -> str | None:
    """A short text, such as a model's name or why an answer ended; None where there is none."""
    if value is None or isinstance(value, Mapping | list):
        return None
    return str(value)[:200] or None


def total(values: Iterable[Any]) -> int | None:
    """The sum of what is told of several counts; None where nothing is."""
    known = [each for each in map(count, values) if each is not None]
    return sum(known) if known else None


def joined(parts: Sequence[str]) -> str:
    """The parts of one text, put together; parts that all say the same are one, said twice.

    >>> joined(["Llama", "Llama"]), joined(["Lla", "ma"])
    ('Llama', 'Llama')
    """
    if len(parts) > 1 and len(set(parts)) == 1:
        return parts[0]
    return "".join(parts)


def last_of(messages: Sequence[str]) -> tuple[str, str]:
    """The last of several messages is the answer; others that say something else stand beside it.

    >>> last_of(["Let me see.", "Llama", "Llama"])
    ('Llama', 'Let me see.')
    """
    said = [message for message in messages if message.strip()]
    if not said:
        return "", ""
    return said[-1], "\n\n".join(each for each in said[:-1] if each != said[-1])


def named_stop(value: Any) -> tuple[str, ...] | None:
    """The one stop text that a server names; None where it names none."""
    return (value,) if isinstance(value, str) and value else None


def token_lengths(tokens: Any) -> list[int] | None:
    """The length of each token in bytes, from `logprobs.content`; None where it isn't told."""
    lengths = []
    for token in tokens if isinstance(tokens, list) else []:
        data, text = within(token).get("bytes"), within(token).get("token")
        if isinstance(data, list):
            lengths.append(len(data))
        elif isinstance(text, str):
            lengths.append(len(text.encode("utf-8", "replace")))
        else:
            return None
    return lengths or None


def as_json(value: Any, name: str) -> str:
    """A tool's arguments as text, whether they came as text or as an object. Raises NoReply."""
    if isinstance(value, str):
        return value
    return json.dumps(mapping(value, name), ensure_ascii=False)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list"}
    return names.get(type(value), "an object")
