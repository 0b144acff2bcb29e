"""Write a corpus's memory block, or its whole encounter log, as a memory document."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus


def main(settings: Path, document: Path, *, content: str) -> None:
    """Write `veridical` (the memory block) or `encounter-log` (every encounter)."""
    corpus = read_corpus(settings)
    text = corpus.memory_block if content == "veridical" else corpus.log()
    write_text(document, text.rstrip("\n") + "\n")


if __name__ == "__main__":
    run(main, snakemake)
