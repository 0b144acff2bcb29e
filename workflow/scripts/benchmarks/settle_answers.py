"""Score the benchmark with its judges' verdicts."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.benchmarks.judging import read_verdicts, settle, wordings_of
from veridical.benchmarks.scoring import score_all
from veridical.benchmarks.tables import ANSWERS, JUDGED, SHEETS
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    sheets: Path,
    verdicts: Sequence[Path],
    answers: Path,
    judged: Path,
) -> None:
    """`verdicts` are the judges' replies; options are scored as options, whatever a judge says."""
    asked = {path.stem: read_prompts(path) for path in prompts}
    came = ((path.parent.name, path.stem, read_replies(path)) for path in replies)
    wordings = wordings_of(prompt for own in asked.values() for prompt in own)
    said = [read_replies(path) for path in verdicts]
    table = read_verdicts(read_table(sheets, SHEETS), said, wordings)
    write_table(table, judged, JUDGED)
    rows = settle(score_all(asked, came, "judges"), table)
    write_table(pd.DataFrame(rows)[ANSWERS.names], answers, ANSWERS)


if __name__ == "__main__":
    run(main, snakemake)
