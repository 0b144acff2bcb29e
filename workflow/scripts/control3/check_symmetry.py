"""Check that nothing but the document can tell a partner, before anything is asked."""

from pathlib import Path

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control3.symmetric import check_symmetry, require_symmetry
from veridical.control3.tables import SYMMETRY
from veridical.corpora.corpus import read_corpus


def main(settings: Path, checks: Path, *, probes: int, document_encounters: int) -> None:
    """Write the checks of the corpus of `settings`; stop, naming them, where some fail."""
    found = check_symmetry(read_corpus(settings), probes, document_encounters)
    require_symmetry(found)
    write_table(found, checks, SYMMETRY)


if __name__ == "__main__":
    run(main, snakemake)
