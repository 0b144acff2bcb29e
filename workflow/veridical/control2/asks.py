"""How many recognitions Control 2 takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from veridical.models.asks import Ask, asks_of
from veridical.models.exchange import Form

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TOKENS = 2000  # of one prompt that isn't written yet, with a memory of 5,300 characters
RECALLED_TOKENS = 600  # of one with five recalled items of some 180 characters
ALTERATION_TOKENS = 900
LETTER = Form("choice", ("A", "B"))
TEXTS = (
    "memory",
    "no-memory",
    "task-recognition",
    "question-recognition",
)  # the fixed texts it needs in a corpus's language
AUTHOR_TEXTS = ("alter-detail", "detail-kinds")  # and where the author alters the details


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """Of each corpus two alterations a probe where the author makes them; then each probe under two
    documents and, as often as `prior_samples` says, under none."""
    part = config["control2"]
    if part.get("answers_csv"):
        return
    authors = [config["documents"]["author"]] if part["alterations"] == "author" else []
    probes, named = part["probes"], len(part["corpora"]) > 1  # one corpus stands in no file's name
    calls = (2 + part["prior_samples"]) * probes
    tokens = RECALLED_TOKENS if part.get("memory") else TOKENS
    for about in (f"-{corpus}" if named else "" for corpus in part["corpora"]):
        place = f"control2/alterations/prompts{about}.jsonl"
        yield from asks_of(config, "author", authors, place, 2 * probes, ALTERATION_TOKENS)
        place, models = f"control2/prompts/*{about}.jsonl", part["responders"]
        yield from asks_of(config, "control2", models, place, calls, tokens, form=LETTER)
