"""The benchmark's part on the page: how it was asked, what its arms earn, what it gives away."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.base.contract import Shown
from veridical.benchmarks.drill import drill, to_stratum
from veridical.benchmarks.findings import find
from veridical.benchmarks.judging import ALL
from veridical.benchmarks.summary import false_alarms
from veridical.benchmarks.tables import (
    AGREEMENT,
    BANKS,
    CHECKS,
    CONTRASTS,
    EARNED,
    FLAGS,
    PREMIUMS,
    SAMPLE,
    STRATA,
    TABLES,
)
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate
from veridical.report.wording import Wording

ARMS = ("none", "counterfeit", "corrupted", "oracle", "full")


def method(study: Study, words: Wording) -> Iterator[str]:
    """What was asked of whom, and how the lint was set."""
    sample, earned = study[SAMPLE], study[EARNED]
    alarms, n = false_alarms()["any"]
    arms = [arm for arm in ARMS if (earned["arm"] == arm).any()]
    yield words(
        "method_arms",
        file=study.config["benchmarks"]["file"].rpartition("/")[2],
        asked=words.number(float(sample["asked"].sum()), 0),
        items=words.number(float(sample["items"].sum()), 0),
        models=words.count(earned["model"].nunique(), "model"),
        arms=words.join(words.value("arm", arm) for arm in arms),
    )
    banks = study.table(BANKS)
    if banks is not None:
        yield words(
            "method_systems",
            systems=words.join(banks["system"].drop_duplicates()),
            banks=words.number(float(len(banks)), 0),
            lost=words.number(float((~banks["admitted"].astype(bool)).sum()), 0),
        )
    agreed = study.table(AGREEMENT)
    if agreed is not None:
        yield _judged(agreed, words)
    yield words(
        "method_lint",
        alarms=words.number(float(alarms), 0),
        benchmarks=words.number(float(n), 0),
    )


def _judged(agreed: pd.DataFrame, words: Wording) -> str:
    """Who judged the open answers, and how often that is not what exact match says."""
    judges = agreed[agreed["judge"] != ALL]
    decided = agreed.iloc[-1]  # the judges together come last; where there is one, it decides
    return words(
        "method_judges",
        judges=words.join(judges["judge"]),
        answers=words.number(float(decided["answers"]), 0),
        unread=words.number(float(decided["unread"]), 0),
        judge_only=words.number(float(decided["judge_only"]), 0),
        exact_only=words.number(float(decided["exact_only"]), 0),
    )


def brief(study: Study, words: Wording) -> Table:
    """By stratum what each arm earns, and the premium; all items come last."""
    earned, premium = study[EARNED], study[PREMIUMS]
    table = earned.pivot(index=["model", "stratum"], columns="arm", values="accuracy")
    table = table.add_prefix("arm_").reset_index().merge(premium, on=["model", "stratum"])
    last = table["stratum"] == ""
    table = table.assign(stratum=table["stratum"].where(~last, words("all_items")))
    columns = [
        Shown("model"),
        Shown("stratum"),
        *(Shown(f"arm_{arm}", "share", digits=0) for arm in ARMS),
        Shown("premium", "points"),
        Shown("ci95", "share_interval", ("ci95_low", "ci95_high")),
        Shown("p_holm", "p"),
        Shown("finding", "value:earning"),
    ]
    order = table.assign(last=last).sort_values(["model", "last"], kind="stable").index
    return tabulate(table.loc[order], columns, words, "brief")


def find_study(study: Study, words: Wording) -> Finding:
    """Does a score on this benchmark owe anything to memory?"""
    return find(study[PREMIUMS], study[CHECKS], words, study.table(BANKS))


PART = Part(
    key="benchmarks",
    contracts=TABLES,
    essential=PREMIUMS,
    find=find_study,
    method=method,
    brief=brief,
    tables=(
        View(PREMIUMS, to_stratum),
        View(EARNED, to_stratum),
        View(AGREEMENT),
        View(BANKS),
        View(CONTRASTS),
        View(CHECKS),
        View(STRATA),
        View(FLAGS),
        View(SAMPLE),
    ),
    drill=drill,
    figures=(Drawn("benchmarks_arms"),),
    group="controls",
)
