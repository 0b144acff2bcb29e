"""Where memory broke: stored → found → followed, each with its denominator and Wilson interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from veridical.memories.keeping import Outcome
from veridical.memories.plan import EMPTY, SHAM, VERIDICAL, Plan
from veridical.memories.receipts import recalls_of, texts_of
from veridical.statistics.intervals import wilson
from veridical.statistics.mcnemar import mcnemar_exact

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05
STAGES = ("stored", "found", "followed", "right")


def stage_rows(
    banks: pd.DataFrame, recalls: pd.DataFrame, answers: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """One row a (reader, document) of one system on one corpus, the empty bank left out.

    stored: entries intact in the store, of those ingested (none where there is no dump). found:
    probes whose entry, bound as the document binds it, is among the items recalled. followed: of
    the found, those answered as the document has it. right: answered so, of all probes; `lucky` are
    those of them that were not found. A probe that was not answered counts in every denominator.

    Parameters
    ----------
    banks, recalls : pandas.DataFrame
        As `receipts.bank_rows` and `readers.recall_rows` give them.
    answers : pandas.DataFrame
        As `readers.answer_row` gives them, with `reader`.
    """
    held = banks.set_index("document")
    for (reader, document), mine in answers.groupby(["reader", "document"], sort=False):
        if document == EMPTY:
            continue
        joined = mine.merge(recalls[recalls["document"] == document], on="probe_id", how="left")
        found = joined["rank"].notna()
        right = joined["answer"].notna() & (joined["answer"] == joined["document_partner"])
        bank = held.loc[document]
        counts = {
            "stored": (bank["intact"], bank["entries"]),
            "found": (int(found.sum()), len(joined)),
            "followed": (int((right & found).sum()), int(found.sum())),
            "right": (int(right.sum()), len(joined)),
        }
        yield {
            "reader": reader,
            "document": document,
            **{key: value for name in STAGES for key, value in _counted(name, *counts[name])},
            "lucky": int((right & ~found).sum()),
            "broke": broke(counts),
        }


def known(count: Any) -> int | None:
    """A count as a table has it; None where it was not measured, however a table says so."""
    import pandas as pd

    return None if pd.isna(count) else int(count)


def _counted(name: str, part: Any, whole: int) -> Iterator[tuple[str, Any]]:
    """A count, what it is of, its share and the interval; no share where there is nothing."""
    part = known(part)
    missing = part is None or not whole
    interval = (None, None) if missing else wilson(part, whole)
    yield name, part
    yield f"{name}_of", int(whole)
    yield f"{name}_share", None if missing else part / whole
    yield f"{name}_low", interval[0]
    yield f"{name}_high", interval[1]


def broke(counts: dict[str, tuple[Any, int]]) -> str | None:
    """The stage that lost the largest share of what had come through the one before; None where
    none lost any.

    >>> broke({"stored": (30, 30), "found": (5, 24), "followed": (5, 5)})
    'found'
    """
    kept = []
    for name in ("stored", "found", "followed"):
        part, whole = counts[name]
        if (part := known(part)) is not None and whole:
            kept.append((part / whole, name))
    if len(kept) > 1 and kept[0][1] == "stored":
        stored = kept[0][0]  # what isn't stored can't be found: that is no loss of finding
        kept[1] = (min(1.0, kept[1][0] / stored) if stored else 1.0, kept[1][1])
    worst = min(kept, default=(1.0, ""))
    return worst[1] if worst[0] < 1 else None


def curve_rows(recalls: pd.DataFrame, k: int) -> Iterator[dict[str, Any]]:
    """Found among the first 1, 2, ... k items, a row a (document, k) of one system and corpus."""
    for document, mine in recalls.groupby("document", sort=False):
        if document == EMPTY:
            continue
        for at in range(1, k + 1):
            found = int((mine["rank"] <= at).sum())
            low, high = wilson(found, len(mine))
            row = {"document": document, "k": at, "found": found, "found_of": len(mine)}
            yield {**row, "found_share": found / len(mine), "found_low": low, "found_high": high}


def differing(plan: Plan, observed: Mapping[str, Outcome]) -> list[str]:
    """The probes whose recalls from two equal banks are not the same, text by text."""
    first, second = (recalls_of(plan.bank(name), observed) for name in (VERIDICAL, SHAM))
    return [
        query.id
        for query in plan.probes
        if query.id in first
        and query.id in second
        and texts_of(first[query.id]) != texts_of(second[query.id])
    ]


def sham_rows(
    differing: Sequence[str], answers: pd.DataFrame, families: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """How often two equal banks disagree: one row a reader.

    `differing` are the probes whose recalls from the two were not the same, `families` the number
    of cells in each reader's family. `discordant` counts the probes right from one alone, and
    `smallest` is the smallest difference of right answers that this design can claim beside such
    noise (see `smallest_difference`), as a share of the probes.
    """
    pair = answers[answers["document"].isin([VERIDICAL, SHAM])]
    for reader, mine in pair.groupby("reader", sort=False):
        wide = mine.pivot(index="probe_id", columns="document", values=["answer", "correct"])
        said = wide["answer"].fillna("")
        right = wide["correct"].eq(True)
        n, discordant = len(wide), int((right[VERIDICAL] != right[SHAM]).sum())
        differ = int((said[VERIDICAL] != said[SHAM]).sum())
        low, high = wilson(differ, n)
        m = int(families[reader])
        smallest = smallest_difference(n, discordant, m)
        yield {
            "reader": reader,
            "n": n,
            "recalls_differ": len(set(differing) & set(wide.index)),
            "answers_differ": differ,
            "differ_share": differ / n,
            "differ_low": low,
            "differ_high": high,
            "discordant": discordant,
            "m": m,
            "smallest": None if smallest is None else smallest / n,
        }


def smallest_difference(n: int, noise: int, m: int, alpha: float = ALPHA) -> int | None:
    """The smallest b − c, in probes, that exact McNemar with Holm's first step over m cells shows
    beside the noise of two equal banks.

    Of the `noise` probes on which equal banks were discordant, the greater half is taken to fall
    against the difference. None where no difference of n probes would do.

    >>> smallest_difference(24, 0, 1)       # 2 / 2**6 = 0.031, and 2 / 2**5 = 0.0625 is too much
    6
    >>> smallest_difference(4, 0, 1) is None
    True
    """
    against = ceil(noise / 2)
    for b in range(against, n - against + 1):
        if mcnemar_exact(b, against).p * m <= alpha:
            return b - against
    return None


def cost_row(banks: pd.DataFrame, recalls: pd.DataFrame) -> dict[str, Any]:
    """What writing and reading took, over all banks of one system on one corpus."""
    written = banks[banks["state"] == "ok"]
    asked = recalls[recalls["state"] == "ok"]["seconds"]
    events, taken = int(written["given"].sum()), float(written["seconds"].sum())
    return {
        "events": events,
        "event_seconds": taken / events if events else None,
        "slowest": float(written["slowest"].max()) if len(written) else None,
        "recalls": len(asked),
        "recall_seconds": float(asked.mean()) if len(asked) else None,
        "calls": int(written["calls"].fillna(0).sum()),
        "tokens": int(written["tokens"].fillna(0).sum()),
    }
