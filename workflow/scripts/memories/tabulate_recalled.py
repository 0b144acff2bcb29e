"""How much of a memory the other controls were given: a row a bank, counted from what came back."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.documents.given import read_recalled
from veridical.memories.readers import context_rows
from veridical.memories.tables import CONTEXTS


def main(recalled: Sequence[Path], contexts: Path, *, given: Sequence[Sequence[str]]) -> None:
    """`given` says of each file of `recalled` to which control, from which system and corpus."""
    rows = []
    for path, whose in zip(recalled, given, strict=True):
        where = dict(zip(("part", "system", "corpus"), whose, strict=True))
        rows += [where | row for row in context_rows(read_recalled(path).values())]
    write_table(pd.DataFrame(rows, columns=CONTEXTS.names), contexts, CONTEXTS)


if __name__ == "__main__":
    run(main, snakemake)
