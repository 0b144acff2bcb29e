"""How many questions the models that read a memory system's recalls are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veridical.models.asks import Ask, asks_of

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TEXTS = ("canary", "question-canary", "recalled")  # that it needs beside Control 3's
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


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """Each probe from the true bank, its repetition, the swapped ones and the empty one, of each
    system and corpus that a model reads; a model that quotes is asked twice."""
    part, third = config["memories"], config["control3"]
    probes = min(part.get("entries", third["probes"]), part.get("reader_probes", third["probes"]))
    for reader in part["readers"]:
        read = part.get("corpora", third["corpora"])[: reader.get("corpora")]
        banks = sum(len(corpora[name].partners) + 2 for name in read)
        calls = banks * probes * len(reader.get("systems", part["systems"]))
        place = "memories/prompts/*.jsonl"
        for ask in asks_of(config, "memories", [reader["model"]], place, calls, TOKENS):
            yield replace(ask, calls=2 * calls) if ask.model.quoting else ask
