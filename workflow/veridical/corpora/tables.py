"""What a life is written in: two tables, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, flag, text

EVENTS = Contract(
    "corpora/events",
    "What happened, one row an event, as it happened.",
    text("id", "the event, unique"),
    text("time", "2025-03-31 or 2025-03-31T14:05, the zone in all rows or in none"),
    text("speaker", "who said it, or whose note it is"),
    text("text", "what was said, word for word; a line break counts as a blank"),
    text("session", "the conversation or day that it belongs to; may be empty", missing=True),
    flag("in_memory", "whether the memory knows of it; true where the column is missing",
         optional=True),
    key=("id",),
    by_hand=True,
)  # fmt: skip
FACTS = Contract(
    "corpora/facts",
    "What can be asked about, one row a value that something had for a while.",
    text("subject", "what it is about"),
    text("attribute", "which of its properties"),
    text("value", "what that is, as the event's text has it"),
    text("event", "the id of the event that says it"),
    text("valid_from", "since when it holds; empty: since the event", missing=True),
    text("valid_to", "the first moment at which it holds no more; empty: until another value of "
         "the same subject and attribute takes its place", missing=True),
    key=("subject", "attribute", "value", "event"),
    by_hand=True,
)  # fmt: skip
STATES = ("holds", "restated", "superseded", "ended", "to come")
