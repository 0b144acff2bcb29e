"""Read the judges' replies to direct pairs into the table of choices, complete and incomplete."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.blinding import read_map
from veridical.control1.direct.choices import read_choices
from veridical.control1.direct.tables import CHOICES
from veridical.control1.verdicts import incomplete
from veridical.ledger.replies import model_of, read_replies


def main(
    blinding_map: Path, replies: Sequence[Path], choices: Path, *, metrics: Sequence[str]
) -> None:
    """Each replies file is one judge's."""
    if read_map(blinding_map).empty:  # nothing was there to judge
        write_table(pd.DataFrame(columns=CHOICES.names), choices, CHOICES)
        return
    tables = [
        read_choices(own, read_map(blinding_map, model_of(own)), metrics)
        for own in map(read_replies, replies)
    ]
    table = pd.concat(tables, ignore_index=True)
    gaps = incomplete(table)
    print(f"{table['sheet_id'].nunique()} verdicts, {len(gaps)} incomplete")
    for gap in gaps.itertuples():
        print(f"  {gap.sheet_id}: {gap.reason} {gap.at or ''}".rstrip())
    write_table(table, choices, CHOICES)


if __name__ == "__main__":
    run(main, snakemake)
