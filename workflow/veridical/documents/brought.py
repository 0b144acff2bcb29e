"""A foreign life that a study brings along instead of having it written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veridical.base.contract import Contract, text
from veridical.base.tables import read_table
from veridical.corpora.history import History

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

LIFE = Contract(
    "own/life",
    "A foreign life of one's own, an entry a row (`documents: own`).",
    text("date", "its day, as in 2025-03-31"),
    text("partner", "whom that agent met"),
    text("topic", "about what"),
    text("note", "what its memory says of it"),
    by_hand=True,
)


def read_life(path: Path, corpus: Corpus) -> str:
    """A memory document from a text with an entry a line, or from a table of entries (`.csv`).

    A table's rows are written as the corpus writes its own; a life's text is taken as it stands,
    its empty lines between sessions too. Raises ValueError naming the file where it is empty, no
    UTF-8, or breaks its contract, or a life is brought as a table; whether length and form are
    right, `fidelity` checks as of any other document.
    """
    whole = isinstance(corpus, History)
    if whole and path.suffix == ".csv":
        raise ValueError(f"{path}: the memory of a life isn't a table; bring it as a text (.txt)")
    if path.suffix == ".csv":
        lines = [corpus.entry(row) for row in read_table(path, LIFE).to_dict("records")]
    else:
        try:
            lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
        except UnicodeDecodeError:
            raise ValueError(f"{path}: not UTF-8; save the file in that encoding") from None
    if not any(lines):
        raise ValueError(f"{path}: no entry in it; a memory document has one a line")
    return "\n".join(line for line in lines if line or whole).strip("\n")
