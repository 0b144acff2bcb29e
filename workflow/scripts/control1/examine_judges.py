"""Examine the judges as instruments."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.contrasts import contrasted
from veridical.control1.judges import judge_table
from veridical.control1.panel_tables import JUDGES
from veridical.control1.verdict_checks import load_verdicts


def main(
    verdicts: Path, blinding_map: Path, judges: Path, *, seed: int, settings: Mapping[str, Any]
) -> None:
    """Scores, agreement, order effects, and the contrasts of each judge alone and left out."""
    _, complete = load_verdicts(verdicts, blinding_map, settings)
    if complete.empty:  # nothing was judged
        write_table(pd.DataFrame(columns=JUDGES.names), judges, JUDGES)
        return
    table = judge_table(
        contrasted(complete),
        bound=settings["equivalence_bound"],
        registered=settings["registered"],
        rng=np.random.default_rng([seed, *b"judges"]),
        resamples=min(settings["resamples"], 10_000),
    )
    write_table(table, judges, JUDGES)


if __name__ == "__main__":
    run(main, snakemake)
