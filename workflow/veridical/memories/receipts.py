"""What became of a bank: what the store holds of what it was given, and whether the cell counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from veridical.memories.keeping import Outcome
from veridical.memories.matching import Store
from veridical.memories.plan import CANARY, EMPTY, Bank, Entry, Plan, foreign_words

KEPT = ("intact", "altered", "unbound", "lost")
Observed = Mapping[str, Outcome]
SHOWN = 300  # characters of a stored or recalled item that a table shows


def compare(bank: Bank, dump: Sequence[str], partners: Sequence[str]) -> tuple[list[str], int]:
    """Each entry as the store has it, and how many of its lines are about none of them and were
    not told either.

    `intact`: a line binds the topic to the entry's partner and none to another; `altered`: a line
    binds it to another; `unbound`: the topic stands with no partner or several; `lost`: nowhere.
    A line that binds another entry as it is, and mentions this one, is that entry's: it is passed
    over where a line is left.
    """
    states, others = _compared(bank.entries, bank.word, tuple(dump), tuple(partners))
    return list(states), sum(line not in bank.told for line in others)


@lru_cache(maxsize=256)  # a receipt, its entries and its admission each ask it of the same bank
def _compared(
    entries: tuple[Entry, ...], word: str | None, dump: tuple[str, ...], partners: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    store = Store(dump, partners)
    lines = [store.about(entry.topic) for entry in entries]
    known = {n for about in lines for n in about}
    owners: dict[int, set[str]] = {n: set() for n in known}
    for entry, about in zip(entries, lines, strict=True):
        for n in about:
            owners[n] |= {entry.topic} if store.lines[n].partners == {entry.partner} else set()
    states: list[str] = []
    for entry, about in zip(entries, lines, strict=True):
        own = [n for n in about if not owners[n] - {entry.topic}] or about
        named = [store.lines[n].partners for n in own]
        alone = {next(iter(each)) for each in named if len(each) == 1}
        if not about:
            states.append("lost")
        elif alone == {entry.partner}:
            states.append("intact")
        else:
            states.append("altered" if alone else "unbound")
    return tuple(states), tuple(
        line.words
        for n, line in enumerate(store.lines)
        if n not in known and not (word and word in line.text)
    )


def entry_rows(plan: Plan, observed: Observed) -> Iterator[dict[str, Any]]:
    """One row an entry of each bank that was dumped: `document`, `event_id`, `topic`, `partner`,
    `kept` (one of `KEPT`), `held` (the store's line about it)."""
    for bank in plan.banks:
        dump = dump_of(bank, observed)
        if dump is not None:
            states, _ = compare(bank, dump, plan.names(bank))
            store = Store(dump, plan.names(bank))
            for entry, kept in zip(bank.entries, states, strict=True):
                held = [store.lines[n].text for n in store.about(entry.topic)[:1]]
                row = {"document": bank.document, **vars(entry), "kept": kept}
                yield row | {"held": held[0][:SHOWN] if held else None}


def dump_of(bank: Bank, observed: Observed) -> list[str] | None:
    """What the bank held when it had settled; None where that can't be had."""
    ingested = observed.get(f"ingest/{bank.document}")
    return ingested.value.get("dump") if ingested and ingested.value else None


def bank_rows(plan: Plan, observed: Observed) -> Iterator[dict[str, Any]]:
    """One row a bank: the receipt of its ingestion, what its store holds, and its admission."""
    unwell = hygiene_faults(observed)
    for bank in plan.banks:
        ingested = observed.get(f"ingest/{bank.document}") or observed["describe"]
        value = (ingested.value or {}) if ingested.id != "describe" else {}
        dump = dump_of(bank, observed)
        states, invented = compare(bank, dump, plan.names(bank)) if dump is not None else ([], None)
        counted = Counter(states)
        reasons = [*unwell, *reasons_against(plan, bank, observed)]
        settled, usage = value.get("settled", {}), value.get("usage", {})
        yield {
            "document": bank.document,
            "state": "ok" if value else "failed",
            "given": len(bank.events),
            "accepted": value.get("accepted"),
            "ready": settled.get("ready"),
            "pending": settled.get("pending"),
            "entries": len(bank.entries),
            **{kept: counted[kept] if dump is not None else None for kept in KEPT},
            "invented": invented,
            "canary_found": canary_found(bank, observed),
            "leaks": ", ".join(leaks(plan, bank, observed)) or None,
            "admitted": not reasons,
            "reason": "; ".join(reasons) or None,
            "seconds": value.get("seconds"),
            "slowest": value.get("slowest"),
            "calls": usage.get("calls"),
            "tokens": usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
            if usage
            else None,
            "chain": bank.chain,
        }


def hygiene_rows(observed: Observed) -> Iterator[dict[str, Any]]:
    """One row a check of the system's hygiene: `check`, `state` (ok, fault, note), `words`."""
    for name in ("describe", "hygiene"):
        outcome = observed.get(name)
        if outcome is not None and not outcome.ok:
            yield {"check": name, "state": "fault", "words": outcome.error}
    hygiene = observed.get("hygiene")
    for check in (hygiene.value or {}).get("checks", ()) if hygiene else ():
        yield {"check": check["name"], "state": check["state"], "words": check["words"] or None}


def hygiene_faults(observed: Observed) -> list[str]:
    """What the system's hygiene has against every one of its cells."""
    return [
        f"{row['check']}: {row['words']}"
        for row in hygiene_rows(observed)
        if row["state"] == "fault"
    ]


def reasons_against(plan: Plan, bank: Bank, observed: Observed) -> list[str]:
    """Why a bank's treatment can't be said to have arrived; empty where it has.

    Proof is the dump (an entry of the document is in it) or, where there is none, the canary
    recalled. The empty bank's proof is that it holds and gives back nothing.
    """
    ingested = observed.get(f"ingest/{bank.document}")
    if ingested is None or not ingested.ok:
        return [f"not ingested: {ingested.error if ingested else 'the system did not start'}"]
    value, found = ingested.value, []
    if value["accepted"] != value["given"]:
        found.append(f"{value['accepted']} of {value['given']} events accepted")
    if not value["settled"]["ready"]:
        found.append(f"not settled: {value['settled']['pending']} events pending")
    failed = [o for o in recalls_of(bank, observed).values() if not o.ok]
    if failed:
        found.append(f"{len(failed)} recalls failed: {failed[0].error}")
    found += [f"leak: gives back the canary of {name}" for name in leaks(plan, bank, observed)]
    found += late(bank, observed)
    found += _unproven(plan, bank, observed)
    return found


def _unproven(plan: Plan, bank: Bank, observed: Observed) -> list[str]:
    dump = dump_of(bank, observed)
    if bank.document == EMPTY:
        given_back = any(texts_of(o) for o in recalls_of(bank, observed).values())
        return ["the empty bank gives something back"] if dump or given_back else []
    if dump is None:
        found = canary_found(bank, observed)
        return (
            [] if found else ["no dump, and the canary is not recalled: no proof that it arrived"]
        )
    states, _ = compare(bank, dump, plan.names(bank))
    return [] if set(states) - {"lost"} else ["its dump holds no entry of the document"]


def late(bank: Bank, observed: Observed) -> list[str]:
    """What shows that a store said it was ready and went on changing; empty where nothing does."""
    before, after = dump_of(bank, observed), observed.get(f"dump/{bank.document}")
    if before is None or after is None or not after.ok:
        return []
    now = after.value["dump"]
    changed = sorted(before) != sorted(now)
    return [f"ready with {len(before)} items, and later held {len(now)} others"] if changed else []


def recalls_of(bank: Bank, observed: Observed) -> dict[str, Outcome]:
    """The recalls from a bank, by the query's id."""
    head = f"recall/{bank.document}/"
    return {id.removeprefix(head): each for id, each in observed.items() if id.startswith(head)}


def texts_of(outcome: Outcome) -> list[str]:
    """The recalled items' texts, or the context where there are no items."""
    value = outcome.value or {}
    texts = [item["text"] for item in value.get("items", ())]
    return texts or [text for text in [value.get("context")] if text]


def canary_found(bank: Bank, observed: Observed) -> bool | None:
    """Whether the bank's own canary was recalled when it was asked for; None where it wasn't asked
    or has none."""
    asked = recalls_of(bank, observed).get(CANARY)
    if bank.word is None or asked is None or not asked.ok:
        return None
    return any(bank.word in text for text in texts_of(asked))


def leaks(plan: Plan, bank: Bank, observed: Observed) -> list[str]:
    """The documents whose canary came back from this bank or lies in its dump."""
    texts = [text for each in recalls_of(bank, observed).values() for text in texts_of(each)]
    texts += dump_of(bank, observed) or []
    words = foreign_words(plan, bank.document)
    return sorted({name for word, name in words.items() if any(word in text for text in texts)})
