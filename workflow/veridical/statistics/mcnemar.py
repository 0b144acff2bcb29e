"""Exact McNemar: are two documents answered rightly equally often, probe by probe?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

WHOLE = 2_000  # discordant probes up to which a p is computed in whole numbers


@dataclass(frozen=True)
class McNemarResult:
    """Discordant counts and their two-sided p values.

    `b`: right only under the first document; `c`: right only under the second; `p`: exact
    conditional; `mid_p`: with half the probability of the table seen. Where the pairs were counted
    from answers, `both` and `neither` hold the concordant probes.
    """

    b: int
    c: int
    p: float
    mid_p: float
    both: int | None = None
    neither: int | None = None

    @property
    def discordant(self) -> int:
        """Number of discordant probes, b + c: all that the test rests on."""
        return self.b + self.c

    @property
    def share(self) -> float:
        """Share of the discordant probes that are right under the first document; NaN if none."""
        return self.b / self.discordant if self.discordant else math.nan


def mcnemar_exact(b: int, c: int) -> McNemarResult:
    """Exact conditional McNemar test from the discordant counts.

    Under the hypothesis that both documents are answered rightly equally often,
    b ~ Binomial(b + c, 1/2) (McNemar 1947); p doubles the smaller tail, at most 1. The mid-p counts
    the table seen by half (Fagerland et al. 2013, BMC Med. Res. Methodol. 13:91). With no
    discordant probe there is no evidence: both are 1. Whole-number arithmetic up to one division,
    with more than `WHOLE` discordant probes the incomplete beta function.

    Parameters
    ----------
    b, c : int
        Discordant counts, at least 0.

    Raises
    ------
    ValueError
        Where a count is negative or no whole number.

    Examples
    --------
    >>> mcnemar_exact(13, 0).p
    0.000244140625
    """
    for name, value in (("b", b), ("c", c)):
        if value != int(value) or value < 0:
            raise ValueError(f"{name} must be a whole number of at least 0, not {value!r}")
    b, c = int(b), int(c)
    n = b + c
    if n == 0:
        return McNemarResult(0, 0, 1.0, 1.0)
    p, mid_p = _whole(n, min(b, c)) if n <= WHOLE else _of_many(n, min(b, c))
    return McNemarResult(b, c, p, mid_p)


def _whole(n: int, smaller: int) -> tuple[float, float]:
    """p and mid-p from X ~ Binomial(n, 1/2), in whole numbers up to one division."""
    term = tail = 1
    for i in range(smaller):
        term = term * (n - i) // (i + 1)  # C(n, i + 1), exactly
        tail += term
    return min(1.0, 2 * tail / 2**n), (2 * tail - term) / 2**n


def _of_many(n: int, smaller: int) -> tuple[float, float]:
    """The same where whole numbers would take seconds."""
    from scipy.stats import binom

    tail, seen = float(binom.cdf(smaller, n, 0.5)), float(binom.pmf(smaller, n, 0.5))
    return min(1.0, 2 * tail), min(1.0, 2 * tail - seen)


def mcnemar_answers(answers: pd.DataFrame, first: str, second: str) -> McNemarResult:
    """Count the pairs of two documents and test them.

    Parameters
    ----------
    answers : pandas.DataFrame
        One row a (probe, document): `probe_id`, `document`, `correct` (bool; missing = no answer,
        which is not right, and not wrong either).
    first, second : str
        The two documents; others are left aside.

    Raises
    ------
    ValueError
        Naming the probes that were answered twice under a document, or lack one of the two.
    """
    rows = answers[answers["document"].isin([first, second])]
    twice = rows[rows.duplicated(["probe_id", "document"])]
    if len(twice):
        named = sorted({f"{row.probe_id} ({row.document})" for row in twice.itertuples()})
        raise ValueError(f"answered more than once: {', '.join(named)}")
    right = {
        document: dict(
            zip(group["probe_id"], group["correct"].fillna(False).astype(bool), strict=True)
        )
        for document, group in rows.astype({"correct": "boolean"}).groupby("document")
    }
    one, two = right.get(first, {}), right.get(second, {})
    for document, missing in ((first, set(two) - set(one)), (second, set(one) - set(two))):
        if missing:
            named = ", ".join(sorted(map(str, missing)))
            raise ValueError(f"no answer is recorded under {document!r} for: {named}")
    b = sum(one[probe] and not two[probe] for probe in one)
    c = sum(two[probe] and not one[probe] for probe in one)
    both = sum(one[probe] and two[probe] for probe in one)
    result = mcnemar_exact(b, c)
    return McNemarResult(b, c, result.p, result.mid_p, both, len(one) - both - b - c)
