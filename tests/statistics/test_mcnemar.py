"""Exact McNemar: by hand, against SciPy and statsmodels on every small table, against R."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.statistics.mcnemar import mcnemar_answers, mcnemar_exact

SMALL = [(b, n - b) for n in range(31) for b in range(n + 1)]


@pytest.mark.parametrize(
    ("b", "c", "p", "mid_p"),
    [
        (5, 0, 2 / 2**5, 1 / 2**5),  # all one way: 2 · (1/2)^5, less the table seen once
        (3, 1, 2 * (1 + 4) / 2**4, (2 * (1 + 4) - 4) / 2**4),  # both tails of Bin(4, 1/2)
        (2, 2, 1.0, 1.0),  # the doubled tail passes 1 and is cut
        (0, 0, 1.0, 1.0),  # no discordant probe, no evidence
        (24, 0, 2 / 2**24, 1 / 2**24),
    ],
)
def test_by_hand(b, c, p, mid_p):
    result = mcnemar_exact(b, c)
    assert (result.p, result.mid_p) == (p, mid_p)


def test_every_small_table_agrees_with_scipy_and_statsmodels():
    from scipy.stats import binomtest
    from statsmodels.stats.contingency_tables import mcnemar

    for b, c in SMALL:
        ours = mcnemar_exact(b, c).p
        if b + c:  # both refuse or divide by zero without a discordant pair
            assert ours == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-12), (b, c)
            theirs = min(1.0, mcnemar([[0, b], [c, 0]], exact=True).pvalue)
            assert ours == pytest.approx(theirs, rel=1e-12), (b, c)


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [  # R 4.2.2: binom.test(b, b + c)$p.value
        (5, 0, 0.0625),
        (3, 1, 0.6250000000000001),
        (10, 1, 0.01171875),
        (13, 0, 0.0002441406250000001),
        (7, 2, 0.1796875000000001),
        (15, 9, 0.3074562549591067),
        (20, 10, 0.09873714670538894),
        (29, 1, 5.774199962615975e-08),
        (16, 14, 0.8555355519056325),
        (1, 0, 1),
    ],
)
def test_agrees_with_r(b, c, p):
    assert mcnemar_exact(b, c).p == pytest.approx(p, rel=1e-12)


def test_mid_p_is_half_the_table_seen_lower_in_each_tail():
    from scipy.stats import binom

    for b, c in SMALL:
        if b == c:
            assert mcnemar_exact(b, c).mid_p == 1.0
        else:
            n, least = b + c, min(b, c)
            expected = 2 * (binom.cdf(least, n, 0.5) - 0.5 * binom.pmf(least, n, 0.5))
            assert mcnemar_exact(b, c).mid_p == pytest.approx(expected, rel=1e-10)


def test_ten_thousand_discordant_probes_each_way_take_no_time():
    from scipy.stats import binomtest

    assert mcnemar_exact(10_000, 10_000).p == 1.0
    result = mcnemar_exact(10_100, 9_900)
    assert result.p == pytest.approx(binomtest(10_100, 20_000).pvalue, rel=1e-9)
    assert result.mid_p < result.p


@pytest.mark.parametrize("smaller", [900, 960, 1_000])
def test_whole_numbers_and_the_beta_function_meet(smaller):
    """Two thousand discordant probes by either way of computing."""
    from veridical.statistics.mcnemar import WHOLE, _of_many, _whole

    assert _whole(WHOLE, smaller) == pytest.approx(_of_many(WHOLE, smaller), rel=1e-10)


@given(st.integers(0, 400), st.integers(0, 400))
def test_the_two_documents_are_treated_alike(b, c):
    one, two = mcnemar_exact(b, c), mcnemar_exact(c, b)
    assert (one.p, one.mid_p) == (two.p, two.mid_p)
    assert 0 < one.mid_p <= one.p <= 1 or (b + c > 1000 and one.p == 0)


@pytest.mark.parametrize(("b", "c"), [(-1, 0), (0, 1.5)])
def test_impossible_counts_are_refused(b, c):
    with pytest.raises(ValueError, match="whole number"):
        mcnemar_exact(b, c)


def table(**documents):
    return pd.DataFrame(
        [
            {"probe_id": f"p{number}", "document": document, "correct": correct}
            for document, answers in documents.items()
            for number, correct in enumerate(answers)
        ]
    )


def test_counts_pairs_and_takes_an_abstention_for_not_right():
    answers = table(
        veridical=[True, True, True, None, False, None],
        corrupted=[True, False, None, True, False, None],
        none=[None] * 6,
    )
    result = mcnemar_answers(answers, "veridical", "corrupted")
    # both: p0; b: p1, p2; c: p3; neither: p4, p5
    assert (result.both, result.b, result.c, result.neither) == (1, 2, 1, 2)
    assert result.share == pytest.approx(2 / 3)


def test_no_discordant_probe_has_no_share():
    result = mcnemar_answers(table(a=[True, False], b=[True, False]), "a", "b")
    assert result.p == 1.0
    assert math.isnan(result.share)


answers_strategy = st.lists(
    st.tuples(st.sampled_from([True, False, None]), st.sampled_from([True, False, None])),
    min_size=1,
    max_size=30,
)


@given(answers_strategy)
def test_swapping_documents_swaps_b_and_c(pairs):
    answers = table(x=[a for a, _ in pairs], y=[b for _, b in pairs])
    one, two = mcnemar_answers(answers, "x", "y"), mcnemar_answers(answers, "y", "x")
    assert (one.b, one.c, one.both, one.neither) == (two.c, two.b, two.both, two.neither)
    assert one.both + one.b + one.c + one.neither == len(pairs)


def test_a_probe_answered_twice_is_named():
    answers = table(x=[True, False], y=[True, False])
    with pytest.raises(ValueError, match=r"more than once: p1 \(y\)"):
        mcnemar_answers(pd.concat([answers, answers.tail(1)]), "x", "y")


def test_a_probe_without_its_pair_is_named():
    with pytest.raises(ValueError, match="under 'y' for: p1"):
        mcnemar_answers(table(x=[True, False], y=[True]), "x", "y")
