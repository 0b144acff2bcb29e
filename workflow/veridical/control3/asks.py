"""How many probes Control 3 asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veridical.models.asks import Ask, asks_of

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TOKENS = 1800  # of one prompt that isn't written yet, with a memory of 5,300 characters
TEXTS = (
    "memory",
    "no-memory",
    "task-partner",
    "question-partner",
    "quote-partner",
)  # the fixed texts it needs in a corpus's language


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """Each probe of each corpus under the true document, its k - 1 re-bindings and none; a model
    that quotes is asked twice."""
    part = config["control3"]
    documents = sum(len(corpora[name].partners) + 1 for name in part["corpora"])
    calls, place = documents * part["probes"], "control3/prompts/*.jsonl"
    for ask in asks_of(config, "control3", part["responders"], place, calls, TOKENS):
        yield replace(ask, calls=2 * calls) if ask.model.quoting else ask
