"""Test which answer of direct pairs the panel and each judge prefer."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.direct import rules, tables
from veridical.control1.direct.choices import whole_pairs
from veridical.control1.direct.choosers import chooser_table
from veridical.control1.lacking import asked_of
from veridical.control1.responses import wanted_contrasts
from veridical.control1.tables import CELL
from veridical.control1.verdict_checks import load_choices


def main(
    choices: Path,
    blinding_map: Path,
    preferences: Path,
    alone: Path,
    panel: Path,
    choosers: Path,
    *,
    seed: int,
    settings: Mapping[str, Any],
    declared: Mapping[str, Sequence[str]] | None = None,
    cells: Sequence[Sequence[str]] = (),
) -> None:
    """Shares over judges and documents for each cell's items, then sign flips over items.

    `declared` are, by corpus, the documents held against the real memory, where each must be
    admitted first; `cells` are (responder, corpus).
    """
    every, _ = load_choices(choices, blinding_map, settings)
    asked = asked_of(every)
    refused = [row for row in wanted_contrasts(declared or {}, cells) if row not in asked]
    margin = settings["preference_margin"]
    rng = np.random.default_rng([seed, *b"preferences"])
    whole = whole_pairs(every)
    if whole.empty:
        left = {alone: tables.ALONE, panel: tables.PANEL, choosers: tables.CHOOSERS}
        for path, contract in left.items():
            write_table(pd.DataFrame(columns=contract.names), path, contract)
        found = rules.nothing_known(settings["metrics"], refused, asked)
        write_table(found, preferences, tables.PREFERENCES)
        return
    shares = rules.shares_of(whole)
    heard = rules.examine(whole, margin=margin, rng=rng)
    there = set(shares[[*CELL, "contrast"]].itertuples(index=False, name=None))
    unread = [row for row in asked if row not in there]
    known = {"lacking": refused, "unread": unread}
    found = rules.conclude(shares, heard, margin=margin, rng=rng, **known)
    write_table(in_order(found), preferences, tables.PREFERENCES)
    write_table(in_order(rules.alone(shares)), alone, tables.ALONE)
    write_table(heard, panel, tables.PANEL)
    write_table(chooser_table(every), choosers, tables.CHOOSERS)


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Rows by judge, where there are any, cell, metric and contrast, whatever order sheets had."""
    keys = [name for name in ("judge", *CELL, "metric", "contrast") if name in table]
    return table.sort_values(keys, kind="stable", ignore_index=True)


if __name__ == "__main__":
    run(main, snakemake)
