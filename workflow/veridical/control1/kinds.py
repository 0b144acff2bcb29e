"""Control 1's further counterfeits: which of them were told apart, and how each is drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control1.tables import CELL
from veridical.documents.names import ADJACENT, DOSES, STALE, in_order
from veridical.report.wording import Said, Wording

SHUFFLED = "veridical-shuffled"
DOSED = {f"veridical-{condition}": dose for condition, dose in DOSES.items()}
KEY = "findings."
# What each is drawn like (`drawing.palette`), and doses by a marker of their own besides.
ROLES = {ADJACENT: "foreign", STALE: "corrupted", **dict.fromkeys(DOSES, "corrupted")}
MARKS = {ADJACENT: "P", STALE: "*", **dict(zip(DOSES, "<>^vdphH8X", strict=True))}


def role(condition: str) -> str:
    """The palette's name for a condition's colour: altered memories share one, others' lives too.

    >>> role("partial-30"), role("foreign")
    ('corrupted', 'foreign')
    """
    return ROLES.get(condition, condition)


def told_apart(apart: pd.DataFrame, told: pd.Series, words: Wording) -> Iterator[Said]:
    """Which counterfeits beside the foreign one were told apart, on metrics on which that was not.

    `apart` are rows of `control1/findings` with a finding, the foreign ones left out; `told` the
    metrics on which those have one (both by `named`, the metric in words). Doses have a sentence of
    their own (`doses_apart`).
    """
    rows = apart[~apart["named"].isin(told) & ~apart["contrast"].isin(DOSED)]
    if rows.empty:
        return
    if (rows["contrast"] == SHUFFLED).all():
        yield words(KEY + "told_apart", metrics=_metrics(rows, words), sizes=_sizes(rows, words))
        return
    kinds = [
        words(
            "apart_by_kind",
            kind=words.value("kind", str(contrast).removeprefix("veridical-")),
            metrics=_metrics(own, words),
            sizes=_sizes(own, words),
        )
        for contrast, own in rows.groupby("contrast", sort=False)
    ]
    yield words(KEY + "kinds_apart", kinds=words.join(kinds))


def doses_apart(apart: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """At which doses, in percent of the bindings, an altered memory was told apart, by metric."""
    dosed = apart[apart["contrast"].isin(DOSED)]
    for metric, own in dosed.groupby("named", sort=False):
        doses = sorted(own["contrast"].map(DOSED))
        yield words(
            KEY + "doses_apart",
            metric=metric,
            doses=words.join([words.percent(dose / 100, 0) for dose in doses]),
            sizes=_sizes(own, words),
        )


def by_dose(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of contrasts by cell and metric, as they come, then by kind, doses by their size."""
    heads = [name for name in (*CELL, "metric") if name in table]
    first = table.groupby(heads, sort=False).ngroup()
    places = [
        (group, *in_order(contrast.removeprefix("veridical-")))
        for group, contrast in zip(first, table["contrast"], strict=True)
    ]
    return table.iloc[sorted(range(len(places)), key=places.__getitem__)]


def further(documents: list[str], words: Wording) -> Iterator[Said]:
    """What stands against the memory block beside the foreign and shuffled ones, by condition."""
    doses = [words.percent(dose / 100, 0) for name, dose in DOSES.items() if name in documents]
    if doses:
        yield words("method_partial", doses=words.join(doses))
    for condition in (STALE, ADJACENT):
        if condition in documents:
            yield words(f"method_{condition}")


def _metrics(rows: pd.DataFrame, words: Wording) -> str:
    return words.join(dict.fromkeys(rows["named"]))


def _sizes(rows: pd.DataFrame, words: Wording) -> str:
    return words.span(rows["estimate"], lambda value: words.number(value, sign=True))
