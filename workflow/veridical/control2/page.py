"""Control 2 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control2.cells import several
from veridical.control2.drill import drill
from veridical.control2.findings import find
from veridical.control2.tables import EFFECTS, TABLES, VALIDITY
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording

TO_MODEL = to("control2", "corpus", "model")


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, validity = study.config["control2"], study[VALIDITY]
    key = "method_brought" if config.get("answers_csv") else "method_probes"
    asked = (validity["n"] + validity["n_left_out"]).groupby(validity["corpus"], sort=False).max()
    yield words(
        f"{key}_corpora" if several(validity) else key,
        corpora=words.join(asked.index),
        probes=words.span(asked, lambda n: words.count(int(n), "probe")),
        models=words.count(validity["model"].nunique(), "model"),
        counterfeit=config["counterfeit"],
    )
    if config.get("memory"):
        k = words.numeral(study.config["memories"]["k"])
        yield words("method_store", system=config["memory"], k=k)
    rule = config["validity"]
    yield words(
        "method_rule",
        rule=words(
            f"rule_{rule['registered']}",
            threshold=words.percent(rule.get("threshold"), 0),
            upper=words.percent(rule.get("upper"), 0),
        ),
    )


def brief(study: Study, words: Wording) -> Table:
    """The right answers under each condition, those with no document at all read first."""
    validity = study[VALIDITY]
    none = validity[validity["condition"] == "none"].drop(columns=["condition"])
    counted = validity.assign(answered=validity["correct"] + validity["wrong"])
    cell = ["corpus", "model"]
    counts = counted.pivot(index=cell, columns="condition", values=["correct", "answered"])
    counts.columns = [f"{condition}_{part}" for part, condition in counts.columns]
    table = none.merge(counts.reset_index(), on=cell, how="left")
    # One denominator throughout: the rules, the interval and p are read on the answered probes.
    columns = [
        *VALIDITY.shown("corpus", "model"),
        *(
            Shown(name, "count_of", (f"{name}_correct", f"{name}_answered"))
            for name in ("veridical", "counterfeit", "none")
        ),
        Shown("answered_of_asked", "of", ("none_answered", "n")),
        *VALIDITY.shown("wilson", "p_solves_holm", "finding", "valid"),
    ]
    share = table["none_correct"].astype(float) / table["none_answered"]
    table = table.assign(share=share, place=_places(table["corpus"]))
    table = table.sort_values(["place", "share"], kind="stable")
    return tabulate(table, columns, words, "brief", TO_MODEL)


def _places(corpora: pd.Series) -> pd.Series:
    """Each corpus's place in the study's order."""
    return pd.Series(pd.factorize(corpora)[0], index=corpora.index)


def _none_first(validity: pd.DataFrame) -> pd.DataFrame:
    return validity.sort_values("condition", key=lambda c: c != "none", kind="stable")


def find_study(study: Study, words: Wording) -> Finding:
    """Can models pass the recognition probe with no document?"""
    return find(study[VALIDITY], words, study.table(EFFECTS))


PART = Part(
    key="control2",
    contracts=TABLES,
    essential=VALIDITY,
    find=find_study,
    method=method,
    brief=brief,
    tables=(View(VALIDITY, TO_MODEL, _none_first), View(EFFECTS)),
    drill=drill,
    figures=(
        Drawn("control2_accuracy"),
        Drawn("control2_prior", ("useless", "adds", "takes")),
    ),
    group="controls",
)
