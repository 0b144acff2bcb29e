"""List under which names the servers answered."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.ledger.exports import is_replies
from veridical.ledger.served import served_table
from veridical.ledger.tables import SERVED


def main(collected: Sequence[Path], served: Path, *, models: Mapping[str, Any]) -> None:
    """Write the table `served` of all the replies files among what was `collected`."""
    table = served_table([path for path in collected if is_replies(path)], models)
    write_table(table, served, SERVED)
    print(f"{served}: {len(table)} names")


if __name__ == "__main__":
    run(main, snakemake)
