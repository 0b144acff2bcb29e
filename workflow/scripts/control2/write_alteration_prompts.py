"""Write what the author is asked where it, not a rule, alters the details."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from veridical.base.script import run
from veridical.control2.authored import alteration_prompts
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(
    settings: Path, prompts: Path, *, n: int, seed: int, own: Mapping[str, str] | None = None
) -> None:
    """One prompt a text, for n probes from the corpus of `settings`."""
    rng = np.random.default_rng([seed, *b"alterations"])
    write_prompts(prompts, alteration_prompts(read_corpus(settings, own), n, rng))


if __name__ == "__main__":
    run(main, snakemake)
