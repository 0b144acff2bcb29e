"""Draw each judge's order of the open answers, and write its sheets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.benchmarks.judging import sheet_prompts, sheets_table, wordings_of
from veridical.benchmarks.scoring import score_all
from veridical.benchmarks.tables import ITEMS, SHEETS
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts, write_prompts


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    asked: Path,
    sheets: Path,
    written: Sequence[Path],
    *,
    seed: int,
    parameters: Mapping[str, Any],
) -> None:
    """`written` are the judges' files, each named like its judge."""
    put = {path.stem: read_prompts(path) for path in prompts}
    came = ((path.parent.name, path.stem, read_replies(path)) for path in replies)
    table = sheets_table(score_all(put, came, "judges"), [path.stem for path in written], seed)
    write_table(table, sheets, SHEETS)
    questions = read_table(asked, ITEMS).set_index("item_id")["question"].to_dict()
    wordings = wordings_of(prompt for own in put.values() for prompt in own)
    for path in written:
        write_prompts(path, sheet_prompts(table, questions, wordings, path.stem, parameters))
    print(f"{len(table)} sheets for {len(written)} judges")


if __name__ == "__main__":
    run(main, snakemake)
