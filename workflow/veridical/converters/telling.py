"""Whether the words of a converted life tell what is asked about, and what to do then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from veridical.corpora.hints import Hint, partner_hint, written

if TYPE_CHECKING:
    from veridical.corpora.history import History

SEED, FOLDS = 1, 12  # as in check_hints.py
LEVEL = 0.05  # how rarely the advice is given of a life whose words tell nothing
PLANT = "plant: {facts: 24, seed: 3}"


def hint_of(life: History) -> Hint | None:
    """How well all words beside a value foretell it; None where too few facts are asked about."""
    table = life.encounters
    if len(table) < FOLDS or table["partner"].nunique() < 2:
        return None
    words = list(written(life).values())[-1]  # subject and text together
    months = list(table["date"].str[:7])
    rng = np.random.default_rng(SEED)
    return partner_hint(words, list(table["partner"]), rng, strata=months, folds=FOLDS)


def advice(life: History, asked: str) -> Iterator[str]:
    """Where the words tell the value of `asked`: how well, and that facts can be planted."""
    hint = hint_of(life)
    if hint is None or hint.p > LEVEL:
        return
    named = "who said it" if asked == "speaker" else asked
    yield (
        f"Can be told from the words: {named}, {hint.accuracy:.1%} foretold by a bag of words, "
        f"{hint.expected:.1%} where shuffled (p = {hint.p:.3f}). So an answer may need no memory: "
        f"in corpus.yaml, write `{PLANT}` in the place of `asked: {asked}`, and facts that no "
        "words tell are planted and asked about"
    )
