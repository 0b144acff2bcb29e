"""The parts of the page: each with its question, method in numbers, result, tables and drill."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from veridical.report import (
    briefs,
    drills,
    drills_judged,
    drills_scores,
    findings,
    findings_judged,
    findings_scores,
    methods,
    views,
)
from veridical.report.drill import Drill
from veridical.report.figures import Figure, read_figure
from veridical.report.findings import Finding
from veridical.report.study import Study
from veridical.report.tabulate import Table
from veridical.report.wording import Wording, plain


@dataclass(frozen=True)
class Part:
    """One section of the page, in words."""

    key: str
    name: str
    question: str
    adversary: str
    method: tuple[str, ...]
    finding: Finding
    figures: tuple[Figure, ...]
    brief: Table
    tables: tuple[Table, ...]
    not_established: tuple[str, ...]
    deviations: tuple[Mapping[str, str], ...]
    drill: Drill | None
    drill_text: str


def find(part: str, study: Study, words: Wording) -> Finding:
    """The finding of a part."""
    tables = study.tables
    if part == "control1":
        return findings_judged.control1(
            tables["control1/contrasts"],
            study.config["control1"]["equivalence_bound"],
            words,
            study.table("control1/drift"),
            study.table("control1/judges"),
            study.table("control1/power"),
        )
    if part == "control2":
        return findings.control2(tables["control2/validity"], words)
    if part == "control3":
        return findings.control3(tables["control3/cells"], words)
    if part == "aas":
        return findings_scores.aas(tables["aas/summary"], words)
    return findings_scores.vpe(tables["vpe/summary"], words, study.table("vpe/contrasts"))


_DRILLS = {
    "control1": drills_judged.control1,
    "control2": drills.control2,
    "control3": drills.control3,
    "aas": drills_scores.aas,
    "vpe": drills_scores.vpe,
}


def make_part(part: str, study: Study, words: Wording) -> Part:
    """A part of the page from the study's tables."""
    finding = find(part, study, words)
    text = words.raw(f"parts.{part}")
    return Part(
        key=part,
        name=text["name"],
        question=text["question"],
        adversary=text["adversary"],
        method=tuple(methods.paragraphs(part, study, words)),
        finding=finding,
        figures=tuple(_figures(part, finding, study, words)),
        brief=briefs.brief(part, study, words),
        tables=tuple(views.tables(part, study, words)),
        not_established=tuple(text["not_established"]),
        deviations=tuple(deviations_of(part, study, words)),
        drill=_DRILLS[part](study, words),
        drill_text=text["drill"],
    )


def _figures(part: str, finding: Finding, study: Study, words: Wording) -> Iterator[Figure]:
    """The part's figures in the order of their captions.

    The first one's text alternative states the finding; a further one's states the sentences that
    `figure_results` names for it, and where the values stand.
    """
    captions, results = words.raw("figure_captions"), words.raw("figure_results")
    order = list(captions)
    paths = sorted(
        study.figures.get(part, []),
        key=lambda path: (order.index(path.stem) if path.stem in order else math.inf, path.stem),
    )
    bound = words.number(study.config.get("control1", {}).get("equivalence_bound", 0.1), 2)
    for place, path in enumerate(paths):
        said = finding.alternative
        if place:
            said = " ".join(
                plain(sentence)
                for sentence in (*finding.limits, *finding.details)
                if any(word in sentence for word in results.get(path.stem, []))
            )
        key = f"findings.{part}.figure" if not place else "figures.further"
        alternative = words(key, caption=captions.get(path.stem, ""), sentences=said, bound=bound)
        yield read_figure(path, words, alternative)


def deviations_of(part: str, study: Study, words: Wording) -> list[dict[str, str]]:
    """The logged deviations that name the part, by its key or its name."""
    names = {part, words(f"parts.{part}.name").lower(), part.replace("control", "control ")}
    entries: list[dict[str, Any]] = study.deviations.to_dict("records")
    return [
        entry
        for entry in entries
        if any(name in " ".join(map(str, entry.values())).lower() for name in names)
    ]


def models_of(study: Study) -> list[str]:
    """The models that the study's parts name, each once."""
    named: list[str] = []
    config = study.config
    for section, keys in (
        ("documents", ("author",)),
        ("control1", ("responder", "judges")),
        ("control2", ("responders",)),
        ("control3", ("responders",)),
        ("aas", ("models",)),
        ("vpe", ("models",)),
    ):
        for key in keys:
            value = config.get(section, {}).get(key, [])
            named.extend([value] if isinstance(value, str) else value)
    return list(dict.fromkeys(named))


def script_hash(script: str) -> str:
    """The hash that lets one inline script run under the page's content security policy."""
    import base64

    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def stages(study: Study) -> pd.DataFrame:
    """What was sealed, one row a stage: stage, hash, files, holds, and what differs."""
    return pd.DataFrame(
        [
            {
                "stage": stage,
                "hash": record["sha256"],
                "files": record["files"],
                "holds": not study.changes.get(stage),
                "note": "; ".join(study.changes.get(stage, ())),
            }
            for stage, record in study.receipts.items()
        ]
    )
