"""Power: the vectorised intervals are those of single studies; the curve rises."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from veridical.statistics.equivalence import bootstrap_exact, tost, verdict
from veridical.statistics.power import (
    bootstrap_intervals,
    power_table,
    study_intervals,
    study_verdicts,
)


@pytest.mark.parametrize("n", [2, 5, 7])
def test_many_studies_at_once_are_each_by_itself(n):
    rng = np.random.default_rng(1)
    studies = rng.normal(0.05, 0.1, size=(40, n))
    methods = study_intervals(studies, rng)
    said = {name: study_verdicts(*ends, 0.1) for name, ends in methods.items()}
    for row, study in enumerate(studies):
        alone, student = bootstrap_exact(study), tost(study, 0.1)
        assert methods["bootstrap"][0][row] == pytest.approx(alone.intervals[0.90], abs=1e-12)
        assert methods["bootstrap"][1][row] == pytest.approx(alone.intervals[0.95], abs=1e-12)
        assert methods["t"][0][row] == pytest.approx(student.ci90, abs=1e-12)
        assert methods["t"][1][row] == pytest.approx(student.ci95, abs=1e-12)
        assert said["t"][row] == verdict(student.ci90, student.ci95, 0.1).label


def test_resampled_intervals_are_near_the_exact_ones():
    rng = np.random.default_rng(1)
    studies = rng.normal(size=(30, 20))
    ends90, _ = bootstrap_intervals(studies, rng, 4_000)
    # Percentile intervals of 20 normal values: about mean ± 1.645 s sqrt(19/20)/sqrt(20).
    half = 1.645 * studies.std(axis=1, ddof=0) / np.sqrt(20)
    assert ends90[:, 1] - studies.mean(axis=1) == pytest.approx(half, rel=0.25)


def spread(sd: float) -> pd.DataFrame:
    values = (
        sd * np.array([-1.5, -1, -0.5, 0, 0.5, 1, 1.5]) / np.std([-1.5, -1, -0.5, 0, 0.5, 1, 1.5])
    )
    return pd.DataFrame({"metric": "m", "contrast": "veridical-foreign", "anchored": values})


def table(sd: float) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return power_table(spread(sd), bound=0.1, reading="anchored", rng=rng, simulations=400)


def test_more_items_make_equivalence_provable():
    found = table(0.15)
    zero = found[(found["assumed"] == "zero") & (found["method"] == "t")]
    rising = zero["probability_equivalent"].to_numpy()
    assert (np.diff(rising) > -0.05).all()
    assert rising[0] < 0.3
    assert rising[-1] > 0.99
    # Schuirmann's t at zero difference: power = 2 Φ(bound √n / sd − 1.645) − 1; 80 % at n ≈ 21.
    assert zero["items_for_80"].iloc[0] in (20, 28)


def test_a_noisier_study_needs_more_items():
    def needed(sd: float) -> int:
        found = table(sd)
        return found[(found["assumed"] == "zero") & (found["method"] == "t")]["items_for_80"].iloc[
            0
        ]

    assert needed(0.06) < needed(0.2)


def test_items_that_are_not_enough_are_missing_not_invented():
    found = table(2.0)
    assert found[found["assumed"] == "zero"]["items_for_80"].isna().all()


def test_no_spread_no_power():
    flat = pd.DataFrame({"metric": "m", "contrast": "c", "anchored": [0.1] * 7})
    found = power_table(flat, bound=0.1, reading="anchored", rng=np.random.default_rng(1))
    assert len(found) == 1
    assert found["method"].isna().all()
    assert (found["sd_items"] == 0).all()
    assert found["probability_conclusive"].isna().all()
