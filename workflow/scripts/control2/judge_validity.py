"""Judge for each model whether the recognition probe can measure its memory at all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control2.prompts import refused_conditions
from veridical.control2.tables import ANSWERS, VALIDITY
from veridical.control2.validity import judge_validity


def main(
    answers: Path,
    validity: Path,
    *,
    models: Sequence[str],
    corpora: Sequence[str] = (),
    rules: Mapping[str, Any],
    documents: Mapping[str, str],
    recalled: Sequence[Path] = (),
) -> None:
    """Count every condition, read the validity on `none` by both rules.

    `documents` names each condition's; of what a memory system `recalled` about each corpus, in
    their order, those whose bank is not admitted are named so.
    """
    refused = refused_conditions(dict(zip(corpora, recalled, strict=False)), documents)
    table = read_table(answers, ANSWERS)
    table = judge_validity(table, models, corpora=corpora, refused=refused, **rules)
    write_table(table, validity, VALIDITY)


if __name__ == "__main__":
    run(main, snakemake)
