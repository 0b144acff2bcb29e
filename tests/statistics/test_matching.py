"""Chance where values are not equally frequent: held to every order written out."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom
from veridical.statistics.matching import (
    at_least,
    at_most,
    expected_matches,
    margins_of,
    matching,
)


def by_all_orders(named: str, true: str) -> list[Fraction]:
    """The share of all orders of the true values with 0, 1, … matches."""
    orders = list(itertools.permutations(true))
    counts = [sum(a == b for a, b in zip(named, order, strict=True)) for order in orders]
    return [Fraction(counts.count(j), len(orders)) for j in range(len(named) + 1)]


THREE = "rrrrggb"  # three values of unequal frequency: 4, 2 and 1 of seven


@pytest.mark.parametrize(
    "named",
    [
        "rrrrggb",  # each as often as it is true
        "rrrrrrr",  # the most frequent throughout: four right, whatever the order
        "rrgggbb",
        "bbbbbbg",
        "xxrrggb",  # two answers with a value that is never true
    ],
)
def test_three_values_of_unequal_frequency_by_every_order(named):
    margins = margins_of(named, THREE)
    expected = by_all_orders(named, THREE)
    assert list(matching(margins)) == expected
    assert expected_matches(margins) == sum(j * p for j, p in enumerate(expected))
    for hits in range(8):
        assert at_least(hits, margins) == pytest.approx(float(sum(expected[hits:])))
        assert at_most(hits, margins) == pytest.approx(float(sum(expected[: hits + 1])))


def test_whoever_names_the_most_frequent_value_is_right_so_often_and_never_beats_chance():
    margins = margins_of("r" * 7, THREE)
    assert expected_matches(margins) == 4
    assert at_least(4, margins) == 1.0
    assert at_least(5, margins) == 0.0


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_any_margins_by_every_order(pairs, random):
    named = "".join(letter * n for letter, (n, _) in zip("abcd", pairs, strict=False))[:6]
    true = "".join(letter * n for letter, (_, n) in zip("abcd", pairs, strict=False))[:6]
    size = min(len(named), len(true))
    named, true = named[:size], true[:size]
    assert list(matching(margins_of(named, true))) == by_all_orders(named, true)


@given(st.integers(1, 30), st.integers(0, 30), st.integers(0, 30))
def test_two_values_are_a_hypergeometric(n, named, true):
    named, true = min(named, n), min(true, n)
    spread = matching(tuple(sorted(((named, true), (n - named, n - true)))))
    # x of the answers with the first value are right; then n - named - true + 2x match in all.
    for x in range(max(0, named + true - n), min(named, true) + 1):
        right = n - named - true + 2 * x
        assert float(spread[right]) == pytest.approx(hypergeom.pmf(x, n, true, named), abs=1e-12)
    assert sum(spread) == 1


def test_two_documents_together_are_the_sum_of_both():
    one, two = margins_of("aab", "abb"), margins_of("ab", "ab")
    orders = [
        sum(x == y for x, y in zip("aab", first, strict=True))
        + sum(x == y for x, y in zip("ab", second, strict=True))
        for first in itertools.permutations("abb")
        for second in itertools.permutations("ab")
    ]
    for hits in range(7):
        share = np.mean([count >= hits for count in orders])
        assert at_least(hits, one, two) == pytest.approx(share)
        assert at_most(hits, one, two) == pytest.approx(np.mean([c <= hits for c in orders]))


def test_equal_margins_are_near_a_coin_and_a_little_wider():
    # 24 answers, 12 and 12: the mean is a coin's, and the spread larger by 24/23.
    spread = np.array([float(p) for p in matching(((12, 12), (12, 12)))])
    hits = np.arange(25)
    mean = spread @ hits
    assert mean == pytest.approx(12)
    assert spread @ (hits - mean) ** 2 == pytest.approx(6 * 24 / 23)


def test_nothing_answered_is_no_evidence():
    assert matching(()) == (1,)
    assert (at_least(0, ()), expected_matches(())) == (1.0, 0)


def test_what_is_no_pair_of_margins_is_refused():
    with pytest.raises(ValueError, match="2 answers for 1 probes"):
        margins_of("ab", "a")
    with pytest.raises(ValueError, match="as many answers as true values"):
        matching(((2, 1),))
