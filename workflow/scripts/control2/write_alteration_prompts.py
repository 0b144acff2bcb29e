"""Write what the author is asked where it, not a rule, alters the details."""

from pathlib import Path

import numpy as np
from veridical.control2.authored import alteration_prompts
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(folder: Path, out: Path, *, n: int, seed: int) -> None:
    """One prompt a text, for n probes from the corpus in `folder`."""
    rng = np.random.default_rng([seed, *b"alterations"])
    write_prompts(out, alteration_prompts(read_corpus(folder), n, rng))


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.prompts),  # noqa: F821
        **snakemake.params.numbers,  # noqa: F821
    )
