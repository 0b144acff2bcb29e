"""Draw every judge's blinding map."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control1.beside import Beside, shown_again
from veridical.control1.blinding import blind, check_cells, judge_rng
from veridical.control1.cells import read_corpora
from veridical.control1.direct.choices import facing
from veridical.control1.responses import read_responses
from veridical.control1.tables import BLINDING, NONE, POSITIVE


def main(
    settings: Sequence[Path],
    responses: Path,
    positive: Path,
    blinding_map: Path,
    *,
    seed: int,
    cells: Sequence[Sequence[str]],
    judges: Sequence[str],
    beside: Mapping[str, Any],
    earlier: bool = False,
    pairs: str = "anchored",
) -> None:
    """One map for all judges, each drawn from a stream of its own; all see the same pairs again.

    The sheets of all `cells` (responder, corpus) are drawn together; none need be named
    where a memory system may not have admitted a corpus. Pairs with the veridical
    answer that an `earlier` study's judges scored are not judged again. Of direct `pairs` that
    answer takes the anchor's place.
    """
    table = read_responses(responses)
    if table.empty:  # no bank of the memory system was admitted: nobody is asked to judge
        write_table(pd.DataFrame(columns=BLINDING.names), blinding_map, BLINDING)
        return
    items = {name: list(own.test_day["item_id"]) for name, own in read_corpora(settings).items()}
    table = facing(table) if pairs == "direct" else table
    check_cells(table, [(responder, corpus) for responder, corpus in cells], items)
    if earlier:
        table = table[table["condition"] != "veridical"]
    sources = table[~table["condition"].isin(["anchor", NONE])]
    both = table[table["condition"] != "anchor"] if pairs == "direct" else None
    rng = np.random.default_rng([seed, *b"beside"])
    more = {
        "again": shown_again(sources, Beside.from_config(beside), rng, both),
        "positive": read_table(positive, POSITIVE),
    }
    maps = [blind(table, judge, judge_rng(seed, judge), **more) for judge in judges]
    write_table(pd.concat(maps, ignore_index=True), blinding_map, BLINDING)


if __name__ == "__main__":
    run(main, snakemake)
