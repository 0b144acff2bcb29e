"""Gather the responses into one table, complete or not at all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from veridical.base.decisions import Decisions
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.blinding import check_responses
from veridical.control1.brought import read_own_responses
from veridical.control1.responses import decided_responses, response_table
from veridical.control1.tables import RESPONSES
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    settings: Path,
    prompts: Path | None,
    replies: Path | None,
    responses: Path,
    *,
    decisions: Mapping[str, Any] | None = None,
    documents: Sequence[str] = (),
    none: bool = False,
    brought: Path | None = None,
) -> None:
    """Join prompts, replies and the corpus's own anchors; leave out and accept what is decided.

    Answers that are `brought` are taken as they stand.
    """
    corpus = read_corpus(settings)
    if brought or prompts is None or replies is None:
        own = read_own_responses(Path(brought or ""), corpus.test_day, documents, none=none)
        check_responses(own, list(corpus.test_day["item_id"]))
        write_table(own, responses, RESPONSES)
        return
    asked = read_prompts(prompts)
    if not asked:  # no bank of the memory system was admitted: there is nothing to compare
        write_table(pd.DataFrame(columns=RESPONSES.names), responses, RESPONSES)
        return
    table = response_table(asked, read_replies(replies), corpus)
    decided = Decisions.from_config(decisions)
    table, accepted = decided_responses(table, decided, replies.stem)
    left = set(table["item_id"]) | (set() if decided.leave_out else set(corpus.test_day["item_id"]))
    items = [item for item in corpus.test_day["item_id"] if item in left]
    check_responses(table, items, accepted=accepted)
    write_table(table, responses, RESPONSES)


if __name__ == "__main__":
    run(main, snakemake)
