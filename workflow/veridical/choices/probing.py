"""What the prompts of forced choices have in common: a corpus's own wordings, and who is near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from veridical.corpora.corpus import Corpus


def places_of(encounters: pd.DataFrame) -> dict[str, int]:
    """Where each encounter stands among the others, from 1: who its neighbours are."""
    return {name: place for place, name in enumerate(encounters["encounter_id"], start=1)}


def wording(corpus: Corpus, key: str) -> str:
    """A wording of the corpus's own; ValueError, naming key and file, where it has none."""
    wording = corpus.settings["question"].get(key)
    if not isinstance(wording, str) or not wording.strip():
        raise ValueError(
            f"corpus {corpus.name}, corpus.yaml: question/{key} is missing; "
            "word it in the corpus's language"
        )
    return wording


def asked_with(probe: Any, corpus: Corpus) -> str:
    """The question about a topic: a probe's own wording, else the corpus's."""
    own = getattr(probe, "question", None)
    return own if isinstance(own, str) and own else corpus.settings["question"]["with_whom"]
