"""A life of 10,000 encounters through `fts5`, and 1,000 probes asked of it.

    python tests/measured/large_memory.py [encounters] [probes] [adapter]

The system runs in its process and every exchange goes through a ledger, as in a study: hygiene, one
bank ingested event by event, the probes recalled, the store compared with what went in, entry by
entry. Printed: the seconds of each, what was stored and found, the most memory that this process
and the system's held; then a second run, which may ask nothing.
"""

from __future__ import annotations

import itertools
import resource
import sys
import tempfile
import time
from pathlib import Path

from veridical.ledger.ledger import Ledger
from veridical.memories.keeping import Keeper
from veridical.memories.plan import CANARY, VERIDICAL, Bank, Entry, Plan, Query
from veridical.memories.protocol import Event
from veridical.memories.readers import recall_rows
from veridical.memories.receipts import bank_rows
from veridical.memories.systems import System
from veridical.memories.visit import Visit

PARTNERS = ("Anselm", "Birgit")
THINGS = ("kettle", "ladder", "lantern", "harness", "bellows", "sundial", "trellis", "anvil")
MATTERS = ("the price", "the colour", "the weight", "the age", "the smell")


def life(encounters: int) -> list[tuple[str, str, str]]:
    """Day, topic and partner of each encounter, no topic twice."""
    named = itertools.product(range(1 + encounters // 40), MATTERS, THINGS)
    return [
        (f"20{10 + n // 336:02}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}", topic, PARTNERS[n % 2])
        for n, topic in enumerate(
            f"{matter} of {thing} no{place}"
            for place, matter, thing in itertools.islice(named, encounters)
        )
    ]


def plan(encounters: int, probes: int) -> Plan:
    """One bank of them all, and topics from all over it asked about."""
    told = life(encounters)
    events = [
        Event(f"e{n}", day, "Ada", f"{day} — met {partner} — {topic}: we agreed in the end")
        for n, (day, topic, partner) in enumerate(told)
    ]
    entries = [Entry(f"e{n}", topic, partner) for n, (_, topic, partner) in enumerate(told)]
    day = told[len(told) // 2][0]
    events.insert(len(events) // 2, Event(CANARY, day, "Ada", f"{day} — The word is bra-corvek."))
    bank = Bank(VERIDICAL, "b1", tuple(events), tuple(entries), "bra-corvek")
    asked = told[:: max(1, len(told) // probes)][:probes]
    queries = [
        Query(f"p{n}", f"With whom did you discuss {topic}?", topic, partner, PARTNERS)
        for n, (_, topic, partner) in enumerate(asked)
    ]
    canary = Query(CANARY, "What is the word?")
    return Plan("large", PARTNERS, 5, told[-1][0], (bank,), (canary, *queries))


def visit(folder: Path, planned: Plan, system: System) -> tuple[Keeper, dict]:
    """Everything, through a ledger."""
    with Ledger(folder / "ledger.sqlite") as ledger:
        keeper = Keeper(system.name, system.identity(), ledger)
        start = lambda: system.start(folder / "store")  # noqa: E731
        return keeper, Visit(planned, start, keeper, marks=folder / "store/banks.json").run()


def main(encounters: int = 10_000, probes: int = 1_000, adapter: str = "fts5") -> None:
    """Run it twice and print what was measured."""
    planned, system = plan(encounters, probes), System("large", adapter)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        _, observed = visit(Path(folder), planned, system)
        asked = time.monotonic() - begun
        (bank,) = bank_rows(planned, observed)
        rows = list(recall_rows(planned, observed))
        whole = time.monotonic() - begun
        ingested, found = observed[f"ingest/{VERIDICAL}"], sum(row["rank"] == 1 for row in rows)
        recalls = sum(o.seconds for id, o in observed.items() if id.startswith("recall/"))
        print(f"{encounters} encounters, {len(rows)} probes, {adapter}: {whole:.1f} s in all")
        print(f"  ingested in {ingested.seconds:.1f} s, recalled in {recalls:.1f} s, ", end="")
        print(f"asked of the system {asked:.1f} s, read and compared {whole - asked:.1f} s")
        print(f"  stored {bank['intact']} of {bank['entries']}, found first {found} of {len(rows)}")
        print(f"  admitted: {bank['admitted']} {bank['reason'] or ''}")
        spent = [
            resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        ]
        own, theirs = (each.ru_maxrss / 1024 for each in spent)
        processor = sum(each.ru_utime + each.ru_stime for each in spent)
        print(f"  most memory: {own:.0f} MB here, {theirs:.0f} MB in the system")
        print(f"  processor time of both: {processor:.1f} s")
        begun = time.monotonic()
        again, _ = visit(Path(folder), planned, system)
        print(f"  again: {again.asked} asked, {again.held} from the ledger, ", end="")
        print(f"{time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:4])
