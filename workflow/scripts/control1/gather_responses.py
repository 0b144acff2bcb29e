"""Gather the responses into one table, complete or not at all."""

from pathlib import Path

from veridical.base.tables import write_table
from veridical.control1.blinding import check_responses
from veridical.control1.responses import response_table
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(folder: Path, prompts: Path, replies: Path, out: Path) -> None:
    """Join prompts, replies and the corpus's own anchors."""
    corpus = read_corpus(folder)
    table = response_table(read_prompts(prompts), read_replies(replies), corpus)
    check_responses(table, list(corpus.test_day["item_id"]))
    write_table(table, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.prompts),  # noqa: F821
        Path(snakemake.input.replies),  # noqa: F821
        Path(snakemake.output.table),  # noqa: F821
    )
