"""Draw the symmetric probes of one corpus, balanced over partners and over the order offered."""

from pathlib import Path

import numpy as np
from veridical.base.script import run
from veridical.control3.brought import read_own_probes
from veridical.control3.symmetric import draw_probes, write_probes
from veridical.corpora.corpus import read_corpus


def main(
    settings: Path,
    probes: Path,
    *,
    n: int,
    seed: int,
    brought: Path | None = None,
) -> None:
    """Draw n probes about topics of the corpus's memory block, or take those `brought`."""
    corpus = read_corpus(settings)
    rng = np.random.default_rng([seed, *b"symmetric", *corpus.name.encode()])
    own = read_own_probes(brought, corpus, n) if brought else None
    write_probes(draw_probes(corpus, n, rng) if own is None else own, probes)


if __name__ == "__main__":
    run(main, snakemake)
