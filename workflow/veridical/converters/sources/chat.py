"""A plain chat export: a line of JSON a message (or a list of them): role, content, time."""

from __future__ import annotations

from veridical.converters.life import ConversionError, Life, Wish
from veridical.converters.messages import events_of, read_json
from veridical.converters.talk import as_life


def convert(wish: Wish) -> Life:
    """The chat in the file's order; messages of a day are a session where none is named."""
    found = read_json(wish.file)
    if isinstance(found, dict):
        found = found.get("messages") or [found]
    if not isinstance(found, list):
        raise ConversionError(f"{wish.file}: neither a list of messages nor a message a line")
    events = list(events_of(found, wish.file, wish["start"]))
    return as_life(events, wish, {})
