"""How many calls the foreign lives take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from veridical.base.counterfeits import authored, counterfeited
from veridical.models.asks import Ask, asks_of

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TOKENS = 900  # of one prompt that isn't written yet
TEXTS = (
    "foreign-life",
    "foreign-entry",
    "foreign-whole",
    "foreign-examples",
    "subjects",
    "lives.yaml",
    "foreign-words.yaml",
)  # the fixed texts it needs in a corpus's language


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """The author's calls: each foreign life once, and once more for each reason that is given.

    `corpora` holds the study's corpora by name; one whose entries are led has a call an entry.
    """
    settings = config["documents"]
    author, calls = settings.get("author"), 0
    for name in counterfeited(config):
        seeds = authored(config, name)
        reasons = [settings["further_attempts"].get(f"foreign-{seed}", ()) for seed in seeds]
        entries = len(corpora[name].remembered()) if settings["author_form"] == "entries" else 1
        calls += entries * (len(seeds) + sum(map(len, reasons)))
    authors = [author] if author and calls else []
    parameters = settings["author_parameters"]
    yield from asks_of(
        config, "author", authors, "documents/prompts/*.jsonl", calls, TOKENS, parameters
    )
