"""A score's threshold keeps its rate, whatever the scores look like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.stats import beta
from veridical.zoo.thresholds import below, rank, threshold


@pytest.mark.parametrize(
    ("n", "r"),
    [
        (58, 0),  # 0.95^58 = 0.051: even the lowest is not sure to be low enough
        (59, 1),  # 0.95^59 = 0.0485
        (92, 1),
        (93, 2),  # the classical table of tolerance limits: 93 for the second
        (124, 3),
    ],
)
def test_the_rank_is_that_of_the_tables_of_tolerance_limits(n, r):
    assert rank(n) == r


@pytest.mark.parametrize("n", [60, 150, 200, 400])
def test_the_rank_is_the_highest_that_keeps_the_rate(n):
    """The share below the r-th of n continuous scores is Beta(r, n - r + 1)."""
    r = rank(n)
    assert beta.sf(0.05, r, n - r + 1) <= 0.05 < beta.sf(0.05, r + 1, n - r)


def test_false_alarms_keep_to_their_rate_in_simulated_zoos():
    """Of 400 zoos with 200 + 200 sound scores each, of few values as in studies: at most 5 % of
    thresholds let more than 5 % of sound studies fall below them."""
    rng = np.random.default_rng(5)
    truth = rng.binomial(24, 0.97, size=200_000) / 24
    excess = 0
    for _ in range(400):
        limit = threshold(list(rng.binomial(24, 0.97, size=200) / 24))
        excess += float((truth < limit).mean()) > 0.05
    assert excess <= 0.05 * 400 + 2 * np.sqrt(0.05 * 0.95 * 400)


def test_equal_scores_raise_no_alarm():
    assert not below(1.0, threshold([1.0] * 200))
    assert below(0.99, threshold([1.0] * 200))


def test_too_few_sound_studies_set_no_threshold():
    assert threshold([1.0] * 58) is None
    assert not below(0.0, None)
    assert not below(None, None)


def test_a_score_that_is_not_defined_is_lower_than_any():
    assert below(None, 0.0)
    scores = [None] * 6 + [1.0] * 194  # more than the five that may lie below
    assert threshold(scores) == -float("inf")
    assert not below(0.0, threshold(scores))


@given(some.lists(some.floats(0, 1), min_size=59, max_size=120))
def test_no_more_than_the_share_of_the_scores_lies_below(scores):
    limit = threshold(scores)
    assert sum(below(score, limit) for score in scores) < max(1, 0.05 * len(scores))
    assert threshold(list(reversed(scores))) == limit
