"""Control 1 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control1.drill import drill
from veridical.control1.findings import find
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording

CONTRASTS = (
    Shown("metric", "value:metric"),
    Shown("contrast", "value:contrast"),
    Shown("reading", "value:reading"),
    Shown("registered", "flag"),
    Shown("n_items", "int"),
    Shown("estimate", "signed"),
    Shown("ci90", "signed_interval", ("ci90_low", "ci90_high")),
    Shown("ci95", "signed_interval", ("ci95_low", "ci95_high")),
    Shown("verdict", "value:verdict"),
    Shown("t_ci90", "signed_interval", ("t_ci90_low", "t_ci90_high")),
    Shown("t_ci95", "signed_interval", ("t_ci95_low", "t_ci95_high")),
    Shown("tost_p", "p"),
    Shown("t_verdict", "value:verdict"),
    Shown("methods_disagree", "flag"),
    Shown("inside_not_zero", "flag"),
    Shown("bootstrap", "value:bootstrap"),
    Shown("note"),
)
DRIFT = (
    Shown("metric", "value:metric"),
    Shown("item_id"),
    Shown("contrast", "value:contrast"),
    Shown("anchor_original", "number"),
    Shown("anchor_counterfeit", "number"),
    Shown("drift", "signed"),
)
JUDGES = (
    Shown("judge"),
    Shown("metric", "value:metric"),
    Shown("statistic", "value:statistic"),
    Shown("contrast", "value:contrast"),
    Shown("value", "number"),
    Shown("note", "value:verdict"),
)
POWER = (
    Shown("metric", "value:metric"),
    Shown("contrast", "value:contrast"),
    Shown("method", "value:method"),
    Shown("assumed", "value:assumed"),
    Shown("true_difference", "signed"),
    Shown("n_items", "int"),
    Shown("probability_conclusive", "share"),
    Shown("probability_equivalent", "share"),
    Shown("probability_different", "share"),
    Shown("items_for_80", "int"),
    Shown("note"),
)
FIDELITY = (
    Shown("corpus"),
    Shown("document"),
    Shown("check", "value:check"),
    Shown("value"),
    Shown("limit"),
    Shown("passed", "flag"),
    Shown("note"),
)
TO_CONTRAST = to("control1", "metric", "contrast")
JUDGED = ("mean", "sd", "distinct_scores", "alpha", "order", "alone", "leave_one_out")


def find_study(study: Study, words: Wording) -> Finding:
    """Did the judges notice whose memory it was?"""
    return find(
        study.tables["control1/contrasts"],
        study.config["control1"]["equivalence_bound"],
        words,
        study.table("control1/drift"),
        study.table("control1/judges"),
        study.table("control1/power"),
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
    conditions = study.column("control1/responses", "condition")
    given = conditions.isin(["foreign", "shuffled"])
    verdicts = study.table("control1/verdicts")
    sheets = incomplete = 0
    if verdicts is not None:
        by_sheet = verdicts.drop_duplicates(["sheet_id", "judge"])
        sheets = len(by_sheet)
        broken = verdicts[verdicts["state"] != "complete"]
        incomplete = len(broken.drop_duplicates(["sheet_id", "judge"]))
    response = config.get("response", {})
    contrasts = study.tables["control1/contrasts"]
    n = int(contrasts["n_items"].max())
    yield words(
        "method_judging",
        responder=config["responder"],
        inputs=words.count(n, "input"),
        documents=words.numeral(len(documents["foreign_seeds"]) + len(documents["shuffled_seeds"])),
        answers=words.count(int(given.sum()), "answer", word=False),
        temperature=words.setting(response.get("temperature")),
        max_tokens=words.setting(response.get("max_tokens")),
        judges=words.count(len(config["judges"]), "judge"),
        names=words.join(config["judges"]),
        verdicts=words.count(sheets, "verdict", word=False),
        incomplete=words.number(incomplete, 0),
    )
    bootstrap = contrasts["bootstrap"].iloc[0] if "bootstrap" in contrasts else "resampled"
    yield words(
        "method_analysis",
        n=n,
        bound=words.number(config["equivalence_bound"], 2),
        bootstrap=words(f"{bootstrap}"),
        registered=words.value("reading", config["registered"]),
    )


def brief(study: Study, words: Wording) -> Table:
    """The anchored contrasts."""
    contrasts = study.tables["control1/contrasts"]
    columns = [
        Shown("metric", "value:metric"),
        Shown("contrast", "value:contrast"),
        Shown("estimate", "signed"),
        Shown("ci90", "signed_interval", ("ci90_low", "ci90_high")),
        Shown("ci95", "signed_interval", ("ci95_low", "ci95_high")),
        Shown("verdict", "value:verdict"),
        Shown("t_verdict", "value:verdict"),
    ]
    rows = contrasts[contrasts["reading"] == "anchored"]
    return tabulate(rows, columns, words, "brief", TO_CONTRAST)


def _anchored_first(contrasts: pd.DataFrame) -> pd.DataFrame:
    return contrasts.sort_values("reading", key=lambda r: r != "anchored", kind="stable")


def _worth_reading(judges: pd.DataFrame) -> pd.DataFrame:
    return judges[judges["statistic"].str.startswith(JUDGED)]


PART = Part(
    key="control1",
    essential="control1/contrasts",
    find=find_study,
    method=method,
    brief=brief,
    tables=(
        View("control1/contrasts", "contrasts", CONTRASTS, TO_CONTRAST, _anchored_first),
        View("control1/drift", "drift", DRIFT, to("control1", "metric", "contrast", "item_id")),
        View("control1/judges", "judges", JUDGES, order=_worth_reading),
        View("control1/power", "power", POWER),
        View("documents/fidelity", "fidelity", FIDELITY),
    ),
    drill=drill,
    figures=(
        Drawn("control1_forest"),
        Drawn("control1_drift", ("drift",)),
        Drawn("control1_scores", ("agreement", "constant")),
        Drawn("control1_power", ("power", "power_beyond")),
    ),
    group="controls",
)
