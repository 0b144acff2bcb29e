"""What is quoted of a life in a pair known by construction: the line that states a fact."""

from __future__ import annotations

import pandas as pd

from veridical.corpora.history import History
from veridical.corpora.shapes import fill_line


def quoted_lines(life: History) -> list[str]:
    """The line of the memory document in which each remembered fact stands, in their order.

    A fact stands in one line alone. All are of the attribute asked for, and hold
    (`History.remembered`).
    """
    values = list(life.facts["value"])
    stands = {
        piece: _bare(fill_line(line, values))
        for line in life.document
        for piece in line
        if isinstance(piece, int)
    }
    return [stands[fact] for fact in life.remembered()["fact"]]


def lines_of(text: str) -> pd.DataFrame:
    """The lines of another life's document that can be quoted in a fact's place, as `note`."""
    lines = [_bare(line) for line in text.split("\n")]
    return pd.DataFrame({"note": [line for line in lines if line]})


def _bare(line: str) -> str:
    """A line as it can be quoted: without the mark of a list and the full stop."""
    return line.strip().removeprefix("- ").removesuffix(".")
