"""Write what goes into a memory system and what is asked of it, for one corpus."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from veridical.base.files import write_text
from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1.responses import needs_anchors
from veridical.control2.prompts import question_of
from veridical.control2.tables import PROBES
from veridical.control3.symmetric import read_probes
from veridical.corpora.corpus import Corpus, read_corpus
from veridical.documents.names import LOG, read_document
from veridical.memories.plan import make_plan, with_part


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
    further: Sequence[Path] = (),
    recognition: Path | None = None,
    asked: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Each document is named by its file; the seed draws what tells the banks apart; `entries` of
    each go in, all where it is None.

    `asked` are the other controls that go through a memory system, each with its documents, whose
    files are `further`; `recognition` are Control 2's probes.
    """
    corpus = read_corpus(settings, own)
    rng = np.random.default_rng([seed, *b"memories", *corpus.name.encode()])
    texts = dict(map(read_document, documents))
    planned = make_plan(corpus, texts, read_probes(probes), k, rng, entries)
    read = dict(map(read_document, further))
    for part, names in (asked or {}).items():
        mine = {name: read[name] for name in names if name != LOG or needs_anchors(corpus)}
        questions = list(_questions(part, corpus, recognition))
        planned = with_part(planned, corpus, part, mine, questions, rng)
    write_text(plan, planned.to_json())


def _questions(part: str, corpus: Corpus, recognition: Path | None) -> Iterator[str]:
    """What a control asks, in the words in which the memory system is asked it."""
    if part == "control1":
        yield from corpus.test_day["input"]
    else:
        probes = read_table(recognition, PROBES)
        yield from map(question_of, probes[probes["corpus"] == corpus.name].itertuples())


if __name__ == "__main__":
    run(main, snakemake)
