"""Check that nothing but the document can tell a partner, before anything is asked."""

from pathlib import Path

from veridical.base.tables import write_table
from veridical.control3.symmetric import check_symmetry, require_symmetry
from veridical.corpora.corpus import read_corpus


def main(folder: Path, out: Path, *, probes: int, document_encounters: int) -> None:
    """Write the checks of the corpus in `folder`; stop, naming them, where some fail."""
    checks = check_symmetry(read_corpus(folder), probes, document_encounters)
    require_symmetry(checks)
    write_table(checks, out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.output.checks),  # noqa: F821
        **snakemake.params.numbers,  # noqa: F821
    )
