"""Write what a model is asked with what one system recalled, for the banks that are admitted."""

from collections.abc import Mapping
from pathlib import Path

from veridical.base.script import run
from veridical.control3.symmetric import read_probes
from veridical.corpora.corpus import read_corpus
from veridical.memories.keeping import outcomes
from veridical.memories.plan import read_plan
from veridical.memories.readers import reader_prompts
from veridical.memories.receipts import bank_rows
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    plan: Path,
    drawn: Path,
    replies: Path,
    prompts: Path,
    *,
    probes: int | None,
    own: Mapping[str, str] | None = None,
) -> None:
    """Of each bank `probes` of the probes drawn, all where it is None; none of one not admitted."""
    planned, observed = read_plan(plan), outcomes(replies)
    admitted = {row["document"] for row in bank_rows(planned, observed) if row["admitted"]}
    asked = reader_prompts(
        read_corpus(settings, own),
        planned,
        observed,
        read_probes(drawn),
        admitted,
        probes,
    )
    write_prompts(prompts, asked)


if __name__ == "__main__":
    run(main, snakemake)
