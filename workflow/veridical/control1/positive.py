"""Pairs known by construction: the agent's own memory quoted, and a stranger's in its place.

Assay sensitivity (ICH E10): a panel that lets a counterfeit pass shows something only where it
would have noticed. Someone names an encounter of the agent's memory block and asks what it
remembers of it. One answer quotes that entry; the other quotes, in the same words, an entry of
about its length from another life. Which of the two is this memory stands on the sheet itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from veridical.control1.life_pairs import lines_of, quoted_lines
from veridical.control1.tables import POSITIVE
from veridical.corpora.history import History
from veridical.documents.fidelity import entries_of
from veridical.documents.names import DocumentName
from veridical.documents.texts import fill, load_text
from veridical.models.prompts import Document

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def positive_pairs(
    corpus: Corpus, foreign: Sequence[Document], n: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Draw n encounters of the memory block, each with a stranger's entry of about its length.

    Parameters
    ----------
    corpus
        Whose memory block it is.
    foreign
        The foreign counterfeits; they take turns, and no entry of theirs is used twice.
    n
        How many pairs; none is an empty table.

    Returns
    -------
    pandas.DataFrame
        Columns as in `control1/positive.csv`.

    Raises
    ------
    ValueError
        Where the block has fewer entries than n, there is no foreign document, or a document runs
        out of entries, naming what to do.
    """
    require_quotable(corpus, n)
    remembered = corpus.remembered()
    if n and not foreign:
        raise ValueError(
            "control1/positive needs a stranger's memory to quote, and there is no foreign "
            "document: give documents/foreign_seeds one, or set control1/positive to 0"
        )
    whole = isinstance(corpus, History)
    lives = [(one, lines_of(one.text) if whole else entries_of(one.text, corpus)[0])
             for one in foreign]  # fmt: skip
    chosen = np.sort(rng.permutation(len(remembered))[:n])
    if isinstance(corpus, History):
        remembered = remembered.assign(note=quoted_lines(corpus))
    rows = []
    for number, place in enumerate(chosen):
        document, entries = lives[number % len(lives)]
        own = remembered.iloc[place].to_dict()
        nearest = _nearest(entries, len(own["note"]), document.name)
        stranger = entries.loc[nearest].to_dict()
        entries.drop(index=nearest, inplace=True)
        rows.append(
            {
                "corpus": corpus.name,
                "item_id": f"{corpus.name}-Q{number + 1}",
                "input": fill(load_text("positive-input", corpus.language, corpus.texts), own),
                "own": quote(own, corpus),
                "stranger": quote(stranger, corpus),
                "document": document.name,
                "seed": DocumentName.read(document.name).seed,
            }
        )
    return pd.DataFrame(rows, columns=POSITIVE.names).astype({"seed": "int64"})


def quote(entry: Mapping[str, str], corpus: Corpus) -> str:
    """An answer that quotes an entry, as the text `positive-answer` words it."""
    return fill(load_text("positive-answer", corpus.language, corpus.texts), dict(entry))


def require_quotable(corpus: Corpus, n: int) -> None:
    """Stop where the memory has fewer than n entries (in a life, facts that are asked for).

    Raises ValueError naming the corpus and what to do.
    """
    there = len(corpus.remembered())
    if n <= there:
        return
    what, more = "entries to quote", ""
    if isinstance(corpus, History):
        what = f"facts of {corpus.asked!r} to quote" if corpus.asked else "facts to quote"
        more = ", or write more of them into facts.csv (`plant` in corpus.yaml has them drawn)"
    raise ValueError(
        f"control1/positive asks for {n} pairs, and the memory block of corpus {corpus.name} "
        f"has {there} {what}: ask for no more{more}"
    )


def _nearest(entries: pd.DataFrame, length: int, document: str) -> int:
    """The entry whose note has about this length, in characters: the first of those nearest."""
    if entries.empty:
        raise ValueError(
            f"{document} has too few entries for control1/positive: ask for fewer pairs, or give "
            "documents/foreign_seeds more"
        )
    return int((entries["note"].str.len() - length).abs().idxmin())
