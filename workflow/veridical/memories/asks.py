"""How often models are asked: those that read a system's recalls, and those inside a system."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veridical.base.counterfeits import counterfeits
from veridical.documents.corrupted import COUNTED, corrupted_names
from veridical.memories.entries import told
from veridical.memories.plan import VERIDICAL
from veridical.memories.spending import inside
from veridical.memories.systems import System, parts_asked, systems_of
from veridical.models.asks import Ask, asks_of

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

DRIVING_TEXTS = ("drive-tools", "drive-find", "drive-keep", "drive-said")  # where a model drives
TOKENS = 400  # of one prompt that isn't written yet, with five items of some 180 characters
TEXTS = (
    "recalled",
    "no-memory",
    "task-partner",
    "question-partner",
    "quote-partner",
    "canary",
    "question-canary",
)  # the fixed texts it needs in a corpus's language

HYGIENE_EVENTS, HYGIENE_QUERIES = 24, 14  # that hygiene puts to a system at most (a test counts)


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """Each probe from the true bank, its repetition, the swapped ones and the empty one, of each
    system and corpus that a model reads; a model that quotes is asked twice."""
    part, third = config["memories"], config["control3"]
    probes = min(part.get("entries", third["probes"]), part.get("reader_probes", third["probes"]))
    for reader in part["readers"]:
        read = part.get("corpora", third["corpora"])[: reader.get("corpora")]
        banks = sum(_swapped(corpora[name]) + 3 for name in read)
        calls = banks * probes * len(reader.get("systems", part["systems"]))
        place = "memories/prompts/*.jsonl"
        for ask in asks_of(config, "memories", [reader["model"]], place, calls, TOKENS):
            yield replace(ask, calls=2 * calls) if ask.model.quoting else ask
    yield from _inside(config, corpora)


def _inside(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """What the systems ask models of their own accord: to write every event, to find for every
    query; hygiene once a system."""
    part = config["memories"]
    for name, system in systems_of(config).items():
        if inside(name, system.adapter, system.settings) is None:
            continue
        events, queries = HYGIENE_EVENTS, HYGIENE_QUERIES
        for corpus in part.get("corpora", config["control3"]["corpora"]):
            more = _visited(config, corpora[corpus], parts_asked(config, name, corpus))
            events, queries = events + more[0], queries + more[1]
        yield from asks_within(name, system, part["k"], events, queries)


def asks_within(name: str, system: System, k: int, events: int, queries: int) -> Iterator[Ask]:
    """What a system asks its model over so many events, and queries for k items; nothing of a
    system that has none, or doesn't tell."""
    within = inside(name, system.adapter, system.settings)
    if within is None:
        return
    yield Ask(
        "memories",
        replace(within.model, name=f"{name}: {within.model.model}"),
        "",
        within.write * events + min(k, within.read) * queries,
        within.tokens,
        within=system.identity(),
        ledger=name,
    )


def _swapped(corpus: Corpus) -> int:
    """How many documents a corpus has whose bindings are false."""
    life = corpus.settings.get("form") == "life"
    return len(corrupted_names(COUNTED if life else len(corpus.partners)))


def _visited(config: Mapping[str, Any], corpus: Corpus, parts: Collection[str]) -> tuple[int, int]:
    """Events that go into a system on one corpus, and queries put to it.

    Every document has a canary, and the true one is there twice; the empty bank is asked too.
    """
    from veridical.control1.responses import needs_anchors  # brings pandas, which no dry run needs

    third, entries = config["control3"], config["memories"].get("entries")
    probes, held = third["probes"], third["document_encounters"]
    if corpus.settings.get("form") == "life":
        held = len(told(corpus, VERIDICAL, corpus.memory_block)[0])
    elif entries is not None:
        partners = len(corpus.partners)
        probes = held = entries // partners * partners
    banks = _swapped(corpus) + 2
    events, queries = banks * (held + 1), (banks + 1) * (probes + 1)
    given = len(counterfeits(config, corpus.name))
    lacking = needs_anchors(corpus)
    new = given if "control1" in parts else int("control2" in parts)
    events, queries = events + new * (held + 1), queries + new
    if "control1" in parts:
        whole = (len(corpus.encounters) + 1) * lacking
        asked = (given + 2 + lacking) * len(corpus.test_day)
        events, queries = events + whole, queries + asked + lacking
    if "control2" in parts:
        queries += 3 * config["control2"]["probes"]
    return events, queries
