"""Estimate what each model prefers with no document, and what a document adds to it."""

from collections.abc import Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control2.prior_bias import estimate_effects, estimate_preferences
from veridical.control2.tables import ANSWERS, EFFECTS, PREFERENCES, SAMPLES


def main(
    answers: Path, samples: Path, effects: Path, preferences: Path, *, models: Sequence[str]
) -> None:
    """Preferences per probe from all samples of `none`; effects paired with them, per document."""
    table, documents = read_table(answers, ANSWERS), ["veridical", "counterfeit"]
    priors = estimate_preferences(read_table(samples, SAMPLES))
    write_table(priors, preferences, PREFERENCES)
    write_table(estimate_effects(table, priors, models, documents), effects, EFFECTS)


if __name__ == "__main__":
    run(main, snakemake)
