"""Write a binding-corrupted document: the memory block, every partner another one's place."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.documents.rebinding import rebind


def main(settings: Path, document: Path, *, name: str) -> None:
    """The document's `name` tells by how many places partners move."""
    write_text(document, rebind(read_corpus(settings), name) + "\n")


if __name__ == "__main__":
    run(main, snakemake)
