"""Entropy of the verified modes against the number of rollouts."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom
from support.fixture_scores import path_tables
from veridical.vpe import estimators
from veridical.vpe.curves import coverage_table, entropy_table
from veridical.vpe.measures import measure_problems

COUNTS = st.lists(st.integers(1, 4), max_size=3)


def by_all_samples(counts: list[int], n: int, b: int) -> float:
    """Mean plug-in entropy over every sample of b of the n rollouts, one by one."""
    rollouts = [mode for mode, size in enumerate(counts) for _ in range(size)]
    rollouts += [None] * (n - len(rollouts))
    found = []
    for sample in combinations(rollouts, b):
        seen = Counter(mode for mode in sample if mode is not None)
        total = sum(seen.values())
        found.append(-sum(k / total * log(k / total) for k in seen.values()) if total else 0.0)
    return float(np.mean(found))


def test_by_hand():
    # modes x, x, y among three rollouts: of two, {x, x} has 0, and {x, y} twice has log 2
    assert estimators.entropy_curve((1, 2), 3) == pytest.approx(
        [0, 2 / 3 * log(2), log(3) - 2 / 3 * log(2)]
    )
    # one more that failed: of two out of four, {x, y} is drawn two times in six
    assert estimators.entropy_curve((1, 2), 4)[1] == pytest.approx(2 / 6 * log(2))
    assert estimators.entropy_curve((), 3).tolist() == [0, 0, 0]


@given(COUNTS, st.integers(0, 3))
def test_it_is_the_mean_over_every_sample(counts, failed):
    n = sum(counts) + failed
    if n == 0:
        return
    curve = estimators.entropy_curve(tuple(sorted(counts)), n)
    for b in range(1, n + 1):
        assert curve[b - 1] == pytest.approx(by_all_samples(counts, n, b), abs=1e-12)


@given(COUNTS.filter(bool), st.integers(0, 20))
def test_it_never_falls_and_ends_at_the_entropy_of_all(counts, failed):
    n = sum(counts) + failed
    curve = estimators.entropy_curve(tuple(sorted(counts)), n)
    assert curve[0] == pytest.approx(0, abs=1e-12)  # one rollout has one mode at most
    assert (np.diff(curve) > -1e-9).all()
    assert curve[-1] == pytest.approx(estimators.entropy(counts), abs=1e-12)


def by_library(counts: list[int], n: int) -> np.ndarray:
    """The same sum with scipy's hypergeometric chances, one call a size and number."""
    c = sum(counts)
    within = np.zeros(c + 1)
    for v in range(1, c + 1):
        j = np.arange(1, v + 1)
        terms = j / v * np.log(v / j)
        within[v] = sum(float(hypergeom.pmf(j, c, size, v) @ terms) for size in counts)
    seen = np.arange(c + 1)
    return np.array([float(hypergeom.pmf(seen, n, c, b) @ within) for b in range(1, n + 1)])


@pytest.mark.parametrize(
    ("counts", "n"),
    [((40, 60, 90), 400), ((1,) * 30, 64), ((200,), 200), ((1, 150), 151), ((3,), 300)],
)
def test_many_rollouts_give_what_the_librarys_chances_give(counts, n):
    assert np.abs(estimators.entropy_curve(counts, n) - by_library(counts, n)).max() < 1e-12


def test_chances_of_samples_that_cannot_be_are_zero_and_the_others_add_up():
    """Of 5 with 2 among them, 4 drawn: one or both, 2 C(3, 3) / C(5, 4) and C(3, 2) / C(5, 4)."""
    chance = estimators._hypergeometric(np.arange(6), 5, 2, 4)
    assert chance == pytest.approx([0, 2 / 5, 3 / 5, 0, 0, 0], abs=1e-15)


def test_two_thousand_rollouts_take_less_than_two_seconds():
    """0.3 s when measured; one call a number of rollouts took 13 s."""
    begun = time.process_time()
    estimators.entropy_curve((50,) * 24, 2000)
    assert time.process_time() - begun < 2


def test_more_verified_rollouts_than_there_are_is_refused():
    with pytest.raises(ValueError, match="5 verified rollouts in modes, but only 4 in all"):
        estimators.entropy_curve((2, 3), 4)


def test_the_table_ends_at_the_measure_of_all_rollouts():
    tables = path_tables(np.random.default_rng(3))
    table, summary = tables["vpe/entropy"], tables["vpe/summary"]
    cell = ["model", "horizon", "preset"]
    last = table[table["b"] == table["b"].max()].merge(summary, on=cell)
    assert len(last) == len(summary) == 4
    assert last["expected_entropy"].tolist() == pytest.approx(last["mode_entropy"].tolist())
    for _, curve in table.groupby(cell):
        assert curve["b"].tolist() == list(range(1, 33))
        assert (curve["low"] <= curve["expected_entropy"]).all()
        assert (curve["expected_entropy"] <= curve["high"]).all()


def test_a_problem_without_a_verified_rollout_counts_as_zero():
    rows = [
        {"model": "m", "horizon": 9, "preset": "p", "problem_id": problem, "sample": sample}
        | {"state": "ok", "verified": problem == "a", "mode": f"{sample}" if problem == "a" else ""}
        for problem in ("a", "b")
        for sample in range(2)
    ]
    rollouts = pd.DataFrame(rows).assign(tokens=None, text="", way="")
    draw = {"seed": 1, "resamples": 50}
    table = entropy_table(measure_problems(rollouts), rollouts, **draw)
    assert table["expected_entropy"].tolist() == pytest.approx([0, log(2) / 2])
    modes = coverage_table(measure_problems(rollouts), rollouts, **draw)
    assert modes["expected_modes"].tolist() == pytest.approx([0.5, 1.0])
