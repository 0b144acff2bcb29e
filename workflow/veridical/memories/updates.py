"""What a memory makes of what changes: is a topic told twice kept twice, are near ones kept apart?

Lives in which every topic occurs once can't show it. Nothing of it makes a cell inadmissible: a
memory may well mean to overwrite, and then this says that it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.memories.subject import Subject, holds, texts_of

TWICE = (
    "2025-01-09 — met Ada — the key of the walled garden: it was copied at the smithy",
    "2025-03-02 — met Bo — the key of the walled garden: it was handed back at the smithy",
)
NEAR = (
    "2025-01-12 — met Ada — the lamp in the north window of the mill: its wick was trimmed short",
    "2025-01-13 — met Bo — the lamp in the south window of the mill: its wick was trimmed short",
)
DATED = "2025-01-31 — met Ada — the audit of the seed chest: every drawer was weighed"
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
Found = Iterator[tuple[str, str]]


def keeps_both(subject: Subject) -> Found:
    """Two entries on one topic are both there."""
    yield from _kept(subject, TWICE, ("copied", "handed back"), "the key of the walled garden")


def keeps_near_apart(subject: Subject) -> Found:
    """Two entries that differ in one word are both there."""
    yield from _kept(subject, NEAR, ("north", "south"), "the lamp in the window of the mill")


def keeps_dates(subject: Subject) -> Found:
    """A date comes back as it was told, where one comes back."""
    if not subject.asked():
        return
    subject.fresh("check-dates", DATED)
    found = subject.memory.recall("check-dates", "the audit of the seed chest", 3)
    days = set(DAY.findall(" ".join(texts_of(found))))
    if days and "2025-01-31" not in days:
        yield "note", f"an entry dated 2025-01-31 comes back dated {min(days)}"


def _kept(subject: Subject, told: tuple[str, str], words: tuple[str, str], query: str) -> Found:
    if not subject.asked():
        return
    subject.fresh("check-updates", *told)
    found = subject.memory.recall("check-updates", query, 5)
    lost = [word for word in words if not holds(found, word)]
    if len(lost) == 1:
        yield "note", f"of two entries told, it gives back one; the one with {lost[0]!r} is gone"
