"""Measure viable path entropy: each problem's, the averages, the curves, the contrasts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.vpe.curves import coverage_table, entropy_table, pass_at_k_table
from veridical.vpe.leads import leads
from veridical.vpe.measures import contrast_cells, measure_problems, summarise
from veridical.vpe.modes import ModeMap
from veridical.vpe.tables import (
    CONTRASTS,
    COVERAGE,
    ENTROPY,
    LEADS,
    PASSES,
    PROBLEMS,
    ROLLOUTS,
    SUMMARY,
)


def main(
    rollouts: Path,
    problems: Path,
    summary: Path,
    pass_at_k: Path,
    coverage: Path,
    entropy: Path,
    contrasts: Path,
    lead_table: Path,
    *,
    modes: Mapping[str, Any],
    smoothing: float,
    seed: int,
    resamples: int,
) -> None:
    """Intervals are 95 % percentile bootstrap intervals over problems."""
    read = read_table(rollouts, ROLLOUTS)
    measured = measure_problems(read, smoothing)
    draw = {"seed": seed, "resamples": resamples}
    write_table(measured, problems, PROBLEMS)
    write_table(summarise(measured, smoothing, **draw), summary, SUMMARY)
    write_table(pass_at_k_table(measured, **draw), pass_at_k, PASSES)
    write_table(coverage_table(measured, read, **draw), coverage, COVERAGE)
    write_table(entropy_table(measured, read, **draw), entropy, ENTROPY)
    write_table(contrast_cells(measured, **draw), contrasts, CONTRASTS)
    write_table(leads(measured, ModeMap.from_config(modes).size), lead_table, LEADS)


if __name__ == "__main__":
    run(main, snakemake)
