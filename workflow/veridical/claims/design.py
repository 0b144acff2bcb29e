"""A study's own design, by part, in the numbers that decide how sure its claims can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from veridical.base.brought import margins_in, partners_in
from veridical.base.counterfeits import counterfeits
from veridical.benchmarks.simulated import shape_of
from veridical.claims.worlds import benchmarks, control1, control2, control3, memories, vpe
from veridical.control1.beside import Beside
from veridical.control1.brought import read_own_verdicts
from veridical.control1.tables import CELL, NONE, QUOTED, REVERSED
from veridical.control2.brought import read_own_answers as read_recognised
from veridical.control3.brought import read_own_answers as read_partners
from veridical.control3.lives import margins_of, margins_of_life
from veridical.documents.corrupted import COUNTED, count_partners
from veridical.documents.names import COUNTERFEITS, DocumentName
from veridical.vpe.maps import named_maps


def designs(
    config: Mapping[str, Any], corpora: Path, items: pd.DataFrame | None = None
) -> dict[str, Any]:
    """The design of each part that the config has and that makes claims.

    `corpora` is the folder of the corpora, which say how many partners there are; `items` are the
    benchmark's that are asked (`benchmarks.tables.ITEMS`), where the study has one.
    """
    makers = {"control1": _control1, "control2": _control2, "vpe": _vpe}
    found = {part: make(config) for part, make in makers.items() if part in config}
    if "control3" in config:
        found["control3"] = _control3(config["control3"], corpora)
        if "memories" in config:
            found["memories"] = _memories(config, found["control3"])
    if "benchmarks" in config and items is not None:
        found["benchmarks"] = _benchmarks(config["benchmarks"], items)
    return dict(sorted(found.items()))


def _benchmarks(given: Mapping[str, Any], items: pd.DataFrame) -> benchmarks.Design:
    whose = items["cluster"].where(items["cluster"].notna(), "")
    kinds = items["stratum"].where(items["stratum"].notna(), "")
    return benchmarks.Design(
        tuple(kinds),
        tuple(whose),
        tuple(items["chance"].astype(float)),
        len(given["models"]) * (1 + len(given.get("systems", ()))),
        tuple(given["arms"]),
        shape_of(items),
        given.get("clean", 0),
    )


def _control1(config: Mapping[str, Any]) -> control1.Design:
    given = config["control1"]
    if given.get("verdicts_csv"):
        return _judged_elsewhere(given, read_own_verdicts(Path(given["verdicts_csv"])))
    beside = Beside.from_config(given)
    seeds: dict[str, int] = {}  # of a kind as many as the corpus that has the fewest
    for corpus in given["corpora"]:
        names = counterfeits(config, corpus)
        for kind, n in Counter(DocumentName.read(name).condition for name in names).items():
            seeds[kind] = min(n, seeds.get(kind, n))
    return control1.Design(
        judges=len(given["judges"]),
        metrics=len(given["metrics"]),
        seeds=seeds,
        none=beside.none,
        quoted=beside.positive,
        both_orders=beside.reversed,
        bound=given["equivalence_bound"],
        responders=len(given["responders"]) if "responders" in given else 1,
        corpora=len(given["corpora"]),
        sheet=given["sheet"],
        pairs=given["pairs"],
        margin=given["preference_margin"],
    )


def _judged_elsewhere(given: Mapping[str, Any], verdicts: pd.DataFrame) -> control1.Design:
    """The design of verdicts that a study brings: it is what the table holds."""
    own = verdicts[verdicts["condition"].isin(COUNTERFEITS)]
    quoted = verdicts[verdicts["session"] == QUOTED]["item_id"].nunique()
    shown = verdicts[verdicts["condition"] == "veridical"].groupby("session")["item_id"].nunique()
    main = verdicts[verdicts["session"] == "original"]
    cells = main.drop_duplicates([*CELL, "item_id"]).groupby(list(CELL)).size()
    return control1.Design(
        items=int(cells.min()),
        responders=main["responder"].nunique(),
        corpora=main["corpus"].nunique(),
        judges=len(given["judges"]),
        metrics=len(given["metrics"]),
        seeds={
            str(kind): max(1, seeds.nunique()) for kind, seeds in own.groupby("condition")["seed"]
        },
        none=bool((verdicts["condition"] == NONE).any()),
        quoted=int(quoted),
        both_orders=float(shown.get(REVERSED, 0) / shown.get("original", 1)),
        bound=given["equivalence_bound"],
    )


def _control2(config: Mapping[str, Any]) -> control2.Design:
    given = config["control2"]
    probes, samples = given["probes"], given["prior_samples"]
    corpora = len(given.get("corpora", ()))
    if given.get("answers_csv"):
        first, every = read_recognised(Path(given["answers_csv"]), given.get("corpora", ()))
        asked = first.groupby("corpus")["probe_id"].nunique()
        probes, corpora = int(asked.min()), len(asked)  # of the corpus that has the fewest
        cells = every.groupby(["corpus", "model", "probe_id"])
        samples = int(cells.size().max()) if len(every) else 1
    numbers = (len(given["responders"]), probes, samples)
    return control2.Design(*numbers, given["validity"], corpora)


def _control3(given: Mapping[str, Any], corpora: Path) -> control3.Design:
    margins = {}
    if given.get("answers_csv"):
        partners, probes = partners_in(given["answers_csv"]), _probes_in(given["answers_csv"])
        counts = margins_in(given["answers_csv"])
        for corpus in (name for name, k in partners.items() if k == COUNTED):
            values = pd.Series(range(len(counts[corpus]))).repeat(counts[corpus])
            margins[corpus] = margins_of(values, probes)
    else:
        partners = {corpus: count_partners(corpora / corpus) for corpus in given["corpora"]}
        probes = given["probes"]
        lives = [corpus for corpus, k in partners.items() if k == COUNTED]
        margins = {corpus: margins_of_life(corpora / corpus, probes) for corpus in lives}
    numbers = (len(given["responders"]), probes, given.get("forced", False))
    return control3.Design(partners, *numbers, margins)


def _probes_in(path: str) -> int:
    """Probes a cell of answers that a study brings: of the corpus that has the fewest."""
    answers = read_partners(Path(path))
    return int(answers.groupby("corpus")["probe_id"].nunique().min())


def _memories(config: Mapping[str, Any], asked: control3.Design) -> memories.Design:
    """Of Control 3's probes, those that the systems and their readers are asked."""
    given = config["memories"]
    corpora = given.get("corpora", list(asked.corpora))
    systems = tuple(given["systems"])
    reads = {
        reader["model"]: tuple(
            (corpus, system)
            for corpus in corpora[: reader.get("corpora")]
            for system in reader.get("systems", systems)
        )
        for reader in given.get("readers", ())
    }
    partners = {corpus: asked.corpora[corpus] for corpus in corpora}
    probes = min(asked.probes, given.get("entries", asked.probes))
    margins = {name: own for name, own in asked.margins.items() if name in partners}
    return memories.Design(partners, systems, probes, reads, given.get("reader_probes"), margins)


def _vpe(config: Mapping[str, Any]) -> vpe.Design:
    given = config["vpe"]
    maps = named_maps(given.get("modes"), given.get("maps", {}))
    numbers = (len(given["models"]), given["n_problems"], given["rollouts"])
    modes, *others = (modes.size for modes in maps.values())
    return vpe.Design(
        *numbers,
        modes,
        given["smoothing"],
        document=bool(given.get("document")),
        maps=tuple(others),
        horizons=len(given["horizons"]),
        **given.get("margins", {}),
    )
