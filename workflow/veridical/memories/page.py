"""The memory systems on the page: how they were visited, what came back, what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.control3.symmetric import PARTNER
from veridical.control3.tables import SYMMETRY
from veridical.memories.drill import drill
from veridical.memories.findings import find
from veridical.memories.plan import VERIDICAL
from veridical.memories.readers import IDEAL
from veridical.memories.tables import (
    BANKS,
    CELLS,
    CONTEXTS,
    COSTS,
    CURVE,
    HYGIENE,
    SHAM,
    STAGE_TABLE,
    TABLES,
)
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate, to
from veridical.report.wording import Wording

LIFE = "life"  # the section of the texts that speaks of values, where the others do of partners
TO_CELL = to("memories", "system", "corpus", "reader")


def kind(study: Study) -> str:
    """`life` where a memory system was given a life of events and facts, else ""."""
    checks = study.table(SYMMETRY)
    if checks is None:
        return ""
    own = checks["corpus"].isin(set(study[CELLS]["corpus"]))
    return LIFE if (checks[own]["asked"] != PARTNER).any() else ""


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    stages, cells, banks = study[STAGE_TABLE], study[CELLS], study[BANKS]
    yield words(
        "method_banks",
        systems=words.count(cells["system"].nunique(), "memory system"),
        banks=words.numeral(banks["document"].nunique()),
        entries=words.number(int(stages["stored_of"].max()), 0),
        probes=words.number(int((cells["n"] + cells["n_left_out"]).max()), 0),
        k=words.numeral(int(study.config["memories"]["k"])),
    )
    yield words("method_stages")
    yield words("method_test", m=words.numeral(int(cells["m"].max())))


def brief(study: Study, words: Wording) -> Table:
    """One line a system: does it remember? What the true memory's bank kept, stage by stage."""
    stages, cells = study[STAGE_TABLE], study[CELLS]
    own = stages[(stages["document"] == VERIDICAL) & (stages["reader"] == IDEAL)]
    told = cells[["system", "corpus", "reader", "verdict"]].drop_duplicates(
        ["system", "corpus", "reader"]
    )
    columns = (
        *STAGE_TABLE.shown("system", "corpus"),
        *STAGE_TABLE.shown("stored_share", "found_share", "followed_share"),
        *CELLS.shown("verdict"),
    )
    table = own.merge(told, on=["system", "corpus", "reader"], how="left")
    return tabulate(table, columns, words, "brief", TO_CELL)


PART = Part(
    key="memories",
    contracts=TABLES,
    essential=CELLS,
    find=lambda study, words: find(
        study[CELLS], study[STAGE_TABLE], study[BANKS], study[SHAM], words
    ),
    method=method,
    brief=brief,
    tables=(
        View(STAGE_TABLE, TO_CELL, first="system"),
        View(CELLS, TO_CELL, first="system"),
        View(BANKS),
        View(HYGIENE),
        View(CONTEXTS),
        View(CURVE),
        View(SHAM),
        View(COSTS),
    ),
    drill=drill,
    kind=kind,
    figures=(Drawn("memories_stages"),),
    group="controls",
)
