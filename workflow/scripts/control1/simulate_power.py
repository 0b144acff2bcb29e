"""Simulate how many items would make each contrast conclusive."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.contrasts import READINGS, contrasted, item_differences, item_scores
from veridical.control1.panel_tables import POWER
from veridical.control1.tables import CELL
from veridical.control1.verdict_checks import load_verdicts
from veridical.statistics.power import power_table


def main(
    verdicts: Path, blinding_map: Path, power: Path, *, seed: int, settings: Mapping[str, Any]
) -> None:
    """By both readings, from the spread that the study's items showed."""
    _, complete = load_verdicts(verdicts, blinding_map, settings)
    if complete.empty:  # nothing was judged
        write_table(pd.DataFrame(columns=POWER.names), power, POWER)
        return
    differences = item_differences(item_scores(contrasted(complete)))
    tables = [
        power_table(
            differences,
            bound=settings["equivalence_bound"],
            reading=reading,
            rng=np.random.default_rng([seed, *b"power"]),
            by=CELL,
        )
        for reading in READINGS
    ]
    write_table(pd.concat(tables, ignore_index=True), power, POWER)


if __name__ == "__main__":
    run(main, snakemake)
