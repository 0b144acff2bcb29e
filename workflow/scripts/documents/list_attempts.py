"""List every attempt at a foreign counterfeit, what was wrong with it, and which one is used."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.tables import write_table
from veridical.corpora.corpus import read_corpus
from veridical.documents.foreign import attempt_table
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    folder: Path,
    prompts: Path,
    replies: Path,
    out: Path,
    *,
    seeds: Sequence[int],
    tolerance: float,
    further: Mapping[str, Sequence[str]],
) -> None:
    """Check each attempt as it came."""
    table = attempt_table(
        read_corpus(folder), read_prompts(prompts), read_replies(replies), seeds, further, tolerance
    )
    write_table(table, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.prompts),  # noqa: F821
        Path(snakemake.input.replies),  # noqa: F821
        Path(snakemake.output.table),  # noqa: F821
        seeds=snakemake.params.seeds,  # noqa: F821
        tolerance=snakemake.params.tolerance,  # noqa: F821
        further=snakemake.params.further,  # noqa: F821
    )
