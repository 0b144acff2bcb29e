"""Draw the recognition probes: true texts outside the memory block, one detail altered in each."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control2.alterations import Alteration
from veridical.control2.authored import read_alterations
from veridical.control2.brought import read_own_probes
from veridical.control2.recognition import check_probes, draw_probes
from veridical.control2.tables import PROBES
from veridical.corpora.corpus import Corpus, read_corpus
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    settings: Sequence[Path],
    probes: Path,
    *,
    n: int,
    seed: int,
    asked: Sequence[Path] = (),
    altered: Sequence[Path] = (),
    brought: Path | None = None,
) -> None:
    """Draw n probes of each corpus, by rule or from the author's proposals, or take those
    `brought`; checked.

    `asked` and `altered` are what the author was asked about each corpus, in their order, and what
    it replied.
    """
    corpora = [read_corpus(path) for path in settings]
    if brought:
        write_table(pd.concat(_own(brought, corpora, n), ignore_index=True), probes, PROBES)
        return
    drawn = []
    for number, corpus in enumerate(corpora):
        used = _authored(asked[number], altered[number]) if asked else None
        rng = np.random.default_rng([seed, *b"recognition"])  # whatever other corpora there are
        drawn.append(draw_probes(corpus, n, rng, used))
        check_probes(drawn[-1], corpus.memory_block, corpus.language)
    write_table(pd.concat(drawn, ignore_index=True), probes, PROBES)


def _own(brought: Path, corpora: Sequence[Corpus], n: int) -> list[pd.DataFrame]:
    """The study's own probes, corpus by corpus."""
    names = [corpus.name for corpus in corpora]
    return [
        read_own_probes(
            brought,
            corpus.records()["encounter_id"],
            corpus.memory_block,
            n,
            corpus.language,
            corpus=corpus.name,
            corpora=names,
        )
        for corpus in corpora
    ]


def _authored(asked: Path, altered: Path) -> dict[str, Alteration]:
    """The author's proposals that can be used, by encounter; the log says why others can't."""
    used, refused = read_alterations(read_prompts(asked), read_replies(altered))
    for encounter, why in refused.items():
        print(f"{encounter}: not used: {why}")
    return used


if __name__ == "__main__":
    run(main, snakemake)
