"""Where a study's time went: what each collection asked of each model, when, and how long it took.

Read from the ledgers alone, so it can be had while a study runs and after it; a reply that came
from an export has no time of its own and is counted apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from veridical.base.terminal import columns
from veridical.ledger.ledger import RESTORED, Ledger
from veridical.ledger.pricing import Prices
from veridical.models.counts import count, dollars

Interval = tuple[float, float]  # begin and end, in seconds since 1970, UTC


@dataclass
class Spell:
    """What one collection asked of one model.

    `intervals` are those in which a call was under way, by the reply's time and latency in seconds;
    `calls` counts every attempt, `failed` those that brought no reply; `restored` came from an
    export. Tokens are as the server told them, 0 where it didn't; `cost` is in US dollars, by
    `Price.spent`, and None where a call has no price; of `untold` replies tokens that count are
    not told, nor in it.
    """

    collection: str
    model: str
    calls: int = 0
    failed: int = 0
    restored: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0
    untold: int = 0
    intervals: list[Interval] = field(default_factory=list)

    @property
    def begin(self) -> float:
        """When the first call was sent; infinite where none was."""
        return min((begin for begin, _ in self.intervals), default=float("inf"))

    @property
    def end(self) -> float:
        """When the last reply had come; 0 where none did."""
        return max((end for _, end in self.intervals), default=0.0)

    @property
    def busy(self) -> float:
        """Seconds in which at least one call was under way."""
        return sum(end - begin for begin, end in union(self.intervals))


def spells(folder: Path, prices: Prices) -> list[Spell]:
    """Every collection and model of the study whose ledgers lie below `folder`, in the order of
    their first call. Raises LedgerError naming a ledger that can't be read."""
    found = [_spell(path, prices) for path in sorted(folder.glob("*/*.sqlite"))]
    return sorted(
        (spell for spell in found if spell.calls or spell.restored),
        key=lambda spell: (spell.begin, spell.collection, spell.model),
    )


def _spell(path: Path, prices: Prices) -> Spell:
    spell = Spell(path.parent.name, path.stem)
    with Ledger(path, create=False) as ledger:
        for exchange in ledger.exchanges(texts=False):
            if exchange.uid.startswith(RESTORED):
                spell.restored += 1
                continue
            reply = exchange.reply
            spell.calls += 1
            spell.failed += reply.state == "failed"
            read, written = count(reply.raw.prompt_tokens), count(reply.raw.completion_tokens)
            spell.tokens_in += read or 0
            spell.tokens_out += written or 0
            if spell.cost is not None and reply.state != "failed":
                asked = json.loads(exchange.request)
                price = prices.of(asked["provider"], asked["model"], asked.get("base_url"))
                if price is None:
                    spell.cost = None
                else:
                    spell.untold += price.spent(read, written) is None
                    paid = dollars(reply.raw.cost) or 0.0
                    spell.cost += price.spent(read or 0, written or 0, paid)
            end = datetime.fromisoformat(reply.time).timestamp()
            spell.intervals.append((end - max(0.0, reply.raw.latency), end))
    return spell


def union(intervals: Iterable[Interval]) -> Iterator[Interval]:
    """The same stretches of time, none twice, in their order.

    >>> list(union([(5, 6), (0, 2), (1, 3)]))
    [(0, 3), (5, 6)]
    """
    held: Interval | None = None
    for begin, end in sorted(intervals):
        if held and begin <= held[1]:
            held = held[0], max(held[1], end)
        else:
            if held:
                yield held
            held = begin, end
    if held:
        yield held


def at_once(parts: Iterable[Spell]) -> dict[int, float]:
    """Seconds in which 0, 1, 2, ... of the parts had a call under way, from the first to the last.

    Gaps of an hour and more count as the study standing still, and in no row.
    """
    steps = sorted(
        (moment, step)
        for part in parts
        for interval in union(part.intervals)
        for moment, step in zip(interval, (1, -1), strict=True)
    )
    seconds: dict[int, float] = {}
    running = 0
    for (moment, step), (following, _) in pairwise(steps):
        running += step
        if running or following - moment < STILL:
            seconds[running] = seconds.get(running, 0.0) + following - moment
    return dict(sorted(seconds.items()))


STILL = 3600.0  # seconds


def as_text(found: list[Spell]) -> str:
    """The timeline as a table to read, and how much of the time how many collections asked."""
    if not found:
        return "Nothing has been asked yet."
    head = (
        "collection",
        "model",
        "from",
        "to",
        "busy, s",
        "calls",
        "failed",
        "tokens in",
        "out",
        "cost, $",
    )
    rows = [
        (
            spell.collection,
            spell.model,
            _clock(spell.begin),
            _clock(spell.end),
            f"{spell.busy:,.0f}",
            f"{spell.calls:,}",
            f"{spell.failed:,}",
            f"{spell.tokens_in:,}",
            f"{spell.tokens_out:,}",
            "no price" if spell.cost is None else f"{spell.cost:,.2f}",
        )
        for spell in found
    ]
    lines = columns(head, rows)
    shares = ", ".join(
        f"{seconds:,.0f} s with {number}" for number, seconds in at_once(found).items()
    )
    lines += [
        "",
        f"Collections asking at once: {shares or 'none'}. Times are UTC, in and out are tokens.",
    ]
    if restored := sum(spell.restored for spell in found):
        lines.append(f"{restored:,} replies came from an export and have no time here.")
    if untold := sum(spell.untold for spell in found):
        lines.append(
            f"{untold:,} replies did not tell all their tokens; what those cost is in no sum."
        )
    return "\n".join(lines)


def _clock(moment: float) -> str:
    if moment in (0.0, float("inf")):
        return ""
    return datetime.fromtimestamp(moment, UTC).strftime("%m-%d %H:%M:%S")
