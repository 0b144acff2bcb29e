"""Test every contrast, anchored and not, and write how far the anchors drifted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.contrasts import (
    contrast_table,
    contrasted,
    drift_table,
    item_differences,
    item_scores,
)
from veridical.control1.lacking import asked_of, nothing_known
from veridical.control1.noise import noise_table
from veridical.control1.panel_tables import INSTRUMENT, NOISE
from veridical.control1.responses import wanted_contrasts
from veridical.control1.rules import conclude, examine, judged
from veridical.control1.tables import CELL, CONTRASTS, DRIFT, FINDING
from veridical.control1.verdict_checks import load_verdicts
from veridical.control1.verdicts import incomplete


def main(
    verdicts: Path,
    blinding_map: Path,
    contrasts: Path,
    drift: Path,
    findings: Path,
    instrument: Path,
    noise: Path,
    *,
    seed: int,
    settings: Mapping[str, Any],
    declared: Mapping[str, Sequence[str]] | None = None,
    cells: Sequence[Sequence[str]] = (),
) -> None:
    """Means over judges and seeds for each cell's items, then an interval over items.

    `declared` are, by corpus, the documents held against the real memory, where each must be
    admitted first; `cells` are (responder, corpus).
    """
    every, complete = load_verdicts(verdicts, blinding_map, settings)
    asked, bound = asked_of(every), settings["equivalence_bound"]
    refused = [row for row in wanted_contrasts(declared or {}, cells) if row not in asked]
    if complete.empty:
        found = nothing_known(settings["metrics"], refused, asked)
        write_table(found, findings, FINDING)
        left = {contrasts: CONTRASTS, drift: DRIFT, instrument: INSTRUMENT, noise: NOISE}
        for path, contract in left.items():
            write_table(pd.DataFrame(columns=contract.names), path, contract)
        return
    differences = item_differences(item_scores(contrasted(complete)))
    table = contrast_table(
        differences,
        bound=bound,
        registered=settings["registered"],
        rng=np.random.default_rng([seed, *b"contrasts"]),
        resamples=settings["resamples"],
        omitted=len(incomplete(every)),
    )
    write_table(table, contrasts, CONTRASTS)
    write_table(drift_table(differences), drift, DRIFT)
    items, documents = judged(complete)
    panel = examine(complete, items, bound=bound)
    there = set(items[[*CELL, "contrast"]].itertuples(index=False, name=None))
    unread = [row for row in asked if row not in there]
    found = conclude(items, documents, panel, bound=bound, lacking=refused, unread=unread)
    found = found.sort_values(list(CELL), kind="stable", ignore_index=True)
    write_table(found, findings, FINDING)
    write_table(panel, instrument, INSTRUMENT)
    write_table(noise_table(complete), noise, NOISE)


if __name__ == "__main__":
    run(main, snakemake)
