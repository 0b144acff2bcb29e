"""Draw the recognition probes: true texts outside the memory block, one detail altered in each."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control2.authored import read_alterations
from veridical.control2.brought import read_own_probes
from veridical.control2.recognition import check_probes, draw_probes
from veridical.control2.tables import PROBES
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    settings: Path,
    probes: Path,
    *,
    n: int,
    seed: int,
    authored: Sequence[Path] = (),
    brought: Path | None = None,
) -> None:
    """Draw n probes, by rule or from the author's proposals, or take those `brought`; checked."""
    corpus = read_corpus(settings)
    if brought:
        ids = corpus.records()["encounter_id"]
        own = read_own_probes(brought, ids, corpus.memory_block, n, corpus.language)
        write_table(own, probes, PROBES)
        return
    used = None
    if authored:
        used, refused = read_alterations(read_prompts(authored[0]), read_replies(authored[1]))
        for encounter, why in refused.items():
            print(f"{encounter}: not used: {why}")
    drawn = draw_probes(corpus, n, np.random.default_rng([seed, *b"recognition"]), used)
    check_probes(drawn, corpus.memory_block, corpus.language)
    write_table(drawn, probes, PROBES)


if __name__ == "__main__":
    run(main, snakemake)
