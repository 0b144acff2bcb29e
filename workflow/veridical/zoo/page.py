"""The fault zoo on the page: how it was run, one number an instrument, all the shares."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate
from veridical.report.wording import Wording
from veridical.zoo.counting import CONTROLS
from veridical.zoo.findings import find
from veridical.zoo.instruments import JUDGED, OTHERS, OURS, TOGETHER, YOURS
from veridical.zoo.tables import (
    FAULT_TABLE,
    INSTRUMENTS,
    POWER,
    RATES,
    TABLES,
    THRESHOLDS,
    VERDICTS,
)


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    rates, instruments = study[RATES], study[INSTRUMENTS]
    control3 = study.config["control3"]
    yield words(
        "method_faults",
        faults=words.number(int(instruments["faults"].max()), 0),
        sound=words.numeral(rates[rates["side"] == "sound"]["subject"].nunique()),
        studies=words.number(int(rates[rates["instrument"] == CONTROLS]["studies"].max()), 0),
        entries=words.number(int(control3["document_encounters"]), 0),
        probes=words.number(int(control3["probes"]), 0),
    )
    yield words("method_rules")
    verdicts = study.table(VERDICTS)
    if verdicts is None:
        yield words("method_matched")
    else:
        judged = rates[rates["instrument"] == JUDGED]
        yield words(
            "method_judged",
            judge=verdicts["judge"].iloc[0],
            answers=words.number(len(verdicts), 0),
            studies=words.number(int(judged["studies"].max()), 0),
        )


def brief(study: Study, words: Wording) -> Table:
    """One line an instrument, those used together and those that others report first."""
    shown = INSTRUMENTS.shown("instrument", "group", "seen", "faults", "false_share")
    return tabulate(_reported(study[INSTRUMENTS]), shown, words, "brief")


def _reported(instruments: pd.DataFrame) -> pd.DataFrame:
    """The instruments by group: what is used together, what others report, yours, ours."""
    order = {group: at for at, group in enumerate((TOGETHER, OTHERS, YOURS, OURS))}
    return instruments.sort_values("group", key=lambda group: group.map(order), kind="stable")


def _curves(power: pd.DataFrame) -> pd.DataFrame:
    """The curves of the controls together and of recall@k; the file has every instrument's."""
    return power[power["instrument"].isin([CONTROLS, "recall"])]


def _odd_first(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The answers about which judge and string match differ before the others."""
    return verdicts.assign(odd=verdicts["matched"] == verdicts["right"]).sort_values(
        "odd", kind="stable"
    )


PART = Part(
    key="zoo",
    contracts=TABLES,
    essential=INSTRUMENTS,
    find=lambda study, words: find(
        study[INSTRUMENTS], study[FAULT_TABLE], study[RATES], words, study.table(VERDICTS)
    ),
    method=method,
    brief=brief,
    tables=(
        View(FAULT_TABLE, first="subject"),
        View(INSTRUMENTS, order=_reported, first="instrument"),
        View(RATES, first="subject"),
        View(POWER, order=_curves, first="subject"),
        View(THRESHOLDS, first="store"),
        View(VERDICTS, order=_odd_first, first="question"),
    ),
    figures=(Drawn("zoo_noticed"),),
    group="controls",
)
