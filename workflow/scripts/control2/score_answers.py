"""Score Control 2: every reply as an answer, right, wrong or none; all samples in one table."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.choices.answers import score_replies
from veridical.control2.tables import ANSWERS, SAMPLES
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(prompts: Sequence[Path], replies: Sequence[Path], answers: Path, samples: Path) -> None:
    """Replies lie in a folder a condition, a file a model; the first sample is the answer."""
    asked = {path.stem: read_prompts(path) for path in prompts}
    scored = [
        score_replies(asked[path.parent.name], read_replies(path), path.stem) for path in replies
    ]
    table = pd.concat(scored, ignore_index=True)
    write_table(table[table["sample"] == 0][ANSWERS.names], answers, ANSWERS)
    write_table(table[table["condition"] == "none"][SAMPLES.names], samples, SAMPLES)


if __name__ == "__main__":
    run(main, snakemake)
