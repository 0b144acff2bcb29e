"""Draw the symmetric probes of one corpus, balanced over partners and over the order offered."""

from pathlib import Path

import numpy as np
from veridical.base.script import run
from veridical.control3.symmetric import draw_probes, write_probes
from veridical.corpora.corpus import read_corpus


def main(settings: Path, probes: Path, *, n: int, seed: int) -> None:
    """Draw n probes about topics of the memory block of the corpus of `settings`."""
    corpus = read_corpus(settings)
    rng = np.random.default_rng([seed, *b"symmetric", *corpus.name.encode()])
    write_probes(draw_probes(corpus, n, rng), probes)


if __name__ == "__main__":
    run(main, snakemake)
