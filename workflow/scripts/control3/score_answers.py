"""Score Control 3: every reply as an answer, right, wrong or none."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.choices.answers import score_replies
from veridical.control3.tables import ANSWERS
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(prompts: Sequence[Path], replies: Sequence[Path], answers: Path) -> None:
    """Replies lie in a folder a slice, a file a model."""
    asked = {path.stem: read_prompts(path) for path in prompts}
    scored = [
        score_replies(asked[path.parent.name], read_replies(path), path.stem) for path in replies
    ]
    write_table(pd.concat(scored, ignore_index=True)[ANSWERS.names], answers, ANSWERS)


if __name__ == "__main__":
    run(main, snakemake)
