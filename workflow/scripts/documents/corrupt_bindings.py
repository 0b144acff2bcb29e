"""Write a binding-corrupted document: the memory block, every partner another one's place."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.control3.symmetric import corrupt_bindings
from veridical.corpora.corpus import read_corpus


def main(folder: Path, out: Path) -> None:
    """The document's name, which tells by how many places partners move, is the file's."""
    write_text(out, corrupt_bindings(read_corpus(folder), out.stem) + "\n")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(Path(snakemake.input.settings).parent, Path(snakemake.output.document))  # noqa: F821
