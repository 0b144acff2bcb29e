"""Holding a printed figure against a computed one.

`published_controls` and `published_scores` recompute what the sources print from the sources' own
counts, by the functions that the study itself uses; here is what both share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

Row = Mapping[str, str]

# What a check does. Only the first says that a formula gives what somebody else's gave.
KINDS = ("recomputed", "recovered", "restated", "open")


@dataclass(frozen=True)
class Check:
    """One printed figure. `agrees` is None where nothing can be recomputed, or nothing is said.

    `kind`, one of `KINDS`: `recomputed` where a function of the study gives, from counts, data or
    intervals, a printed result that was not among what it was given; `recovered` where the counts
    were found from the printed figure, so that it must come back; `restated` where it follows from
    what was put in with no statistic: a product, a range of a column, a threshold chosen for it;
    `open` where nothing is decided.
    """

    source: str
    quantity: str
    kind: str
    printed: str
    computed: str = ""
    agrees: bool | None = None
    note: str = ""


def agree(printed: str, computed: float) -> bool:
    """Whether a number, rounded as the printed one was, is the printed one.

    A tie may have been rounded either way. `<1e-5` asks for a number below it.

    >>> agree("0.0002", 0.000244), agree("62", 62.5), agree("<1e-5", 2e-5)
    (True, True, False)
    """
    text = printed.strip().lower()
    if not math.isfinite(computed):
        return False
    if text.startswith("<"):
        return computed < float(text[1:])
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return abs(computed - float(text)) <= 0.5 * 10.0**-decimals * (1 + 1e-9)


def number(
    source: str,
    quantity: str,
    kind: str,
    printed: str,
    computed: float,
    note: str = "",
    form: str = ".6g",
) -> Check:
    """A check of a single number."""
    shown = "0" if computed == 0 else format(computed, form)
    return Check(source, quantity, kind, printed, shown, agree(printed, computed), note)


def open_row(source: str, quantity: str, printed: str, computed: str = "", note: str = "") -> Check:
    """A figure on which nothing is decided, and the reason."""
    return Check(source, quantity, "open", printed, computed, None, note)


def as_table(checks: Iterable[Check]) -> pd.DataFrame:
    """The checks as a table; `agrees` is true, false or missing."""
    table = pd.DataFrame([vars(check) for check in checks])
    return table.astype({"agrees": "boolean"})
