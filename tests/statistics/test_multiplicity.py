"""Holm over a declared family: by hand, against statsmodels, as properties."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import hochberg, holm

pvalues = st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), min_size=1, max_size=20)


def test_by_hand():
    # sorted 0.01·4, 0.02·3, 0.03·2, 0.5·1; the third may not fall below the second
    assert holm([0.03, 0.5, 0.01, 0.02]).tolist() == pytest.approx([0.06, 0.5, 0.04, 0.06])


def test_printed_family_of_corpus_a():
    discordant = [(24, 0), (24, 0), (23, 0), (22, 0), (21, 0), (21, 0), (10, 1)]
    adjusted = holm([mcnemar_exact(b, c).p for b, c in discordant], m=7)
    # 7 · 2/2^24, the same again, 5 · 2/2^23, 4 · 2/2^22, 3 · 2/2^21, the same again, 1 · 24/2^11
    expected = [8.345e-7, 8.345e-7, 1.192e-6, 1.907e-6, 2.861e-6, 2.861e-6, 0.01171875]
    assert adjusted.tolist() == pytest.approx(expected, rel=1e-3)


def test_a_missing_test_counts_as_one_and_shrinks_nothing():
    assert holm([0.01, math.nan, None]).tolist() == [0.03, 1.0, 1.0]
    assert holm([0.01], m=3).tolist() == [0.03]


def test_more_tests_than_declared_are_refused():
    with pytest.raises(ValueError, match="declare every test"):
        holm([0.1, 0.2], m=1)


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_what_is_no_p_is_refused(p):
    with pytest.raises(ValueError, match="no p value"):
        holm([0.1, p])


def test_an_empty_family_is_empty():
    assert holm([], m=3).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_agrees_with_statsmodels(values):
    expected = multipletests(values, method="holm")[1]
    assert holm(values).tolist() == pytest.approx(expected.tolist())


@given(pvalues, st.integers(0, 5))
def test_never_lowers_a_p_and_keeps_their_order(values, more):
    adjusted = holm(values, m=len(values) + more)
    filled = [1.0 if math.isnan(p) else p for p in values]
    assert not any(map(math.isnan, adjusted))
    assert all(a >= p for a, p in zip(adjusted, filled, strict=True))
    ranked = sorted(range(len(filled)), key=filled.__getitem__)
    assert all(adjusted[i] <= adjusted[j] for i, j in pairwise(ranked))


@given(pvalues)
def test_a_larger_family_never_lowers_a_p(values):
    small, large = holm(values), holm(values, m=len(values) + 3)
    assert all(b >= a for a, b in zip(small, large, strict=True))


def test_hochberg_by_hand():
    # from the largest: 0.04·1, 0.03·2 (held down by the one before), 0.001·3
    assert hochberg([0.03, 0.001, 0.04]).tolist() == pytest.approx([0.04, 0.003, 0.04])
    assert hochberg([0.01], m=3).tolist() == pytest.approx([0.03])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_hochberg_agrees_with_statsmodels_and_is_never_above_holm(values):
    expected = multipletests(values, method="simes-hochberg")[1]
    assert hochberg(values).tolist() == pytest.approx(expected.tolist())
    assert (hochberg(values) <= holm(values) + 1e-12).all()
