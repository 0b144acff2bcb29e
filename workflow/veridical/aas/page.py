"""The age score on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.aas.drill import drill, named_tasks
from veridical.aas.findings import find, main_reading, sessions_a_run
from veridical.aas.tables import BY_SESSION, SUMMARY, TABLES
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording

TO_PHASE = to("aas", "model", "phase")


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config = study.config["aas"]
    rows = main_reading(study[SUMMARY])
    own, name = config.get("tasks", []), named_tasks(study.config, words)
    weights = config.get("weights", {}) | {task["id"]: task.get("weight", 1) for task in own}
    yield words(
        "method",
        sessions=words.count(sessions_a_run(rows), "session"),
        told=words(f"told_{config.get('date_in', 'system')}"),
        epsilon=words.setting(config.get("epsilon")),
        weights=words.join(
            f"{name(task)} {words.setting(weight)}" for task, weight in weights.items()
        ),
        bound=words.number(float(rows["bound"].max()), 1),
    )
    if own:
        yield words("method_tasks", tasks=words.join(name(task["id"]) for task in own))
    if "carried" in set(rows["phase"]):
        yield words("method_carried")
    if "n_runs" in rows:
        yield words("method_runs", runs=words.count(int(rows["n_runs"].max()), "run"))


def brief(study: Study, words: Wording) -> Table:
    """The registered reading, with redundancy set to zero and as estimated."""
    columns = [
        Shown("model"),
        Shown("phase", "value:phase"),
        Shown("mean_aas", "number"),
        *(SUMMARY.shown("mean_interval") if "mean_low" in study[SUMMARY] else ()),
        Shown("estimated", "number"),
        Shown("semantic_recall", "share", digits=0),
        Shown("episodic_recall", "share", digits=0),
        Shown("language_adherence", "share", digits=0),
    ]
    summary = study[SUMMARY]
    columns += [Shown("n_alarms", "int")] if "n_alarms" in summary else []
    rows = main_reading(summary)
    estimated = summary[
        (summary["redundancy"] == "estimated") & (summary["reading"] == rows["reading"].iloc[0])
    ].rename(columns={"mean_aas": "estimated"})
    rows = rows.merge(estimated[["model", "phase", "estimated"]], on=["model", "phase"], how="left")
    return tabulate(rows, columns, words, "brief", TO_PHASE)


PART = Part(
    key="aas",
    contracts=TABLES,
    essential=SUMMARY,
    find=lambda study, words: find(study[SUMMARY], words, study.config.get("aas", {}).get("alarm")),
    method=method,
    brief=brief,
    tables=(View(SUMMARY, TO_PHASE), View(BY_SESSION)),
    drill=drill,
    figures=(Drawn("aas_sessions"),),
)
