"""Verify a million rollouts, name their modes and measure path entropy, in one process.

    nice -n 5 python tests/measured/million_rollouts.py [rollouts ...]

Prints time (wall clock and processor) and peak memory for each number of rollouts: six models at
two horizons, 32 rollouts a problem, as many problems as it takes (2,604 for a million), 10,000
bootstrap samples. The texts are made up from templates with random numbers and words before the
clock runs; their memory counts.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
from veridical.vpe import curves
from veridical.vpe import measures as vpe
from veridical.vpe.modes import ModeMap
from veridical.vpe.rollouts import JUDGED, judge_rollouts

ROLLOUTS, MODELS, HORIZONS, RESAMPLES = 32, 6, (96, 160), 10_000
TEMPLATES = (
    "{a} * {b} = {c} {w}\n{c} + {d} = {e} {w}\n#### {g}",
    "{a} * {b} = {c}\n{c} - {d} = {e}\n{e} / 2 = {f}\n#### {g} {w}",
    "She buys {a} boxes of {b} {w}, that is {a} * {b} = {c} {w}. She gives {d} of them away, so "
    "{c} - {d} = {e} {w} are left over at the end of the day.\n#### {g}",
    "1. Find the price: {a} * {b} = ${c}\n2. Take {d} off: {c} - {d} = ${e}\n#### ${g}.00",
    "{a}*{b}=<<{a}*{b}={c}>>{c}\n{c}+{d}=<<{c}+{d}={e}>>{e}\n#### {g}",
    "total = {a} * {b}\ntotal = {c}\nrest = {c} - {d}\nrest = {e}\nThe answer is {g}.",
    "He has {a} and gets {d} more, which makes {a} + {d} = {f}. So the answer is \\boxed{{{g}}}.",
    "{a} + {d} = {f} {w}\n{f} + {b} = {e} {w}\nSo there are {g} {w}.",
)
LOOP = "{a} * {b} = {c} {w}\n{a} * {b} = {c} {w}\n" * 4


def texts(rng: np.random.Generator, gold: int) -> Iterator[tuple[str, str]]:
    """One problem's rollouts."""
    for _ in range(ROLLOUTS):
        a, b, d, word = (int(n) for n in rng.integers(2, 99, size=4))
        right = gold if rng.random() < 0.5 else int(rng.integers(2, 999))
        numbers = {"a": a, "b": b, "c": a * b, "d": d, "e": a * b + d, "f": a + d, "g": right}
        numbers["w"] = ("pens", "dollars", "eggs", "chairs")[word % 4]
        if rng.random() < 0.1:
            yield "truncated", LOOP.format(**numbers)
        else:
            yield "ok", TEMPLATES[int(rng.integers(len(TEMPLATES)))].format(**numbers)


def run(rollouts: int) -> tuple[dict[str, tuple[float, float]], float]:
    """Seconds (wall, processor) by step, and a verified probability, as a check on the work."""
    rng, modes = np.random.default_rng(1), ModeMap()
    cells = MODELS * len(HORIZONS)
    problems = rollouts // (ROLLOUTS * cells)
    golds = rng.integers(2, 999, size=problems)
    made = [list(texts(rng, int(gold))) for _ in range(cells) for gold in golds]
    steps: dict[str, tuple[float, float]] = {}
    clock = time.perf_counter(), time.process_time()

    def step(name: str) -> None:
        nonlocal clock
        now = time.perf_counter(), time.process_time()
        steps[name], clock = (now[0] - clock[0], now[1] - clock[1]), now

    # as vpe.rollouts.read_rollouts does, problem by problem; the texts are dropped on the way
    at = [JUDGED.index(name) for name in ("verified", "mode")]
    verified, mode = [], []
    for i, said in enumerate(made):
        for row in judge_rollouts(said, Fraction(int(golds[i % problems])), modes):
            verified.append(row[at[0]])
            mode.append(row[at[1]])
        made[i] = []
    step("verify and modes")
    place = np.arange(len(verified)) // ROLLOUTS
    cell, problem = place // problems, place % problems
    table = pd.DataFrame(
        {
            "model": pd.Categorical.from_codes(
                cell // len(HORIZONS), [f"m{i}" for i in range(MODELS)]
            ),
            "horizon": np.array(HORIZONS)[cell % len(HORIZONS)],
            "preset": "published",
            "problem_id": pd.Categorical.from_codes(problem, [f"p-{i}" for i in range(problems)]),
            "verified": pd.array(verified, dtype="boolean"),
            "mode": pd.Categorical(mode),
        }
    )
    measured = vpe.measure_problems(table)
    step("problems")
    draw = {"seed": 1, "resamples": RESAMPLES}
    summary = vpe.summarise(measured, 0.5, **draw)
    step("summary")
    curves.pass_at_k_table(measured, **draw)
    curves.coverage_table(measured, table, **draw)
    step("curves")
    curves.entropy_table(measured, table, **draw)
    step("entropy curve")
    vpe.contrast_cells(measured, **draw)
    step("contrasts")
    return steps, float(summary.verified_probability.iloc[0])


if __name__ == "__main__":
    for wanted in [int(n) for n in sys.argv[1:]] or [250_000, 500_000, 1_000_000]:
        steps, verified_probability = run(wanted)
        wall, processor = (sum(times) for times in zip(*steps.values(), strict=True))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        parts = ", ".join(f"{name} {busy:.1f}" for name, (_, busy) in steps.items())
        print(
            f"{wanted:>9,} rollouts: {wall:6.1f} s, processor {processor:6.1f} s ({parts}); "
            f"peak {peak:.2f} GiB; verified {verified_probability:.3f}",
            flush=True,
        )
