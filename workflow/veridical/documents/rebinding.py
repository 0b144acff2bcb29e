"""The texts of binding-corrupted documents: the same entries, each with another's partner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.corpora.history import History
from veridical.documents.corrupted import named_partner, shift_of
from veridical.documents.exchanging import exchanged, with_values

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def bindings(corpus: Corpus, document: str) -> dict[str, str | None]:
    """The partner (in a life: the value) that a document names, by remembered encounter."""
    rows = corpus.remembered()
    own = dict(zip(rows["encounter_id"], rows["partner"], strict=True))
    if document != "none" and shift_of(document) and isinstance(corpus, History):
        return dict(exchanged(corpus, shift_of(document)))
    if isinstance(corpus, History):
        return dict.fromkeys(own) if document == "none" else dict(own)
    return {name: named_partner(corpus.partners, own[name], document) for name in own}


def rebind(corpus: Corpus, document: str) -> str:
    """The memory block with every partner replaced by the one `shift` places on, cyclically.

    Topics, dates, notes, order and, the block being balanced, the number of entries a partner stay
    as they are: only who was met is false, in every entry. In a life every fact of the attribute
    asked for has another one's value, each value as often as before (`exchanging`).
    """
    named = bindings(corpus, document)
    if isinstance(corpus, History):
        return corpus.written(with_values(corpus, named))
    rows = corpus.remembered().to_dict("records")
    return "\n".join(corpus.entry({**row, "partner": named[row["encounter_id"]]}) for row in rows)
