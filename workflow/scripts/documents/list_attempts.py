"""List every attempt at a foreign counterfeit, what was wrong with it, and which one is used."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.corpora.corpus import read_corpus
from veridical.documents.attempts import attempt_table
from veridical.documents.tables import ATTEMPTS
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    settings: Path,
    prompts: Path,
    replies: Path,
    attempts: Path,
    *,
    seeds: Sequence[int],
    tolerance: float,
    further: Mapping[str, Sequence[str]],
) -> None:
    """Check each attempt as it came."""
    table = attempt_table(
        read_corpus(settings),
        read_prompts(prompts),
        read_replies(replies),
        seeds,
        further,
        tolerance,
    )
    write_table(table, attempts, ATTEMPTS)


if __name__ == "__main__":
    run(main, snakemake)
