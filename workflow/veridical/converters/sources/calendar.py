"""A calendar (iCalendar, RFC 5545): its entries as events, their places as facts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from veridical.converters.life import ConversionError, Event, Fact, Life, Wish
from veridical.corpora.moments import order

PLACE = "place"


def convert(wish: Wish) -> Life:
    """One event an entry, in the order of their times; recurring ones once, when they begin."""
    entries = sorted(_entries(wish), key=lambda entry: entry[0])
    if not entries:
        raise ConversionError(f"{wish.file}: no entry (VEVENT) in it")
    who = str(wish["agent"] or "calendar")
    events, facts, lacking = [], [], []
    for number, (_, time, summary, place, recurs) in enumerate(entries, start=1):
        own = f"e{number}"
        text = f"{summary}, {place}" if place else summary
        events.append(Event(time, who, text, time[:10], own))
        if place:
            facts.append(Fact(summary, PLACE, place, own))
        if recurs:
            lacking.append(f"{summary!r} recurs, and is taken once, when it first takes place")
    kept = _told_once(facts, {event.id: event.time for event in events})
    if len({fact.value for fact in kept}) < 2:
        kept = []
        lacking.append(
            "where it was: fewer than two places (LOCATION) are named; other attributes need "
            "facts.csv"
        )
    lacking.append(
        "the test day: a calendar says nothing of what its owner is asked; Control 1 needs "
        "test_day.csv (item_id, input, anchor)"
    )
    return Life(tuple(events), tuple(kept), {PLACE: {}} if kept else {}, lacking=tuple(lacking))


def _told_once(facts: list[Fact], times: dict[str, str]) -> list[Fact]:
    """Of two places of one entry at one time neither, since which one holds isn't known."""
    places: dict[tuple[str, str], set[str]] = {}
    for fact in facts:
        places.setdefault((fact.subject.casefold(), times[fact.event]), set()).add(fact.value)
    return [f for f in facts if len(places[f.subject.casefold(), times[f.event]]) == 1]


def _entries(wish: Wish) -> Iterator[tuple[dt.datetime, str, str, str, bool]]:
    """Order, time, summary, place and whether it recurs, of every entry."""
    import icalendar

    try:
        found = icalendar.Calendar.from_ical(Path(wish.file).read_bytes(), multiple=True)
    except ValueError as error:
        raise ConversionError(f"{wish.file}: no calendar ({error})") from error
    every = (entry for calendar in found for entry in calendar.walk("VEVENT"))
    entries = [entry for entry in every if entry.get("STATUS") != "CANCELLED"]  # never took place
    starts = [_start(entry, wish) for entry in entries]
    floating = [start for start in starts if isinstance(start, dt.datetime) and not start.tzinfo]
    zoned = [start for start in starts if isinstance(start, dt.datetime) and start.tzinfo]
    zone = _zone(wish, bool(floating and zoned))
    for number, (entry, start) in enumerate(zip(entries, starts, strict=True), start=1):
        summary = " ".join(str(entry.get("SUMMARY", "")).split())
        if not summary:
            uid = entry.get("UID", number)
            raise ConversionError(f"{wish.file}, entry {uid}, SUMMARY: empty; say what it is")
        if isinstance(start, dt.datetime):
            start = start if start.tzinfo or zone is None else start.replace(tzinfo=zone)
            time = start.isoformat(timespec="minutes")
        else:
            time = start.isoformat()
        place = " ".join(str(entry.get("LOCATION", "")).split())
        yield order(time), time, summary, place, "RRULE" in entry


def _start(entry: Any, wish: Wish) -> dt.date:
    start = entry.get("DTSTART")
    if start is None or not isinstance(getattr(start, "dt", None), dt.date):
        uid = entry.get("UID", "?")
        raise ConversionError(f"{wish.file}, entry {uid}, DTSTART: missing or no time")
    return start.dt


def _zone(wish: Wish, mixed: bool) -> ZoneInfo | None:
    """The zone of times without one; None where all or none have one and none is given."""
    if wish["zone"]:
        try:
            return ZoneInfo(str(wish["zone"]))
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ConversionError(
                f"convert/zone: no zone {wish['zone']!r}, as in Europe/Rome"
            ) from error
    if mixed:
        raise ConversionError(
            f"{wish.file}: some times say their zone and some don't; say where the others were "
            "meant, as in `zone: Europe/Rome`"
        )
    return None
