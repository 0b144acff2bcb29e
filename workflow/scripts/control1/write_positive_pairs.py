"""Write the pairs known by construction: own memory quoted, and a stranger's."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.positive import positive_pairs
from veridical.control1.tables import POSITIVE
from veridical.corpora.corpus import read_corpus
from veridical.documents.names import read_document


def main(
    settings: Path,
    documents: Sequence[Path],
    positive: Path,
    *,
    seed: int,
    pairs: int,
    own: Mapping[str, str] | None = None,
) -> None:
    """Drawn from the study's seed; an empty table where the study wants none."""
    read = [read_document(path) for path in documents]
    rng = np.random.default_rng([seed, *b"positive"])
    write_table(positive_pairs(read_corpus(settings, own), read, pairs, rng), positive, POSITIVE)


if __name__ == "__main__":
    run(main, snakemake)
