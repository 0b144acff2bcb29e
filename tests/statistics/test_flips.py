"""Sign flips of many rows: by hand, against scipy's permutations, and against steps written out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test
from veridical.statistics.flips import DRAWN, ENUMERATED, flip, ways
from veridical.statistics.multiplicity import holm
from veridical.statistics.signs import sign_flip, sign_test

RNG = np.random.default_rng(0)


def flipped(rows, *, above=False):
    return flip(rows, RNG, above=above)


def written_out(rows, *, above=False):
    """The p of each row and the step-down maxT p, with lists and loops alone."""
    rows = [[0.0 if v != v else float(v) for v in row] for row in rows]
    scaled = []
    for row in rows:
        size = sum(v * v for v in row) ** 0.5
        scaled.append([v / size for v in row] if size else row)

    def reached(signs):
        sums = [sum(s * v for s, v in zip(signs, row, strict=True)) for row in scaled]
        return sums if above else [abs(total) for total in sums]

    every = [reached(signs) for signs in product((1, -1), repeat=len(rows[0]))]
    seen = every[0]
    p = [sum(one[r] >= seen[r] - 1e-9 for one in every) / len(every) for r in range(len(rows))]
    order = sorted(range(len(rows)), key=lambda r: -seen[r])
    adjusted, before = [0.0] * len(rows), 0.0
    for place, r in enumerate(order):
        left = order[place:]
        share = sum(max(one[k] for k in left) >= seen[r] - 1e-9 for one in every) / len(every)
        before = max(before, share)
        adjusted[r] = max(before, p[r])
    return p, adjusted


@pytest.mark.parametrize(
    ("values", "p", "above"),
    [
        ([0.5] * 7, 2 / 128, 1 / 128),  # all one way
        ([0.5] * 6 + [-0.5], 16 / 128, 8 / 128),  # the one seen and those with one odd unit less
        ([0.5] * 6 + [-0.1], 4 / 128, 2 / 128),  # the odd one is small: its flip alone goes beyond
        ([-0.5] * 7, 2 / 128, 1.0),
        ([0.5, -0.5], 1.0, 3 / 4),
    ],
)
def test_by_hand(values, p, above):
    assert flipped(values).p[0] == pytest.approx(p)
    assert flipped(values, above=True).p[0] == pytest.approx(above)


def test_nothing_is_no_evidence():
    """Values that are all 0, or none at all."""
    assert flipped([[0.0, 0.0], [np.nan, np.nan]]).p.tolist() == [1.0, 1.0]
    assert flipped([[0.0, 0.0]], above=True).adjusted.tolist() == [1.0]


VALUES = st.lists(
    st.lists(st.sampled_from([0, 0.5, -0.5, 0.25, -1 / 6, 1 / 3, 0.1]), min_size=5, max_size=5),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60)
@given(VALUES, st.booleans())
def test_every_way_and_every_step_is_as_written_out(rows, above):
    p, adjusted = written_out(rows, above=above)
    found = flipped(rows, above=above)
    live = [any(row) for row in rows]
    assert found.p[live] == pytest.approx(np.array(p)[live])
    assert found.adjusted[live] == pytest.approx(np.array(adjusted)[live])


@settings(max_examples=30)
@given(VALUES)
def test_properties(rows):
    """Signs and scales don't count; no adjusted p is below its own; Bonferroni is never beaten."""
    found, turned = flipped(rows), flipped(-2.5 * np.array(rows))
    assert turned.p == pytest.approx(found.p)
    assert turned.adjusted == pytest.approx(found.adjusted)
    assert (found.adjusted >= found.p - 1e-12).all()
    assert (found.adjusted <= np.minimum(1, len(rows) * found.p.max()) + 1e-9).all()


def test_the_two_sided_p_is_scipys_and_the_exact_counts():
    values = np.array([0.3, 0.12, -0.05, 0.41, 0.2, -0.11, 0.07])
    scipys = permutation_test(
        (values, np.zeros(7)),
        lambda one, other, axis: np.mean(one - other, axis=axis),
        permutation_type="samples",
        vectorized=True,
    )
    assert flipped(values).p[0] == pytest.approx(scipys.pvalue)
    assert flipped(values).p[0] == pytest.approx(sign_flip(values))


def test_rows_that_all_say_the_same_cost_nothing_where_holm_takes_four_times():
    rows = np.tile([0.5] * 7, (4, 1))
    found = flipped(rows)
    assert found.adjusted.tolist() == [2 / 128] * 4
    assert holm(found.p).tolist() == [8 / 128] * 4


def test_rows_on_other_units_cost_what_independent_tests_do():
    """Two rows, each of five units of its own: 1 - (1 - 2/32)^2 for the larger of both."""
    rows = np.full((2, 10), np.nan)
    rows[0, :5], rows[1, 5:] = 0.5, 0.5
    assert flipped(rows).adjusted == pytest.approx([1 - (1 - 2 / 32) ** 2] * 2)


@settings(max_examples=25, deadline=None)
@given(VALUES, st.booleans())
def test_rows_that_share_nothing_are_as_if_flipped_together(rows, above):
    """Two corpora of five units each: the chances multiplied are the 2^10 ways written out."""
    table = np.full((2 * len(rows), 10), np.nan)
    table[: len(rows), :5] = rows
    table[len(rows) :, 5:] = np.array(rows)[::-1] * [1, -1, 1, 1, 0.5]
    found = flipped(table, above=above)
    together = flipped(np.nan_to_num(table), above=above)  # one block: zeros are units too
    assert found.p == pytest.approx(together.p)
    assert found.adjusted == pytest.approx(together.adjusted)


def test_rows_linked_by_a_third_are_flipped_together():
    """The first and the last share no unit, but each shares one with the row between."""
    table = np.array([[0.5, 0.5, np.nan], [np.nan, 0.5, 0.5], [np.nan, np.nan, 0.5]])
    found, together = flipped(table), flipped(np.nan_to_num(table))
    assert found.adjusted == pytest.approx(together.adjusted)


def test_many_units_are_drawn_and_no_p_comes_to_nothing():
    few, many = ways(ENUMERATED, RNG), ways(ENUMERATED + 1, np.random.default_rng(1))
    assert len(few) == 2**ENUMERATED
    assert len({tuple(row) for row in few}) == len(few)
    assert many.shape == (DRAWN + 1, ENUMERATED + 1)
    assert (many[0] == 1).all()
    assert (few[0] == 1).all()
    p = flip([[0.5] * (ENUMERATED + 1)], RNG).p[0]
    assert 1 / (DRAWN + 1) <= p < 0.01
    again = ways(ENUMERATED + 1, np.random.default_rng(1))
    assert (again == many).all()


def test_drawn_ways_come_near_the_exact_share():
    values = np.random.default_rng(3).normal(0.1, 0.3, 20)
    drawn = flip([values], np.random.default_rng(4)).p[0]
    assert drawn == pytest.approx(sign_flip(values), abs=0.03)
    assert flip([values], np.random.default_rng(4)).p[0] == drawn


def test_it_holds_its_level_over_four_rows_of_seven_units():
    """Rows that share units and a luck: any row in about 5 % at 0.05 (4,000 studies, ±1)."""
    rng, said = np.random.default_rng(7), 0
    for _ in range(4000):
        rows = rng.normal(0, 0.2, 7) + rng.normal(0, 0.2, (4, 7))
        said += (flip(rows, RNG).adjusted <= 0.05).any()
    assert 0.03 <= said / 4000 <= 0.06


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_sign_test_is_scipys(one, other):
    n = one + other
    expected = binomtest(one, n, 0.5).pvalue if n else 1.0
    assert sign_test([one], [other])[0] == pytest.approx(expected)
    assert sign_test([other], [one])[0] == sign_test([one], [other])[0]
