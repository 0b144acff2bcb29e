"""A benchmark's histories put into a memory system's banks, and asked for what the items ask.

What an arm gives an item is ingested turn by turn, and what comes back for the question stands
where the history stood. Without a history there is no bank: nothing can be recalled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from veridical.benchmarks.arms import Arms, Given, fitting
from veridical.benchmarks.dates import day_of
from veridical.benchmarks.items import Item
from veridical.memories.keeping import Outcome
from veridical.memories.plan import Bank, Plan, Query
from veridical.memories.protocol import Event
from veridical.memories.receipts import dump_of, hygiene_faults, late, recalls_of, texts_of

UNDATED = "2000-01-01"  # of a session whose date can't be read: stores want one


def bank_plans(arms: Arms, arm: str, items: Sequence[Item], k: int) -> Iterator[Plan]:
    """A plan a history that the arm gives: one bank, and the questions of its items.

    A bank's name is a hash, which tells the system nothing. `k` is how much a recall asks for.
    """
    groups: dict[str, tuple[Given, list[Item]]] = {}
    for item in fitting(arm, items):
        given = arms.give(arm, item)
        groups.setdefault(_digest(given.text), (given, []))[1].append(item)
    for number, (digest, (given, own)) in enumerate(groups.items(), start=1):
        events = tuple(_events(given))
        bank = Bank(f"{arm}-{number}", f"m{digest[:16]}", events, ())
        queries = tuple(Query(item.id, _asked(item)) for item in own)
        yield Plan(arm, (), k, max((e.at for e in events), default=UNDATED), (bank,), queries)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _asked(item: Item) -> str:
    return f"Today is {item.date}. {item.question}" if item.date else item.question


def _events(given: Given) -> Iterator[Event]:
    """The turns in their order, each under its session's date as the arm's text has it."""
    for place, session in enumerate(given.sessions, start=1):
        day = day_of(session.date) or UNDATED
        for number, turn in enumerate(session.turns, start=1):
            said = f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text
            text = f"[{session.date}] {said}" if session.date else said
            if turn.text.strip():
                yield Event(f"{place}.{number}", day, turn.speaker or "user", text)


def write_plans(plans: Sequence[Plan]) -> str:
    """A plan a line, as `memories.plan.plans_in` reads them from a .jsonl."""
    return "".join(f"{json.dumps(asdict(plan), ensure_ascii=False)}\n" for plan in plans)


def bank_row(system: str, plan: Plan, observed: Mapping[str, Outcome]) -> dict[str, Any]:
    """What became of a bank (`tables.BANKS`): what the store took and gave back, and whether what
    is answered from it counts.

    It counts where the system is sound, every event was accepted and has settled, every question
    got a reply, and the store's own dump, where it has one, is neither empty nor still changing.
    """
    bank = plan.banks[0]
    reasons = list(hygiene_faults(observed))
    ingested = observed.get(f"ingest/{bank.document}")
    value = (ingested.value or {}) if ingested else {}
    recalls = recalls_of(bank, observed)
    failed = [each for each in recalls.values() if not each.ok]
    if not value:
        reasons.append(f"not ingested: {ingested.error if ingested else 'it did not start'}")
    else:
        if value["accepted"] != value["given"]:
            reasons.append(f"{value['accepted']} of {value['given']} events accepted")
        if not value["settled"]["ready"]:
            reasons.append(f"not settled: {value['settled']['pending']} events pending")
        if dump_of(bank, observed) == [] and bank.events:
            reasons.append("its dump is empty")
    if failed:
        reasons.append(f"{len(failed)} recalls failed: {failed[0].error}")
    reasons += late(bank, observed)
    dump = dump_of(bank, observed)
    return {
        "system": system,
        "bank": bank.document,
        "arm": plan.corpus,
        "items": len(plan.queries),
        "given": len(bank.events),
        "accepted": value.get("accepted"),
        "held": None if dump is None else len(dump),
        "recalled": sum(bool(texts_of(each)) for each in recalls.values()),
        "admitted": not reasons,
        "reason": "; ".join(reasons) or None,
    }


def recalled(
    system: str, plans: Sequence[Plan], observed: Mapping[str, Outcome]
) -> dict[str, tuple[str, ...]]:
    """By item, what came back for its question, best first; of banks that count alone.

    Nothing where none does: no item is asked then, and `banks.csv` says why of each.
    """
    found = {}
    for plan in plans:
        if bank_row(system, plan, observed)["admitted"]:
            own = recalls_of(plan.banks[0], observed)
            found |= {query.id: tuple(texts_of(own[query.id])) for query in plan.queries}
    return found
