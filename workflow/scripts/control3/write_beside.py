"""Write what is asked beside the registered probes, in one arm about one document."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from veridical.base.script import run
from veridical.control3.beside import beside_prompts, document_of
from veridical.control3.lives import changed_probes
from veridical.control3.symmetric import read_probes
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    probes: Path,
    prompts: Path,
    *,
    arm: str,
    document: str,
    noticing: int,
    seed: int,
    own: Mapping[str, str] | None = None,
) -> None:
    """All probes; of the arm `noticing` as many as the config asks for, the first ones drawn."""
    corpus, drawn = read_corpus(settings, own), read_probes(probes)
    asked = drawn.head(noticing) if arm == "noticing" else drawn
    if arm == "stale":
        rng = np.random.default_rng([seed, *b"stale", *corpus.name.encode()])
        asked = changed_probes(corpus, rng)
    given = document_of(corpus, document, asked)
    write_prompts(prompts, beside_prompts(corpus, arm, given, asked))


if __name__ == "__main__":
    run(main, snakemake)
