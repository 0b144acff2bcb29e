"""Worked examples that the literature of the methods prints, by the functions of the study.

The sources of the study print too few digits to notice some faults: with the counts of corpus A
Holm's correction changes no printed p. Tables come in as text, as those of the sources do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veridical.published.check import Check, Row, agree
from veridical.statistics.equivalence import tost
from veridical.statistics.intervals import binomial_greater, paired_difference
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import holm

ALPHA = 0.05

Input = Sequence[str]


def rejected(given: Input) -> list[float]:
    """The p values that Holm's correction rejects at 5 %, smallest first."""
    values = [float(value) for value in given]
    return sorted(p for p, q in zip(values, holm(values), strict=True) if q <= ALPHA)


def more_than_chance(given: Input) -> list[float]:
    """Exact one-sided p of so many, of so many, at a chance written as a fraction 1/k."""
    correct, n, chance = given
    return [binomial_greater(int(correct), int(n), 1 / int(chance.removeprefix("1/")))]


def mean_interval(given: Input) -> list[float]:
    """Mean of the differences, and the 95 % t interval that stands beside two one-sided tests."""
    result = tost([float(value) for value in given], 1.0)
    return [result.estimate, *result.ci95]


def paired(given: Input) -> list[float]:
    """Paired difference and its interval; right under both, the first, the second, neither."""
    both, first, second, neither = (int(count) for count in given)
    one = [1.0] * both + [1.0] * first + [0.0] * second + [0.0] * neither
    two = [1.0] * both + [0.0] * first + [1.0] * second + [0.0] * neither
    difference, ends = paired_difference(one, two)
    return [difference, *ends]


def discordant(given: Input) -> list[float]:
    """Exact conditional McNemar p, and the mid-p, of two discordant counts."""
    result = mcnemar_exact(*(int(count) for count in given))
    return [result.p, result.mid_p]


METHODS: dict[str, Callable[[Input], list[float]]] = {
    "Holm's correction: which p values are rejected at 5 %": rejected,
    "exact one-sided binomial p": more_than_chance,
    "mean difference and its 95 % t interval": mean_interval,
    "paired difference and Newcombe's 95 % interval": paired,
    "McNemar: exact conditional p, mid-p": discordant,
}


def check_methods(rows: Sequence[Row]) -> list[Check]:
    """Each worked example against the function that the study uses.

    A row has `method` (a key of `METHODS`), `input` and `printed` (numbers, divided by `;`) and
    `reference`. Raises ValueError, naming the row, where the method is unknown.
    """
    checks = []
    for number, row in enumerate(rows, start=2):
        if row["method"] not in METHODS:
            known = "; ".join(METHODS)
            raise ValueError(f"methods.csv, row {number}: no method {row['method']!r}: {known}")
        printed = row["printed"].split(";")
        computed = METHODS[row["method"]](row["input"].split(";"))
        same = len(printed) == len(computed) and all(map(agree, printed, computed))
        checks.append(
            Check(
                "methods",
                f"{row['method']}, of {row['input'].replace(';', ', ')}",
                "recomputed",
                ", ".join(printed),
                ", ".join(f"{value:.7g}" for value in computed),
                same,
                row["reference"],
            )
        )
    return checks
