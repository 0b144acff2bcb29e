"""Cells: one model's answers about one corpus, corrected with all others, concluded about apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


def corpora_in_order(answers: pd.DataFrame, corpora: Sequence[str] = ()) -> list[str]:
    """The corpora that are declared, or else those that the answers are about."""
    return list(corpora) or list(answers["corpus"].drop_duplicates())


def of_refused(
    table: pd.DataFrame, refused: Mapping[str, Collection[str]] | None
) -> NDArray[np.bool_]:
    """Which rows are of a corpus's condition whose memory is not known to have arrived."""
    found = np.zeros(len(table), dtype=bool)
    for corpus, conditions in (refused or {}).items():
        here = (table["corpus"] == corpus) & table["condition"].isin(conditions)
        found |= here.to_numpy(dtype=bool)
    return found


def without_none(refused: Mapping[str, Collection[str]] | None) -> list[str]:
    """The corpora whose empty bank is not admitted: nobody can be judged there."""
    return [corpus for corpus, conditions in (refused or {}).items() if "none" in conditions]


def ordered_corpora(answers: pd.DataFrame) -> list[str]:
    """The corpora of which every answer tells where its probe's encounter stands in the log."""
    if "place" not in answers:
        return []
    lost = answers.loc[answers["place"].isna(), "corpus"].unique()
    return [corpus for corpus in answers["corpus"].unique() if corpus not in lost]


def several(table: pd.DataFrame) -> bool:
    """Whether a table is about several corpora, so that a cell must be named.

    >>> import pandas as pd
    >>> several(pd.DataFrame({"corpus": ["A", "A"]})), several(pd.DataFrame({"corpus": ["A", "B"]}))
    (False, True)
    """
    return table["corpus"].nunique() > 1


def named(table: pd.DataFrame, *, apart: bool) -> pd.DataFrame:
    """A table with a column `named`: each row's model, and its corpus where these stand `apart`.

    >>> import pandas as pd
    >>> rows = pd.DataFrame({"corpus": ["A"], "model": ["gpt"]})
    >>> named(rows, apart=True)["named"][0], named(rows, apart=False)["named"][0]
    ('gpt (A)', 'gpt')
    """
    names = table["model"].astype(object)
    return table.assign(named=names + " (" + table["corpus"] + ")" if apart else names)
