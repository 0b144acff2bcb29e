"""What each part of a study would take of all its models together, from the config alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veridical.base.config import parts_on
from veridical.ledger.estimating import Estimate, estimate
from veridical.ledger.pricing import Prices
from veridical.models.asks import Ask

COUNTED = ("calls", "prompt_tokens", "completion_tokens")


def estimates(
    config: Mapping[str, Any], read: Mapping[str, Any], results: Path, ledgers: Path, prices: Path
) -> Iterator[tuple[str, Estimate]]:
    """Each part's name with the estimate of one of its collections; documents come first.

    `read` holds the corpora that the config names, by name.
    """
    table = Prices(prices)
    for part, ask in together(_asks(config, read)):
        yield part, estimate(ask, results, ledgers, table)


def _asks(config: Mapping[str, Any], read: Mapping[str, Any]) -> Iterator[tuple[str, Ask]]:
    for part in ["documents", *parts_on(config)]:
        name = f"veridical.{part}.asks"
        for ask in import_module(name).asks(config, read) if find_spec(name) else ():
            yield part, ask


def together(asks: Iterable[tuple[str, Ask]]) -> list[tuple[str, Ask]]:
    """The asks of all parts, those within one memory system as one, under the first part's name.

    Such a system has one ledger, whatever goes through it: what this holds is taken off once.
    """
    found: list[tuple[str, Ask]] = []
    places: dict[tuple[str, str], int] = {}
    for part, ask in asks:
        key = (ask.collection, ask.ledger)
        if ask.within is not None and key in places:
            first, other = found[places[key]]
            found[places[key]] = (first, replace(other, calls=other.calls + ask.calls))
            continue
        if ask.within is not None:
            places[key] = len(found)
        found.append((part, ask))
    return found


def by_part(
    config: Mapping[str, Any], read: Mapping[str, Any], results: Path, ledgers: Path, prices: Path
) -> dict[str, dict[str, float | None]]:
    """Calls, tokens and cost of each part, and of `all`; cost None where no price is known."""
    sums = {"all": _nothing()}
    for part, each in estimates(config, read, results, ledgers, prices):
        for name in (part, "all"):
            own = sums.setdefault(name, _nothing())
            for count in COUNTED:
                own[count] += getattr(each, count)
            known = each.cost is not None and own["cost"] is not None
            own["cost"] = own["cost"] + each.cost if known else None
    return {**{name: own for name, own in sums.items() if name != "all"}, "all": sums["all"]}


def _nothing() -> dict[str, float | None]:
    return dict.fromkeys((*COUNTED, "cost"), 0.0)
