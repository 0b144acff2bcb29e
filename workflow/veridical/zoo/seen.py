"""One study of one memory: visited as the study visits systems, read by an ideal reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any

from veridical.memories.conformance import Check, check_system
from veridical.memories.faults import Fault
from veridical.memories.keeping import Outcome
from veridical.memories.matching import Line, Read, lines_of, mentions, read_items, words_of
from veridical.memories.plan import Plan, Query
from veridical.memories.protocol import Memory
from veridical.memories.receipts import recalls_of, texts_of
from veridical.memories.visit import HYGIENE, Visit

UPDATES = (
    "a topic told twice is kept twice",
    "near topics are kept apart",
    "a date is kept as it was told",
)


@dataclass(frozen=True)
class Answer:
    """One probe put to one bank, and what came of it.

    `recalled` are the items' texts (or the context), `reply` the line that the reader answers
    from (empty where it has none), `answer` the partner named (None where nothing was answered).
    `true` is the partner in the life, `bound` whom the bank's document names (None for the empty
    bank). `gold` is whether the entry asked about came back, `rank` the place of the first item
    that binds it as the document does.
    """

    document: str
    probe_id: str
    question: str
    options: tuple[str, ...]
    recalled: tuple[str, ...]
    reply: str
    answer: str | None
    true: str
    bound: str | None
    gold: bool
    rank: int | None

    @property
    def right(self) -> bool:
        """Whether the answer is as the life was."""
        return self.answer == self.true

    def plain(self) -> dict[str, Any]:
        """The answer in JSON's types, with `right`."""
        plain = asdict(self) | {"right": self.right}
        return plain | {name: list(plain[name]) for name in ("options", "recalled")}


@dataclass(frozen=True)
class Seen:
    """All that the study of one memory has shown.

    `observed` are a visit's outcomes, `updates` what the checks of `memories.updates` said, and
    `guesses` how a reader answers where nothing came back (None: it doesn't). `cells` is the size
    of the family that the study corrects over.
    """

    plan: Plan
    observed: Mapping[str, Outcome]
    updates: tuple[Check, ...] = ()
    guesses: str | None = None
    cells: int = 1

    @cached_property
    def answers(self) -> dict[tuple[str, str], Answer]:
        """By document and probe."""
        return {(each.document, each.probe_id): each for each in self._answers()}

    def _answers(self) -> Iterator[Answer]:
        for bank in self.plan.banks:
            recalls = recalls_of(bank, self.observed)
            entries = {entry.topic: entry for entry in bank.entries}
            for query in self.plan.probes:
                outcome = recalls.get(query.id)
                texts = tuple(texts_of(outcome)) if outcome is not None and outcome.ok else ()
                read, line = read_recall(texts, query.topic, self.plan.partners)
                guess = query.options[0] if self.guesses == "first" else None
                entry = entries.get(query.topic)
                partner = entry.partner if entry else None
                yield Answer(
                    *(bank.document, query.id, query.text, query.options, texts),
                    reply=line or guess or "",
                    answer=read.partner or guess,
                    true=query.true_partner,
                    bound=partner,
                    gold=_gold(outcome, entry.event_id if entry else None, read),
                    rank=read.rank(partner),
                )

    def of(self, document: str) -> list[Answer]:
        """The answers from one bank, in the order of the probes."""
        return [self.answers[document, query.id] for query in self.plan.probes]

    @cached_property
    def checks(self) -> dict[str, list[Check]]:
        """What hygiene said, by check."""
        told = (self.observed["hygiene"].value or {}).get("checks", ())
        found: dict[str, list[Check]] = {}
        for check in (*(Check(**each) for each in told), *self.updates):
            found.setdefault(check.name, []).append(check)
        return found

    def event(self, query: Query) -> str:
        """The entry asked about, as the life has it."""
        bank = self.plan.banks[0]
        id = {entry.topic: entry.event_id for entry in bank.entries}[query.topic]
        return next(event.text for event in bank.events if event.id == id)


@lru_cache(maxsize=50_000)
def read_recall(texts: tuple[str, ...], topic: str, partners: tuple[str, ...]) -> tuple[Read, str]:
    """What an ideal reader makes of a recall, and the first line of it about the topic."""
    words = words_of(topic)
    lines = (Line.of(line, partners) for text in texts for line in lines_of(text))
    said = next((line.text for line in lines if mentions(line, words, loosely=True)), "")
    return read_items(texts, topic, partners), said


def _gold(outcome: Outcome | None, event: str | None, read: Read) -> bool:
    """Whether the entry asked about came back: by the id that items name as their source, else by
    its topic, as benchmarks have their gold evidence."""
    items = (outcome.value or {}).get("items", ()) if outcome is not None and outcome.ok else ()
    named = [source for item in items for source in item.get("sources", ())]
    return event in named if named and event else read.mentioned is not None


def study(plan: Plan, start: Callable[[], Memory], cells: int = 1) -> Seen:
    """Visit the memory that `start` starts, each time anew, and see what it shows."""
    kinds = []

    def begin() -> Memory:
        memory = start()
        kinds.append(memory.answers if isinstance(memory, Fault) else None)
        return memory

    observed = Visit(plan, begin, settle=1.0, pause=0.0).run()
    updates = check_system(begin, UPDATES, pause=0.0)
    return Seen(plan, observed, tuple(updates), kinds[0], cells)


__all__ = ["HYGIENE", "UPDATES", "Answer", "Seen", "read_recall", "study"]
