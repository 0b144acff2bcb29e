"""Score the benchmark: every reply in every arm as right or not."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.benchmarks.scoring import score_all
from veridical.benchmarks.tables import ANSWERS
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(prompts: Sequence[Path], replies: Sequence[Path], answers: Path, *, scoring: str) -> None:
    """Replies lie in a folder an arm, a file a model."""
    asked = {path.stem: read_prompts(path) for path in prompts}
    came = ((path.parent.name, path.stem, read_replies(path)) for path in replies)
    rows = score_all(asked, came, scoring)
    write_table(pd.DataFrame(rows)[ANSWERS.names], answers, ANSWERS)


if __name__ == "__main__":
    run(main, snakemake)
