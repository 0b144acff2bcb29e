"""Write what every model is asked in one condition of Control 2."""

from collections.abc import Mapping
from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control2.prompts import recognition_prompts
from veridical.control2.recognition import check_probes
from veridical.control2.tables import PROBES
from veridical.corpora.corpus import read_corpus
from veridical.documents.given import given_of
from veridical.documents.names import read_document
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    probes: Path,
    document: Path | None,
    prompts: Path,
    *,
    condition: str,
    samples: int,
    own: Mapping[str, str] | None = None,
    recalled: Path | None = None,
) -> None:
    """Put each probe behind the document (or none), asked `samples` times; behind what a memory
    system `recalled` of it, where there is such a file, and the bank is admitted."""
    corpus = read_corpus(settings, own)
    table = read_table(probes, PROBES)
    table = table[table["corpus"] == corpus.name]
    check_probes(table, corpus.memory_block, corpus.language)
    (given,) = given_of([read_document(document) if document else None], recalled)
    if given.refused:
        print(f"bank {given.name} is not admitted: {given.refused}")
    asked = [] if given.refused else recognition_prompts(corpus, given, condition, table, samples)
    write_prompts(prompts, asked)


if __name__ == "__main__":
    run(main, snakemake)
