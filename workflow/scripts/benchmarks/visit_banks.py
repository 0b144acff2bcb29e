"""Put every history of one arm into one memory system and ask it everything, by the ledger."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from veridical.base.files import file_sha256
from veridical.base.script import run
from veridical.benchmarks.banks import read_plans
from veridical.ledger.exports import exports_of
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import replies_file
from veridical.memories.keeping import Keeper
from veridical.memories.systems import System, environment
from veridical.memories.visit import Visit


def main(
    plans: Path,
    replies: Path,
    *,
    system: str,
    entry: Mapping[str, Any],
    identity: Mapping[str, Any],
    version: str | None,
    ledger: Path,
    store: Path,
    collect: bool = True,
    secret: Sequence[str] = (),
    record: Path | None = None,
    folder: str | None = None,
) -> None:
    """As the memories' own visit; a history is a visit, and what it is checked for is kept once."""
    memory = System.from_config(system, entry)
    planned = read_plans(plans.read_text(encoding="utf-8"))
    with closing(Ledger(ledger)) as book:
        keeper = Keeper(
            system,
            identity,
            book,
            asking=collect,
            exports=exports_of(replies),
            secret=secret,
            record=file_sha256(record) if record and record.is_file() else "",
        )
        start = partial(memory.start, store, environment(folder), secret)
        for plan in planned:
            Visit(plan, start, keeper, marks=store / "banks.json", version=version).run()
    with replies_file(replies) as lines:
        for line in {line["id"]: line for line in keeper.lines}.values():
            lines.write(line)
    print(f"{system}: {len(planned)} banks, {keeper.asked} asked, {keeper.held} from the ledger")


if __name__ == "__main__":
    run(main, snakemake)
