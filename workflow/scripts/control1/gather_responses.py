"""Gather the responses into one table, complete or not at all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from veridical.base.decisions import Decisions
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.blinding import check_cells, check_responses
from veridical.control1.brought import read_own_responses
from veridical.control1.cells import read_corpora
from veridical.control1.responses import decided_responses, response_table
from veridical.control1.tables import RESPONSES
from veridical.corpora.corpus import Corpus
from veridical.ledger.replies import model_of, read_replies
from veridical.models.prompts import read_prompts


def main(
    settings: Sequence[Path],
    prompts: Sequence[Path],
    replies: Sequence[Path],
    responses: Path,
    *,
    responders: Sequence[str] = (),
    decisions: Mapping[str, Any] | None = None,
    documents: Mapping[str, Sequence[str]] | None = None,
    none: bool = False,
    brought: Path | None = None,
    pairs: str = "anchored",
) -> None:
    """Join prompts, replies and the corpora's own anchors; leave out and accept what is decided.

    Answers that are `brought` are taken as they stand, of `responders` if the config names any.
    Direct `pairs` need no anchors.
    """
    anchored = pairs != "direct"
    corpora = read_corpora(settings)
    if brought:
        days = {name: corpus.test_day for name, corpus in corpora.items()}
        own = read_own_responses(brought, days, documents or {}, none=none, responders=responders)
        cells = list(dict.fromkeys(zip(own["responder"], own["corpus"], strict=True)))
        listed = {name: list(day["item_id"]) for name, day in days.items()}
        check_cells(own, cells, listed, anchored=anchored)
        write_table(own, responses, RESPONSES)
        return
    decided = Decisions.from_config(decisions)
    tables = [pd.DataFrame(columns=RESPONSES.names)]
    # None of a corpus of which no bank of the memory system was admitted: nothing is compared.
    asked = {read[0].facts["corpus"]: read for read in map(read_prompts, prompts) if read}
    for told in filter(len, map(read_replies, replies)):
        model, corpus = model_of(told), corpora[told["facts"].iloc[0]["corpus"]]
        table = response_table(asked[corpus.name], told, corpus, model)
        place = f"responses/{model}/responses-{corpus.name}"
        tables.append(_checked(table, corpus, decided, place, anchored=anchored))
    write_table(pd.concat(tables[len(tables) > 1 :], ignore_index=True), responses, RESPONSES)


def _checked(
    table: pd.DataFrame, corpus: Corpus, decided: Decisions, place: str, *, anchored: bool
) -> pd.DataFrame:
    """One cell's responses, whole but for the items that are left out."""
    table, accepted = decided_responses(table, decided, place)
    left = set(table["item_id"]) | (set() if decided.leave_out else set(corpus.test_day["item_id"]))
    items = [item for item in corpus.test_day["item_id"] if item in left]
    check_responses(table, items, accepted=accepted, anchored=anchored)
    return table


if __name__ == "__main__":
    run(main, snakemake)
