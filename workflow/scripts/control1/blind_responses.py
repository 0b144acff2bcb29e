"""Draw every judge's blinding map."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.control1.beside import Beside, shown_again
from veridical.control1.blinding import blind, check_responses, judge_rng
from veridical.control1.responses import read_responses
from veridical.control1.tables import BLINDING, NONE, POSITIVE
from veridical.corpora.corpus import read_corpus


def main(
    settings: Path,
    responses: Path,
    positive: Path,
    blinding_map: Path,
    *,
    seed: int,
    judges: Sequence[str],
    beside: Mapping[str, Any],
    earlier: bool = False,
) -> None:
    """One map for all judges, each drawn from a stream of its own; all see the same pairs again.

    Pairs with the veridical answer that an `earlier` study's judges scored are not judged again.
    """
    table = read_responses(responses)
    if table.empty:  # no bank of the memory system was admitted: nobody is asked to judge
        write_table(pd.DataFrame(columns=BLINDING.names), blinding_map, BLINDING)
        return
    check_responses(table, list(read_corpus(settings).test_day["item_id"]))
    if earlier:
        table = table[table["condition"] != "veridical"]
    sources = table[~table["condition"].isin(["anchor", NONE])]
    rng = np.random.default_rng([seed, *b"beside"])
    more = {
        "again": shown_again(sources, Beside.from_config(beside), rng),
        "positive": read_table(positive, POSITIVE),
    }
    maps = [blind(table, judge, judge_rng(seed, judge), **more) for judge in judges]
    write_table(pd.concat(maps, ignore_index=True), blinding_map, BLINDING)


if __name__ == "__main__":
    run(main, snakemake)
