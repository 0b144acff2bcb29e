"""The tables of each part as a reader sees them: all values, in words, each row with its link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pandas as pd

from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate
from veridical.report.wording import Wording

Link = Callable[[Mapping[str, Any]], str]


def address(*path: Any) -> str:
    """The address of a place in the page: `#control3/A/qwen2.5`, each step escaped.

    >>> address("control3", "A", "llama3")
    '#control3/A/llama3'
    """
    return "#" + "/".join(quote(str(step), safe=":") for step in path)


def to(part: str, *columns: str) -> Link:
    """Links of rows by the values of `columns`."""
    return lambda row: address(part, *(row[column] for column in columns))


def to_paths(summary: pd.DataFrame) -> Link:
    """Links of path-entropy rows: the preset is a step only where a study has several."""
    several = "preset" in summary and summary["preset"].nunique() > 1
    return to("vpe", "model", "horizon", *(["preset"] if several else []))


def largest_pass(summary: pd.DataFrame) -> Shown:
    """The column pass@k of the largest k of which a path-entropy summary has a value."""
    filled = summary.columns[summary.notna().any()]
    found = [re.fullmatch(r"pass_at_(\d+)", name) for name in filled]
    k = max((int(match.group(1)) for match in found if match), default=1)
    return Shown(f"pass_at_{k}", "number", label=f"pass@{k}")


def path_columns(summary: pd.DataFrame) -> tuple[Shown, ...]:
    """The columns of the path-entropy summary, with pass@k at both ends."""
    most, place = largest_pass(summary), PATHS.index(PASS_AT_1) + 1
    return PATHS if most.name == PASS_AT_1.name else (*PATHS[:place], most, *PATHS[place:])


def cell_columns(table: pd.DataFrame, columns: tuple[Shown, ...]) -> tuple[Shown, ...]:
    """Columns of Control 3's cells, with the corrupted document where a corpus has several."""
    several = "corrupted_document" in table and table["corrupted_document"].nunique() > 1
    place = 2  # after model and corpus
    return (*columns[:place], Shown("corrupted_document"), *columns[place:]) if several else columns


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
)
SESSIONS = (
    Shown("model"),
    Shown("phase", "value:phase"),
    Shown("session", "int"),
    Shown("language"),
    Shown("x_semantic", "number", digits=1),
    Shown("x_episodic", "number", digits=1),
    Shown("reading"),
    Shown("redundancy", "value:redundancy"),
    Shown("aas", "number"),
)
PASSES = (
    Shown("model"),
    Shown("horizon", "int"),
    Shown("preset"),
    Shown("k", "int"),
    Shown("value", "number"),
    Shown("ci95", "interval", ("low", "high")),
)
COVERAGES = (
    Shown("model"),
    Shown("horizon", "int"),
    Shown("preset"),
    Shown("b", "int"),
    Shown("expected_modes", "number"),
    Shown("ci95", "interval", ("low", "high")),
)
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
)
CELLS = (
    Shown("model"),
    Shown("corpus"),
    Shown("n", "int"),
    Shown("veridical", "count", ("veridical_correct", "n")),
    Shown("corrupted", "count", ("corrupted_correct", "n")),
    Shown("delta", "points", ("delta",)),
    Shown("b", "int"),
    Shown("c", "int"),
    Shown("discordant_share", "share"),
    Shown("p_exact", "p"),
    Shown("p_mid", "p"),
    Shown("p_holm", "p"),
    Shown("m", "int"),
    Shown("survives", "flag"),
    Shown("none_answered", "int"),
    Shown("none_correct", "int"),
    Shown("none_p", "p"),
    Shown("valid", "flag"),
    Shown("follows_corrupted", "share"),
    Shown("veridical_abstained", "int"),
    Shown("corrupted_abstained", "int"),
    Shown("none_abstained", "int"),
    Shown("tested", "value:tested"),
)
AGES = (
    Shown("model"),
    Shown("phase", "value:phase"),
    Shown("reading"),
    Shown("redundancy", "value:redundancy"),
    Shown("mean_aas", "number"),
    Shown("sd_aas", "number"),
    Shown("max_aas", "number"),
    Shown("bound", "number"),
    Shown("semantic_recall", "share"),
    Shown("episodic_recall", "share"),
    Shown("language_adherence", "share"),
    Shown("n_sessions", "int"),
)
PASS_AT_1 = Shown("pass_at_1", "number", label="pass@1")
PATHS = (
    Shown("model"),
    Shown("horizon", "int"),
    Shown("preset"),
    Shown("n_problems", "int"),
    Shown("rollouts", "int"),
    Shown("n_verified", "int"),
    Shown("verified_probability", "number"),
    Shown(
        "verified_interval",
        "interval",
        ("verified_probability_low", "verified_probability_high"),
    ),
    PASS_AT_1,
    Shown("zero_verified", "share"),
    Shown("mode_entropy", "number"),
    Shown("mode_entropy_miller_madow", "number"),
    Shown("mode_entropy_chao_shen", "number"),
    Shown("smoothed_vpe", "number"),
    Shown("vpe", "number"),
)
PATH_CONTRASTS = (
    Shown("contrast", "value:contrast"),
    Shown("first"),
    Shown("second"),
    Shown("preset"),
    Shown("model"),
    Shown("horizon", "text"),
    Shown("measure", "value:measure"),
    Shown("n_problems", "int"),
    Shown("estimate", "signed"),
    Shown("ci95", "signed_interval", ("low", "high")),
)

# part: name of the caption, table, columns, link
VIEWS: dict[str, tuple[tuple[str, str, tuple[Shown, ...], Link | None], ...]] = {
    "control1": (
        ("contrasts", "control1/contrasts", CONTRASTS, to("control1", "metric", "contrast")),
        ("drift", "control1/drift", DRIFT, to("control1", "metric", "contrast", "item_id")),
        ("judges", "control1/judges", JUDGES, None),
        ("power", "control1/power", POWER, None),
        ("fidelity", "control1/fidelity", FIDELITY, None),
    ),
    "control2": (
        ("validity", "control2/validity", VALIDITY, to("control2", "model")),
        ("prior_bias", "control2/prior_bias", PRIORS, None),
    ),
    "control3": (
        ("cells", "control3/cells", CELLS, to("control3", "corpus", "model")),
        ("symmetry", "control3/symmetry", FIDELITY, None),
    ),
    "aas": (
        ("aas_summary", "aas/summary", AGES, to("aas", "model", "phase")),
        ("by_session", "aas/by_session", SESSIONS, None),
    ),
    "vpe": (
        ("vpe_summary", "vpe/summary", PATHS, None),
        ("pass_at_k", "vpe/pass_at_k", PASSES, None),
        ("coverage", "vpe/coverage", COVERAGES, None),
        ("vpe_contrasts", "vpe/contrasts", PATH_CONTRASTS, None),
    ),
}


def tables(part: str, study: Study, words: Wording) -> Iterator[Table]:
    """The tables of a part that the study has."""
    for caption, name, columns, link in VIEWS[part]:
        table = study.table(name)
        if table is not None:
            if caption == "vpe_summary":
                link, columns = to_paths(table), path_columns(table)
            if caption == "cells":
                columns = cell_columns(table, columns)
            yield tabulate(_ordered(caption, table), columns, words, caption, link)


def _ordered(caption: str, table: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of interest: the anchored reading first, the models by what they show."""
    if caption == "contrasts":
        return table.sort_values("reading", key=lambda r: r != "anchored", kind="stable")
    if caption == "validity":
        return table.sort_values("condition", key=lambda c: c != "none", kind="stable")
    if caption == "cells":
        table = table.sort_values(["corpus", "delta"], ascending=[True, False], kind="stable")
        counts = ["veridical_correct", "corrupted_correct"]
        tested = table["tested"] == "tested"  # with no answer at all there is no accuracy, not 0 %
        return table.assign(**{name: table[name].astype(float).where(tested) for name in counts})
    if caption == "judges":
        shown = ("mean", "sd", "distinct_scores", "alpha", "order", "alone", "leave_one_out")
        return table[table["statistic"].str.startswith(shown)]
    return table
