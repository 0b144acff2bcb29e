"""Draw every judge's blinding map."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.blinding import blind, check_responses, judge_rng
from veridical.control1.responses import read_responses
from veridical.control1.tables import BLINDING
from veridical.corpora.corpus import read_corpus


def main(
    settings: Path, responses: Path, blinding_map: Path, *, seed: int, judges: Sequence[str]
) -> None:
    """One map for all judges, each drawn from a stream of its own."""
    table = read_responses(responses)
    check_responses(table, list(read_corpus(settings).test_day["item_id"]))
    maps = [blind(table, judge, judge_rng(seed, judge)) for judge in judges]
    write_table(pd.concat(maps, ignore_index=True), blinding_map, BLINDING)


if __name__ == "__main__":
    run(main, snakemake)
