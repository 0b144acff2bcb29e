"""Examine the judges as instruments."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from veridical.base.tables import write_table
from veridical.control1.judges import judge_table
from veridical.control1.verdict_checks import load_verdicts


def main(
    verdicts: Path, blinding_map: Path, out: Path, *, seed: int, settings: Mapping[str, Any]
) -> None:
    """Scores, agreement, order effects, and the contrasts of each judge alone and left out."""
    _, complete = load_verdicts(verdicts, blinding_map, settings)
    table = judge_table(
        complete,
        bound=settings["equivalence_bound"],
        registered=settings["registered"],
        rng=np.random.default_rng([seed, *b"judges"]),
        resamples=min(settings["resamples"], 10_000),
    )
    write_table(table, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.verdicts),  # noqa: F821
        Path(snakemake.input.map),  # noqa: F821
        Path(snakemake.output.judges),  # noqa: F821
        seed=snakemake.params.seed,  # noqa: F821
        settings=snakemake.params.settings,  # noqa: F821
    )
