"""How often answers are right by chance where the values asked for are not equally frequent.

Somebody who knows nothing may yet name the most frequent value throughout, and 1/k is then no
chance. Given how often each value was named and how often each is true, chance is a matching: every
way to lay the true values beside the answers is as likely as every other.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

Margins = tuple[tuple[int, int], ...]  # a value's (named, true), both among the answered probes


def margins_of(named: Iterable[object], true: Iterable[object]) -> Margins:
    """How often each value is named and is true, over answered probes; in no order of its own.

    >>> margins_of(["red", "red", "blue"], ["red", "blue", "green"])
    ((0, 1), (1, 1), (2, 1))
    """
    named, true = list(named), list(true)
    if len(named) != len(true):
        raise ValueError(f"{len(named)} answers for {len(true)} probes")
    values = {*named, *true}
    return tuple(sorted((named.count(value), true.count(value)) for value in values))


def expected_matches(margins: Margins) -> Fraction:
    """The mean number of matches, Σ named · true / n; 0 where nothing is answered."""
    total = sum(named for named, _ in margins)
    return Fraction(sum(named * true for named, true in margins), total) if total else Fraction(0)


@lru_cache(maxsize=20_000)
def matching(margins: Margins) -> tuple[Fraction, ...]:
    """The probability of 0, 1, … n matches, in whole numbers up to one division.

    Each value is a full board of named x true squares; r of its matches can be chosen in
    C(named, r) C(true, r) r! ways, and the numbers of all values multiply as polynomials (rook
    theory; Riordan 1958, ch. 7). Inclusion and exclusion leave the placements with exactly j.

    Raises ValueError where the values named and the true ones are not equally many.

    Two answers, both values named once and true once, match both or none:

    >>> [str(p) for p in matching(((1, 1), (1, 1)))]
    ['1/2', '0', '1/2']
    """
    total = sum(named for named, _ in margins)
    if total != sum(true for _, true in margins):
        raise ValueError(f"{margins}: as many answers as true values are needed")
    rooks = [1]
    for named, true in margins:
        own = [comb(named, r) * comb(true, r) * factorial(r) for r in range(min(named, true) + 1)]
        rooks = [
            sum(own[i] * rooks[r - i] for i in range(len(own)) if 0 <= r - i < len(rooks))
            for r in range(len(rooks) + len(own) - 1)
        ]
    ways = [
        sum(
            (-1) ** (r - j) * comb(r, j) * rooks[r] * factorial(total - r)
            for r in range(j, len(rooks))
        )
        for j in range(total + 1)
    ]
    return tuple(Fraction(way, factorial(total)) for way in ways)


def at_least(hits: int, *tables: Margins) -> float:
    """The probability of so many matches or more, over all tables together, each by itself.

    Of two documents whose values differ in every probe, the matches of one and the same answer
    exclude each other; taken as independent they spread wider, so the p is on the safe side.
    """
    spread = _together(tables)
    return float(min(1, sum(spread[max(hits, 0) :])))


def at_most(hits: int, *tables: Margins) -> float:
    """The probability of so many matches or fewer, over all tables together."""
    return float(min(1, sum(_together(tables)[: hits + 1])))


@lru_cache(maxsize=20_000)
def _together(tables: tuple[Margins, ...]) -> tuple[Fraction | float, ...]:
    """The distribution of a sum of independent matchings, one alone exactly."""
    if len(tables) == 1:
        return matching(tables[0])
    found: NDArray[np.float64] = np.ones(1)
    for table in tables:
        found = np.convolve(found, np.array([float(p) for p in matching(table)]))
    return tuple(found.tolist())
