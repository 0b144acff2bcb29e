"""How many calls the foreign lives take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

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
)  # the fixed texts it needs in a corpus's language


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """The author's calls: each foreign life once, and once more for each reason that is given.

    `corpora` holds the study's corpora by name; one whose entries are led has a call an entry.
    """
    settings = config["documents"]
    seeds, author = settings["foreign_seeds"], settings.get("author")
    further = sum(len(reasons) for reasons in settings["further_attempts"].values())
    used = {config[part]["corpus"] for part in ("control1", "control2") if part in config}
    entries = {
        name: len(corpora[name].remembered()) if settings["author_form"] == "entries" else 1
        for name in used
    }
    calls = (len(seeds) + further) * sum(entries.values())
    authors = [author] if author and calls else []
    parameters = settings["author_parameters"]
    yield from asks_of(
        config, "author", authors, "documents/prompts/*.jsonl", calls, TOKENS, parameters
    )
