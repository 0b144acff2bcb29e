"""Draw the symmetric probes of one corpus, balanced over partners and over the order offered."""

from pathlib import Path

import numpy as np
from veridical.base.tables import write_table
from veridical.control3.symmetric import draw_probes
from veridical.corpora.corpus import read_corpus


def main(folder: Path, out: Path, *, n: int, seed: int) -> None:
    """Draw n probes about topics of the memory block of the corpus in `folder`."""
    corpus = read_corpus(folder)
    rng = np.random.default_rng([seed, *b"symmetric", *corpus.name.encode()])
    write_table(draw_probes(corpus, n, rng), out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.probes),  # noqa: F821
        **snakemake.params.numbers,  # noqa: F821
    )
