"""The memory systems' tables of the fixture study, from a visit to two real systems."""

from __future__ import annotations

from functools import cache

import pandas as pd
from support.memory_study import SWAPPED, answers, plan, sound, visit
from veridical.documents.given import Recalled
from veridical.memories import readers, receipts
from veridical.memories.cells import cells
from veridical.memories.stages import cost_row, curve_rows, differing, sham_rows, stage_rows
from veridical.memories.tables import TABLES

SYSTEMS = {"full-text": {"adapter": "fts5"}, "window": {"adapter": "window"}}


@cache
def memory_tables() -> dict[str, pd.DataFrame]:
    """Every table of the part, by its contract's name."""
    made: dict[str, list[dict]] = {contract.name: [] for contract in TABLES}
    observed = {
        name: visit(lambda entry=entry: sound(entry["adapter"])) for name, entry in SYSTEMS.items()
    }
    said = pd.concat([answers(seen).assign(system=name) for name, seen in observed.items()])
    said = said.assign(corpus="A")
    found = cells(said, {}, {"A": [SWAPPED]}, list(SYSTEMS), {"A": 2})
    for name, seen in observed.items():
        where = {"system": name, "corpus": "A"}
        banks = pd.DataFrame(receipts.bank_rows(plan(), seen))
        recalls = pd.DataFrame(readers.recall_rows(plan(), seen))
        own = said[said["system"] == name]
        rows = {
            "hygiene": receipts.hygiene_rows(seen),
            "banks": banks.assign(version="1", writes="verbatim").to_dict("records"),
            "entries": receipts.entry_rows(plan(), seen),
            "recalls": recalls.to_dict("records"),
            "stages": stage_rows(banks, recalls, own),
            "curve": curve_rows(recalls, plan().k),
            "sham": sham_rows(differing(plan(), seen), own, {"ideal": 2}),
            "costs": [cost_row(banks, recalls)],
        }
        for table, each in rows.items():
            made[f"memories/{table}"] += [where | row for row in each]
    made["memories/contexts"] = [
        {"part": part, "system": "full-text", "corpus": "A"} | row
        for part in ("control1", "control2")
        for row in readers.context_rows([Recalled("veridical", {"q": "met Bo"}), Recalled("none")])
    ]
    tables = {name: pd.DataFrame(rows) for name, rows in made.items()}
    return tables | {"memories/cells": found, "memories/answers": said}
