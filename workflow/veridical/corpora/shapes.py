"""The memory document of a life, in one of several shapes, with a place kept for every fact.

A document is a sequence of lines; a line is a sequence of pieces: a text as it stands, or the
number of the fact whose value stands there. So the same document with other values is one walk
through it, whatever its shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

Piece = str | int
Line = tuple[Piece, ...]
Lines = tuple[Line, ...]


class Told(NamedTuple):
    """One fact as a shape needs it: its number among the facts, its statement's template."""

    number: int
    subject: str
    template: str
    day: str
    until: str


class Said(NamedTuple):
    """One event as `turns` needs it, with the facts that it says: number, value, of the speaker."""

    time: str
    speaker: str
    text: str
    session: str
    facts: tuple[tuple[int, str, bool], ...]


def fill(lines: Iterable[Line], values: Sequence[str]) -> str:
    """The document with these values, one a fact.

    >>> fill([("Ada's keys: ", 0, "."), ("The lamp: ", 1, ".")], ["red", "blue"])
    "Ada's keys: red.\\nThe lamp: blue."
    """
    return "\n".join(fill_line(line, values) for line in lines)


def fill_line(line: Line, values: Sequence[str]) -> str:
    """One line with these values."""
    return "".join(piece if isinstance(piece, str) else values[piece] for piece in line)


def numbers(lines: Iterable[Line]) -> set[int]:
    """The facts that have a place in the document."""
    return {piece for line in lines for piece in line if isinstance(piece, int)}


def statement(fact: Told) -> Line:
    """A fact by its template, its value's place kept."""
    before, _, after = fact.template.partition("{value}")
    subject = fact.subject
    return (before.replace("{subject}", subject), fact.number, after.replace("{subject}", subject))


def lines(facts: Sequence[Told]) -> Lines:
    """One line a fact, with its day: `2025-03-31 — <fact>`."""
    return tuple(_joined((f"{fact.day} — ", *statement(fact))) for fact in facts)


def paragraphs(facts: Sequence[Told]) -> Lines:
    """One paragraph a day: `2025-03-31: <fact>. <fact>.`"""
    days: dict[str, list[Piece]] = {}
    for fact in facts:
        days.setdefault(fact.day, []).extend((" ", *statement(fact), "."))
    return tuple(_joined((f"{day}:", *pieces)) for day, pieces in days.items())


def profile(facts: Sequence[Told], since: str, until: str) -> Lines:
    """One list a subject: what holds of it and since when, and what held until when."""
    subjects: dict[str, list[Line]] = {}
    for fact in facts:
        ending = (until if fact.until else since).replace("{date}", fact.until or fact.day)
        own = subjects.setdefault(fact.subject.casefold(), [(fact.subject,)])
        own.append(_joined(("- ", *statement(fact), f" ({ending})")))
    return tuple(line for own in subjects.values() for line in own)


def turns(events: Iterable[Said]) -> Lines:
    """One line a turn, `[2025-03-31T14:05] Ada: …`, and an empty line between sessions."""
    found: list[Line] = []
    last = None
    for event in events:
        if found and event.session != last:
            found.append(("",))
        last = event.session
        speaks = next((number for number, _, speaker in event.facts if speaker), None)
        head: Line = (event.speaker,) if speaks is None else (speaks,)
        said = event.facts and [pair[:2] for pair in event.facts if not pair[2]]
        text = place(event.text, said) if said else (event.text,)
        found.append(_joined((f"[{event.time}] ", *head, ": ", *text)))
    return tuple(found)


def place(text: str, facts: Iterable[tuple[int, str]]) -> Line:
    """A text with every place where a fact's value stands as a word of its own kept for it.

    Longer values first: `blue` must not take its place inside of `dark blue`.

    >>> place("The red lamp, not the blue one.", [(4, "red")])
    ('The ', 4, ' lamp, not the blue one.')
    """
    pieces: Line = (text,)
    for number, value in sorted(facts, key=lambda fact: -len(fact[1])):
        pieces = tuple(
            part
            for piece in pieces
            for part in ((piece,) if isinstance(piece, int) else _cut(piece, number, value))
        )
    return pieces


def stands(text: str, value: str) -> bool:
    """Whether a value stands in a text as a word of its own."""
    return value in text and _whole(value).search(text) is not None


def _cut(text: str, number: int, value: str) -> Iterable[Piece]:
    parts = _whole(value).split(text) if value in text else [text]
    for at, part in enumerate(parts):
        if at:
            yield number
        if part:
            yield part


@lru_cache(maxsize=4096)
def _whole(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")


def _joined(pieces: Iterable[Piece]) -> Line:
    """Neighbouring texts as one piece."""
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and found and isinstance(found[-1], str):
            found[-1] += piece
        else:
            found.append(piece)
    return tuple(found)
