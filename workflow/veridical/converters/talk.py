"""From the turns of a conversation to a life: whoever speaks is what can be asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.converters.life import ConversionError, Event, Life, Wish
from veridical.converters.speakers import SPEAKER, repeated, who_said_it

PARTS = frozenset({"user", "assistant", "system", "human", "ai", "tool", "bot", "agent", "model"})


def as_life(
    events: Sequence[Event],
    wish: Wish,
    known: Mapping[str, str],
    *,
    inputs: Sequence[str] = (),
    memory: str | None = None,
    lacking: Sequence[str] = (),
) -> Life:
    """A life of these turns, in their order; `names` puts people's names for parts.

    Of it are the first `sessions`, where that is given. Raises ConversionError where nothing is
    said.
    """
    events = [_tidy(event, number, wish) for number, event in enumerate(events, start=1)]
    if wish["sessions"]:
        kept = set(list(dict.fromkeys(event.session for event in events))[: wish["sessions"]])
        events = [event for event in events if event.session in kept]
    if not events:
        raise ConversionError(f"{wish.file}: nothing is said in it")
    facts, why = who_said_it(events)
    people = [name for name in dict.fromkeys(e.speaker for e in events) if name not in PARTS]
    missing = [*lacking, *([why] if why else []), *_missing(events, people, inputs)]
    return Life(
        tuple(events),
        facts,
        {SPEAKER: {}} if facts else {},
        known,
        memory,
        tuple(inputs),
        tuple(people),
        tuple(missing),
    )


def _tidy(event: Event, number: int, wish: Wish) -> Event:
    """One line of text, a name for a part, an id of its own."""
    names = wish["names"] or {}
    return replace(
        event,
        text=" ".join(event.text.split()),
        speaker=str(names.get(event.speaker, event.speaker)),
        id=event.id or f"e{number}",
    )


def _missing(events: Sequence[Event], people: Sequence[str], inputs: Sequence[str]) -> list[str]:
    found = []
    if not inputs:
        found.append(
            "the test day: nothing in the file says what the agent is asked; Control 1 needs "
            "test_day.csv (item_id, input, anchor), seven rows or more"
        )
    if not people:
        found.append(
            "names: only parts (user, assistant) speak; `names: {user: …, assistant: …}` gives "
            "them people's, and a guess less to go by"
        )
    found.append(
        "facts beside who said it, and places and things: what a sentence means no converter "
        "knows; Control 2 needs them in vocabulary.csv (kind, term), other attributes facts.csv"
    )
    if said := repeated(events):
        found.append(f"{said} turns are said more than once, and so not asked about")
    return found
