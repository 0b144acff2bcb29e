"""Control 2 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control2.drill import drill
from veridical.control2.findings import find
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording

VALIDITY = (
    Shown("model"),
    Shown("condition", "value:condition"),
    Shown("n", "int"),
    Shown("correct", "int"),
    Shown("wrong", "int"),
    Shown("abstained", "int"),
    Shown("unparseable", "int"),
    Shown("accuracy", "share"),
    Shown("accuracy_answered", "share"),
    Shown("coverage", "share"),
    Shown("wilson", "share_interval", ("wilson_low", "wilson_high")),
    Shown("binomial_p", "p"),
    Shown("valid_point", "flag"),
    Shown("valid_upper", "flag"),
    Shown("valid", "flag"),
    Shown("first_option_share", "share"),
    Shown("bound", "share_interval", ("bound_low", "bound_high")),
    Shown("neighbours", "number", digits=1),
    Shown("p_solves", "p"),
    Shown("p_solves_holm", "p"),
    Shown("finding", "value:solving"),
    Shown("habit", "value:habit"),
)
PRIORS = (
    Shown("model"),
    Shown("condition", "value:condition"),
    Shown("samples", "int"),
    Shown("n_pairs", "int"),
    Shown("n_prior_unknown", "int"),
    Shown("accuracy_answered", "share"),
    Shown("prior_true", "share"),
    Shown("prior_first", "share"),
    Shown("effect", "signed"),
    Shown("ci95", "signed_interval", ("low", "high")),
    Shown("p_effect", "p"),
    Shown("p_effect_holm", "p"),
    Shown("finding", "value:effect"),
)
TO_MODEL = to("control2", "model")


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, validity = study.config["control2"], study.tables["control2/validity"]
    yield words(
        "method_probes",
        probes=words.count(int(validity["n"].max()), "probe"),
        models=words.count(validity["model"].nunique(), "model"),
        counterfeit=config["counterfeit"],
    )
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
    validity = study.tables["control2/validity"]
    none = validity[validity["condition"] == "none"].drop(columns=["condition"])
    counted = validity.assign(answered=validity["correct"] + validity["wrong"])
    counts = counted.pivot(index="model", columns="condition", values=["correct", "answered"])
    counts.columns = [f"{condition}_{part}" for part, condition in counts.columns]
    table = none.merge(counts.reset_index(), on="model", how="left")
    # One denominator throughout: the rules, the interval and p are read on the answered probes.
    columns = [
        Shown("model"),
        *(
            Shown(name, "count_of", (f"{name}_correct", f"{name}_answered"))
            for name in ("veridical", "counterfeit", "none")
        ),
        Shown("answered_of_asked", "of", ("none_answered", "n")),
        Shown("wilson", "share_interval", ("wilson_low", "wilson_high")),
        Shown("p_solves_holm", "p"),
        Shown("finding", "value:solving"),
        Shown("valid", "flag"),
    ]
    order = (table["none_correct"] / table["none_answered"]).sort_values(kind="stable").index
    return tabulate(table.loc[order], columns, words, "brief", TO_MODEL)


def _none_first(validity: pd.DataFrame) -> pd.DataFrame:
    return validity.sort_values("condition", key=lambda c: c != "none", kind="stable")


def find_study(study: Study, words: Wording) -> Finding:
    """Can models pass the recognition probe with no document?"""
    return find(study.tables["control2/validity"], words, study.table("control2/prior_bias"))


PART = Part(
    key="control2",
    essential="control2/validity",
    find=find_study,
    method=method,
    brief=brief,
    tables=(
        View("control2/validity", "validity", VALIDITY, TO_MODEL, _none_first),
        View("control2/prior_bias", "prior_bias", PRIORS),
    ),
    drill=drill,
    figures=(
        Drawn("control2_accuracy"),
        Drawn("control2_prior", ("useless", "adds", "takes")),
    ),
    group="controls",
)
