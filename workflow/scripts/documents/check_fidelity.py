"""Check every memory document against the real block, and stop where one fails."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import fidelity as check_document
from veridical.documents.fidelity import require_fidelity
from veridical.documents.names import read_document
from veridical.documents.partial import require_distinct
from veridical.documents.tables import FIDELITY


def main(settings: Path, documents: Sequence[Path], fidelity: Path, *, tolerance: float) -> None:
    """Write the fidelity report of the documents, each named by its file."""
    corpus = read_corpus(settings)
    read = [read_document(path) for path in documents]
    checks = pd.concat(
        [check_document(*document, corpus, tolerance) for document in read],
        ignore_index=True,
    )
    require_distinct(read)
    require_fidelity(checks)
    write_table(checks, fidelity, FIDELITY)


if __name__ == "__main__":
    run(main, snakemake)
