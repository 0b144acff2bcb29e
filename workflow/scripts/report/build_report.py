"""Build the report: one HTML file from a study's tables, figures, documents and freezes."""

from dataclasses import replace
from pathlib import Path

from veridical.base.files import write_text
from veridical.base.instrument import metric_labels
from veridical.base.script import run
from veridical.parts import OTHERS, PARTS
from veridical.report.page import render
from veridical.report.study import read_study
from veridical.report.wording import Wording


def main(config: Path, drawings: Path, page: Path, *, language: str, title: str = "") -> None:
    """Read the study of `config` with its `drawings`, write `page` in `language` (en or it)."""
    study = read_study(config.parent, drawings, PARTS, OTHERS)
    study = replace(study, config={**study.config, "title": title or study.config.get("title")})
    words = Wording.read(language).naming("metric", metric_labels(study.config))
    write_text(page, render(study, words, PARTS))
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main, snakemake)
