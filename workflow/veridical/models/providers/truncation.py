"""Whether a server read the whole prompt, by the tokens that it counted."""

from __future__ import annotations

from veridical.models.exchange import Call

CHARACTERS_PER_TOKEN = 6.0  # running text is never coarser, over a whole prompt, in any tokenizer
SHORTEST_CHECKED = 1000  # characters: below this, no server cuts a prompt


def length_of(call: Call) -> int:
    """Characters sent as text."""
    return sum(len(message["content"]) for message in call.messages)


def coarseness(call: Call) -> float:
    """Characters a token at most, on average over a prompt (option `characters_per_token`)."""
    return float(call.model.options.get("characters_per_token", CHARACTERS_PER_TOKEN))


def fewest_tokens(call: Call) -> int:
    """The fewest tokens that the whole prompt can make."""
    return round(length_of(call) / coarseness(call))


def cut_short(call: Call, prompt_tokens: int | None) -> bool:
    """Whether so few tokens can't be the whole prompt."""
    shortest = max(SHORTEST_CHECKED, (prompt_tokens or 0) * coarseness(call))
    return prompt_tokens is not None and length_of(call) >= shortest
