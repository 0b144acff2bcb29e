"""Draw the recognition probes: true texts outside the memory block, one detail altered in each."""

from pathlib import Path

import numpy as np
from veridical.corpus import read_corpus
from veridical.recognition import check_probes, draw_probes
from veridical.tables import write_table


def main(folder: Path, out: Path, *, n: int, seed: int) -> None:
    """Draw n probes from the corpus in `folder` and hold them to the checks."""
    corpus = read_corpus(folder)
    probes = draw_probes(corpus, n, np.random.default_rng([seed, *b"recognition"]))
    check_probes(probes, corpus.memory_block)
    write_table(probes, out)


if __name__ == "__main__":
    from veridical.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.probes),  # noqa: F821
        n=snakemake.params.n,  # noqa: F821
        seed=snakemake.params.seed,  # noqa: F821
    )
