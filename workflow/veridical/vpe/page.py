"""Path entropy on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording
from veridical.vpe.drill import drill
from veridical.vpe.findings import find, main_preset
from veridical.vpe.tables import (
    CONTRASTS,
    COVERAGE,
    DOCUMENT,
    ENTROPY,
    LEADS,
    MAP_CONTRASTS,
    MAPS,
    PASSES,
    SUMMARY,
    TABLES,
)

TO_CELL = to("vpe", "model", "horizon", "preset")


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, rows = study.config["vpe"], main_preset(study[SUMMARY])
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
    if config.get("maps"):
        yield words("method_maps", maps=words.join(config["maps"]))
    if config.get("document"):
        yield words("method_document", document=words.join(config["document"].values()))


def brief(study: Study, words: Wording) -> Table:
    """The measures of the first preset, pass@k at the largest k."""
    summary = main_preset(study[SUMMARY])
    passes = study[PASSES]
    most = passes["k"].max()
    passes = passes[passes["k"] == most].rename(columns={"value": "pass_at_most"})
    cell = ["model", "horizon", "preset"]
    summary = summary.merge(passes[[*cell, "pass_at_most"]], on=cell, how="left")
    columns = [
        *SUMMARY.shown("model", "horizon", "verified_probability", "verified_interval"),
        Shown("pass_at_most", "number", label=words.heading("pass_at_k").format(k=most)),
        Shown("zero_verified", "share", digits=0),
        *SUMMARY.shown("mode_entropy", "smoothed_vpe"),
    ]
    return tabulate(summary, columns, words, "brief", TO_CELL)


PART = Part(
    key="vpe",
    contracts=TABLES,
    essential=SUMMARY,
    find=lambda study, words: find(
        study[SUMMARY],
        study[LEADS],
        words,
        study.table(MAPS),
        study.table(DOCUMENT),
        study.table(MAP_CONTRASTS),
    ),
    method=method,
    brief=brief,
    tables=(
        View(SUMMARY, TO_CELL),
        View(PASSES),
        View(COVERAGE),
        View(ENTROPY),
        View(LEADS),
        View(CONTRASTS),
        View(MAPS),
        View(MAP_CONTRASTS),
        View(DOCUMENT),
    ),
    drill=drill,
    figures=(
        Drawn("vpe_plane"),
        Drawn("vpe_coverage", ("zero",)),
        Drawn("vpe_entropy", ()),
        Drawn("vpe_pass_at_k", ()),
    ),
)
