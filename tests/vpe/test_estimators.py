import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.vpe import estimators
from veridical.vpe.estimators import (
    coverage_good_turing,
    entropy,
    entropy_chao_shen,
    entropy_miller_madow,
    log_probability_smoothed,
    pass_at_k,
    rarefaction,
)

some_counts = st.lists(st.integers(1, 12), min_size=1, max_size=8)


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_subsets_with_a_verified_one(n):
    for c, k in product(range(n + 1), range(1, n + 1)):
        subsets = list(combinations(range(n), k))
        passed = sum(any(i < c for i in subset) for subset in subsets)
        assert pass_at_k(n, c, k) == pytest.approx(passed / len(subsets))


def test_rarefaction_is_the_mean_over_subsets():
    # 7 rollouts: mode a three times, b twice, c once, one failure
    labels = ["a"] * 3 + ["b"] * 2 + ["c"] + [None]
    for b in range(8):
        distinct = [len({x for x in s if x}) for s in combinations(labels, b)]
        assert rarefaction([3, 2, 1], 7, b) == pytest.approx([np.mean(distinct)])


@given(some_counts, st.integers(0, 30))
def test_rarefaction_rises_to_the_number_of_modes(counts, failures):
    n = sum(counts) + failures
    curve = rarefaction(counts, n, range(n + 1))
    assert curve[0] == 0
    assert curve[-1] == pytest.approx(len(counts))
    assert (np.diff(curve) >= -1e-9).all()


@pytest.mark.parametrize(
    ("counts", "plain", "miller_madow", "chao_shen"),
    [
        ([5], 0, 0, 0),
        ([1], 0, 0, 0),
        # log 2; + 1 / (2·4); C = 1, each term 1/2·log 2 / (1 - 1/2^4)
        ([2, 2], math.log(2), math.log(2) + 1 / 8, math.log(2) / (1 - 1 / 16)),
        # two singletons: C = 1 - 1/2; each 1/4·log 4 / (1 - (3/4)^2)
        ([1, 1], math.log(2), math.log(2) + 1 / 4, 2 * 0.25 * math.log(4) / (7 / 16)),
        # f1 = 1 of 4: C = 3/4, shares 9/16 and 3/16
        (
            [3, 1],
            -0.75 * math.log(0.75) - 0.25 * math.log(0.25),
            -0.75 * math.log(0.75) - 0.25 * math.log(0.25) + 1 / 8,
            -9 / 16 * math.log(9 / 16) / (1 - (7 / 16) ** 4)
            - 3 / 16 * math.log(3 / 16) / (1 - (13 / 16) ** 4),
        ),
    ],
)
def test_entropies_by_hand(counts, plain, miller_madow, chao_shen):
    assert entropy(counts) == pytest.approx(plain)
    assert entropy_miller_madow(counts) == pytest.approx(miller_madow)
    assert entropy_chao_shen(counts) == pytest.approx(chao_shen)


def test_entropies_of_many_modes_with_the_formulas_written_out():
    counts = [4, 2, 3, 0, 2, 4, 0, 0, 2, 1, 1]
    share = np.array([c for c in counts if c]) / 19
    plain = -(share * np.log(share)).sum()
    assert entropy(counts) == pytest.approx(plain)
    assert entropy_miller_madow(counts) == pytest.approx(plain + 7 / 38)
    shrunk = share * (1 - 2 / 19)
    horvitz = -(shrunk * np.log(shrunk) / (1 - (1 - shrunk) ** 19)).sum()
    assert entropy_chao_shen(counts) == pytest.approx(horvitz)


@given(some_counts, st.randoms())
def test_order_and_zeros_change_nothing(counts, random):
    mixed = [*counts, 0, 0]
    random.shuffle(mixed)
    for estimator in (entropy, entropy_miller_madow, entropy_chao_shen, coverage_good_turing):
        assert estimator(mixed) == estimator(counts)
        assert math.isfinite(estimator(counts))
        assert estimator(counts) >= 0
    assert entropy(counts) <= math.log(len(counts)) + 1e-9


def test_coverage_by_hand():
    assert coverage_good_turing([3, 1]) == 0.75  # one of four rollouts was the only of its mode
    assert coverage_good_turing([1]) == 0
    assert coverage_good_turing([4]) == 1


def expectation(estimator, shares, n):
    """The exact mean of an estimator over all samples of n from a few modes, by enumeration."""
    total = 0.0
    for sample in product(range(len(shares)), repeat=n):
        counts = np.bincount(sample, minlength=len(shares))
        total += math.prod(shares[i] for i in sample) * estimator(counts)
    return total


@pytest.mark.parametrize("shares", [(0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (1 / 3, 1 / 3, 1 / 3)])
def test_the_corrections_take_bias_away(shares):
    truth = -sum(p * math.log(p) for p in shares)
    bias = {
        name: abs(expectation(getattr(estimators, name), shares, 6) - truth)
        for name in ("entropy", "entropy_miller_madow", "entropy_chao_shen")
    }
    assert bias["entropy_miller_madow"] < bias["entropy"]
    assert bias["entropy_chao_shen"] < bias["entropy"]


def test_good_turing_is_unbiased_but_for_one_rollout():
    # E[1 - f1/n] = 1 - sum p (1-p)^(n-1): the coverage that n - 1 rollouts have on average
    shares, n = (0.5, 0.3, 0.2), 5
    assert expectation(coverage_good_turing, shares, n) == pytest.approx(
        1 - sum(p * (1 - p) ** (n - 1) for p in shares)
    )


def test_pass_at_k_is_unbiased():
    # the mean over c ~ Bin(n, p) is 1 - (1 - p)^k, exactly
    n, p = 12, 0.3
    weights = [math.comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    for k in (1, 3, 12):
        mean = sum(w * pass_at_k(n, c, k) for c, w in enumerate(weights))
        assert mean == pytest.approx(1 - (1 - p) ** k)


def test_many_modes_by_simulation():
    # 32 rollouts over 20 modes of falling share: plug-in too low, Chao-Shen nearer
    rng = np.random.default_rng(7)
    shares = 1 / np.arange(1, 21)
    shares /= shares.sum()
    truth = -(shares * np.log(shares)).sum()
    drawn = rng.multinomial(32, shares, size=2000)
    plain, madow, shen = (
        np.mean([estimator(counts) for counts in drawn]) - truth
        for estimator in (entropy, entropy_miller_madow, entropy_chao_shen)
    )
    assert plain < madow < 0
    assert abs(shen) < abs(madow) < abs(plain)


def test_smoothing_by_hand():
    assert log_probability_smoothed(32, 0, 0.5) == pytest.approx(math.log(0.5 / 33))
    assert log_probability_smoothed(32, 32, 0.5) == pytest.approx(math.log(32.5 / 33))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pass_at_k(4, 2, 5), "draw more rollouts"),
        (lambda: pass_at_k(4, 2, 0), "k must lie between"),
        (lambda: pass_at_k(4, 5, 1), "between 0 and n"),
        (lambda: pass_at_k(0, 0, 1), "pass@1 of 0 rollouts"),
        (lambda: entropy([]), "no verified rollout"),
        (lambda: entropy([0, 0]), "no verified rollout"),
        (lambda: entropy_miller_madow([]), "no verified rollout"),
        (lambda: entropy_chao_shen([]), "no verified rollout"),
        (lambda: coverage_good_turing([]), "no verified rollout"),
        (lambda: entropy([2, -1]), "negative"),
        (lambda: entropy([0.5, 0.5]), "whole numbers"),
        (lambda: rarefaction([3], 2, 1), "only 2 in all"),
        (lambda: rarefaction([1], 2, 3), "between 0 and 2"),
        (lambda: log_probability_smoothed(4, 1, 0), "greater than 0"),
        (lambda: log_probability_smoothed(4, 5, 1), "between 0 and n"),
    ],
)
def test_bad_input_is_refused_never_nan(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_nothing_verified_is_defined_where_it_can_be():
    assert rarefaction([], 4, [1, 4]).tolist() == [0, 0]
    assert pass_at_k(4, 0, 4) == 0
