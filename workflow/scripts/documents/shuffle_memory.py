"""Write one shuffled counterfeit: the agent's own entries, every binding destroyed."""

from pathlib import Path

import numpy as np
from veridical.base.files import write_text
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.corpora.history import History
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.life_counterfeits import shuffle_life
from veridical.documents.shuffled import shuffle_entries


def main(settings: Path, document: Path, *, seed: int, tolerance: float) -> None:
    """Shuffle the memory block of the corpus of `settings`; stop where a check fails."""
    corpus = read_corpus(settings)
    rng = np.random.default_rng([seed, *b"shuffled"])
    if isinstance(corpus, History):
        text = shuffle_life(corpus, rng)
    else:
        source = settings.with_name("encounters.csv")
        entries = shuffle_entries(corpus.remembered(), rng, source=source)
        text = "\n".join(corpus.entry(row) for row in entries.to_dict("records"))
    require_fidelity(fidelity(f"shuffled-{seed}", text, corpus, tolerance))
    write_text(document, text + "\n")


if __name__ == "__main__":
    run(main, snakemake)
