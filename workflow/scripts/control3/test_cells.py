"""Test every declared cell of Control 3, corrected within each corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.tables import read_table, write_table
from veridical.control3.cells import cells

TEXT = ("corpus", "model", "document", "probe_id", "state", "true_partner", "first_option")


def main(answers: Path, out: Path, *, corpora: Mapping[str, int], models: Sequence[str]) -> None:
    """`corpora` says how many partners each corpus has; each is one Holm family."""
    table = read_table(answers, ["answer", "document_partner", "correct"], text=TEXT)
    declared = [(corpus, model) for corpus in corpora for model in models]
    write_table(cells(table, declared, dict(corpora)), out)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.answers),  # noqa: F821
        Path(snakemake.output.cells),  # noqa: F821
        corpora=snakemake.params.corpora,  # noqa: F821
        models=snakemake.params.models,  # noqa: F821
    )
