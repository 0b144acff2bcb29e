"""A claim and a world: what can be said, and a truth under which saying it is right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Tables = Mapping[str, pd.DataFrame]
Truth = Callable[[pd.DataFrame], NDArray[np.bool_]]

RATE = 0.05


@dataclass(frozen=True)
class Claim:
    """A conclusion that the product can state, and the words and sentences that state it.

    key: its name, `part.name`. table, column, words: it is said of a row of this table where the
    column holds one of the words, and nowhere else. sentences: the keys of the texts under the
    part's `findings` that say it on the page. rate: how often, at most, it may be said where it is
    false, over the `family` of tests that it is corrected for. `registered` claims are the sources'
    own rules: named as such, measured and printed, and held to no rate of ours. where, but: rows of
    the table that the claim can be about, all of them if not given; and those that it can't.
    drawn: the keys of the words under the part's `drawing` that say it in a figure.
    beforehand: its rate was measured once, on files of its own, since a world would take minutes.
    """

    key: str
    table: str
    column: str
    words: tuple[Any, ...]
    sentences: tuple[str, ...]
    family: str
    rate: float = RATE
    registered: bool = False
    beforehand: bool = False
    drawn: tuple[str, ...] = ()
    where: Mapping[str, Any] = field(default_factory=dict)
    but: Mapping[str, Any] = field(default_factory=dict)

    @property
    def part(self) -> str:
        """The part of the study that states it."""
        return self.key.partition(".")[0]

    def rows(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows that it can be about."""
        for column, value in self.where.items():
            table = table[table[column] == value]
        for column, value in self.but.items():
            table = table[table[column] != value]
        return table

    def said(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        """Of which rows it is said."""
        return rows[self.column].isin(self.words).fillna(False).to_numpy(dtype=bool)


@dataclass(frozen=True)
class World:
    """A truth, drawn as tables in the form in which the study's scripts write them.

    draw: takes the design, how many studies and a generator; gives the analysis's input tables,
    each with a column `study`. truths: by claim, the rows of the claim's table of which it is true;
    a claim that isn't named is true of none. fits: of which designs it is a world of its own.
    """

    key: str
    part: str
    draw: Callable[[Any, int, np.random.Generator], Tables]
    truths: Mapping[str, Truth] = field(default_factory=dict)
    fits: Callable[[Any], bool] = lambda design: True

    def true(self, claim: Claim, rows: pd.DataFrame) -> NDArray[np.bool_]:
        """Of which rows a claim is true."""
        truth = self.truths.get(claim.key)
        if truth is None or rows.empty:
            return np.zeros(len(rows), dtype=bool)
        return np.asarray(truth(rows))
