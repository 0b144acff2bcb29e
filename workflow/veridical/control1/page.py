"""Control 1 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.base.counterfeits import counterfeits
from veridical.control1.direct import page as direct
from veridical.control1.direct.tables import PREFERENCES
from veridical.control1.drill import drill
from veridical.control1.findings import find
from veridical.control1.kinds import by_dose
from veridical.control1.method import (
    beside,
    documents,
    limits,
    store,
    truncated,
    worded_metrics,
)
from veridical.control1.panel_tables import INSTRUMENT, JUDGES, NOISE, POWER
from veridical.control1.tables import (
    BLINDING,
    CELL,
    CONTRASTS,
    DRIFT,
    FINDING,
    POSITIVE,
    RESPONSES,
    SESSIONS,
    VERDICT,
)
from veridical.documents.names import COUNTERFEITS
from veridical.documents.tables import FIDELITY
from veridical.report.drill import Drill
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate, to
from veridical.report.wording import Wording

TO_CONTRAST = to("control1", "responder", "corpus", "metric", "contrast")


def _chosen(study: Study) -> bool:
    """Whether judges chose between two answers, and scored none."""
    return PREFERENCES.name in study.tables


def find_study(study: Study, words: Wording) -> Finding:
    """Did the judges notice whose memory it was?"""
    if _chosen(study):
        return direct.find_study(study, words)
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
    config, verdicts = study.config["control1"], study.table(VERDICT)
    if _chosen(study):
        yield from direct.method(study, words)
        return
    if config.get("verdicts_csv"):
        yield from _brought(study, words)
    else:
        yield from _asked(study, words)
    yield from worded_metrics(study, words)
    yield from store(study, words)
    if verdicts is not None:
        yield from beside(verdicts[~verdicts["session"].isin(SESSIONS)], words)
    contrasts = study[CONTRASTS]
    if contrasts.empty:  # no bank of the memory system was admitted: nothing was analysed
        return
    bootstrap = contrasts["bootstrap"].iloc[0]
    yield words(
        "method_analysis",
        n=int(contrasts["n_items"].max()),
        bound=words.number(config["equivalence_bound"], 2),
        bootstrap=words(f"{bootstrap}"),
        registered=words.value("reading", config["registered"]),
    )


def _brought(study: Study, words: Wording) -> Iterator[str]:
    """Verdicts that the study brings as a table: how many, of whom, on how many items."""
    verdicts, contrasts = study[VERDICT], study[CONTRASTS]
    judges = list(verdicts["judge"].drop_duplicates())
    yield words(
        "method_brought",
        verdicts=words.count(verdicts["sheet_id"].nunique(), "verdict", word=False),
        judges=words.count(len(judges), "judge"),
        names=words.join(judges),
        inputs=words.count(int(contrasts["n_items"].max()), "input"),
    )


def _asked(study: Study, words: Wording) -> Iterator[str]:
    """The documents, who answered under them, and who judged."""
    config = study.config["control1"]
    for corpus in () if config.get("responses_csv") else config["corpora"]:
        yield from documents(study, corpus, words)
    responses, verdicts = study.table(RESPONSES), study.table(VERDICT)
    given = 0 if responses is None else int(responses["condition"].isin(COUNTERFEITS).sum())
    sheets = incomplete = 0
    if verdicts is not None:
        here = SESSIONS[1:] if config.get("original_csv") else SESSIONS  # an earlier study's apart
        source = verdicts[verdicts["session"].isin(here)]
        sheets = len(source.drop_duplicates(["sheet_id", "judge"]))
        broken = source[source["state"] != "complete"]
        incomplete = len(broken.drop_duplicates(["sheet_id", "judge"]))
    cells = study[CONTRASTS][list(CELL)].drop_duplicates()
    held = [len(counterfeits(study.config, corpus)) for corpus in config["corpora"]]
    key = "method_judging_cells" if len(cells) > 1 else "method_judging"
    yield words(
        "method_judging_brought" if config.get("responses_csv") else key,
        responder=words.join(config.get("responders", ())),
        corpora=words.join(config["corpora"]),
        cells=words.count(len(cells), "cell"),
        inputs=words.count(int(study[CONTRASTS]["n_items"].max() if given else 0), "input"),
        documents=words.span(held, lambda count: words.numeral(count)),
        answers=words.count(given, "answer", word=False),
        limits=words.join(limits(study, words)),
        judges=words.count(len(config["judges"]), "judge"),
        names=words.join(config["judges"]),
        verdicts=words.count(sheets, "verdict", word=False),
        incomplete=words.number(incomplete, 0),
    )
    if config.get("sheet") == "open":
        yield words("method_open")
    if config.get("original_csv"):
        yield words("method_earlier")
    yield from truncated(responses, words)


def brief(study: Study, words: Wording) -> Table:
    """What was found on every metric and kind."""
    if _chosen(study):
        return direct.brief(study, words)
    columns = FINDING.shown(
        *CELL,
        "metric",
        "contrast",
        "estimate",
        "interval95",
        "documents_interval",
        "p_items_holm",
        "finding",
    )
    return tabulate(by_dose(study[FINDING]), columns, words, "brief", TO_CONTRAST)


def _anchored_first(contrasts: pd.DataFrame) -> pd.DataFrame:
    return contrasts.sort_values("reading", key=lambda r: r != "anchored", kind="stable")


def _worth_reading(judges: pd.DataFrame) -> pd.DataFrame:
    return judges[judges["statistic"] != "scores"]


def drilled(study: Study, words: Wording) -> Drill | None:
    """The rows behind what was found."""
    return (direct.drill if _chosen(study) else drill)(study, words)


PART = Part(
    key="control1",
    contracts=(
        *(RESPONSES, POSITIVE, BLINDING, VERDICT),
        *(CONTRASTS, DRIFT, JUDGES, POWER, FINDING, INSTRUMENT, NOISE),
        *direct.CONTRACTS,
    ),
    essential=FINDING,
    instead=PREFERENCES,
    find=find_study,
    method=method,
    brief=brief,
    tables=(
        View(FINDING, TO_CONTRAST, by_dose),
        View(INSTRUMENT),
        View(CONTRASTS, TO_CONTRAST, _anchored_first),
        View(DRIFT, to("control1", *CELL, "metric", "contrast", "item_id")),
        View(NOISE),
        View(POSITIVE),
        View(JUDGES, order=_worth_reading),
        View(POWER),
        *direct.VIEWS,
        View(FIDELITY),
    ),
    drill=drilled,
    figures=(
        Drawn("control1_forest"),
        Drawn("control1_drift", ("drift", "no_drift")),
        Drawn("control1_scores", ("agreement", "constant")),
        Drawn("control1_power", ("power", "power_beyond")),
        Drawn("control1_preferences"),
    ),
    group="controls",
)
