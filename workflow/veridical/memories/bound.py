"""One thing that a memory document binds, and what a whole one is told as."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.memories.protocol import Event


@dataclass(frozen=True)
class Entry:
    """What an event of a bank binds: a topic and, as this document has it, a partner."""

    event_id: str
    topic: str
    partner: str


Told = tuple[list[Event], list[Entry]]
