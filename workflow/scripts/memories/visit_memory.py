"""Put every bank of a plan, or of several, into one memory system and ask it everything."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from veridical.base.files import file_sha256
from veridical.base.script import run
from veridical.ledger.budget import Budget
from veridical.ledger.exports import exports_of
from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import replies_file
from veridical.memories.keeping import Keeper
from veridical.memories.plan import CONTROL3, plans_in
from veridical.memories.protocol import Memory
from veridical.memories.spending import Inside, Metered, inside
from veridical.memories.systems import System, environment
from veridical.memories.visit import Visit


def main(
    plan: Path,
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
    parts: Sequence[str] = (CONTROL3,),
    budget: Mapping[str, float] | None = None,
    language: str = "en",
) -> None:
    """`plan` holds one, or, as JSON lines, one a line: each is a visit of its own, and what the
    system is checked for is asked once. `parts` are the controls whose questions it is asked;
    `identity` is what decides the system's answers; `store` is where it may keep its banks.

    `secret` names the environment variables that hold keys; `record` is where the design's record
    lies once it is sealed; `folder` holds the weights; `language` is that of what goes in.
    """
    memory = System.from_config(system, entry)
    environ = environment(folder, language=language)
    limits = Budget.from_config(ledger.parents[1], budget) if collect and budget else None
    within = inside(system, memory.adapter, memory.settings)
    planned = plans_in(plan)
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
        for each in (one.of(*parts) for one in planned):
            start = partial(memory.start, store, environ, secret, each.partners)
            if limits is not None and within is not None:
                start = partial(metered, start, within, limits)
            Visit(each, start, keeper, marks=store / "banks.json", version=version).run()
    with replies_file(replies) as lines:
        for line in {line["id"]: line for line in keeper.lines}.values():
            lines.write(line)
    banks = sum(len(each.banks) for each in planned)
    print(f"{system}: {banks} banks, {keeper.asked} asked, {keeper.held} from the ledger")


def metered(start: Callable[[], Memory], within: Inside, budget: Budget) -> Metered:
    """The system started, its own model's calls entered in the study's budget."""
    return Metered(start(), within, budget)


if __name__ == "__main__":
    run(main, snakemake)
