"""How many questions the age score's sessions take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veridical.models.asks import Ask, asks_of

TOKENS = 400  # of one prompt that isn't written yet
QUESTIONS = 2  # tasks


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Two tasks a session and the study's own, in each phase, as often as there are runs."""
    from veridical.aas.protocol import session_count

    part = config["aas"]
    sessions = session_count(part.get("sessions"), part.get("dates", [])) * part["runs"]
    calls = (QUESTIONS + len(part["tasks"])) * len(part["phases"]) * sessions
    place, parameters = "aas/prompts/*.jsonl", part["parameters"]
    yield from asks_of(config, "aas", part["models"], place, calls, TOKENS, parameters)
