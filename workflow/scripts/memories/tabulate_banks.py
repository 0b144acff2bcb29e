"""Make of every system's exchanges the receipts of its banks, its hygiene, recalls and answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.memories import readers, receipts
from veridical.memories.keeping import outcomes
from veridical.memories.plan import CONTROL3, Plan
from veridical.memories.tables import BANKS, ENTRIES, HYGIENE, RECALLS
from veridical.memories.visit import described_in

Rows = Callable[..., Iterator[dict[str, Any]]]


def main(
    plans: Sequence[Path],
    replies: Sequence[Path],
    hygiene: Path,
    banks: Path,
    entries: Path,
    recalls: Path,
    *,
    parts: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Replies lie in a folder a corpus, a file a system; plans in a file a corpus. `parts` are the
    controls whose questions a system was asked, by `corpus/system`; Control 3's where not given."""
    planned = {path.stem: Plan.from_json(path.read_text(encoding="utf-8")) for path in plans}
    made: dict[str, list[dict[str, Any]]] = {
        "hygiene": [],
        "banks": [],
        "entries": [],
        "recalls": [],
    }
    for path in replies:
        asked = (parts or {}).get(f"{path.parent.name}/{path.stem}", [CONTROL3])
        plan, observed = planned[path.parent.name].of(*asked), outcomes(path)
        where = {"system": path.stem, "corpus": plan.corpus}
        told = described_in(observed)
        said = {"version": told.version, "writes": told.writes} if told else {}
        made["hygiene"] += [where | row for row in receipts.hygiene_rows(observed)]
        made["banks"] += [where | said | row for row in receipts.bank_rows(plan, observed)]
        made["entries"] += [where | row for row in receipts.entry_rows(plan, observed)]
        made["recalls"] += [where | row for row in readers.recall_rows(plan.of(CONTROL3), observed)]
    for name, contract, out in (
        ("hygiene", HYGIENE, hygiene),
        ("banks", BANKS, banks),
        ("entries", ENTRIES, entries),
        ("recalls", RECALLS, recalls),
    ):
        write_table(pd.DataFrame(made[name], columns=contract.names), out, contract)


if __name__ == "__main__":
    run(main, snakemake)
