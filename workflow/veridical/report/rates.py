"""How sure the page's sentences are: the rates measured for the study's design, beside each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from veridical.base.contract import Shown
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate
from veridical.report.wording import Wording

TABLE = "claims/claims"

SHOWN = (
    Shown("claim", "value:claim"),
    Shown("rate", "share", digits=0),
    Shown("false", "share"),
    Shown("false_interval", "share_interval", ("false_low", "false_high")),
    Shown("false_world", "value:world"),
    Shown("power", "share", digits=0),
    Shown("power_world", "value:world"),
)


@dataclass(frozen=True)
class Rates:
    """The rates of one part's claims.

    table: one row a claim, for the fold beside "how sure"; None where none was measured. studies:
    how many were drawn in each world. beside: by the key of a sentence's text, what is printed
    beside it.
    """

    table: Table | None = None
    studies: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)

    def of(self, sentence: str) -> str:
        """What is printed beside a sentence; nothing where it claims nothing."""
        return self.beside.get(getattr(sentence, "key", ""), "")


def rates_of(part: str, study: Study, words: Wording) -> Rates:
    """A part's rates in words; the registered rules of the sources come last in the table."""
    table = study.tables.get(TABLE)
    if table is None:
        return Rates()
    known = table["false"].notna() | table["power"].notna()  # the rest can't be said in this design
    rows = table[(table["part"] == part) & known].sort_values("registered", kind="stable")
    if rows.empty:
        return Rates()
    shown = tabulate(_named(rows, words), SHOWN, words, "claims")
    beside: dict[str, str] = {}
    for row in rows[~rows["registered"].astype(bool)].to_dict("records"):
        for key in str(row["sentences"]).split():
            beside[key] = _worse(beside.get(key), row, words)
    return Rates(shown, words.number(int(rows["studies"].max()), 0), beside)


def _named(rows: pd.DataFrame, words: Wording) -> pd.DataFrame:
    """The claims by their names within the part; a registered rule is not held to a rate."""
    names = rows["claim"].str.partition(".")[2]
    free = rows["registered"].astype(bool)
    return rows.assign(claim=names, rate=rows["rate"].where(~free))


def _worse(before: str | None, row: Mapping[str, Any], words: Wording) -> str:
    """What is printed beside a sentence; of two claims that it makes, the first measured stands."""
    if before or pd.isna(row["false"]):
        return before or ""
    studies = words.number(int(row["studies"]), 0)
    if row["false"] == 0:
        return words("page.rate_none", studies=studies)
    rate, allowed = float(row["false"]), float(row["rate"])
    key = "page.rate"
    if rate > allowed:  # by more than what so few studies can bring by chance?
        key = "page.rate_over" if row["false_low"] > allowed else "page.rate_unclear"
    return words(
        key,
        rate=words.percent(rate),
        allowed=words.percent(allowed, 0),
        studies=studies,
        low=words.percent(float(row["false_low"])),
        high=words.percent(float(row["false_high"])),
    )
