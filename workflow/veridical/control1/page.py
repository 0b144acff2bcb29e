"""Control 1 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.base.checks import language_of
from veridical.base.instrument import metric_lines
from veridical.control1.drill import drill
from veridical.control1.findings import find
from veridical.control1.tables import (
    BESIDE,
    CONTRASTS,
    DRIFT,
    FINDING,
    INSTRUMENT,
    JUDGES,
    NOISE,
    POSITIVE,
    POWER,
    RESPONSES,
    SESSIONS,
    TABLES,
    VERDICT,
)
from veridical.documents.names import SEEDED
from veridical.documents.tables import FIDELITY
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate, to
from veridical.report.wording import Wording

TO_CONTRAST = to("control1", "metric", "contrast")


def find_study(study: Study, words: Wording) -> Finding:
    """Did the judges notice whose memory it was?"""
    return find(
        study[FINDING],
        study[INSTRUMENT],
        study[CONTRASTS],
        study.config["control1"]["equivalence_bound"],
        words,
        study.table(DRIFT),
        study.table(JUDGES),
        study.table(POWER),
        study.table(NOISE),
    )


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, documents = study.config["control1"], study.config["documents"]
    block = study.documents.get((config["corpus"], "veridical"))
    yield words(
        "method_documents",
        corpus=config["corpus"],
        characters=words.number(float(len(block.rstrip("\n"))) if block else None, 0),
        foreign=words.count(len(documents["foreign_seeds"]), "foreign"),
        shuffled=words.count(len(documents["shuffled_seeds"]), "shuffled"),
        author=documents["author"],
        tolerance=words.percent(documents["length_tolerance"], 0),
    )
    responses, verdicts = study.table(RESPONSES), study.table(VERDICT)
    given = 0 if responses is None else int(responses["condition"].isin(SEEDED).sum())
    sheets = incomplete = 0
    if verdicts is not None:
        source = verdicts[verdicts["session"].isin(SESSIONS)]
        sheets = len(source.drop_duplicates(["sheet_id", "judge"]))
        broken = source[source["state"] != "complete"]
        incomplete = len(broken.drop_duplicates(["sheet_id", "judge"]))
    response = config.get("response", {})
    contrasts = study[CONTRASTS]
    n = int(contrasts["n_items"].max())
    yield words(
        "method_judging",
        responder=config["responder"],
        inputs=words.count(n, "input"),
        documents=words.numeral(len(documents["foreign_seeds"]) + len(documents["shuffled_seeds"])),
        answers=words.count(given, "answer", word=False),
        temperature=words.setting(response.get("temperature")),
        max_tokens=words.setting(response.get("max_tokens")),
        judges=words.count(len(config["judges"]), "judge"),
        names=words.join(config["judges"]),
        verdicts=words.count(sheets, "verdict", word=False),
        incomplete=words.number(incomplete, 0),
    )
    if own := config.get("wording"):
        language = language_of(config["corpus"])
        yield words("method_metrics", metrics="; ".join(metric_lines([*own], own, language, {})[0]))
    if verdicts is not None:
        yield from _beside(verdicts[~verdicts["session"].isin(SESSIONS)], words)
    bootstrap = contrasts["bootstrap"].iloc[0]
    yield words(
        "method_analysis",
        n=n,
        bound=words.number(config["equivalence_bound"], 2),
        bootstrap=words(f"{bootstrap}"),
        registered=words.value("reading", config["registered"]),
    )


def _beside(verdicts: pd.DataFrame, words: Wording) -> Iterator[str]:
    """The sheets that stand beside those of the source's design, counted apart."""
    if verdicts.empty:
        return
    judged = verdicts.drop_duplicates(["sheet_id", "judge"])
    by_session = judged["session"].value_counts()
    counts = {session: int(by_session[session]) for session in BESIDE if session in by_session}
    parts = [
        words(f"beside_{session}", verdicts=words.count(n, "verdict", word=False))
        for session, n in counts.items()
    ]
    incomplete = int((judged["state"] != "complete").sum())
    yield words(
        "method_beside",
        verdicts=words.count(len(judged), "verdict", word=False),
        parts=words.join(parts),
        incomplete=words.number(incomplete, 0),
    )


def brief(study: Study, words: Wording) -> Table:
    """What was found on every metric and kind."""
    columns = FINDING.shown(
        "metric",
        "contrast",
        "estimate",
        "interval95",
        "documents_interval",
        "p_items_holm",
        "finding",
    )
    return tabulate(study[FINDING], columns, words, "brief", TO_CONTRAST)


def _anchored_first(contrasts: pd.DataFrame) -> pd.DataFrame:
    return contrasts.sort_values("reading", key=lambda r: r != "anchored", kind="stable")


def _worth_reading(judges: pd.DataFrame) -> pd.DataFrame:
    return judges[judges["statistic"] != "scores"]


PART = Part(
    key="control1",
    contracts=TABLES,
    essential=FINDING,
    find=find_study,
    method=method,
    brief=brief,
    tables=(
        View(FINDING, TO_CONTRAST),
        View(INSTRUMENT),
        View(CONTRASTS, TO_CONTRAST, _anchored_first),
        View(DRIFT, to("control1", "metric", "contrast", "item_id")),
        View(NOISE),
        View(POSITIVE),
        View(JUDGES, order=_worth_reading),
        View(POWER),
        View(FIDELITY),
    ),
    drill=drill,
    figures=(
        Drawn("control1_forest"),
        Drawn("control1_drift", ("drift", "no_drift")),
        Drawn("control1_scores", ("agreement", "constant")),
        Drawn("control1_power", ("power", "power_beyond")),
    ),
    group="controls",
)
