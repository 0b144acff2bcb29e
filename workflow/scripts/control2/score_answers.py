"""Score Control 2: every reply as an answer, right, wrong or none; all samples in one table."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.choices.answers import score_replies
from veridical.control2.brought import read_own_answers
from veridical.control2.tables import ANSWERS, SAMPLES
from veridical.ledger.replies import answered


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    answers: Path,
    samples: Path,
    *,
    corpora: Sequence[str] = (),
    brought: Path | None = None,
) -> None:
    """Every model's replies to the prompts of every corpus and condition, or the answers `brought`;
    the first sample is the answer."""
    if brought:
        first, every = read_own_answers(brought, corpora)
        write_table(first, answers, ANSWERS)
        write_table(every, samples, SAMPLES)
        return
    scored = [score_replies(asked, own, model) for model, asked, own in answered(prompts, replies)]
    if not scored:  # no bank of the memory system was admitted
        scored.append(pd.DataFrame(columns=[*ANSWERS.names, "sample"]))
    table = pd.concat(scored, ignore_index=True)
    write_table(table[table["sample"] == 0][ANSWERS.names], answers, ANSWERS)
    write_table(table[table["condition"] == "none"][SAMPLES.names], samples, SAMPLES)


if __name__ == "__main__":
    run(main, snakemake)
