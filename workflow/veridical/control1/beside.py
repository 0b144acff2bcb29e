"""Sheets beside those of the source's design: what tells noise, drift and deafness apart."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from veridical.control1.tables import CELL, QUOTED, REPEATED, REVERSED

PAIR = [*CELL, "item_id", "document", "condition", "seed"]
KEYS = ("none", "reversed", "repeated", "positive")


@dataclass(frozen=True)
class Beside:
    """What the config asks for beside the source's sheets.

    none: whether the items are answered, and judged, with no memory document as well. reversed: the
    share of the veridical pairs that are judged in both orders. repeated: the share of the source's
    sheets that are judged twice as they stand. positive: how many pairs known by construction.
    """

    none: bool = False
    reversed: float = 0.0
    repeated: float = 0.0
    positive: int = 0

    @classmethod
    def from_config(cls, given: Mapping[str, Any]) -> Beside:
        """Read the keys of the config's `control1`; `reversed` is a share, or all or nothing."""
        return cls(
            bool(given["none"]),
            float(given["reversed"]),
            float(given["repeated"]),
            int(given["positive"]),
        )

    def counts(
        self, items: int, pairs: int, corpora: int = 1, *, direct: bool = False
    ) -> dict[str, int]:
        """Sheets of one judge by what they are for, of the `items` and `pairs` of all cells; pairs
        known by construction are each corpus's own. All `direct` pairs are the veridical one's."""
        both = pairs + items * self.none if direct else items
        return {
            "none": items * self.none,
            "reversed": of_share(self.reversed, both),
            "repeated": of_share(self.repeated, pairs),
            "positive": self.positive * corpora,
        }


def of_share(share: float, n: int) -> int:
    """So many of n: the share rounded up, so that a share above 0 never comes to nothing.

    >>> of_share(0.1, 49), of_share(0.0, 49), of_share(1.0, 7), of_share(0.3, 10)
    (5, 0, 7, 3)
    """
    return math.ceil(round(share * n, 9))


def shown_again(
    pairs: pd.DataFrame,
    beside: Beside,
    rng: np.random.Generator,
    both: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Which of the source's pairs are shown once more, by session: the same ones to every judge.

    `pairs` has the columns responder, corpus, item_id, document, condition and seed; shares are of
    all cells' pairs together. `both` are those of which a share is shown in both orders: the
    veridical ones, where not given.
    """
    own = pairs[pairs["condition"] == "veridical"] if both is None else both
    shares = {REVERSED: (own, beside.reversed), REPEATED: (pairs, beside.repeated)}
    drawn = {}
    for session, (rows, share) in shares.items():
        places = np.sort(rng.permutation(len(rows))[: of_share(share, len(rows))])
        drawn[session] = rows[PAIR].iloc[places].reset_index(drop=True)
    return drawn


def quoted_pairs(positive: pd.DataFrame) -> pd.DataFrame:
    """The pairs known by construction, as pairs of a session of their own; nobody answered them."""
    pairs = positive[["corpus", "item_id", "document", "seed"]]
    return pairs.assign(responder="", condition="quoted", session=QUOTED)[[*PAIR, "session"]]
