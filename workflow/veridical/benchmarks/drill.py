"""The drill of the benchmark: from a kind of question to its items, and the answers to each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from veridical.benchmarks.arms import ARMS
from veridical.benchmarks.scoring import subject
from veridical.benchmarks.tables import ANSWERS, ITEMS, JUDGED, PREMIUMS
from veridical.report.drill import Drill, Group, Nested, details, heads, states
from veridical.report.probes import exchanges, pivot
from veridical.report.study import Study
from veridical.report.tabulate import address
from veridical.report.wording import Wording

KEYS = ("model", "stratum")
NONE = "–"  # where a benchmark tells no kinds of question apart


def to_stratum(row: Mapping[str, Any]) -> str | None:
    """The address of a row's model and kind of question; None for all items."""
    return address("benchmarks", row["model"], row["stratum"]) if row["stratum"] else None


def drill(study: Study, words: Wording) -> Drill | None:
    """Kind of question → items → what was asked and answered in each arm, and the verdicts."""
    answers, items = study.table(ANSWERS), study.table(ITEMS)
    if answers is None or items is None:
        return None
    answers = answers.assign(stratum=answers["stratum"].replace("", NONE))
    rows, names = pivot(answers, (*KEYS, "item_id"), "arm", words)
    rows = rows.merge(items[["item_id", "question", "answer"]], on="item_id", how="left")
    own = rows[names["full"]].str.startswith("1")
    bare = [names[arm] for arm in ("none", "counterfeit") if arm in names]
    rows["missed"] = ~own
    rows["right_without"] = (
        rows[bare].apply(lambda column: column.str.startswith("1")).any(axis=1).astype(bool)
    )
    marks = [(names[arm], words.heading(f"arm_{arm}"), "mark") for arm in ARMS if arm in names]
    told = _by_subject(study)
    tables, nested = exchanges(told, "benchmarks", "arm", ("model", "item_id"), words)
    if tables:
        arm = tables["exchanges"]["arm"].map(lambda arm: words.value("arm", arm))
        tables["exchanges"] = tables["exchanges"].assign(arm=arm)
    judged = study.table(JUDGED)
    if judged is not None:
        shown = heads(words, "judge", ("answer", "quote"), "verdict", "state")
        label = words("drill.nested.verdicts")
        nested = (*nested, Nested(label, "verdicts", ("item_id",), shown))
        said = judged["verdict"].map(lambda verdict: words.value("judged", verdict))
        judged = judged.assign(state=states(judged, words), verdict=said)
        tables = {**tables, "verdicts": judged}
    return Drill(
        part="benchmarks",
        keys=KEYS,
        id="item_id",
        groups=tuple(_groups(answers, study.table(PREMIUMS), words)),
        rows=rows,
        columns=(*heads(words, "item_id", ("question", "quote")), *marks),
        details=details(words, "answer"),
        filters=(
            (words("drill.filters.missed"), "missed"),
            (words("drill.filters.right_without"), "right_without"),
        ),
        nested=nested,
        tables=tables,
    )


def _by_subject(study: Study) -> Study:
    """The study with the benchmark's exchanges under who answers: a model that reads a memory
    system has its name and the system's, and what it says without any memory as well."""
    kept = study.exchanges.get("benchmarks")
    if kept is None or kept.empty:
        return study
    systems = [facts.get("system") for facts in kept["facts"]]
    named = kept.assign(model=list(map(subject, kept["model"], systems)))
    bare = kept[[facts.get("arm") == "none" for facts in kept["facts"]]]
    again = [
        bare.assign(model=[subject(model, name) for model in bare["model"]])
        for name in dict.fromkeys(filter(None, systems))
    ]
    own = {**study.exchanges, "benchmarks": pd.concat([named, *again], ignore_index=True)}
    return replace(study, exchanges=own)


def _groups(answers: pd.DataFrame, premium: pd.DataFrame | None, words: Wording) -> Iterator[Group]:
    """A group a model and kind of question; its premium, where one was computed."""
    earned = {} if premium is None else premium.set_index(list(KEYS))["premium"].to_dict()
    for model, stratum in answers[list(KEYS)].drop_duplicates().itertuples(index=False):
        own = earned.get((model, stratum), earned.get((model, "")) if stratum == NONE else None)
        told = () if own is None else (words.points(own),)
        label = words("all_items") if stratum == NONE else stratum
        yield Group(path=(model, stratum), label=label, heading=model, facts=told)
