"""Write the pairs known by construction: own memory quoted, and a stranger's."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.cells import read_corpora
from veridical.control1.positive import positive_pairs
from veridical.control1.tables import POSITIVE
from veridical.documents.names import read_document


def main(
    settings: Sequence[Path],
    documents: Sequence[Path],
    positive: Path,
    *,
    seed: int,
    pairs: int,
    own: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Drawn from the study's seed, in every corpus alike; an empty table where it wants none.

    `documents` are the foreign lives, as many a corpus, in the order of the `settings`.
    """
    corpora = read_corpora(settings, own)
    each = len(documents) // len(corpora)
    tables = []
    for place, corpus in enumerate(corpora.values()):
        read = [read_document(path) for path in documents[place * each : (place + 1) * each]]
        rng = np.random.default_rng([seed, *b"positive"])
        tables.append(positive_pairs(corpus, read, pairs, rng))
    write_table(pd.concat(tables, ignore_index=True), positive, POSITIVE)


if __name__ == "__main__":
    run(main, snakemake)
