"""How often does Control 1 claim equivalence, or a difference, under a truth that is known?

    python tests/measured/calibration.py --studies 4000

Two tables in Markdown: intervals over item differences alone (by true difference and number of
items), and whole studies with judges (drift, a bias to the first position, noise, rounding to
steps of 0.1), read anchored and unanchored. Seeded: the same numbers every time.
"""

from __future__ import annotations

import argparse

import numpy as np
from veridical.statistics.power import study_intervals, study_verdicts

BOUND = 0.10
SD = 0.06  # of the item differences
LABELS = ("equivalent", "different", "inconclusive")
METHODS = {"bootstrap": "percentile bootstrap", "t": "Student's t"}


def differences_alone(studies: int, rng: np.random.Generator) -> list[str]:
    """Coverage of the 90 % interval, and the share of each verdict, for normal differences."""
    lines = [
        "| items | true difference | method | 90 % interval covers | equivalent | different "
        "| inconclusive |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for n, truth in ((7, 0.0), (7, 0.10), (7, 0.25), (12, 0.10), (20, 0.10), (40, 0.10)):
        drawn = rng.normal(truth, SD, size=(studies, n))
        for method, (ends90, ends95) in study_intervals(drawn, rng).items():
            covers = ((ends90[:, 0] <= truth) & (truth <= ends90[:, 1])).mean()
            said = study_verdicts(ends90, ends95, BOUND)
            shares = " | ".join(f"{(said == label).mean():.1%}" for label in LABELS)
            lines.append(f"| {n} | {truth:.2f} | {METHODS[method]} | {covers:.1%} | {shares} |")
    return lines


def scores(
    studies: int,
    rng: np.random.Generator,
    *,
    n: int = 7,
    judges: int = 3,
    seeds: int = 3,
    effect: float = 0.0,
    sd: float = SD,
    drift: float = 0.0,
    drift_sd: float = 0.0,
    first: float = 0.0,
    noise: float = 0.05,
    step: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Item differences of whole studies, unanchored and anchored: each (studies, n).

    One counterfeit kind. Every text starts at 0.5; an item's own memory moves its score by
    effect ± sd; in the counterfeit session all scores fall by `drift`, an item's by ± drift_sd
    more; the text shown first gains `first`; each score has `noise`, then is rounded to `step`.
    """

    def session(pairs: int, moved: np.ndarray, fallen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shape = (studies, judges, n * pairs)
        half = np.arange(n * pairs) % 2 == 0  # the order is balanced; an odd one is drawn
        if n * pairs % 2:
            half = half ^ (rng.random((studies, judges, 1)) < 0.5)
        order = rng.permuted(np.broadcast_to(half, shape), axis=2)
        level = 0.5 - np.repeat(fallen, pairs, axis=1)[:, None, :]
        anchor = level + first * order + rng.normal(0, noise, shape)
        other = level + np.repeat(moved, pairs, axis=1)[:, None, :] + first * ~order
        other = other + rng.normal(0, noise, shape)
        if step:
            anchor, other = np.round(anchor / step) * step, np.round(other / step) * step
        both = (np.clip(text, 0, 1) for text in (anchor, other))
        return tuple(text.reshape(studies, judges, n, pairs).mean(axis=(1, 3)) for text in both)

    own = rng.normal(effect, sd, (studies, n))
    still = np.zeros((studies, n))
    start, veridical = session(1, own, still)
    end, counterfeit = session(seeds, still, drift + rng.normal(0, drift_sd, (studies, n)))
    unanchored = veridical - counterfeit
    return unanchored, unanchored - (start - end)


SCENARIOS = {
    "equal": {},
    "at the bound": {"effect": 0.10},
    "beyond the bound": {"effect": 0.25},
    "equal, judges drift by 0.12": {"drift": 0.12},
    "equal, judges drift by 0.09 ± 0.06 an item": {"drift": 0.09, "drift_sd": 0.06},
    "at the bound, judges drift by 0.12": {"effect": 0.10, "drift": 0.12},
    "equal, first text gains 0.10": {"first": 0.10},
    "at the bound, first text gains 0.10": {"effect": 0.10, "first": 0.10},
    "equal, judges noisier than items (0.30)": {"noise": 0.30},
    "at the bound, judges noisier than items (0.30)": {"effect": 0.10, "noise": 0.30},
    "beyond the bound, scores in steps of 0.1": {"effect": 0.25, "step": 0.1},
    "at the bound, scores in steps of 0.25": {"effect": 0.10, "step": 0.25, "noise": 0.02},
}


def whole_studies(studies: int, rng: np.random.Generator) -> list[str]:
    """Shares of claims by scenario, reading and method."""
    lines = [
        "| truth | reading | mean estimate | equivalent: bootstrap | t | different: bootstrap "
        "| t |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, world in SCENARIOS.items():
        for reading, drawn in zip(
            ("unanchored", "anchored"), scores(studies, rng, **world), strict=True
        ):
            said = {
                method: study_verdicts(*ends, BOUND)
                for method, ends in study_intervals(drawn, rng).items()
            }
            cells = [
                f"{(said[method] == label).mean():.1%}"
                for label in ("equivalent", "different")
                for method in METHODS
            ]
            lines.append(f"| {name} | {reading} | {drawn.mean():+.3f} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=20250914)
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)
    print("\n".join(differences_alone(chosen.studies, rng)))
    print()
    print("\n".join(whole_studies(chosen.studies, rng)))


if __name__ == "__main__":
    main()
