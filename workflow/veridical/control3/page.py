"""Control 3 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.control3.drill import drill
from veridical.control3.findings import find
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study, fact
from veridical.report.tabulate import Shown, Table, tabulate, to
from veridical.report.wording import Wording

CELLS = (
    Shown("model"),
    Shown("corpus"),
    Shown("corrupted_document", several=True),
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
CHECKS = (
    Shown("corpus"),
    Shown("check", "value:check"),
    Shown("value"),
    Shown("limit"),
    Shown("passed", "flag"),
    Shown("note"),
)
TO_CELL = to("control3", "corpus", "model")


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, cells = study.config["control3"], study.tables["control3/cells"]
    partners = study.column("control3/answers", "true_partner").dropna().unique()
    kept = study.exchanges.get("control3")
    questions = [] if kept is None else list(fact(kept, "question").dropna())
    yield words(
        "method_documents",
        partners=words.count(len(partners), "partner") if len(partners) else "–",
        encounters=words.count(config["document_encounters"], "encounter", word=False),
        probes=words.count(int(cells["n"].max()), "probe", word=False),
        models=words.count(cells["model"].nunique(), "model", word=False),
        corpora=words.count(cells["corpus"].nunique(), "corpus", word=False),
        cells=words.count(len(cells), "cell", word=False),
        documents=words.numeral(2 + max(1, cells["corrupted_document"].nunique())),
        example=questions[0] if questions else "…",
    )
    yield words("method_test", m=words.numeral(int(cells["m"].max())))


def brief(study: Study, words: Wording) -> Table:
    """Right answers under each document, the widest gap on top."""
    columns = (
        Shown("model"),
        Shown("corpus"),
        Shown("corrupted_document", several=True),
        Shown("veridical", "share", ("veridical_accuracy",)),
        Shown("corrupted", "share", ("corrupted_accuracy",)),
        Shown("delta", "points", ("delta",)),
        Shown("discordant_share", "share"),
        Shown("p_holm", "p"),
        Shown("tested", "value:tested"),
    )
    cells = study.tables["control3/cells"]
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
    essential="control3/cells",
    find=lambda study, words: find(study.tables["control3/cells"], words),
    method=method,
    brief=brief,
    tables=(
        View("control3/cells", "cells", CELLS, TO_CELL, _widest_first),
        View("control3/symmetry", "symmetry", CHECKS),
    ),
    drill=drill,
    figures=(
        Drawn("control3_cells"),
        Drawn("control3_parts", ("nothing_noticed", "silent", "one_name", "first_option")),
    ),
    group="controls",
)
