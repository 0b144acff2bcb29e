"""How many answers stand for one: by hand, and what it does to a claim where neighbours agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from veridical.statistics.neighbours import inflation, tail


def test_by_hand():
    # + + - - : one change in 3 pairs; of 4 answers, 2 positive, neighbours differ in 2·2·2/(4·3)
    assert inflation([[1, 1, -1, -1]]) == pytest.approx(3 * (2 / 3) / 1)
    # alternating: 3 changes where 2 are expected, and one answer never stands for less than one
    assert inflation([[1, -1, 1, -1]]) == 1.0


def test_an_answer_left_out_is_passed_over():
    assert inflation([[1, 0, 1, -1, 0, -1]]) == inflation([[1, 1, -1, -1]])


def test_a_series_all_alike_tells_nothing():
    assert inflation([[1, 1, 1, 1]]) == 1.0
    assert inflation([[1, 1, -1, -1], [1, 1, 1, 1]]) == inflation([[1, 1, -1, -1]])
    assert inflation([[0, 0, 0, 0]]) == 1.0


@pytest.mark.parametrize("run", [2, 3, 4, 6])
def test_runs_of_equal_answers_are_counted(run):
    """In long series of which every `run` answers repeat one toss, the run's length comes out."""
    rng = np.random.default_rng(1)
    tosses = rng.choice([-1, 1], (50, 1, 600))
    assert inflation(np.repeat(tosses, run, axis=-1)).mean() == pytest.approx(run, rel=0.02)


def test_tosses_of_their_own_are_hardly_inflated():
    tosses = np.random.default_rng(2).choice([-1, 1], (4_000, 2, 24))
    assert 1.0 < inflation(tosses).mean() < 1.15


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=40))
def test_signs_may_be_exchanged_and_the_order_turned(signs):
    one = inflation([signs])
    assert one >= 1
    assert inflation([[-sign for sign in signs]]) == pytest.approx(one)
    assert inflation([signs[::-1]]) == pytest.approx(one)


@pytest.mark.parametrize("chance", [0.5, 1 / 3, 0.55])
def test_the_tail_is_the_binomial_one(chance):
    n = np.arange(1, 31)[:, None]
    k = np.minimum(np.arange(31)[None], n)
    assert tail(k, n, chance) == pytest.approx(binom.sf(k - 1, n, chance), rel=1e-10)


def test_a_tail_of_nothing_is_one():
    assert tail(0, 0, 0.5) == 1.0
    assert tail(0, 7, 0.5, 2.0) == 1.0


@given(st.integers(0, 40), st.integers(0, 40), st.floats(1, 12))
def test_counting_several_as_one_never_makes_a_lead_stronger(more, fewer, factor):
    if more > fewer:
        counted = tail(more, more + fewer, 0.5, factor)
        assert counted >= tail(more, more + fewer, 0.5) - 1e-12


@pytest.mark.parametrize("run", [2, 4, 6])
def test_a_coin_tossed_once_for_several_neighbours_keeps_its_level(run):
    """24 answers in runs: the plain test claims a lead in 7 to 31 %, this one in about 5 %."""
    rng = np.random.default_rng(run)
    signs = np.repeat(rng.choice([-1, 1], (20_000, 1, 24 // run)), run, axis=-1)
    positive = (signs > 0).sum(axis=(1, 2))
    plain = (tail(positive, 24, 0.5) <= 0.05).mean()
    counted = (tail(positive, 24, 0.5, inflation(signs)) <= 0.05).mean()
    assert plain > 0.07
    assert counted < 0.055 + 2.0 ** -(24 // run)  # all alike can't be told from a true lead
