"""What goes into a memory system and what is asked of it, for one corpus, before anything is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.choices.probing import asked_with, wording
from veridical.documents.texts import fill, joined, load_text
from veridical.memories.bound import Entry
from veridical.memories.entries import told
from veridical.memories.matching import lines_of, words_of
from veridical.memories.protocol import Event

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from veridical.corpora.corpus import Corpus

VERIDICAL, SHAM, EMPTY = "veridical", "veridical-again", "none"
CONTROL3 = "control3"  # whose probes every system is asked; other controls where they say so
CANARY = "canary"  # the id of the event, and of the query, that tell one bank from another
SYLLABLES = (
    *("bra", "cor", "dun", "fal", "gim", "hes", "jor", "kel", "lum", "mor"),
    *("nev", "pas", "quo", "rin", "sol", "tam", "uld", "vek", "wim", "yor"),
)


@dataclass(frozen=True)
class Bank:
    """One memory to be: what one document is ingested as.

    `name` is what the system is told, and tells it nothing; `take` is 2 for the sham, which has
    the same events as the bank that it repeats; `word` is the canary's, in no other bank. `parts`
    are the controls whose questions it is asked.
    """

    document: str
    name: str
    events: tuple[Event, ...]
    entries: tuple[Entry, ...]
    word: str | None = None
    take: int = 1
    parts: tuple[str, ...] = (CONTROL3,)

    @cached_property
    def chain(self) -> str:
        """The hash of everything ingested, in its order: each event's on the one before."""
        digest = hashlib.sha256(b"memory protocol 1").hexdigest()
        for event in self.events:
            line = json.dumps(asdict(event), ensure_ascii=False, sort_keys=True)
            digest = hashlib.sha256(f"{digest}\n{line}".encode()).hexdigest()
        return digest

    @cached_property
    def told(self) -> frozenset[tuple[str, ...]]:
        """The lines ingested, in words."""
        return frozenset(words_of(line) for each in self.events for line in lines_of(each.text))


@dataclass(frozen=True)
class Query:
    """One thing asked of a bank: the canary, or a question of one of the controls, `part`.

    A probe of Control 3 is about one topic; `direct` is that whole question with its options, for
    a system that answers itself.
    """

    id: str
    text: str
    topic: str = ""
    true_partner: str = ""
    options: tuple[str, ...] = ()
    direct: str = ""
    part: str = CONTROL3


@dataclass(frozen=True)
class Plan:
    """All that a memory system is given and asked on one corpus; `at` is the day of asking."""

    corpus: str
    partners: tuple[str, ...]
    k: int
    at: str
    banks: tuple[Bank, ...]
    queries: tuple[Query, ...]

    def bank(self, document: str) -> Bank:
        """The bank of a document. Raises KeyError."""
        return {bank.document: bank for bank in self.banks}[document]

    @property
    def probes(self) -> tuple[Query, ...]:
        """The queries that are probes of Control 3."""
        return tuple(q for q in self.queries if q.id != CANARY and q.part == CONTROL3)

    def asked_of(self, bank: Bank) -> tuple[Query, ...]:
        """What a bank is asked: its canary, and the questions of its controls."""
        return tuple(q for q in self.queries if q.id == CANARY or q.part in bank.parts)

    def of(self, *parts: str) -> Plan:
        """The plan of these controls alone: the banks that they read and what they ask."""
        kept = [(bank, tuple(p for p in bank.parts if p in parts)) for bank in self.banks]
        banks = tuple(replace(bank, parts=own) for bank, own in kept if own)
        queries = tuple(q for q in self.queries if q.id == CANARY or q.part in parts)
        return replace(self, banks=banks, queries=queries)

    def names(self, bank: Bank) -> tuple[str, ...]:
        """Whom a line of a bank's store may name: the corpus's partners, and a stranger's."""
        return tuple(dict.fromkeys((*self.partners, *(each.partner for each in bank.entries))))

    def to_json(self) -> str:
        """The plan as a file has it."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """The inverse of `to_json`."""
        plain = json.loads(text)
        banks = tuple(
            Bank(
                **bank
                | {
                    "events": tuple(Event(**event) for event in bank["events"]),
                    "entries": tuple(Entry(**entry) for entry in bank["entries"]),
                    "parts": tuple(bank["parts"]),
                }
            )
            for bank in plain["banks"]
        )
        queries = tuple(
            Query(**query | {"options": tuple(query["options"])}) for query in plain["queries"]
        )
        partners = tuple(plain["partners"])
        return cls(**plain | {"banks": banks, "queries": queries, "partners": partners})


def plans_in(path: Path) -> list[Plan]:
    """The plans of a file: the one of `to_json`, or of JSON lines one a line."""
    text = path.read_text(encoding="utf-8")
    plans = text.split("\n") if path.suffix == ".jsonl" else [text]
    return [Plan.from_json(plan) for plan in plans if plan.strip()]


def read_plan(path: Path) -> Plan:
    """What a plan's file has of Control 3, which every system is asked."""
    (plan,) = plans_in(path)
    return plan.of(CONTROL3)


def make_plan(
    corpus: Corpus,
    documents: Mapping[str, str],
    probes: pd.DataFrame,
    k: int,
    rng: np.random.Generator,
    entries: int | None = None,
) -> Plan:
    """The plan of one corpus.

    Every document becomes a bank with a canary in its middle; the sham repeats the veridical one,
    and the empty bank is given nothing.

    Parameters
    ----------
    documents : mapping
        Name → text, one entry a line (of a life in its shape); `veridical` among them.
    probes : pandas.DataFrame
        As `control3.symmetric.draw_probes` gives them.
    k : int
        Items asked for in a recall.
    rng : numpy.random.Generator
        Draws the canaries' words and the banks' names.
    entries : int, optional
        How many of a document's entries go in, as many a partner: those that the first probes ask
        about, and those probes alone are asked. All of both where it is None.

    Raises
    ------
    ValueError
        As `entries.told` does of a document.
    """
    asked = balanced([_query(corpus, probe) for probe in probes.itertuples()], entries)
    topics = None if entries is None else {query.topic for query in asked}
    banks = [_bank(corpus, name, text, rng, topics) for name, text in documents.items()]
    first = next(bank for bank in banks if bank.document == VERIDICAL)
    again = Bank(SHAM, _name(rng), first.events, first.entries, first.word, take=2)
    empty = Bank(EMPTY, _name(rng), (), ())
    canary = Query(CANARY, load_text("question-canary", corpus.language, corpus.texts))
    last = max(event.at for bank in banks for event in bank.events)
    return Plan(corpus.name, corpus.partners, k, last, (*banks, again, empty), (canary, *asked))


def with_part(
    plan: Plan,
    corpus: Corpus,
    part: str,
    documents: Mapping[str, str],
    questions: Sequence[str],
    rng: np.random.Generator,
) -> Plan:
    """The plan with another control's documents and questions.

    A bank that is there already is asked them too, so that nothing is ingested twice; a document
    without a bank gets one, and the empty bank is asked as well. Raises as `make_plan` does.
    """
    asked = {*documents, EMPTY}
    banks = [
        replace(bank, parts=(*bank.parts, part)) if bank.document in asked else bank
        for bank in plan.banks
    ]
    known = {bank.document for bank in banks}
    for name, text in documents.items():
        if name not in known:
            banks.append(replace(_bank(corpus, name, text, rng, None), parts=(part,)))
    distinct = dict.fromkeys(questions)  # the same words asked twice are asked once
    queries = [Query(f"{part}-{n:03}", text, part=part) for n, text in enumerate(distinct, start=1)]
    return replace(plan, banks=tuple(banks), queries=(*plan.queries, *queries))


def balanced(probes: Sequence[Query], n: int | None) -> list[Query]:
    """The first n probes, the same number a partner; all of them where n is None.

    Where the probes ask for some more often than for others (of a life), each keeps its share.
    """
    if n is None:
        return list(probes)
    each: dict[str, list[Query]] = {}
    for probe in probes:
        each.setdefault(probe.true_partner, []).append(probe)
    counts = {partner: len(mine) for partner, mine in each.items()}
    share = dict.fromkeys(counts, n // max(1, len(counts)))
    if len(set(counts.values())) > 1:
        from veridical.control3.lives import shares  # brings pandas, which no dry run needs

        share = shares(counts, min(n, len(probes)))
    kept = {p.id for partner, mine in each.items() for p in mine[: share.get(partner, 0)]}
    return [probe for probe in probes if probe.id in kept]


def _query(corpus: Corpus, probe: Any) -> Query:
    asked = fill(asked_with(probe, corpus), {"topic": probe.topic})
    options = tuple(probe.options)
    values = {
        "question": asked,
        "options": joined(options, wording(corpus, "or")),
        "abstention": corpus.settings["abstention"],
    }
    direct = fill(load_text("question-partner", corpus.language, corpus.texts), values)
    return Query(probe.probe_id, asked, probe.topic, probe.true_partner, options, direct)


def _bank(
    corpus: Corpus,
    document: str,
    text: str,
    rng: np.random.Generator,
    topics: Collection[str] | None,
) -> Bank:
    events, entries = told(corpus, document, text, topics)
    word = _word(rng)
    day = events[len(events) // 2].at
    said = fill(load_text("canary", corpus.language, corpus.texts), {"word": word})
    events.insert(len(events) // 2, Event(CANARY, day, corpus.agent, f"{day} — {said}"))
    return Bank(document, _name(rng), tuple(events), tuple(entries), word)


def _word(rng: np.random.Generator) -> str:
    """A word that no life holds."""
    return "-".join("".join(rng.choice(SYLLABLES, 3)) for _ in range(2))


def _name(rng: np.random.Generator) -> str:
    return "b" + bytes(rng.integers(0, 256, 6, dtype="uint8")).hex()


def foreign_words(plan: Plan, document: str) -> dict[str, str]:
    """The canaries that must never be recalled from a document's bank: word → whose it is."""
    own = plan.bank(document).word
    return {bank.word: bank.document for bank in plan.banks if bank.word not in (None, own)}


def documents_of(banks: Sequence[Bank]) -> list[str]:
    """The banks' documents, in order."""
    return [bank.document for bank in banks]
