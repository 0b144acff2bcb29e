"""Write a corpus's memory block, or its whole encounter log, as a memory document."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.corpora.corpus import read_corpus


def main(folder: Path, out: Path, *, document: str) -> None:
    """Write `veridical` (the memory block) or `encounter-log` (every encounter)."""
    corpus = read_corpus(folder)
    text = corpus.memory_block if document == "veridical" else corpus.log()
    write_text(out, text.rstrip("\n") + "\n")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.document),  # noqa: F821
        document=snakemake.params.document,  # noqa: F821
    )
