"""Sign flips: by hand, against every flip written out, and against McNemar."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.signs import sign_flip


@pytest.mark.parametrize("difference", [0.123456, 0.2231, 1 / 61.7, 1e-3, 3.3])
@pytest.mark.parametrize("n", [1, 2, 6, 9])
def test_equal_differences_off_every_grid_reach_as_far_in_two_flips(difference, n):
    """Their rounded sum lay beyond what the rounded steps can reach, and p was 0."""
    assert sign_flip([difference] * n) == pytest.approx(2 / 2**n)
    assert sign_flip([-difference] * n) == pytest.approx(2 / 2**n)


def by_writing_out(values):
    sums = [sum(s * v for s, v in zip(signs, values, strict=True)) for signs in
            product((-1, 1), repeat=len(values))]  # fmt: skip
    return sum(abs(total) >= abs(sum(values)) - 1e-9 for total in sums) / len(sums)


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([1, 1, 1], 2 / 8),
        ([1, -1], 1.0),
        ([1, 1, -0.5], 4 / 8),  # sums ±2.5, ±1.5 (seen), ±0.5 twice each
        ([0, 0], 1.0),
        ([], 1.0),
    ],
)
def test_by_hand(values, p):
    assert sign_flip(values) == p


fractions = st.sampled_from([0, 0.5, 1, -1, 1 / 3, -2 / 3, 0.2, -0.25, 2 / 7])


@settings(max_examples=60)
@given(st.lists(fractions, min_size=1, max_size=9))
def test_every_flip_is_counted(values):
    assert sign_flip(values) == pytest.approx(by_writing_out(values))
    assert sign_flip([-value for value in values]) == sign_flip(values)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_right_less_right_is_mcnemar(b, c, same):
    assert sign_flip([1] * b + [-1] * c + [0] * same) == pytest.approx(mcnemar_exact(b, c).p)


def test_many_differences_take_the_normal_tail():
    few, many = sign_flip([1] * 110 + [-1] * 85), sign_flip([1] * 120 + [-1] * 95)
    assert many == pytest.approx(mcnemar_exact(120, 95).p, rel=0.2)
    assert few == pytest.approx(mcnemar_exact(110, 85).p, rel=1e-9)


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        sign_flip([1.0, float("nan")])
