"""Write what the responder is asked: the test day's inputs under every memory document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.control1.responses import admitted, needs_anchors, response_prompts
from veridical.corpora.corpus import read_corpus
from veridical.documents.given import given_of
from veridical.documents.names import LOG, read_document
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    documents: Sequence[Path],
    prompts: Path,
    *,
    seed: int,
    parameters: Mapping[str, Any],
    none: bool,
    own: Mapping[str, str] | None = None,
    recalled: Path | None = None,
    pairs: str = "anchored",
) -> None:
    """Ask under the whole log, too, where the corpus brings no anchors of its own (none are shown
    beside direct `pairs`); from what a
    memory system `recalled` of the documents, where there is such a file, and of the banks alone
    that are admitted."""
    corpus = read_corpus(settings, own)
    read = [read_document(path) for path in documents]
    if pairs == "direct" or not needs_anchors(corpus):
        read = [document for document in read if document.name != LOG]
    asked = given_of([*read, *([None] if none else [])], recalled)
    for memory in asked:
        if memory.refused:
            print(f"bank {memory.name} is not admitted: {memory.refused}")
    write_prompts(prompts, response_prompts(corpus, admitted(asked), seed, parameters))


if __name__ == "__main__":
    run(main, snakemake)
