"""How often Control 3 finds memory where there is none: a simulated memoryless responder.

Run `python tests/measured/memoryless.py [studies]`. A study is one corpus with seven models that
read no document: each answers a probe at random, with habits of its own (a preference for one name,
for the option offered first, for abstaining). False positive: any cell of the Holm family with
p <= 0.05. The exact test must stay at or below 5 %; mid-p stands beside it.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import holm

MODELS, PROBES, ALPHA = 7, 24, 0.05

HABITS = {  # chance of naming the true partner, of abstaining, and whether the answers repeat
    "a coin for every question": (0.5, 0.0, 0.0),
    "a coin, abstaining on a third": (0.5, 1 / 3, 0.0),
    "the same answer whatever the document, in half": (0.5, 0.0, 0.5),
    "the same answer in nine of ten": (0.5, 0.0, 0.9),
    "abstaining on nine of ten": (0.5, 0.9, 0.0),
}


@cache
def p_values(b: int, c: int) -> tuple[float, float]:
    """Exact p and mid-p of a table."""
    result = mcnemar_exact(b, c)
    return result.p, result.mid_p


def simulate(
    right: float, abstains: float, repeats: float, studies: int, rng: np.random.Generator
) -> tuple[float, float, float, float]:
    """False-positive rates of the family and of one cell: exact, mid-p, exact, mid-p."""
    shape = (studies, MODELS, PROBES)
    answers = []
    for _ in range(2):
        answered = rng.random(shape) >= abstains
        answers.append((rng.random(shape) < right) & answered)
    same = rng.random(shape) < repeats
    second = np.where(same, answers[0], answers[1])
    b = (answers[0] & ~second).sum(axis=2)
    c = (~answers[0] & second).sum(axis=2)
    family, cell = np.zeros(2), np.zeros(2)
    for study in range(studies):
        values = np.array([p_values(*pair) for pair in zip(b[study], c[study], strict=True)])
        for which in range(2):
            family[which] += (holm(values[:, which], m=MODELS) <= ALPHA).any()
            cell[which] += (values[:, which] <= ALPHA).mean()
    rates = [*family / studies, *cell / studies]
    return tuple(float(rate) for rate in rates)


def main(studies: int = 20_000) -> None:
    """Print one row a habit."""
    rng = np.random.default_rng(20250914)
    print(f"{studies} studies of {MODELS} models and {PROBES} probes a habit, Holm at {ALPHA}")
    print("| responder | family, exact | family, mid-p | one cell, exact | one cell, mid-p |")
    print("| --- | --- | --- | --- | --- |")
    for name, habit in HABITS.items():
        rates = simulate(*habit, studies, rng)
        print(f"| {name} | " + " | ".join(f"{100 * rate:.2f} %" for rate in rates) + " |")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
