"""Path entropy on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording
from veridical.vpe.drill import drill
from veridical.vpe.findings import find, main_preset

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
    Shown("pass_at_k", "number", pattern=r"pass_at_(\d+)"),
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
TO_CELL = to("vpe", "model", "horizon", "preset")


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, rows = study.config["vpe"], main_preset(study.tables["vpe/summary"])
    sampling = config.get("sampling", {})
    yield words(
        "method",
        problems=words.count(int(rows["n_problems"].max()), "problem"),
        rollouts=words.numeral(int(rows["rollouts"].max())),
        horizons=words.join(str(int(h)) for h in sorted(rows["horizon"].unique())),
        models=words.count(rows["model"].nunique(), "model"),
        temperature=words.setting(sampling.get("temperature")),
        top_p=words.setting(sampling.get("top_p")),
    )


def brief(study: Study, words: Wording) -> Table:
    """The measures of the first preset, pass@k at the largest k."""
    summary = main_preset(study.tables["vpe/summary"])
    passes = study.tables["vpe/pass_at_k"]
    most = passes["k"].max()
    passes = passes[passes["k"] == most].rename(columns={"value": "pass_at_most"})
    cell = ["model", "horizon", "preset"]
    summary = summary.merge(passes[[*cell, "pass_at_most"]], on=cell, how="left")
    columns = [
        Shown("model"),
        Shown("horizon", "int"),
        Shown("verified_probability", "number"),
        Shown(
            "verified_interval",
            "interval",
            ("verified_probability_low", "verified_probability_high"),
        ),
        Shown("pass_at_most", "number", label=words.heading("pass_at_k").format(k=most)),
        Shown("zero_verified", "share", digits=0),
        Shown("mode_entropy", "number"),
        Shown("smoothed_vpe", "number"),
    ]
    return tabulate(summary, columns, words, "brief", TO_CELL)


PART = Part(
    key="vpe",
    essential="vpe/summary",
    find=lambda study, words: find(
        study.tables["vpe/summary"], words, study.table("vpe/contrasts")
    ),
    method=method,
    brief=brief,
    tables=(
        View("vpe/summary", "summary", PATHS, TO_CELL),
        View("vpe/pass_at_k", "pass_at_k", PASSES),
        View("vpe/coverage", "coverage", COVERAGES),
        View("vpe/contrasts", "contrasts", PATH_CONTRASTS),
    ),
    drill=drill,
    figures=(Drawn("vpe_plane"), Drawn("vpe_coverage", ("zero",)), Drawn("vpe_pass_at_k", ())),
)
