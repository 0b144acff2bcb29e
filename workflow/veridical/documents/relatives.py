"""Another corpus's life as a counterfeit: a stranger's, or a near relative's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veridical.corpora.corpus import read_corpus
from veridical.corpora.history import History
from veridical.corpora.shapes import fill_line
from veridical.documents.brought import read_life

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

OUTSIDE = 20  # what it costs to take an entry that the other's own memory lacks, in characters


def placed(path: Path, corpus: Corpus) -> str:
    """The counterfeit that a study brings: a file (`brought.read_life`), or another corpus.

    A corpus is named by its `corpus.yaml`. Raises ValueError naming the file or the corpus where
    the one doesn't go with the other.
    """
    if path.name != "corpus.yaml":
        return read_life(path, corpus)
    return relative(corpus, read_corpus(path))


def relative(corpus: Corpus, other: Corpus) -> str:
    """Another corpus's life, in the form and about the length of this one's memory.

    Raises ValueError where the two have not the same form, or the other is too short.
    """
    if isinstance(corpus, History) and isinstance(other, History):
        return _cut(corpus, other)
    if isinstance(corpus, History) or isinstance(other, History):
        one, two = (
            f"{life.name} is {'a life' if isinstance(life, History) else 'one of encounters'}"
            for life in (corpus, other)
        )
        raise ValueError(f"corpus {one}, corpus {two}: a counterfeit has the form of its original")
    return _dated(corpus, other)


def _cut(life: History, other: History) -> str:
    """Whole lines of the other's document, as many as come nearest to this one's length."""
    if life.shape != other.shape:
        raise ValueError(
            f"corpus {other.name}: its memory has the shape {other.shape!r}, that of {life.name} "
            f"{life.shape!r}; set `memory: {life.shape}` in its corpus.yaml"
        )
    wanted, kept, length = len(life.memory_block), [], -1
    values = list(other.facts["value"])
    for line in other.document:
        text = fill_line(line, values)
        if kept and abs(length + 1 + len(text) - wanted) > abs(length - wanted):
            break
        kept.append(text)
        length += 1 + len(text)
    if length < 0.5 * wanted:
        raise ValueError(
            f"corpus {other.name}: its memory has {length} characters, that of {life.name} "
            f"{wanted}; bring a longer life"
        )
    return "\n".join(kept)


def _dated(corpus: Corpus, other: Corpus) -> str:
    """The other's encounters on the days of this one's, each line about as long as its original.

    The n-th partner of the one stands where the n-th of the other does, so that each has as many
    entries. What the other remembers is taken before what it only lived through, unless that is
    nearer in length by more than `OUTSIDE`.
    """
    from scipy.optimize import linear_sum_assignment

    own, theirs = corpus.remembered(), other.encounters
    if len(corpus.partners) != len(other.partners):
        raise ValueError(
            f"corpus {other.name} has {len(other.partners)} partners, {corpus.name} "
            f"{len(corpus.partners)}: a counterfeit has as many"
        )
    entries = {}
    for mine, yours in zip(corpus.partners, other.partners, strict=True):
        places = np.flatnonzero(own["partner"] == mine)
        free = theirs[theirs["partner"] == yours].reset_index(drop=True)
        if len(free) < len(places):
            raise ValueError(
                f"corpus {other.name} has {len(free)} encounters with {yours}, and {len(places)} "
                f"are needed in the place of those of {corpus.name} with {mine}"
            )
        days = own["date"].iloc[places]
        lines = [corpus.entry({**row, "date": days.iloc[0]}) for row in free.to_dict("records")]
        wanted = [len(corpus.entry(row)) for row in own.iloc[places].to_dict("records")]
        cost = np.abs(np.subtract.outer(wanted, list(map(len, lines)))).astype(float)
        cost += OUTSIDE * ~free["in_memory"].to_numpy(dtype=bool)
        for line, taken in zip(*linear_sum_assignment(cost), strict=True):
            place = int(places[line])
            entries[place] = corpus.entry({**free.iloc[int(taken)], "date": own["date"][place]})
    return "\n".join(entries[place] for place in sorted(entries))
