"""Write one judge's sheets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.control1.blinding import read_map, sheets
from veridical.control1.responses import read_responses
from veridical.control1.verdicts import rubric, verdict_form
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(
    folder: Path,
    responses: Path,
    blinding_map: Path,
    out: Path,
    *,
    judge: str,
    metrics: Sequence[str],
    rationale: bool,
    parameters: Mapping[str, Any],
) -> None:
    """The rubric is the same for every sheet; the map decides which answer stands first."""
    corpus = read_corpus(folder)
    written = sheets(
        read_map(blinding_map, judge),
        read_responses(responses),
        corpus.test_day.set_index("item_id")["input"].to_dict(),
        rubric(metrics, corpus.language),
        verdict_form(metrics, rationale=rationale),
        language=corpus.language,
        parameters=parameters,
    )
    write_prompts(out, written)


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.responses),  # noqa: F821
        Path(snakemake.input.map),  # noqa: F821
        Path(snakemake.output.sheets),  # noqa: F821
        judge=snakemake.wildcards.model,  # noqa: F821
        metrics=snakemake.params.metrics,  # noqa: F821
        rationale=snakemake.params.rationale,  # noqa: F821
        parameters=snakemake.params.parameters,  # noqa: F821
    )
