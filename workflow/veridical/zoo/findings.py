"""What the zoo showed, in sentences: counts of what was noticed, and nothing that is concluded."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.report.finding import Finding
from veridical.report.wording import Said, Wording
from veridical.zoo.counting import CONTROLS


def find(
    instruments: pd.DataFrame,
    faults: pd.DataFrame,
    rates: pd.DataFrame,
    words: Wording,
    verdicts: pd.DataFrame | None = None,
) -> Finding:
    """How many of the planted faults the controls notice together, with recall@k beside them, and
    how a judge's verdicts lie to the names that stand in the answers."""
    table = instruments.set_index("instrument")
    answer = words(
        "findings.noticed",
        faults=words.number(int(table["faults"].max()), 0),
        controls=words.number(int(table.loc[CONTROLS, "seen"]), 0),
        recall=words.number(int(table.loc["recall", "seen"]), 0),
        gap=words.number(int(table.loc["gap", "seen"]), 0),
    )
    limits = (*_void(table, words), _alarms(table, rates, words), words("findings.planted"))
    details = (*_unseen(faults, words), *_one(faults, words), *_judged(verdicts, words),
               *_yours(table, words))  # fmt: skip
    return Finding(answer, "descriptive", limits, details)


def _alarms(table: pd.DataFrame, rates: pd.DataFrame, words: Wording) -> Said:
    """How often the controls cry wolf, on the sound memory where they do so most."""
    row = table.loc[CONTROLS]
    mine = rates[(rates["instrument"] == CONTROLS) & (rates["subject"] == row["false_on"])].iloc[0]
    return words(
        "findings.alarms",
        noticed=words.number(int(mine["noticed"]), 0),
        studies=words.number(int(mine["studies"]), 0),
        memory=words.value("subject", row["false_on"]),
        high=words.percent(row["false_high"]),
    )


def _void(table: pd.DataFrame, words: Wording) -> Iterator[Said]:
    void = table[table["void"]]
    if len(void):
        yield words(
            "findings.void",
            instruments=words.join(words.value("instrument", key) for key in void.index),
        )


def _unseen(faults: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """The faults that no instrument notices in four studies of five."""
    unseen = faults[faults["by"].isna()]
    if len(unseen):
        yield words("findings.unseen", faults=_faults(unseen, words))


def _one(faults: pd.DataFrame, words: Wording) -> Iterator[Said]:
    """The faults that one instrument alone notices."""
    alone = faults[faults["by"].notna() & ~faults["by"].fillna("").str.contains(",")]
    if len(alone):
        yield words("findings.one", faults=_faults(alone, words))


def _judged(verdicts: pd.DataFrame | None, words: Wording) -> Iterator[Said]:
    """What the judge called right, of the answers that hold the right name and of the others."""
    if verdicts is None:
        return
    named, others = verdicts[verdicts["matched"]], verdicts[~verdicts["matched"].astype(bool)]
    yield words(
        "findings.judge",
        judge=verdicts["judge"].iloc[0],
        answers=words.number(len(verdicts), 0),
        named=words.number(len(named), 0),
        right=words.number(int(named["right"].sum()), 0),
        others=words.number(len(others), 0),
        wrong=words.number(int(others["right"].sum()), 0),
    )
    unread = int((verdicts["state"] != "ok").sum())
    if unread:
        yield words("findings.unread", count=words.number(unread, 0))


def _yours(table: pd.DataFrame, words: Wording) -> Iterator[Said]:
    for name, row in table[table["group"] == "yours"].iterrows():
        yield words(
            "findings.yours",
            instrument=name,
            seen=words.number(int(row["seen"]), 0),
            faults=words.number(int(row["faults"]), 0),
            false=words.percent(row["false_share"]),
        )


def _faults(rows: pd.DataFrame, words: Wording) -> str:
    return words.join([words.value("subject", name) for name in rows["subject"]])
