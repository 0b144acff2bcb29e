"""Where memory broke, what the cells show beside the system's own noise, and what it all took."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import read_table, write_table
from veridical.choices.tally import drop_left_out
from veridical.memories.cells import cells as test_cells
from veridical.memories.keeping import outcomes
from veridical.memories.plan import read_plan
from veridical.memories.stages import cost_row, curve_rows, differing, sham_rows, stage_rows
from veridical.memories.tables import (
    ANSWERS,
    BANKS,
    CELLS,
    COSTS,
    CURVE,
    RECALLS,
    SHAM,
    STAGE_TABLE,
)


def main(
    plans: Sequence[Path],
    replies: Sequence[Path],
    banks: Path,
    recalls: Path,
    answers: Path,
    stages: Path,
    curve: Path,
    cells: Path,
    sham: Path,
    costs: Path,
    *,
    swapped: Mapping[str, Sequence[str]],
    partners: Mapping[str, int],
    systems: Sequence[str],
) -> None:
    """`swapped` names each corpus's swapped documents, `partners` counts its partners."""
    planned = {path.stem: read_plan(path) for path in plans}
    bank_table, recall_table = read_table(banks, BANKS), read_table(recalls, RECALLS)
    answer_table = read_table(answers, ANSWERS)
    refused = bank_table[~bank_table["admitted"]].set_index(["system", "corpus", "document"])
    table = test_cells(answer_table, refused["reason"].to_dict(), swapped, systems, partners)
    answer_table, _ = drop_left_out(answer_table, ["system", "corpus", "reader"])
    made: dict[str, list[dict]] = {name: [] for name in ("stages", "curve", "sham", "costs")}
    for path in replies:
        where = {"system": path.stem, "corpus": path.parent.name}
        plan = planned[path.parent.name]
        mine = [
            each[(each["system"] == path.stem) & (each["corpus"] == plan.corpus)]
            for each in (bank_table, recall_table, answer_table)
        ]
        own = table[(table["system"] == path.stem) & (table["corpus"] == plan.corpus)]
        families = own.groupby("reader")["m"].max().to_dict()
        made["stages"] += [where | row for row in stage_rows(*mine)]
        made["curve"] += [where | row for row in curve_rows(mine[1], plan.k)]
        made["sham"] += [
            where | r for r in sham_rows(differing(plan, outcomes(path)), mine[2], families)
        ]
        made["costs"].append(where | cost_row(mine[0], mine[1]))
    write_table(table[CELLS.names], cells, CELLS)
    for name, contract, out in (
        ("stages", STAGE_TABLE, stages),
        ("curve", CURVE, curve),
        ("sham", SHAM, sham),
        ("costs", COSTS, costs),
    ):
        write_table(pd.DataFrame(made[name])[contract.names], out, contract)


if __name__ == "__main__":
    run(main, snakemake)
