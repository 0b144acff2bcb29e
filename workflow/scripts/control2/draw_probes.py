"""Draw the recognition probes: true texts outside the memory block, one detail altered in each."""

from pathlib import Path

import numpy as np
from veridical.base.tables import write_table
from veridical.control2.authored import read_alterations
from veridical.control2.recognition import check_probes, draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    folder: Path, out: Path, *, n: int, seed: int, authored: tuple[Path, Path] | None = None
) -> None:
    """Draw n probes, by rule or from the author's prompts and replies; hold them to the checks."""
    corpus = read_corpus(folder)
    used = None
    if authored:
        used, refused = read_alterations(read_prompts(authored[0]), read_replies(authored[1]))
        for encounter, why in refused.items():
            print(f"{encounter}: not used: {why}")
    probes = draw_probes(corpus, n, np.random.default_rng([seed, *b"recognition"]), used)
    check_probes(probes, corpus.memory_block)
    write_table(probes, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    authored = [Path(path) for path in snakemake.input.authored]  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.probes),  # noqa: F821
        **snakemake.params.numbers,  # noqa: F821
        authored=tuple(authored) or None,
    )
