"""What the memory systems showed, in sentences: stored and found are read before any reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from veridical.memories.plan import VERIDICAL
from veridical.memories.readers import IDEAL
from veridical.memories.stages import STAGES
from veridical.report.finding import Finding, Glance
from veridical.report.wording import Wording


def find(
    cells: pd.DataFrame,
    stages: pd.DataFrame,
    banks: pd.DataFrame,
    sham: pd.DataFrame,
    words: Wording,
) -> Finding:
    """Do answers follow what went into a store, and if not, which stage lost it?

    The answer is read on the ideal reader's cells, so that it never rests on a model that reads
    badly. Leaks and answers below chance are alarms and come first among the limits.
    """
    ideal = cells[cells["reader"] == IDEAL]
    follow = ideal[ideal["verdict"] == "follows"]
    count = words.count(len(follow), "cell")
    key = "all" if len(follow) == len(ideal) else ("some" if len(follow) else "none")
    answer = words(f"findings.{key}", count=count, m=words.numeral(len(ideal)))
    details = [*_broken(stages, words), *_readers(cells, words)]
    sure = "limited" if len(follow) else "open"
    limits = tuple(_limits(cells, banks, sham, words))
    return Finding(answer, sure, limits, tuple(details), tuple(_lines(stages, words)))


def _lines(stages: pd.DataFrame, words: Wording) -> Iterator[Glance]:
    """A line a system: does it remember? The true memory of all corpora, stage by stage.

    A stage that can't be measured on every corpus is not counted on the others alone.
    """
    true = stages[(stages["document"] == VERIDICAL) & (stages["reader"] == IDEAL)]
    for system, rows in true.groupby("system", sort=False):
        row: dict[str, Any] = {}
        for stage in STAGES[:3]:
            whole = int(rows[f"{stage}_of"].sum())
            row |= {stage: rows[stage].sum(skipna=False), f"{stage}_of": whole}
        shares = [_share(row[stage], row[f"{stage}_of"]) for stage in STAGES[:3]]
        said = {stage: _of(row, stage, words) for stage in STAGES[:3]}
        yield Glance(words("findings.line", system=system, **said), tuple(shares))


def _share(part: float, whole: int) -> float | None:
    return None if pd.isna(part) or not whole else float(part) / whole


def _limits(
    cells: pd.DataFrame, banks: pd.DataFrame, sham: pd.DataFrame, words: Wording
) -> list[str]:
    said = []
    leaks = banks[banks["leaks"].notna()]
    if len(leaks):
        said.append(words("findings.leak", cells=_named(leaks, words)))
    alarm = cells[cells["alarm"]]
    if len(alarm):
        said.append(words("findings.alarm", cells=_named(alarm, words)))
    refused = cells[~cells["admitted"]]
    if len(refused):
        said.append(words("findings.refused", cells=_named(refused, words)))
    guessed = cells[cells["verdict"] == "guessed"]
    if len(guessed):
        said.append(words("findings.guessed", cells=_named(guessed, words)))
    unseen = banks[banks["intact"].isna() & (banks["state"] == "ok")]
    if len(unseen):
        said.append(words("findings.unseen", cells=_named(unseen, words)))
    ideal = sham[sham["reader"] == IDEAL]
    differ = int(ideal["answers_differ"].sum())
    said.append(
        words(
            "findings.sham",
            differ=words.number(differ, 0),
            n=words.number(int(ideal["n"].sum()), 0),
        )
    )
    return [*said, words("findings.behaviour")]


def _broken(stages: pd.DataFrame, words: Wording) -> list[str]:
    """A sentence a system and corpus whose true memory did not come back whole: where it broke."""
    true = stages[(stages["document"] == VERIDICAL) & (stages["reader"] == IDEAL)]
    return [
        words(
            f"findings.broke_{row['broke']}",
            cell=f"{row['system']} ({row['corpus']})",
            stored=_of(row, "stored", words),
            found=_of(row, "found", words),
            followed=_of(row, "followed", words),
        )
        for row in true.to_dict("records")
        if isinstance(row["broke"], str)
    ]


def _readers(cells: pd.DataFrame, words: Wording) -> list[str]:
    """What the models that read the recalls made of them."""
    models = cells[cells["reader"] != IDEAL]
    return [
        words(
            "findings.reader",
            reader=row["reader"],
            cell=f"{row['system']} ({row['corpus']})",
            true=words.number(row["true_right"], 0),
            named=words.number(row["swapped_named"], 0),
            n=words.number(row["n"], 0),
            p=words.p_value(row["p_follow_holm"]),
        )
        for row in models.to_dict("records")
        if row["admitted"]
    ]


def _of(row: dict[str, Any], stage: str, words: Wording) -> str:
    """A count and what it is of."""
    part = row[stage]
    if not row[f"{stage}_of"]:
        return "–"
    counted = "–" if part is None or pd.isna(part) else words.number(int(part), 0)
    return words("findings.of", part=counted, whole=words.number(int(row[f"{stage}_of"]), 0))


def _named(rows: pd.DataFrame, words: Wording) -> str:
    names = dict.fromkeys(f"{row.system} ({row.corpus})" for row in rows.itertuples())
    return words.join(list(names))
