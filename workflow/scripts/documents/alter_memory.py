"""Write one counterfeit that is the real memory with some of its values altered, by rule."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.partial import altered


def main(settings: Path, document: Path, *, name: str, tolerance: float) -> None:
    """Which one it is, its `name` says; stop where it can't be, or a check fails."""
    corpus = read_corpus(settings)
    text = altered(corpus, name)
    require_fidelity(fidelity(name, text, corpus, tolerance))
    write_text(document, text + "\n")


if __name__ == "__main__":
    run(main, snakemake)
