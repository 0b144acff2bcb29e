"""The result of each part as one short table, shown at once; all values stand in `views`."""

from __future__ import annotations

import pandas as pd

from veridical.report.findings_scores import main_preset, main_reading
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate
from veridical.report.views import Link, cell_columns, largest_pass, to, to_paths
from veridical.report.wording import Wording


def brief(part: str, study: Study, words: Wording) -> Table:
    """The short table of a part."""
    table, columns, link = _BRIEFS[part](study)
    return tabulate(table, columns, words, f"brief_{part}", link)


def _control1(study: Study) -> tuple[pd.DataFrame, list[Shown], Link]:
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
    return rows, columns, to("control1", "metric", "contrast")


def _control2(study: Study) -> tuple[pd.DataFrame, list[Shown], Link]:
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
        Shown("binomial_p", "p"),
        Shown("valid", "flag"),
    ]
    order = (table["none_correct"] / table["none_answered"]).sort_values(kind="stable").index
    return table.loc[order], columns, to("control2", "model")


def _control3(study: Study) -> tuple[pd.DataFrame, list[Shown], Link]:
    columns = (
        Shown("model"),
        Shown("corpus"),
        Shown("veridical", "share", ("veridical_accuracy",)),
        Shown("corrupted", "share", ("corrupted_accuracy",)),
        Shown("delta", "points", ("delta",)),
        Shown("discordant_share", "share"),
        Shown("p_holm", "p"),
        Shown("tested", "value:tested"),
    )
    cells = study.tables["control3/cells"]
    columns = list(cell_columns(cells, columns))
    cells = cells.sort_values(["corpus", "delta"], ascending=[True, False], kind="stable")
    return cells, columns, to("control3", "corpus", "model")


def _aas(study: Study) -> tuple[pd.DataFrame, list[Shown], Link]:
    columns = [
        Shown("model"),
        Shown("phase", "value:phase"),
        Shown("mean_aas", "number"),
        Shown("estimated", "number"),
        Shown("semantic_recall", "share", digits=0),
        Shown("episodic_recall", "share", digits=0),
        Shown("language_adherence", "share", digits=0),
    ]
    summary = study.tables["aas/summary"]
    rows = main_reading(summary)
    estimated = summary[
        (summary["redundancy"] == "estimated") & (summary["reading"] == rows["reading"].iloc[0])
    ].rename(columns={"mean_aas": "estimated"})
    rows = rows.merge(estimated[["model", "phase", "estimated"]], on=["model", "phase"], how="left")
    return rows, columns, to("aas", "model", "phase")


def _vpe(study: Study) -> tuple[pd.DataFrame, list[Shown], Link]:
    summary = study.tables["vpe/summary"]
    columns = [
        Shown("model"),
        Shown("horizon", "int"),
        Shown("verified_probability", "number"),
        Shown(
            "verified_interval",
            "interval",
            ("verified_probability_low", "verified_probability_high"),
        ),
        largest_pass(summary),
        Shown("zero_verified", "share", digits=0),
        Shown("mode_entropy", "number"),
        Shown("smoothed_vpe", "number"),
    ]
    return main_preset(summary), columns, to_paths(summary)


_BRIEFS = {
    "control1": _control1,
    "control2": _control2,
    "control3": _control3,
    "aas": _aas,
    "vpe": _vpe,
}
