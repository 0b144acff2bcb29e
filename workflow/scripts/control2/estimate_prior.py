"""Estimate what each model prefers with no document, and what a document adds to it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control2.prior_bias import estimate_effects, estimate_preferences
from veridical.control2.prompts import refused_conditions
from veridical.control2.tables import ANSWERS, EFFECTS, PREFERENCES, SAMPLES


def main(
    answers: Path,
    samples: Path,
    effects: Path,
    preferences: Path,
    *,
    models: Sequence[str],
    corpora: Sequence[str] = (),
    documents: Mapping[str, str],
    recalled: Sequence[Path] = (),
) -> None:
    """Preferences per probe from all samples of `none`; effects paired with them, per document.

    `documents` names each condition's; of what a memory system `recalled` about each corpus, in
    their order, those whose bank is not admitted are named so.
    """
    table = read_table(answers, ANSWERS)
    refused = refused_conditions(dict(zip(corpora, recalled, strict=False)), documents)
    priors = estimate_preferences(read_table(samples, SAMPLES))
    write_table(priors, preferences, PREFERENCES)
    given = [condition for condition in documents if condition != "none"]
    found = estimate_effects(table, priors, models, given, corpora=corpora, refused=refused)
    write_table(found, effects, EFFECTS)


if __name__ == "__main__":
    run(main, snakemake)
