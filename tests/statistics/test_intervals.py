"""Wilson intervals, exact binomial and paired differences, by hand, against SciPy and R."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from veridical.statistics.intervals import binomial_greater, paired_difference, wilson

counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("correct", "low", "high"),
    [  # the intervals printed for Control 2 without a document, 24 probes
        (9, 21.2, 57.3),
        (12, 31.4, 68.6),
        (16, 46.7, 82.0),
        (15, 42.7, 78.8),
        (17, 50.8, 85.1),
        (19, 59.5, 90.8),
    ],
)
def test_wilson_gives_the_printed_intervals(correct, low, high):
    ends = wilson(correct, 24)
    assert (round(100 * ends.low, 1), round(100 * ends.high, 1)) == (low, high)


def test_wilson_by_hand():
    # z = 1.959964, z² = 3.841459; 0 of 10: high = z²/(n + z²) = 3.841459 / 13.841459
    assert wilson(0, 10) == (0.0, pytest.approx(0.2775328, abs=1e-7))
    assert wilson(10, 10) == (pytest.approx(1 - 0.2775328, abs=1e-7), 1.0)


@given(counts, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_agrees_with_scipy(pair, level):
    ours = wilson(*pair, level)
    theirs = binomtest(*pair).proportion_ci(level, method="wilson")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(counts)
def test_wilson_mirrors_and_holds_its_estimate(pair):
    correct, n = pair
    ends, mirrored = wilson(correct, n), wilson(n - correct, n)
    assert ends.low == pytest.approx(1 - mirrored.high, abs=1e-12)
    assert 0 <= ends.low <= correct / n <= ends.high <= 1


def test_binomial_by_hand():
    assert binomial_greater(3, 3, 0.5) == 1 / 8
    assert binomial_greater(2, 3, 0.5) == pytest.approx(4 / 8)  # (3 + 1) of 8 outcomes
    assert binomial_greater(1, 2, 1 / 3) == pytest.approx(5 / 9)  # 1 - (2/3)²
    assert binomial_greater(0, 7, 0.5) == 1.0


@pytest.mark.parametrize(
    ("correct", "n", "chance", "p"),
    [  # R 4.2.2: binom.test(correct, n, chance, alternative = "greater")$p.value
        (9, 24, 1 / 2, 0.9242051839828491),
        (9, 24, 1 / 3, 0.4055339255662638),
        (12, 24, 1 / 2, 0.5805901288986206),
        (12, 24, 1 / 3, 0.06765877903243148),
        (15, 24, 1 / 2, 0.1537281274795534),
        (15, 24, 1 / 3, 0.003229781064564284),
        (16, 24, 1 / 2, 0.07579481601715093),
        (16, 24, 1 / 3, 0.0008594834804621441),
        (17, 24, 1 / 2, 0.0319573283195496),
        (17, 24, 1 / 3, 0.0001928372849334184),
        (19, 24, 1 / 2, 0.003305375576019286),
        (19, 24, 1 / 3, 5.479203837110381e-06),
        (24, 24, 1 / 2, 5.960464477539069e-08),
        (24, 24, 1 / 3, 3.540706161472147e-12),
        (1, 7, 1 / 2, 0.9921875),
        (1, 7, 1 / 3, 0.9414723365340649),
    ],
)
def test_binomial_agrees_with_r(correct, n, chance, p):
    assert binomial_greater(correct, n, chance) == pytest.approx(p, rel=1e-12)


@given(counts, st.sampled_from([0.5, 1 / 3, 0.25, 0.01]))
def test_binomial_agrees_with_scipy(pair, chance):
    expected = binomtest(*pair, chance, alternative="greater").pvalue
    assert binomial_greater(*pair, chance) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_nothing_to_estimate_is_nan():
    assert all(math.isnan(end) for end in wilson(0, 0))
    assert math.isnan(binomial_greater(0, 0, 0.5))
    difference, ends = paired_difference([], [])
    assert math.isnan(difference)
    assert all(math.isnan(end) for end in ends)


@pytest.mark.parametrize(("correct", "n"), [(5, 4), (-1, 4), (0, -1), (1, 2.5)])
def test_impossible_counts_are_refused(correct, n):
    with pytest.raises(ValueError, match=r"impossible|whole number"):
        wilson(correct, n)
    with pytest.raises(ValueError, match=r"impossible|whole number"):
        binomial_greater(correct, n, 0.5)


def test_levels_and_chances_outside_are_refused():
    with pytest.raises(ValueError, match="level"):
        wilson(1, 2, 1.0)
    with pytest.raises(ValueError, match="chance"):
        binomial_greater(1, 2, 0.0)
    with pytest.raises(ValueError, match="whole number"):
        binomial_greater(0.5, 2, 0.5)


def test_paired_difference_by_hand():
    # Four pairs, second always 1/2: no correlation. Wilson of 4/4: [0.510109, 1]; of 2/4:
    # [0.150036, 0.849964]. Down: sqrt(0.489891² + 0.349964²) = 0.602054; up: 0 and 0.349964.
    difference, ends = paired_difference([1] * 4, [0.5] * 4)
    assert difference == 0.5
    assert ends == pytest.approx((0.5 - 0.602054, 0.849964), abs=1e-5)


def test_paired_difference_gives_newcombes_published_example():
    # Newcombe 1998, table II, 36 both, 12 and 2 discordant, 0 neither: difference 0.2.
    # Method 10: a negative phi is not corrected. phi by hand: (36·0 − 12·2)/sqrt(48·2·38·12)
    # = −24/209.23 = −0.1147; Wilson 48/50: [0.865404, 0.988955]; 38/50: [0.625867, 0.857005].
    # low = 0.2 − sqrt(0.094596² + 2·0.1147·0.094596·0.097005 + 0.097005²) = 0.2 − 0.143067...
    pairs = [(1, 1)] * 36 + [(1, 0)] * 12 + [(0, 1)] * 2
    difference, ends = paired_difference([a for a, _ in pairs], [b for _, b in pairs])
    down = math.sqrt(0.094596**2 + 2 * 0.1147 * 0.094596 * 0.097005 + 0.097005**2)
    up = math.sqrt(0.028955**2 + 2 * 0.1147 * 0.028955 * 0.134133 + 0.134133**2)
    assert difference == pytest.approx(0.2)
    assert ends == pytest.approx((0.2 - down, 0.2 + up), abs=2e-4)


def test_pairs_that_all_agree_are_no_certainty():
    # 12 of 24 right both times: ad - bc = 144, less n/2 = 12, over 144: phi = 11/12. Wilson of
    # 12/24: 0.5 ± 0.185725, so the ends are at sqrt(2 · (1 - 11/12)) · 0.185725 = 0.075822.
    answers = [1, 0] * 12
    difference, ends = paired_difference(answers, answers)
    assert difference == 0
    assert ends == pytest.approx((-0.075822, 0.075822), abs=1e-5)
    # Four pairs: phi = (4 - 2)/4; Wilson of 2/4: 0.5 ± 0.349964.
    _, few = paired_difference([1, 1, 0, 0], [1, 1, 0, 0])
    assert few == pytest.approx((-0.349964, 0.349964), abs=1e-5)


values = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=40)


@given(values)
def test_paired_difference_mirrors_and_holds_its_estimate(pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    difference, ends = paired_difference(first, second)
    other, mirrored = paired_difference(second, first)
    assert other == pytest.approx(-difference)
    assert mirrored == pytest.approx((-ends.high, -ends.low), abs=1e-7)
    assert -1 <= ends.low <= difference + 1e-9
    assert difference - 1e-9 <= ends.high <= 1


def test_pairs_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="cannot be paired"):
        paired_difference([1, 0], [1])
    with pytest.raises(ValueError, match=r"1\.5 is no proportion"):
        paired_difference([1.5], [1])
