"""Control 3 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control3.drill import drill
from veridical.control3.findings import find
from veridical.control3.symmetric import PARTNER
from veridical.control3.tables import (
    ANSWERS,
    CELLS,
    FORCED,
    NOTICING,
    ORDERS,
    STALE,
    SYMMETRY,
    TABLES,
)
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording

LIFE = "life"  # the section of the texts that speaks of values, where the others do of partners
TO_CELL = to("control3", "corpus", "model")


def kind(study: Study) -> str:
    """`life` where a corpus of the study is asked for another attribute than partners, else ""."""
    checks = study.table(SYMMETRY)
    return LIFE if checks is not None and (checks["asked"] != PARTNER).any() else ""


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, cells = study.config["control3"], study[CELLS]
    answers, kept = study.table(ANSWERS), study.exchanges.get("control3")
    partners = [] if answers is None else answers["true_partner"].unique()
    asked = [] if kept is None else [facts["question"] for facts in kept["facts"] if facts]
    yield words(
        "method_brought" if config.get("answers_csv") else "method_documents",
        partners=words.count(len(partners), "value" if kind(study) else "partner")
        if len(partners)
        else "–",
        encounters=words.count(config["document_encounters"], "encounter", word=False),
        probes=words.count(int((cells["n"] + cells["n_left_out"]).max()), "probe", word=False),
        models=words.count(cells["model"].nunique(), "model", word=False),
        corpora=words.count(cells["corpus"].nunique(), "corpus", word=False),
        cells=words.count(len(cells), "cell", word=False),
        documents=words.numeral(2 + max(1, cells["corrupted_document"].nunique())),
        example=asked[0] if asked else "…",
    )
    yield words("method_test", m=words.numeral(int(cells["m"].max())))


def brief(study: Study, words: Wording) -> Table:
    """Right answers under each document, the widest gap on top."""
    columns = (
        *CELLS.shown("model", "corpus", "corrupted_document"),
        Shown("veridical_correct", "share", ("veridical_accuracy",)),
        Shown("corrupted_correct", "share", ("corrupted_accuracy",)),
        *CELLS.shown("delta", "discordant_share", "p_follow_holm", "finding"),
    )
    cells = study[CELLS]
    cells = cells.sort_values(["corpus", "delta"], ascending=[True, False], kind="stable")
    return tabulate(cells, columns, words, "brief", TO_CELL)


def _widest_first(cells: pd.DataFrame) -> pd.DataFrame:
    """With no answer at all there is no accuracy, rather than one of 0 %."""
    cells = cells.sort_values(["corpus", "delta"], ascending=[True, False], kind="stable")
    tested = cells["tested"] == "tested"
    counts = ["veridical_correct", "corrupted_correct"]
    return cells.assign(**{name: cells[name].astype(float).where(tested) for name in counts})


PART = Part(
    key="control3",
    contracts=TABLES,
    essential=CELLS,
    find=lambda study, words: find(
        study[CELLS], words, *map(study.table, (FORCED, NOTICING, ORDERS, STALE))
    ),
    method=method,
    brief=brief,
    tables=(
        View(CELLS, TO_CELL, _widest_first, first="model"),
        View(FORCED, TO_CELL),
        View(NOTICING, TO_CELL),
        View(ORDERS, TO_CELL),
        View(STALE, TO_CELL),
        View(SYMMETRY),
    ),
    drill=drill,
    kind=kind,
    figures=(
        Drawn("control3_cells"),
        Drawn(
            "control3_parts",
            ("nothing_noticed", "confabulated", "one_name", "first_option", "never_first"),
        ),
    ),
    group="controls",
)
