"""Build the report: one HTML file from a study's tables, figures, documents and freezes."""

from pathlib import Path

from veridical.base.files import write_text
from veridical.report.page import render
from veridical.report.study import read_study
from veridical.report.wording import Wording


def main(results: Path, figures: Path, page: Path, *, language: str) -> None:
    """Read the study below `results` and `figures`, write `page` in `language` (en or it)."""
    study = read_study(results, figures)
    write_text(page, render(study, Wording.read(language)))
    print(f"{page}: {len(study.parts)} parts, {page.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.config).parent,  # noqa: F821
        Path(snakemake.params.figures),  # noqa: F821
        Path(snakemake.output.page),  # noqa: F821
        language=snakemake.params.language,  # noqa: F821
    )
