"""Check every memory document against the real block, and stop where one fails."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.tables import write_table
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import fidelity, require_fidelity


def main(folder: Path, documents: Sequence[Path], out: Path, *, tolerance: float) -> None:
    """Write the fidelity report of the documents, each named by its file."""
    corpus = read_corpus(folder)
    checks = pd.concat(
        [
            fidelity(path.stem, path.read_text(encoding="utf-8"), corpus, tolerance)
            for path in documents
        ],
        ignore_index=True,
    )
    require_fidelity(checks)
    write_table(checks, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        [Path(path) for path in snakemake.input.documents],  # noqa: F821
        Path(snakemake.output.table),  # noqa: F821
        tolerance=snakemake.params.tolerance,  # noqa: F821
    )
