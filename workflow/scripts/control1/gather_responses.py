"""Gather the responses into one table, complete or not at all."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.blinding import check_responses
from veridical.control1.responses import response_table
from veridical.control1.tables import RESPONSES
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(settings: Path, prompts: Path, replies: Path, responses: Path) -> None:
    """Join prompts, replies and the corpus's own anchors."""
    corpus = read_corpus(settings)
    table = response_table(read_prompts(prompts), read_replies(replies), corpus)
    check_responses(table, list(corpus.test_day["item_id"]))
    write_table(table, responses, RESPONSES)


if __name__ == "__main__":
    run(main, snakemake)
