"""Tell what became of every history that went into a memory system."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.benchmarks.banks import bank_row
from veridical.benchmarks.tables import BANKS
from veridical.memories.keeping import outcomes
from veridical.memories.plan import plans_in


def main(plans: Sequence[Path], replies: Sequence[Path], banks: Path) -> None:
    """Plans are named by their arm; replies lie in a folder an arm, a file a system."""
    planned = {path.stem: plans_in(path) for path in plans}
    observed = {path: outcomes(path) for path in replies}
    rows = [
        bank_row(path.stem, plan, found)
        for path, found in observed.items()
        for plan in planned[path.parent.name]
    ]
    table = pd.DataFrame(rows)[BANKS.names].astype({"accepted": "Int64", "held": "Int64"})
    write_table(table, banks, BANKS)
    out = table[~table["admitted"]]
    print(f"{len(table)} banks, {len(out)} of them not counted")


if __name__ == "__main__":
    run(main, snakemake)
