"""A life before it goes into a store: what was said when, by whom, and the facts that it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.corpora.moments import day_of
from veridical.corpora.shapes import Line, Lines, fill, numbers
from veridical.documents.exchanging import with_values
from veridical.documents.rebinding import bindings
from veridical.memories.bound import Entry, Told
from veridical.memories.matching import Store, follows, lines_of, words_of
from veridical.memories.protocol import Event

if TYPE_CHECKING:
    from veridical.corpora.history import History

SHOWN = 5  # of what can't be read, as an error names it


def told_of_life(life: History, document: str, text: str) -> Told:
    """The events of a life's document and their entries, as `entries.told` says. Raises as it."""
    values = with_values(life, bindings(life, document))
    if life.written(values).strip("\n") != text.strip("\n"):
        raise ValueError(
            f"document {document} of corpus {life.name} is not what its facts give; delete it, so "
            "that it is made anew"
        )
    rows = life.asked_about()
    asked = dict(zip(rows["fact"], rows["topic"], strict=True))
    events, entries = [], []
    pieces = sorted(_pieces(life, values), key=lambda piece: piece[1])
    for number, (lines, day, speaker) in enumerate(pieces, start=1):
        id = f"e{number:03}"
        events.append(Event(id, day, speaker, fill(lines, values)))
        for fact in sorted(numbers(lines) & asked.keys()):
            entries.append(Entry(id, asked.pop(fact), values[fact]))
    _require_readable(life, document, events, entries)
    return events, entries


def _pieces(life: History, values: Sequence[str]) -> Iterator[tuple[Lines, str, str]]:
    """The document piece by piece: its lines, its day, who says it."""
    if life.shape == "turns":
        said = life.events[life.events["in_memory"]]
        turns = [line for line in life.document if line != ("",)]
        for line, row in zip(turns, said.itertuples(), strict=True):
            apart = len(line) > 1 and line[0] == f"[{row.time}] " and isinstance(line[1], int)
            speaker = values[line[1]] if apart else row.speaker  # who said it is asked for
            yield (line,), day_of(row.time), str(speaker)
        return
    day = day_of(life.events["time"].iloc[0])
    for lines in _grouped(life):
        own = [day_of(life.facts["since"].iloc[fact]) for fact in numbers(lines)]
        day = max(own, default=day)  # what holds no fact stays behind what it follows
        yield lines, day, life.agent


def _grouped(life: History) -> Iterator[Lines]:
    """The document's lines: each by itself, those of a profile under their subject."""
    group: list[Line] = []
    for line in life.document:
        if group and (life.shape != "profile" or not numbers([line])):
            yield tuple(group)
            group = []
        if any(isinstance(piece, int) or lines_of(piece) for piece in line):
            group.append(line)
    if group:
        yield tuple(group)


def _require_readable(
    life: History, document: str, events: Sequence[Event], entries: Sequence[Entry]
) -> None:
    """The document itself, whole, must tell the ideal reader every value: else a store would be
    blamed for what nobody could read by string match."""
    values = list(dict.fromkeys(life.partners))
    for value in values:
        for other in values:
            if value != other and follows(words_of(value), words_of(other)):
                raise ValueError(
                    f"corpus {life.name}: the {life.asked} {other!r} stands in {value!r} too, and "
                    "the ideal reader of a memory system can't tell them apart; name them otherwise"
                )
    store = Store([event.text for event in events], values)
    dark = [entry for entry in entries if _named(store, entry.topic) != {entry.partner}]
    if dark:
        shown = ", ".join(f"{entry.topic!r} ({entry.event_id})" for entry in dark[:SHOWN])
        raise ValueError(
            f"corpus {life.name}, document {document}: of {len(dark)} facts no line says the "
            f"{life.asked} beside the subject, in the words of facts.csv and with no other value: "
            f"{shown}; a memory system's ideal reader could not read them: say it in one line of "
            "the event, or set `memory: lines` in corpus.yaml"
        )


def _named(store: Store, topic: str) -> set[str]:
    """The values that lines about a topic name alone."""
    named = (store.lines[number].partners for number in store.about(topic))
    return {next(iter(each)) for each in named if len(each) == 1}
