"""How many rollouts path entropy takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veridical.models.asks import Ask, asks_of

TOKENS = 300  # of one prompt that isn't written yet


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Each problem's rollouts at each horizon (the longest alone where they are nested) and
    preset, and with the document where there is one."""
    part = config["vpe"]
    longest, nested = max(part["horizons"]), part["nested"]
    horizons = 1 if nested else len(part["horizons"])
    presets = 1 + len(part["also"]) + bool(part.get("document"))
    calls = part["n_problems"] * part["rollouts"] * presets * horizons
    place = f"vpe/prompts/*-{longest}.jsonl" if nested else "vpe/prompts/*.jsonl"
    limit = {"max_tokens": longest}
    yield from asks_of(config, "vpe", part["models"], place, calls, TOKENS, limit)
