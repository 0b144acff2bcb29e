"""Write what every model is asked about one document of Control 3."""

from collections.abc import Mapping
from pathlib import Path

from veridical.base.script import run
from veridical.control3.prompts import partner_prompts
from veridical.control3.symmetric import read_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.names import read_document
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    probes: Path,
    document: Path | None,
    prompts: Path,
    *,
    own: Mapping[str, str] | None = None,
) -> None:
    """Put each probe behind the document, or behind none."""
    given = read_document(document) if document else None
    corpus = read_corpus(settings, own)
    write_prompts(prompts, partner_prompts(corpus, given, read_probes(probes)))


if __name__ == "__main__":
    run(main, snakemake)
