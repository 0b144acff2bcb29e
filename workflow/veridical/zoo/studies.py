"""Studies of the size that the config declares, each about another part of a corpus's life."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from veridical.control3.symmetric import draw_probes
from veridical.documents.corrupted import corrupted_names
from veridical.documents.rebinding import rebind
from veridical.documents.shuffled import shuffle_entries
from veridical.memories.matching import Store
from veridical.memories.plan import VERIDICAL, Plan, make_plan

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

COUNTERFEIT = "shuffled-1"  # the life with who, what and when bound anew: Control 1's
WAYS = 20  # draws of a life until one can be shuffled


@dataclass(frozen=True)
class Size:
    """What decides how sure a study is: entries of a memory, probes, items recalled; `cells` is
    the size of the family over which the study corrects."""

    entries: int
    probes: int
    k: int
    cells: int = 1


def draw_study(corpus: Corpus, size: Size, rng: np.random.Generator) -> Plan:
    """The plan of one study: a life of `size.entries` of the corpus's encounters, as many a
    partner, and `size.probes` probes about them, under every document that a control swaps in.

    Raises ValueError where the corpus has too few encounters with a partner, or no life drawn from
    it can be shuffled.
    """
    for _ in range(WAYS):
        life = _draw_life(corpus, size.entries, rng)
        try:
            shuffled = shuffle_entries(life.remembered(), rng, source=f"corpus {corpus.name}")
            break
        except ValueError as error:
            stuck = error
    else:
        raise stuck
    documents = {VERIDICAL: life.memory_block}
    documents |= {name: rebind(life, name) for name in corrupted_names(len(corpus.partners))}
    documents[COUNTERFEIT] = "\n".join(map(life.entry, shuffled.to_dict("records")))
    probes = draw_probes(life, size.probes, rng)
    return make_plan(life, documents, probes, size.k, rng)


def _draw_life(corpus: Corpus, entries: int, rng: np.random.Generator) -> Corpus:
    """The corpus with another memory: encounters drawn from the whole log, in date order."""
    log, k, clear = corpus.encounters, len(corpus.partners), _clear(corpus)
    each = entries // k
    chosen = []
    for partner in corpus.partners:
        own = np.flatnonzero((log["partner"] == partner) & clear)
        if len(own) < each:
            raise ValueError(
                f"corpus {corpus.name}: a life of {entries} entries needs {each} encounters with "
                f"{partner} whose topic no other entry mentions, and there are {len(own)}; lower "
                "control3/document_encounters"
            )
        chosen += list(rng.choice(own, each, replace=False))
    kept = pd.Series(np.isin(np.arange(len(log)), chosen), index=log.index)
    life = replace(corpus, encounters=log.assign(in_memory=kept))
    rows = life.remembered().to_dict("records")
    return replace(life, memory_block="\n".join(map(life.entry, rows)))


def _clear(corpus: Corpus) -> np.ndarray:
    """Which encounters have a topic that no other entry mentions.

    Where one does, in its note and with another partner, a reader by string match that is given it
    first takes it for the entry (3 of the 288 topics of corpora A and B).
    """
    rows = corpus.encounters.to_dict("records")
    return _alone(tuple(map(corpus.entry, rows)), tuple(corpus.encounters["topic"]))


def shortened(corpus: Corpus, encounters: int, rng: np.random.Generator) -> Corpus:
    """The corpus as if its log had only so many encounters, as many a partner, drawn.

    Raises ValueError where a partner has fewer.
    """
    log, each, kept = corpus.encounters, encounters // len(corpus.partners), []
    for partner in corpus.partners:
        own = np.flatnonzero(log["partner"] == partner)
        if len(own) < each:
            raise ValueError(
                f"corpus {corpus.name}: {encounters} encounters need {each} with {partner}, and "
                f"there are {len(own)}; lower zoo/judge/encounters"
            )
        kept += list(rng.choice(own, each, replace=False))
    return replace(corpus, encounters=log.iloc[sorted(kept)].reset_index(drop=True))


@lru_cache(maxsize=16)
def _alone(lines: tuple[str, ...], topics: tuple[str, ...]) -> np.ndarray:
    store = Store(lines, ())
    return np.array([store.about(topic) == [at] for at, topic in enumerate(topics)])
