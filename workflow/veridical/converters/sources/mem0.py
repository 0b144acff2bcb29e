"""A dump of mem0: what `get_all` (or the platform's export) gives, memories with their times."""

from __future__ import annotations

from veridical.benchmarks.records import Record
from veridical.converters.life import ConversionError, Event, Life, Wish
from veridical.converters.messages import minutes_on, read_json
from veridical.converters.moments import time_of
from veridical.converters.talk import as_life
from veridical.corpora.moments import order

FACTLESS = (
    "facts: mem0 keeps sentences, with no subject and value apart; Control 3 needs them in "
    "facts.csv (subject, attribute, value, event)"
)


def convert(wish: Wish) -> Life:
    """Each memory as an event of its user, at the time when it was made."""
    found = read_json(wish.file)
    if isinstance(found, dict):
        found = found.get("results", found.get("memories"))
    if not isinstance(found, list):
        raise ConversionError(f"{wish.file}: no list of memories, under `results` or at the top")
    events = []
    for number, each in enumerate(found, start=1):
        record = Record(each, f"{wish.file}, memory {number}")
        text = record.text("memory", "data", "text")
        time = time_of(each.get("created_at") or each.get("updated_at"))
        if time is None and wish["start"]:
            time = minutes_on(wish["start"], number - 1)
        if time is None:
            raise ConversionError(
                f"{record.where}, field 'created_at': {each.get('created_at')!r} is no time that "
                "is sure; write it as 2025-03-31T14:05, or give `start`"
            )
        speaker = record.text("user_id", "agent_id", "run_id", default="user")
        events.append(Event(time, speaker, text, time[:10], record.text("id", default="")))
    events.sort(key=lambda event: order(event.time))
    return as_life(events, wish, {}, lacking=[FACTLESS])
