"""Cells: one responder's answers in one corpus, judged with all others, concluded about apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from veridical.base.brought import UNNAMED, whose
from veridical.control1.tables import CELL
from veridical.corpora.corpus import Corpus, read_corpus


def cells_of(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The declared cells of the config's `control1`: every responder in every corpus.

    >>> cells_of({"corpora": ["A", "B"], "responders": ["m"]})
    [('m', 'A'), ('m', 'B')]
    """
    named = [config.get(key) or [UNNAMED] for key in ("corpora", "responders")]
    return [(responder, corpus) for corpus in named[0] for responder in named[1]]


def by_cell(table: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """Each cell of a table with its rows, in the order of their names."""
    yield from table.groupby(list(CELL), sort=True, observed=True)


def cell_names(table: pd.DataFrame) -> pd.Series:
    """Each row's cell by what the table has several of: `gpt, A`, `gpt`, `A`, or nothing."""
    varied = [column for column in CELL if table[column].nunique() > 1]
    names = pd.Series("", index=table.index, dtype=object)
    for column in varied:
        names = names + np.where(names == "", "", ", ") + table[column].astype(object)
    return names


def lines_of(table: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    """A figure's lines of panels, one a cell and metric: the cell as `cell_names` has it, the
    metric, and their rows."""
    table = table.assign(cell=cell_names(table))
    return [
        (own["cell"].iloc[0], str(metric), own)
        for _, mine in by_cell(table)
        for metric, own in mine.groupby("metric", sort=False)
    ]


def read_corpora(
    settings: Iterable[Path], own: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, Corpus]:
    """The corpora by name. `own` are the study's own texts, by corpus."""
    folders = [path.parent if path.name == "corpus.yaml" else path for path in settings]
    return {folder.name: read_corpus(folder, (own or {}).get(folder.name)) for folder in folders}


def in_cells(
    table: pd.DataFrame, path: Path, responders: Sequence[str] = (), corpora: Sequence[str] = ()
) -> pd.DataFrame:
    """A table that the study brings, with its cells: those that it names, else the config's one.

    Raises as `whose` does.
    """
    declared = {"responder": ("responders", responders), "corpus": ("corpora", corpora)}
    return whose(table, path, "control1", declared)
