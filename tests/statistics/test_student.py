"""Student's t over rows, over items and documents, and leaving one item out."""

import numpy as np
import pytest
from scipy import stats
from veridical.statistics.equivalence import tost
from veridical.statistics.student import (
    crossed,
    crossed_samples,
    leaving_one_out,
    of_rows,
    of_samples,
)

RNG = np.random.default_rng(7)
ROWS = RNG.normal(0.05, 0.1, (40, 7))


def test_rows_agree_with_scipy_and_with_the_two_one_sided_tests():
    found = of_rows(ROWS)
    assert found.p_apart() == pytest.approx(stats.ttest_1samp(ROWS, 0, axis=1).pvalue)
    above = stats.ttest_1samp(ROWS, 0.03, axis=1, alternative="greater").pvalue
    assert found.p_above(0.03) == pytest.approx(above)
    one_by_one = [tost(row, 0.1) for row in ROWS]
    assert found.p_within(0.1) == pytest.approx([one.p for one in one_by_one])
    low, high = found.interval(0.95)
    assert np.stack([low, high], axis=1) == pytest.approx(
        np.array([one.ci95 for one in one_by_one])
    )


def test_what_never_varies_is_no_evidence():
    found = of_rows([[0.3] * 7, [0.1 + 0.2] * 6 + [0.3]])
    assert np.isnan(found.p_apart()).all()
    assert np.isnan(found.p_within(0.5)).all()
    assert np.isnan(of_rows([[0.3]]).p_above(0)).all()


def test_crossed_by_hand():
    # items 1, 3: mean 2, error 1, df 1; documents 1, 2, 3: sd 1, times sqrt(4/3), df 2
    found = crossed([1.0, 3.0], [1.0, 2.0, 3.0])
    low, high = found.interval(0.95)
    t1, t2 = stats.t.ppf(0.975, [1, 2])
    half = np.hypot(t1, t2 * np.sqrt(4 / 3))
    assert (low, high) == pytest.approx((2 - half, 2 + half))


def test_its_p_is_the_level_whose_interval_ends_at_zero():
    documents = RNG.normal(0.05, 0.02, (40, 3))
    found = crossed(ROWS, documents)
    for row, p in enumerate(found.p_apart()):
        low, high = (ends[row] for ends in found.interval(1 - p))
        assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_it_is_never_surer_than_over_items_or_documents_alone():
    found = crossed(ROWS, RNG.normal(0.05, 0.02, (40, 3)))
    assert (found.p_apart() >= of_rows(ROWS).p_apart() - 1e-12).all()
    assert (found.p_apart() >= found.documents.p_apart() - 1e-12).all()


def test_one_document_tells_nothing_of_documents():
    assert np.isnan(crossed(ROWS[0], [0.05]).p_apart())
    assert np.isnan(crossed(ROWS[0], [0.05, 0.05]).p_apart())


@pytest.mark.parametrize(
    ("documents", "items"), [(0.1, 0.0), (0.06, 0.06), (0.0, 0.1), (0.05, 0.13)]
)
def test_documents_that_differ_are_no_difference_of_kinds(documents, items):
    """Four documents of lives equal on average: items alone claim a difference in up to 67 %."""
    rng, n, f = np.random.default_rng(3), 7, 3
    text = rng.normal(0, documents, (10_000, 1, f + 1)) + rng.normal(0, 0.02, (10_000, n, f + 1))
    own = text[..., 0] + rng.normal(0, items, (10_000, n))
    gaps = own[..., None] - text[..., 1:]
    claimed = (crossed(gaps.mean(axis=2), gaps.mean(axis=1)).p_apart() <= 0.05).mean()
    assert claimed < 0.055


def test_leaving_one_out_of_a_mean_is_the_mean():
    parts = np.stack([ROWS, np.ones_like(ROWS)], axis=-1)
    found = leaving_one_out(lambda sums: sums[..., 0] / sums[..., 1], parts)
    plain = of_rows(ROWS)
    assert found.mean == pytest.approx(plain.mean)
    assert found.error == pytest.approx(plain.error)
    assert found.p_apart() == pytest.approx(plain.p_apart())


def test_leaving_one_out_of_a_ratio_by_hand():
    # y = 1, 2, 3 over x = 1, 1, 2: ratio 6/4; without each: 5/3, 4/3, 3/2
    found = leaving_one_out(lambda sums: sums[..., 0] / sums[..., 1], [[1, 1], [2, 1], [3, 2]])
    pseudo = [3 * 1.5 - 2 * ratio for ratio in (5 / 3, 4 / 3, 3 / 2)]
    assert found.mean == 1.5
    assert found.error == pytest.approx(np.std(pseudo, ddof=1) / np.sqrt(3))


SAMPLES = [ROWS[0], ROWS[1, :4], ROWS[2], ROWS[3, :1], np.full(5, 0.2), ROWS[4, :4]]


def test_samples_of_several_sizes_are_each_sample_by_itself():
    found, each = of_samples(SAMPLES), [of_rows(sample) for sample in SAMPLES]
    for name in ("mean", "error", "df"):
        assert getattr(found, name) == pytest.approx(
            [float(getattr(one, name)) for one in each], nan_ok=True
        )
    assert found.p_above(0.0) == pytest.approx(
        [float(one.p_above(0.0)) for one in each], nan_ok=True
    )


def test_many_contrasts_are_each_contrast_by_itself():
    documents = [ROWS[10, :3], ROWS[11, :1], ROWS[12, :3], ROWS[13, :3], ROWS[14, :2], ROWS[15, :3]]
    found = crossed_samples(SAMPLES, documents)
    each = [crossed(one, two) for one, two in zip(SAMPLES, documents, strict=True)]
    assert found.p_apart() == pytest.approx([float(one.p_apart()) for one in each], nan_ok=True)
    low, high = found.interval(0.95)
    ends = np.array([[float(end) for end in one.interval(0.95)] for one in each])
    assert low == pytest.approx(ends[:, 0], nan_ok=True)
    assert high == pytest.approx(ends[:, 1], nan_ok=True)
    assert np.isfinite(found.p_apart()).tolist() == [True, False, True, False, False, True]


def test_contrasts_and_their_documents_must_be_as_many():
    with pytest.raises(ValueError, match="zip"):
        crossed_samples(SAMPLES, SAMPLES[:2])
