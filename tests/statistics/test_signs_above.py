"""The one-sided sign flip against every way to flip, written out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from veridical.statistics.signs import FEW, STEPS, sign_flip, sign_flip_above


def by_writing_out(values):
    steps = np.rint(np.array(values) * STEPS)
    sums = [float((steps * signs).sum()) for signs in product((1, -1), repeat=len(steps))]
    return np.mean(np.array(sums) >= steps.sum())


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([0.5] * 5, 1 / 32),
        ([-0.5] * 5, 1.0),
        ([0.5, 0.5, -0.5], 4 / 8),  # two or three of three up
        ([0.25, 0.5, 1.0], 1 / 8),
        ([1.0, -0.25], 2 / 4),  # 0.75 and 1.25
        ([0.0, 0.0], 1.0),
        ([], 1.0),
        ([0.001] * 4, 1.0),  # less than half a step is no difference
    ],
)
def test_one_sided_by_hand(values, p):
    assert sign_flip_above(values) == p


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8))
def test_every_flip_written_out(values):
    assert sign_flip_above(values) == pytest.approx(by_writing_out(values))


@given(st.lists(st.integers(-4, 4).map(lambda n: n / 8), min_size=1, max_size=9))
def test_twice_the_smaller_tail_is_the_two_sided_p(values):
    tails = sign_flip_above(values), sign_flip_above([-v for v in values])
    assert min(1.0, 2 * min(tails)) == pytest.approx(sign_flip(values))
    assert sum(tails) >= 1.0


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8), st.randoms())
def test_order_is_nothing_and_more_is_less_likely(values, random):
    mixed = random.sample(values, len(values))
    assert sign_flip_above(values) == sign_flip_above(mixed)
    assert sign_flip_above([v + 0.25 for v in values]) <= sign_flip_above(values) + 1e-12


@pytest.mark.parametrize(("up", "down"), [(20, 10), (30, 30), (FEW // 2 + 20, FEW // 2 - 20)])
def test_differences_of_one_size_are_a_binomial(up, down):
    exact = binom.sf(up - 1, up + down, 0.5)
    assert sign_flip_above([0.25] * up + [-0.25] * down) == pytest.approx(exact, rel=1e-9)


def test_beyond_many_a_normal_tail():
    values = np.random.default_rng(1).normal(0.05, 1, FEW + 50)
    steps = np.rint(values * STEPS)
    expected = norm.sf(steps.sum() / np.sqrt((steps**2).sum()))
    assert sign_flip_above(values) == pytest.approx(expected)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_difference_that_is_no_number_is_refused(bad):
    with pytest.raises(ValueError, match="every one must be a finite number"):
        sign_flip_above([0.5, bad])
