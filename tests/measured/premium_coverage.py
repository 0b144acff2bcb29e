"""How often the memory premium's interval misses the premium, and how often it errs alone.

    python tests/measured/premium_coverage.py 2000

Studies of n items in lives of m; a life's items share a propensity. Three truths: the history and
both arms without memory earn alike; one arm without memory is better than the other; the history
earns more than both.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from veridical.benchmarks.premium import premiums

TRUTHS = {
    "all alike": (0.5, 0.5, 0.5),
    "one arm better": (0.6, 0.6, 0.3),
    "memory earns": (0.8, 0.4, 0.35),
    "memory harms": (0.3, 0.5, 0.5),
}
SHAPES = ((32, 8), (60, 6), (200, 10), (200, 1))


def study(generator: np.random.Generator, shares, n: int, life: int) -> pd.DataFrame:
    """One study's answers: log-odds shifted by a life's own and an item's own draw."""
    lives = np.arange(n) // life
    shift = generator.normal(0, 0.8, lives[-1] + 1)[lives] + generator.normal(0, 0.8, n)
    rows = []
    for arm, share in zip(("full", "none", "counterfeit"), shares, strict=True):
        odds = 1 / (1 + np.exp(-(np.log(share / (1 - share)) * 1.25 + shift)))
        right = generator.random(n) < odds
        rows.append(
            pd.DataFrame(
                {
                    "model": "m",
                    "arm": arm,
                    "item_id": np.arange(n).astype(str),
                    "stratum": "",
                    "cluster": lives.astype(str) if life > 1 else "",
                    "state": "ok",
                    "correct": right,
                }
            )
        )
    return pd.concat(rows)


def truth(shares) -> float:
    """The premium in the long run, by as many items as it takes."""
    table = study(np.random.default_rng(1), shares, 400_000, 1)
    means = table.groupby("arm")["correct"].mean()
    return means["full"] - max(means["none"], means["counterfeit"])


def main(studies: int) -> None:
    print("| truth | items, a life | premium | below | above | p at most 0.05 |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, shares in TRUTHS.items():
        real = truth(shares)
        for n, life in SHAPES:
            generator = np.random.default_rng([n, life, 7])
            rows = [premiums(study(generator, shares, n, life)).iloc[0] for _ in range(studies)]
            low = np.mean([row["ci95_low"] > real for row in rows])
            high = np.mean([row["ci95_high"] < real for row in rows])
            p = np.mean([row["p"] <= 0.05 for row in rows])
            print(f"| {name} | {n}, {life} | {real:+.3f} | {low:.1%} | {high:.1%} | {p:.1%} |")


if __name__ == "__main__":
    main(int(sys.argv[1]))
