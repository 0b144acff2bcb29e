"""What a job that asks a model takes of the machine, and whose job is begun first."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TABLE = Path("data/weights.csv")
MOST = 9  # a rank has one digit, below the tens of a stage


def ranks(models: Mapping[str, Mapping[str, Any]], table: Path = TABLE) -> dict[str, int]:
    """Each model's place by the size of its weights, 1 for the smallest and at most 9.

    `models` are the config's entries by name. 0 where a server elsewhere has the weights, or where
    the table doesn't know their size.
    """
    with open(table, encoding="utf-8", newline="") as file:
        sizes = {row["model"]: int(row["bytes"]) for row in csv.DictReader(file)}
    here = {
        name: sizes.get(entry["model"], 0)
        for name, entry in models.items()
        if entry["provider"] == "embedded"
    }
    known = sorted({size for size in here.values() if size})
    return {
        name: min(known.index(here[name]) + 1, MOST) if here.get(name) else 0 for name in models
    }


def share(cores: int, machine: int) -> int:
    """The smallest claim of a job of one thread by which no more of them run at once than the
    `machine` has cores, where `cores` of them may be claimed in all.

    `cores` above `machine` leave room beside the models for steps of a second: of 8 claimed on two
    cores, two models take 3 each, and a model's reply is read while both are asked.
    """
    return cores // (machine + 1) + 1
