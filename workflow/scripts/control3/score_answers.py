"""Score Control 3: every reply as an answer, right, wrong or none."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.choices.answers import score_replies
from veridical.control3.brought import read_own_answers
from veridical.control3.tables import ANSWERS
from veridical.ledger.replies import answered


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    answers: Path,
    *,
    brought: Path | None = None,
) -> None:
    """Every model's replies to the prompts about every document, or the answers `brought`."""
    if brought:
        write_table(read_own_answers(brought), answers, ANSWERS)
        return
    scored = [score_replies(asked, own, model) for model, asked, own in answered(prompts, replies)]
    write_table(pd.concat(scored, ignore_index=True)[ANSWERS.names], answers, ANSWERS)


if __name__ == "__main__":
    run(main, snakemake)
