"""Read the judges' replies into the table of verdicts, complete and incomplete."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.control1.blinding import read_map
from veridical.control1.brought import read_earlier
from veridical.control1.tables import VERDICT
from veridical.control1.verdicts import incomplete, read_verdicts
from veridical.ledger.replies import model_of, read_replies


def main(
    blinding_map: Path,
    replies: Sequence[Path],
    verdicts: Path,
    *,
    metrics: Sequence[str],
    earlier: Path | None = None,
) -> None:
    """Each replies file is one judge's; an `earlier` study's verdicts are the original session."""
    if read_map(blinding_map).empty:  # nothing was there to judge
        write_table(pd.DataFrame(columns=VERDICT.names), verdicts, VERDICT)
        return
    tables = [
        read_verdicts(own, read_map(blinding_map, model_of(own)), metrics)
        for own in map(read_replies, replies)
    ]
    table = pd.concat(tables, ignore_index=True)
    if earlier:
        table = pd.concat([read_earlier(earlier, table), table], ignore_index=True)
    gaps = incomplete(table)
    print(f"{table['sheet_id'].nunique()} verdicts, {len(gaps)} incomplete")
    for gap in gaps.itertuples():
        print(f"  {gap.sheet_id}: {gap.reason} {gap.at or ''}".rstrip())
    write_table(table, verdicts, VERDICT)


if __name__ == "__main__":
    run(main, snakemake)
