"""What a memory document becomes before it goes into a store: events, and what each binds."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from veridical.memories.bound import Entry, Told
from veridical.memories.protocol import Event

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def told(corpus: Corpus, document: str, text: str, topics: Collection[str] | None = None) -> Told:
    """A document's events in date order, and their entries.

    Of encounters every line is an event and an entry; `topics` are those that go in, all where it
    is None. Of a life the events are its document's turns (day, speaker and text as said), its
    lines or paragraphs, or what its profile holds of one subject; its entries are the facts that a
    probe may ask about (`History.asked_about`): one that had another value before stands in the
    document twice, and is none.

    Raises
    ------
    ValueError
        Where a line is no entry; where a document is not the life's own; where the ideal reader,
        which is no model, could not read a fact off the document itself, naming what to do.
    """
    from veridical.corpora.history import History  # brings pandas, which no dry run needs

    if not isinstance(corpus, History):
        return _encounters(corpus, document, text, topics)
    if topics is not None:
        raise ValueError(
            f"corpus {corpus.name}: a life goes in whole; take `entries` out of memories"
        )
    from veridical.memories.lives import told_of_life

    return told_of_life(corpus, document, text)


def _encounters(corpus: Corpus, document: str, text: str, topics: Collection[str] | None) -> Told:
    events, entries = [], []
    for number, line in enumerate(text.strip("\n").split("\n"), start=1):
        try:
            entry = corpus.parse_entry(line)
        except ValueError as error:
            raise ValueError(
                f"document {document} of corpus {corpus.name}, line {number}: {error}"
            ) from None
        if topics is not None and entry["topic"] not in topics:
            continue
        id = f"e{number:03}"
        events.append(Event(id, entry["date"], corpus.agent, line))
        entries.append(Entry(id, entry["topic"], entry["partner"]))
    return events, entries
