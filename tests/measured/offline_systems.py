"""Every memory system of a config on its corpora, with the ideal reader, twice; seconds of each.

    python tests/measured/offline_systems.py [config] [system ...]

With config/memories.yaml: all offline systems on corpora A and B, the true, swapped, sham and empty
bank, hygiene first, every exchange through a ledger, as a study visits them but for Controls 1 and
2. Then everything again, which may ask nothing. Needs `--group memories`, the weights in
data/models (or where VERIDICAL_MODELS says) and `npm ci --prefix envs/mcp`.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from veridical.base.config import configure
from veridical.control3.symmetric import draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.corrupted import corrupted_names
from veridical.documents.rebinding import rebind
from veridical.ledger.ledger import Ledger
from veridical.memories.keeping import Keeper
from veridical.memories.plan import VERIDICAL, Plan, make_plan
from veridical.memories.readers import ideal_rows, recall_rows
from veridical.memories.receipts import bank_rows
from veridical.memories.systems import System, environment, systems_of
from veridical.memories.visit import Visit


def planned(name: str, probes: int, k: int) -> Plan:
    """What goes in and is asked on one corpus."""
    corpus, rng = read_corpus(Path("data/corpora", name)), np.random.default_rng(1)
    documents = {VERIDICAL: corpus.memory_block}
    documents |= {each: rebind(corpus, each) for each in corrupted_names(len(corpus.partners))}
    return make_plan(corpus, documents, draw_probes(corpus, probes, rng), k, rng)


def visit(folder: Path, plan: Plan, system: System) -> tuple[Keeper, str]:
    """One visit through a ledger; what was asked, and what came of the true bank."""
    store = folder / system.name / plan.corpus
    with Ledger(folder / f"{system.name}.sqlite") as ledger:
        keeper = Keeper(system.name, system.identity(), ledger)
        start = lambda: system.start(store, environment(None))  # noqa: E731
        observed = Visit(plan, start, keeper, marks=store / "banks.json").run()
    bank = next(row for row in bank_rows(plan, observed) if row["document"] == VERIDICAL)
    own = [row for row in recall_rows(plan, observed) if row["document"] == VERIDICAL]
    right = [row for row in ideal_rows(plan, observed) if row["document"] == VERIDICAL]
    found, answered = (sum(map(bool, each)) for each in (
        (row["rank"] for row in own), (row["correct"] for row in right)))  # fmt: skip
    return keeper, f"stored {bank['intact']}, found {found}, right {answered} of {len(own)}"


def main(config: str = "config/memories.yaml", *only: str) -> None:
    """Visit all twice and print what was measured."""
    study = configure([config], [])
    part, third = study["memories"], study["control3"]
    systems = [each for each in systems_of(study).values() if not only or each.name in only]
    corpora = part.get("corpora", third["corpora"])
    plans = [planned(name, third["probes"], part["k"]) for name in corpora]
    with tempfile.TemporaryDirectory() as folder:
        for run in ("first", "second"):
            begun, asked = time.monotonic(), 0
            for system in systems:
                for plan in plans:
                    since = time.monotonic()
                    keeper, said = visit(Path(folder), plan, system)
                    asked += keeper.asked
                    took = time.monotonic() - since
                    print(f"{run} {system.name} {plan.corpus}: {took:.1f} s, {said}", flush=True)
            print(f"{run} run: {time.monotonic() - begun:.1f} s, {asked} asked")
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"processor time: {sum(each.ru_utime + each.ru_stime for each in spent):.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
