"""Our own instruments as deciders: each rule is the product's, put to one study of one memory.

Each is true where the instrument noticed something. A control that finds memory at work, as it
does of a sound one, has noticed nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from veridical.choices.answers import Counts, check_chance
from veridical.control1.rules import ALPHA, ITEMS
from veridical.documents.corrupted import corrupted_names
from veridical.memories import cells, receipts, stages
from veridical.memories.faults.writing import DAY
from veridical.memories.matching import Store, mentions, words_of
from veridical.memories.plan import EMPTY, SHAM, VERIDICAL, Bank
from veridical.statistics.student import of_rows
from veridical.zoo.seen import UPDATES, Answer, Seen
from veridical.zoo.studies import COUNTERFEIT


def _said(seen: Seen, *names: str) -> bool:
    """Whether one of these checks said anything, or could not be put."""
    return any(check.state != "ok" for name in names for check in seen.checks.get(name, ()))


def reset(seen: Seen) -> bool:
    """A bank that was emptied gives something back, or one that is new does."""
    return _said(seen, "a new bank is empty", "reset empties a bank, and that bank alone")


def isolation(seen: Seen) -> bool:
    """A bank gives back what went into another: in the check, or another bank's canary."""
    leaks = (receipts.leaks(seen.plan, bank, seen.observed) for bank in seen.plan.banks)
    return _said(seen, "banks are kept apart") or any(leaks)


def repeat(seen: Seen) -> bool:
    """The same query, put five times, is not answered alike."""
    return _said(seen, "the same query gives the same items")


def readiness(seen: Seen) -> bool:
    """Ready when it says so: it accepts, settles, finds at once, and holds the same later."""
    late = (receipts.late(bank, seen.observed) for bank in seen.plan.banks)
    checks = ("events are accepted and settle", "what was ingested is found")
    return _said(seen, *checks) or any(late)


def admission(seen: Seen) -> bool:
    """A bank of Control 3's cell is not admitted: its treatment is not known to have arrived."""
    names = {VERIDICAL, EMPTY, *_swapped(seen)}
    banks = [bank for bank in seen.plan.banks if bank.document in names]
    return any(receipts.reasons_against(seen.plan, bank, seen.observed) for bank in banks)


def sham(seen: Seen) -> bool:
    """Two banks with the same events do not give the same back."""
    pairs = zip(seen.of(VERIDICAL), seen.of(SHAM), strict=True)
    differ = any(one.answer != two.answer for one, two in pairs)
    return differ or bool(stages.differing(seen.plan, seen.observed))


def stored(seen: Seen) -> bool:
    """An entry is not in the store as it was told: lost, bound to nobody or to another."""
    return any(set(_kept(seen, bank)[0]) - {"intact"} for bank in seen.plan.banks)


def invented(seen: Seen) -> bool:
    """The store holds a line about none of the entries."""
    return any(_kept(seen, bank)[1] for bank in seen.plan.banks)


def dates(seen: Seen) -> bool:
    """The store holds an entry under another date than it was told."""
    return any(
        _moved(bank, tuple(_dump(seen, bank)), seen.plan.partners) for bank in seen.plan.banks
    )


def updates(seen: Seen) -> bool:
    """Of two entries on one topic, of two near ones, or of a date, something is gone."""
    return _said(seen, *UPDATES)


def control1(seen: Seen) -> bool:
    """The replies' likeness to the life (words in common) does not tell the true memory from the
    counterfeit, or tells it the wrong way: Control 1's t over the items."""
    lived = [seen.event(query) for query in seen.plan.probes]
    pairs = zip(seen.of(VERIDICAL), seen.of(COUNTERFEIT), lived, strict=True)
    found = [likeness(one.reply, life) - likeness(two.reply, life) for one, two, life in pairs]
    if len(found) < ITEMS:
        return False
    over = of_rows(np.array(found))
    return not (float(over.p_apart()) <= ALPHA and float(over.mean) > 0)


def control2(seen: Seen) -> bool:
    """The probe is solved without memory: answers from the empty bank beat chance."""
    counts = _counts(seen.of(EMPTY))
    _, valid = check_chance(counts, 1 / len(seen.plan.partners), ALPHA)
    return valid is False


def control3(studies: Sequence[Any]) -> list[bool]:
    """In which studies the answers do not follow what went into the banks: the verdict of a cell is
    another, or there is an alarm. `studies` are as `count_cells` gives them.

    Corrected by Holm over the study's declared cells, of which those of other systems count as
    p = 1. Studies that fell alike are judged once.
    """
    kinds = list(dict.fromkeys(studies))
    rows = [
        {"study": at, "chance": 1 / k, "admitted": True, "m": m, **dict(counts)}
        for at, (k, m, cell) in enumerate(kinds)
        for counts in cell
    ]
    noticed: dict[int, bool] = {}
    for m, mine in pd.DataFrame(rows).groupby("m"):
        table = cells.conclude(mine.reset_index(drop=True), ["study"], int(m))
        table["noticed"] = (table["verdict"] != "follows") | table["alarm"]
        noticed |= table.groupby("study")["noticed"].any().to_dict()
    place = {kind: at for at, kind in enumerate(kinds)}
    return [bool(noticed[place[study]]) for study in studies]


def count_cells(seen: Seen) -> Any:
    """How the probes of a study's cells fell: partners, the family's size, and for each swapped
    document the counts of `memories.cells`."""
    names = _swapped(seen)
    counted = tuple(tuple(count_cell(seen, name).items()) for name in names)
    return len(seen.plan.partners), max(seen.cells, len(names)), counted


def count_cell(seen: Seen, swapped: str) -> dict[str, int]:
    """The counts of Control 3's cell against one swapped document, under the names of
    `memories.cells`."""
    true, false = seen.of(VERIDICAL), seen.of(swapped)
    pairs = [(one.right, two.right) for one, two in zip(true, false, strict=True)]
    one, two, none = _counts(true), _counts(false), _counts(seen.of(EMPTY))
    return {
        "n": one.n,
        "true_right": one.correct,
        "true_answered": one.answered,
        "swapped_right": two.correct,
        "swapped_answered": two.answered,
        "swapped_named": sum(
            each.answer is not None and each.answer == each.bound for each in false
        ),
        "empty_right": none.correct,
        "empty_answered": none.answered,
        "b": pairs.count((True, False)),
        "c": pairs.count((False, True)),
        "both": pairs.count((True, True)),
        "neither": pairs.count((False, False)),
    }


def _swapped(seen: Seen) -> list[str]:
    return corrupted_names(len(seen.plan.partners))


def _counts(answers: list[Answer]) -> Counts:
    right = sum(each.right for each in answers)
    silent = sum(each.answer is None for each in answers)
    return Counts(right, len(answers) - right - silent, silent, 0)


def _dump(seen: Seen, bank: Bank) -> list[str]:
    return receipts.dump_of(bank, seen.observed) or []


def _kept(seen: Seen, bank: Bank) -> tuple[list[str], int]:
    """What a bank's store holds; nothing to say where it can't be dumped."""
    dump = receipts.dump_of(bank, seen.observed)
    return ([], 0) if dump is None else receipts.compare(bank, dump, seen.plan.partners)


@lru_cache(maxsize=256)
def _moved(bank: Bank, dump: tuple[str, ...], partners: tuple[str, ...]) -> int:
    """How many entries the store holds under other days alone than they were told."""
    store, day_of = Store(dump, partners), {event.id: event.at for event in bank.events}
    moved = 0
    for entry in bank.entries:
        lines = (store.lines[n] for n in store.about(entry.topic))
        exact = (line for line in lines if mentions(line, words_of(entry.topic)))
        days = {day for line in exact for day in DAY.findall(line.text)}
        moved += bool(days) and day_of[entry.event_id] not in days
    return moved


@lru_cache(maxsize=50_000)
def likeness(reply: str, entry: str) -> float:
    """Words in common of a reply and an entry, the harmonic mean of both shares (F1).

    >>> round(likeness("met Bo: tea", "met Al: tea"), 3)
    0.667
    """
    said, lived = set(words_of(reply)), set(words_of(entry))
    return 2 * len(said & lived) / (len(said) + len(lived)) if said and lived else 0.0
