import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from veridical.aas.score import (
    PUBLISHED_READINGS,
    AgeReading,
    age_bound,
    age_score,
    check_weights,
    phi,
)
from veridical.base.config import ConfigError, check_config
from veridical.base.given import read_config

unit = st.floats(0, 1)
epsilons = st.floats(1e-15, 10)
weights = st.floats(0.01, 100)


@st.composite
def sessions(draw):
    m = draw(st.integers(1, 5))
    x = draw(hnp.arrays(float, m, elements=unit))
    R = draw(hnp.arrays(float, m, elements=unit))
    w = draw(hnp.arrays(float, m, elements=weights))
    return x, R, w, draw(epsilons)


@pytest.mark.parametrize(
    ("x", "epsilon", "bits"),
    [
        (1, 1e-6, 0.0),
        (0, 1e-6, math.log2((1 + 1e-6) / 1e-6)),  # 19.93157
        (0.5, 0.5, -math.log2(1.0 / 1.5)),  # (0.5 + 0.5) / 1.5
        (0, 1, 1.0),  # log2(2 / 1)
    ],
)
def test_phi_by_hand(x, epsilon, bits):
    assert phi(x, epsilon) == pytest.approx(bits, abs=1e-12)


def test_one_right_of_twenty_gives_the_printed_mean():
    x = np.array([[1, 1]] + [[1, 0]] * 19)
    first, second, third = (np.mean(reading.score(x)) for reading in PUBLISHED_READINGS)
    # 19/20 · log2((1 + ε)/ε); with weights 1/2 and ε² it is the same but for rounding
    assert first == pytest.approx(18.93499, abs=5e-6)
    assert second == pytest.approx(18.93499, abs=5e-6)
    assert third == pytest.approx(9.467, abs=5e-4)


@given(sessions())
def test_finite_not_negative_and_bounded(case):
    x, R, w, epsilon = case
    score = age_score(x, R, w, epsilon)
    assert math.isfinite(score)
    assert 0 <= score <= age_bound(w, epsilon) * (1 + 1e-12)


@given(sessions(), st.data())
def test_falls_in_x_and_in_redundancy_and_rises_in_weight(case, data):
    x, R, w, epsilon = case
    i = data.draw(st.integers(0, len(x) - 1))
    score, slack = age_score(x, R, w, epsilon), 1e-9 * (1 + age_bound(w, epsilon))
    for array, factor in ((x, -1), (R, -1), (w, 1)):
        moved = array.copy()
        moved[i] = data.draw(st.floats(float(array[i]), 1 if factor < 0 else 200))
        other = {id(x): x, id(R): R, id(w): w} | {id(array): moved}
        after = age_score(other[id(x)], other[id(R)], other[id(w)], epsilon)
        assert factor * (after - score) >= -slack


@given(sessions())
def test_zero_only_where_every_term_is_zero(case):
    x, R, w, epsilon = case
    terms = w * (1 - R) * phi(x, epsilon)
    assert (age_score(x, R, w, epsilon) == 0) == (terms == 0).all()


@given(sessions())
def test_recalling_everything_scores_zero_and_masking_everything_too(case):
    x, R, w, epsilon = case
    assert age_score(np.ones_like(x), R, w, epsilon) == 0
    assert age_score(x, np.ones_like(R), w, epsilon) == 0


@given(sessions())
def test_normalised_weights_divide_by_their_sum(case):
    x, R, w, epsilon = case
    divided = age_score(x, R, w, epsilon, normalise=True)
    assert divided == pytest.approx(age_score(x, R, w, epsilon) / w.sum(), rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: phi(0.5, 0), "epsilon is 0"),
        (lambda: phi(0.5, -1e-6), "epsilon is -1e-06"),
        (lambda: phi(0.5, math.nan), "epsilon is nan"),
        (lambda: phi(1.01, 1e-6), r"x is 1.01"),
        (lambda: phi([0.1, math.nan], 1e-6), r"x is nan at \[1\]"),
        (lambda: age_score([1, -0.1], 0, [1, 1], 1e-6), r"x is -0.1 at \[1\]"),
        (lambda: age_score([1, 1], 1.5, [1, 1], 1e-6), "R is 1.5"),
        (lambda: age_score([1, 1], [0, -0.2], [1, 1], 1e-6), "R is -0.2"),
        (lambda: age_score([1, 1], 0, [1, -1], 1e-6), "from 0 to 1,000,000"),
        (lambda: age_score([1, 1], 0, [0, 0], 1e-6), "not all zero"),
        (lambda: age_score([1, 1], 0, [1, math.inf], 1e-6), "from 0 to 1,000,000"),
        (lambda: age_score([1, 1], 0, [1, 1], 1e-6, "given"), "sum to 2, not to 1"),
        (lambda: age_score([1, 1], 0, [1, 1], 1e-6, "yes"), "normalise is 'yes'"),
        (lambda: age_score([1, 1, 1], 0, [1, 1], 1e-6), "the last axis needs 2 tasks"),
        (lambda: age_score([1, 1], [[0, 0], [0, 0]], [1, 1], 1e-6), "R has shape"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_weights_given_as_normalised_are_taken_as_they_are():
    assert check_weights([0.25, 0.75], "given").tolist() == [0.25, 0.75]


def test_a_reading_from_the_config_is_checked_at_once():
    entry = {"epsilon": 1e-6, "weights": {"semantic": 1, "episodic": 1}, "normalise": "given"}
    with pytest.raises(ValueError, match="sum to 2"):
        AgeReading.from_config("registered", entry)
    with pytest.raises(ValueError, match=r"aas\.weights"):
        AgeReading.from_config("registered", {"epsilon": 1e-6, "weights": {"semantic": 1}})


@pytest.mark.parametrize("weight", [1e308, 1e6 + 1, float("nan"), float("inf"), -1.0])
def test_weights_that_no_sum_holds_are_refused(weight):
    with pytest.raises(ValueError, match=r"numbers from 0 to 1,000,000, not all zero"):
        check_weights([weight, 1.0])
    assert check_weights([1e6, 0.0]).tolist() == [1e6, 0.0]


@pytest.mark.parametrize("weight", [1e308, float("nan"), float("inf")])
def test_a_config_with_such_a_weight_names_it(weight, tmp_path):
    given = read_config(["config/config.yaml"], None)
    given["aas"]["weights"] = {"semantic": weight, "episodic": 1.0}
    with pytest.raises(ConfigError, match="aas/weights/semantic"):
        check_config(given, {})
