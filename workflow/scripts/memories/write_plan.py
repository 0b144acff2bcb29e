"""Write what goes into a memory system and what is asked of it, for one corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from veridical.base.files import write_text
from veridical.base.script import run
from veridical.control3.symmetric import read_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.names import read_document
from veridical.memories.plan import make_plan


def main(
    settings: Path,
    probes: Path,
    documents: Sequence[Path],
    plan: Path,
    *,
    k: int,
    seed: int,
    entries: int | None = None,
    own: Mapping[str, str] | None = None,
) -> None:
    """Each document is named by its file; the seed draws what tells the banks apart; `entries` of
    each go in, all where it is None."""
    corpus = read_corpus(settings, own)
    rng = np.random.default_rng([seed, *b"memories", *corpus.name.encode()])
    texts = dict(map(read_document, documents))
    table = read_probes(probes)
    write_text(plan, make_plan(corpus, texts, table, k, rng, entries).to_json())


if __name__ == "__main__":
    run(main, snakemake)
