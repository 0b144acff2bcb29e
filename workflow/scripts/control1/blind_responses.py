"""Draw every judge's blinding map."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.tables import write_table
from veridical.control1.blinding import blind, check_responses, judge_rng
from veridical.control1.responses import read_responses
from veridical.corpora.corpus import read_corpus


def main(folder: Path, responses: Path, out: Path, *, seed: int, judges: Sequence[str]) -> None:
    """One map for all judges, each drawn from a stream of its own."""
    table = read_responses(responses)
    check_responses(table, list(read_corpus(folder).test_day["item_id"]))
    maps = [blind(table, judge, judge_rng(seed, judge)) for judge in judges]
    write_table(pd.concat(maps, ignore_index=True), out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.responses),  # noqa: F821
        Path(snakemake.output.map),  # noqa: F821
        seed=snakemake.params.seed,  # noqa: F821
        judges=snakemake.params.judges,  # noqa: F821
    )
