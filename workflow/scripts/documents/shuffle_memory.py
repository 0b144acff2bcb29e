"""Write one shuffled counterfeit: the agent's own entries, every binding destroyed."""

from pathlib import Path

import numpy as np
from veridical.base.files import write_text
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.shuffled import shuffle_entries


def main(folder: Path, out: Path, *, seed: int, tolerance: float) -> None:
    """Shuffle the memory block of the corpus in `folder`; stop where a check fails."""
    corpus = read_corpus(folder)
    rng = np.random.default_rng([seed, *b"shuffled"])
    entries = shuffle_entries(corpus.remembered(), rng, source=folder / "encounters.csv")
    text = "\n".join(corpus.entry(row) for row in entries.to_dict("records"))
    require_fidelity(fidelity(f"shuffled-{seed}", text, corpus, tolerance))
    write_text(out, text + "\n")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.document),  # noqa: F821
        seed=int(snakemake.wildcards.seed),  # noqa: F821
        tolerance=snakemake.params.tolerance,  # noqa: F821
    )
