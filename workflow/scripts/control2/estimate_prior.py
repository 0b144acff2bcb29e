"""Estimate what each model prefers with no document, and what a document adds to it."""

from collections.abc import Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control2.prior_bias import estimate_effects, estimate_preferences

TEXT = ("model", "probe_id", "first_option")


def main(
    answers: Path, samples: Path, effects: Path, preferences: Path, *, models: Sequence[str]
) -> None:
    """Preferences per probe from all samples of `none`; effects paired with them, per document."""
    table = read_table(answers, ["answer", "correct"], text=("condition", *TEXT))
    priors = estimate_preferences(read_table(samples, ["answer", "correct"], text=TEXT))
    write_table(priors, preferences)
    write_table(estimate_effects(table, priors, models, ["veridical", "counterfeit"]), effects)


if __name__ == "__main__":
    run(main, snakemake)
