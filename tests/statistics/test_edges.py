"""Edges of the statistics: where a rule turns, what scale and shift do, what is left out."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from veridical.statistics.agreement import (
    NOTES,
    alpha_interval,
    krippendorff_alpha,
    order_effect,
    ratings_matrix,
)
from veridical.statistics.equivalence import (
    SAME,
    bootstrap,
    bootstrap_exact,
    bootstrap_resampled,
    checked_differences,
    tost,
    verdict,
)
from veridical.statistics.intervals import binomial_greater, paired_difference, wilson
from veridical.statistics.mcnemar import McNemarResult, mcnemar_answers, mcnemar_exact
from veridical.statistics.multiplicity import hochberg, holm, within
from veridical.statistics.neighbours import inflation, tail
from veridical.statistics.power import (
    ITEMS,
    _with_needed,
    bootstrap_intervals,
    power_table,
    study_verdicts,
)
from veridical.statistics.resampling import (
    compositions,
    item_resamples,
    n_compositions,
    percentile_interval,
    resampled_counts,
)
from veridical.statistics.signs import FEW, sign_flip
from veridical.statistics.student import Estimate, crossed, leaving_one_out, of_rows

# ---------------------------------------------------------------- Student's t


@pytest.mark.parametrize("value", [-0.04, 0.0, 0.03, 0.5])
def test_p_against_any_value_agrees_with_scipy(value):
    rows = np.random.default_rng(3).normal(0.02, 0.1, (12, 6))
    expected = stats.ttest_1samp(rows, value, axis=1).pvalue
    assert of_rows(rows).p_apart(value) == pytest.approx(expected)


def test_an_error_of_nothing_or_without_end_is_no_evidence():
    for error in (0.0, math.inf, math.nan):
        found = Estimate(np.array([0.5]), np.array([error]), np.array([6.0]))
        for p in (found.p_apart(), found.p_above(0.1), found.p_within(0.1)):
            assert np.isnan(p).all()


def test_what_differs_by_rounding_alone_has_no_error():
    assert np.isnan(of_rows([[0.0, SAME]]).error).all()
    assert of_rows([[0.0, 3 * SAME]]).error[0] == pytest.approx(1.5 * SAME)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_leaving_one_out_needs_two(n):
    rows = np.random.default_rng(n).normal(size=n)
    parts = np.stack([rows, np.ones(n)], axis=-1)
    found = leaving_one_out(lambda sums: sums[..., 0] / sums[..., 1], parts)
    assert float(found.mean) == pytest.approx(rows.mean())
    assert float(found.error) == pytest.approx(rows.std(ddof=1) / math.sqrt(n))
    assert float(found.df) == n - 1


def test_of_one_item_there_is_an_estimate_and_no_error():
    found = leaving_one_out(lambda sums: sums[..., 0] - sums[..., 1] / 4, [[2.0, 2.0]])
    assert float(found.mean) == 1.5
    assert np.isnan([found.error, found.df]).all()
    alone = of_rows([[0.3]])
    assert alone.mean.tolist() == [0.3]
    assert np.isnan([alone.error, alone.df]).all()


@settings(max_examples=40)
@given(
    st.lists(st.floats(-1, 1), min_size=3, max_size=8),
    st.lists(st.floats(-1, 1), min_size=2, max_size=4),
    st.floats(0.5, 3),
)
def test_both_samples_move_and_stretch_with_the_scale(items, documents, scale):
    if np.ptp(items) < 1e-3 or np.ptp(documents) < 1e-3:
        return
    one = crossed(items, documents)
    two = crossed(np.array(items) * scale, np.array(documents) * scale)
    assert np.array(two.interval(0.9)) == pytest.approx(scale * np.array(one.interval(0.9)))
    assert float(two.p_apart()) == pytest.approx(float(one.p_apart()), rel=1e-6, abs=1e-12)
    back = crossed(-np.array(items), -np.array(documents))
    low, high = one.interval(0.9)
    assert back.interval(0.9) == pytest.approx((-high, -low))
    assert float(back.p_apart()) == pytest.approx(float(one.p_apart()))


@pytest.mark.parametrize("kinds", [2, 3, 6])
def test_one_document_is_held_against_several_of_a_kind(kinds):
    """s sqrt(1 + 1/F): the document and the mean of F others are draws alike."""
    documents = np.random.default_rng(kinds).normal(size=kinds)
    found = crossed([1.0, 2.0, 4.0], documents)
    expected = documents.std(ddof=1) * math.sqrt(1 + 1 / kinds)
    assert float(found.documents.error) == pytest.approx(expected)
    assert float(found.documents.df) == kinds - 1


# ---------------------------------------------------------------- sign flips


def by_writing_out(values: list[float]) -> float:
    sums = [
        sum(sign * value for sign, value in zip(signs, values, strict=True))
        for signs in product((-1, 1), repeat=len(values))
    ]
    return sum(abs(total) >= abs(sum(values)) - 1e-9 for total in sums) / len(sums)


def test_sums_that_are_equal_as_fractions_are_equal():
    """4/11 is reached by leaving 3 of 10 out, and by leaving 1 and 2 out: no grid may tell them."""
    values = [1 / 11, 2 / 11, -3 / 11, 4 / 11]
    assert sign_flip(values) == by_writing_out(values)
    values = [1 / 13, 2 / 13, -3 / 13, 4 / 13, 5 / 7]
    assert sign_flip(values) == by_writing_out(values)


def test_differences_that_are_no_small_fractions_are_rounded():
    values = [0.1234567, -0.7654321, 0.3141593, 0.2718282, -0.5772157]
    assert sign_flip(values) == pytest.approx(by_writing_out(values))


@pytest.mark.parametrize("size", [1.0, 0.5, 1 / 3])
def test_up_to_two_hundred_differences_every_flip_is_counted_and_zeros_are_none(size):
    b, c = 110, FEW - 110
    exact = mcnemar_exact(b, c).p
    assert sign_flip([size] * b + [-size] * c) == pytest.approx(exact, rel=1e-9)
    assert sign_flip([size] * b + [-size] * c + [0.0] * 50) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("size", [1.0, 0.5, 0.25])
def test_beyond_the_tail_is_the_normal_one_whatever_the_unit(size):
    b, c = 130, FEW + 1 - 130
    expected = 2 * stats.norm.sf(abs(b - c) / math.sqrt(b + c))
    assert sign_flip([size] * b + [-size] * c) == pytest.approx(expected)


# ---------------------------------------------------------------- resampling


@pytest.mark.parametrize("n", [2, 3, 4])
def test_compositions_are_the_draws_of_every_order(n):
    counts, weights = compositions(n)
    drawn = {}
    for picks in product(range(n), repeat=n):
        key = tuple(picks.count(item) for item in range(n))
        drawn[key] = drawn.get(key, 0) + 1
    found = {tuple(map(int, row)): int(w) for row, w in zip(counts, weights, strict=True)}
    assert found == drawn


def test_what_is_listed_once_for_all_cannot_be_written_to():
    counts, weights = compositions(3)
    for table in (counts, weights):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


@pytest.mark.parametrize("n", [0, -1, 13, 40])
def test_too_few_and_too_many_are_refused(n):
    with pytest.raises(ValueError, match=f"n = {n} has .* compositions: resample instead"):
        compositions(n)


def test_draws_are_as_many_as_items_and_weigh_alike():
    counts, weights = resampled_counts(20, np.random.default_rng(1), 500)
    assert counts.shape == (500, 20)
    assert (counts.sum(axis=1) == 20).all()
    assert (weights == 1).all()
    # Each item is drawn once on average: 500 · 20 / 20 = 500, standard deviation about 22.
    assert np.abs(counts.sum(axis=0) - 500).max() < 110
    assert len(item_resamples(12, np.random.default_rng(1))[1]) == n_compositions(12)


def slow_percentile(values: list[float], weights: list[int], share: float) -> float:
    total, reached = sum(weights), 0
    for value, weight in sorted(zip(values, weights, strict=True)):
        reached += weight
        if reached >= share * total - 1e-9:
            return value
    raise AssertionError


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-9, 9).map(float), st.integers(1, 5)), min_size=1, max_size=12),
    st.sampled_from([0.5, 0.8, 0.9, 0.95]),
)
def test_a_percentile_is_where_the_tails_share_is_reached(pairs, level):
    values, weights = [v for v, _ in pairs], [w for _, w in pairs]
    low, high = percentile_interval(np.array(values), np.array(weights), level)
    assert low == slow_percentile(values, weights, (1 - level) / 2)
    assert high == -slow_percentile([-v for v in values], weights, (1 - level) / 2)
    missing = np.array([*values, np.nan])
    assert percentile_interval(missing, np.array([*weights, 7]), level) == (low, high)


def test_of_nothing_there_is_no_percentile():
    assert np.isnan(percentile_interval(np.array([np.nan]), np.array([1]), 0.9)).all()


# ---------------------------------------------------------------- equivalence


@pytest.mark.parametrize(
    ("ci90", "ci95", "label"),
    [
        ((-0.1, 0.05), (-0.2, 0.06), "inconclusive"),  # at the bound is not inside
        ((-0.05, 0.1), (-0.06, 0.2), "inconclusive"),
        ((-0.0999, 0.0999), (-0.2, 0.2), "equivalent"),
        ((0.02, 0.2), (0.0, 0.3), "inconclusive"),  # 0 is not excluded by an end at it
        ((-0.2, -0.02), (-0.3, 0.0), "inconclusive"),
        ((0.02, 0.2), (1e-9, 0.3), "different"),
        ((-0.2, -0.02), (-0.3, -1e-9), "different"),
    ],
)
def test_where_a_verdict_turns(ci90, ci95, label):
    assert verdict(ci90, ci95, 0.1).label == label
    ends = np.array([ci90]), np.array([ci95])
    assert study_verdicts(*ends, 0.1).tolist() == [label]


@pytest.mark.parametrize(
    ("ends", "beside"),
    [
        ((0.0, 0.05), False),
        ((-0.05, 0.0), False),
        ((1e-9, 0.05), True),
        ((-0.05, -1e-9), True),
    ],
)
def test_inside_the_bounds_and_yet_not_nothing(ends, beside):
    assert verdict(ends, (-0.06, 0.06), 0.1).inside_not_zero is beside


def test_differences_are_at_least_two_finite_numbers_in_a_row():
    assert checked_differences(iter([1, 2])).tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="at least 2 items, and there is 1"):
        checked_differences([0.1])
    with pytest.raises(ValueError, match="at least 2 items"):
        checked_differences([[0.1, 0.2], [0.3, 0.4]])
    with pytest.raises(ValueError, match="at position 0, 2 are not finite"):
        checked_differences([math.nan, 0.0, math.inf])


def test_rounding_is_no_spread():
    nearly = [0.3, 0.1 + 0.2, 0.3]
    result = bootstrap_exact(nearly)
    assert result.degenerate
    assert result.estimate == 0.3
    assert set(result.intervals.values()) == {(0.3, 0.3)}
    assert not tost(nearly, 0.5).defined
    assert tost([0.0, 3 * SAME], 0.5).defined
    assert not bootstrap_exact([0.0, 3 * SAME]).degenerate


def test_resamples_are_as_many_as_asked_for_and_depend_on_the_seed_alone():
    values = np.random.default_rng(2).normal(size=15)
    one, two, other = (
        bootstrap_resampled(values, np.random.default_rng(seed), 300) for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other
    assert (one.draws, one.method, one.degenerate) == (300, "resampled", False)
    assert one.estimate == pytest.approx(values.mean())
    found = bootstrap(values, [0.5], rng=np.random.default_rng(1), resamples=300)
    assert list(found.intervals) == [0.5]


@settings(max_examples=30)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=5))
def test_the_enumerated_interval_is_that_of_every_draw(values):
    means = [
        np.mean([values[i] for i in picks])
        for picks in product(range(len(values)), repeat=len(values))
    ]
    result = bootstrap_exact(values, [0.8])
    if result.degenerate:
        return
    ordered, share = sorted(means), 0.1 * len(means)
    low = ordered[math.ceil(share - 1e-9) - 1]
    high = ordered[len(means) - math.ceil(share - 1e-9)]
    assert result.intervals[0.8] == pytest.approx((low, high), abs=1e-9)


# ---------------------------------------------------------------- proportions


@given(st.integers(1, 60), st.data(), st.sampled_from([0.5, 0.9, 0.95]))
def test_wilsons_ends_solve_his_equation(n, data, level):
    """At an end p: (share - p)^2 = z^2 p (1 - p) / n."""
    correct = data.draw(st.integers(0, n))
    z = stats.norm.ppf((1 + level) / 2)
    for end in wilson(correct, n, level):
        assert (correct / n - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / n, abs=1e-9)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 1.5])
def test_a_level_is_between_nothing_and_all(level):
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        wilson(1, 2, level)


@pytest.mark.parametrize("chance", [0.0, 1.0, -0.1, 1.1])
def test_a_chance_is_between_nothing_and_all(chance):
    with pytest.raises(ValueError, match="chance must lie between 0 and 1"):
        binomial_greater(1, 2, chance)


def test_fractions_are_right_in_part():
    assert wilson(2.5, 5).low < wilson(2.6, 5).low
    assert sum(wilson(2.5, 5)) == pytest.approx(1.0)  # symmetric about one half


def phi_of(first: list[float], second: list[float]) -> float:
    one, two = np.mean(first), np.mean(second)
    together = sum((x - one) * (y - two) for x, y in zip(first, second, strict=True))
    together = max(0.0, together - 0.5) if together > 0 else together
    scale = math.sqrt(sum((x - one) ** 2 for x in first) * sum((y - two) ** 2 for y in second))
    return max(-1.0, min(1.0, together / scale)) if scale > 0 else 0.0


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 1])), min_size=1, max_size=12
    ),
    st.sampled_from([0.8, 0.95]),
)
def test_newcombes_interval_written_out(pairs, level):
    first, second = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    n, (difference, ends) = len(pairs), paired_difference(first, second, level)
    one, two = sum(first) / n, sum(second) / n
    (l1, u1), (l2, u2) = wilson(sum(first), n, level), wilson(sum(second), n, level)
    phi = phi_of(first, second)
    down = (one - l1) ** 2 - 2 * phi * (one - l1) * (u2 - two) + (u2 - two) ** 2
    up = (u1 - one) ** 2 - 2 * phi * (u1 - one) * (two - l2) + (two - l2) ** 2
    assert difference == pytest.approx(one - two)
    assert ends.low == pytest.approx(max(-1, difference - math.sqrt(max(0, down))), abs=1e-7)
    assert ends.high == pytest.approx(min(1, difference + math.sqrt(max(0, up))), abs=1e-7)


# ---------------------------------------------------------------- McNemar


def test_the_result_says_what_it_rests_on():
    found = McNemarResult(3, 1, 0.5, 0.4)
    assert (found.discordant, found.share) == (4, 0.75)
    assert (found.both, found.neither) == (None, None)


@pytest.mark.parametrize(("b", "c"), [(1.5, 0), (0, -1), (-0.5, 2)])
def test_which_count_is_wrong_is_said(b, c):
    name = "b" if b != int(b) or b < 0 else "c"
    with pytest.raises(ValueError, match=f"{name} must be a whole number"):
        mcnemar_exact(b, c)
    assert mcnemar_exact(3.0, 1.0) == mcnemar_exact(3, 1)


def test_other_documents_are_left_aside_and_a_lacking_one_is_named_with_its_probes():
    rows = [("p1", "x", True), ("p1", "y", False), ("p2", "x", True), ("p1", "z", True)]
    table = pd.DataFrame(rows, columns=["probe_id", "document", "correct"])
    with pytest.raises(ValueError, match="no answer is recorded under 'y' for: p2"):
        mcnemar_answers(table, "x", "y")
    found = mcnemar_answers(table[table["probe_id"] == "p1"], "x", "y")
    assert (found.b, found.c, found.both, found.neither) == (1, 0, 0, 0)
    empty = mcnemar_answers(table.iloc[:0], "x", "y")
    assert (empty.p, empty.both, empty.neither) == (1.0, 0, 0)


# ---------------------------------------------------------------- several tests


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.floats(0, 1)),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([holm, hochberg]),
)
def test_families_are_corrected_each_by_itself(rows, correct):
    table = pd.DataFrame(rows, columns=["one", "two", "p"])
    found = within(table, ["one", "two"], "p", correct=correct)
    for place, (one, two, _) in enumerate(rows):
        own = [n for n, row in enumerate(rows) if row[:2] == (one, two)]
        alone = correct([rows[n][2] for n in own])
        assert found[place] == pytest.approx(alone[own.index(place)])
    whole = within(table, [], "p", correct=correct)
    assert whole.tolist() == pytest.approx(correct([p for *_, p in rows]).tolist())


def test_a_declared_family_may_be_larger_than_its_tests():
    table = pd.DataFrame({"f": ["a", "b"], "p": [0.01, 0.02]})
    assert within(table, ["f"], "p", 5).tolist() == pytest.approx([0.05, 0.1])
    assert within(table, [], "p", 5).tolist() == pytest.approx([0.05, 0.08])
    assert hochberg([0.01, 0.02], m=5).tolist() == pytest.approx([0.05, 0.08])


# ---------------------------------------------------------------- neighbours


def slow_inflation(series: list[list[int]]) -> float:
    """Expected changes over seen ones, series by series; those all alike tell nothing."""
    expected = seen = 0.0
    for signs in series:
        told = [sign for sign in signs if sign]
        n, positive = len(told), sum(sign > 0 for sign in told)
        if n > 1 and 0 < positive < n:
            expected += (n - 1) * 2 * positive * (n - positive) / (n * (n - 1))
            seen += sum(a != b for a, b in pairwise(told))
    return max(1.0, expected / seen) if seen else 1.0


@settings(max_examples=80)
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.integers(1, 10).flatmap(
            lambda probes: st.lists(
                st.lists(st.sampled_from([-1, 0, 1]), min_size=probes, max_size=probes),
                min_size=n,
                max_size=n,
            )
        )
    )
)
def test_how_many_count_as_one_by_a_loop(series):
    assert float(inflation(series)) == pytest.approx(slow_inflation(series))


@given(st.integers(0, 30), st.integers(0, 30), st.floats(0.05, 0.95), st.floats(1, 6))
def test_the_tail_is_a_beta_functions_and_falls_with_what_is_positive(hits, more, chance, factor):
    of = hits + more
    found = float(tail(hits, of, chance, factor))
    if hits:
        beta = stats.beta(hits / factor, more / factor + 1)
        assert found == pytest.approx(beta.cdf(chance))
        assert found <= float(tail(hits - 1, of, chance, factor)) + 1e-12
    else:
        assert found == 1.0


# ---------------------------------------------------------------- judges


def test_units_with_one_rating_do_not_count():
    full = np.array([[0.1, 0.4, 0.9], [0.2, 0.4, 0.7]])
    more = np.column_stack([full, [0.5, np.nan], [np.nan, np.nan]])
    assert krippendorff_alpha(more) == pytest.approx(krippendorff_alpha(full))


def test_notes_say_why_there_is_no_interval():
    rng = np.random.default_rng(1)
    one = alpha_interval(np.array([[0.1, 0.5], [0.2, 0.4]]), np.array(["a", "a"]), rng)
    assert one.note == "single item"
    assert np.isfinite(one.value)
    assert np.isnan([one.low, one.high]).all()
    # Item b's two units are all alike: a draw of b alone has no α.
    part = alpha_interval(
        np.array([[0.1, 0.5, 0.3, 0.3], [0.2, 0.4, 0.3, 0.3]]), np.array(list("aabb")), rng
    )
    assert part.note == "undefined in part"
    assert {one.note, part.note} <= set(NOTES)


def verdict_rows(*rows: tuple) -> pd.DataFrame:
    columns = ["item_id", "condition", "anchor_position", "anchor_score", "other_score"]
    return pd.DataFrame(rows, columns=columns)


def test_the_place_by_hand():
    # Condition x: first - second is 0.4 with the anchor first, -0.2 with it second: mean 0.1.
    # Condition y, one order only, counts for nothing.
    found = order_effect(
        verdict_rows(
            ("i", "x", "A", 0.9, 0.5),
            ("i", "x", "B", 0.6, 0.4),
            ("j", "y", "A", 1.0, 0.0),
        ),
        np.random.default_rng(1),
    )
    assert found.value == pytest.approx(0.1)
    # Conditions weigh by their pairs: z has 4 with -0.1 on the mean of both orders.
    found = order_effect(
        verdict_rows(
            ("i", "x", "A", 0.9, 0.5),
            ("i", "x", "B", 0.6, 0.4),
            *[("j", "z", "A", 0.5, 0.6), ("j", "z", "B", 0.6, 0.5)] * 2,
        ),
        np.random.default_rng(1),
    )
    assert found.value == pytest.approx((2 * 0.1 + 4 * -0.1) / 6)
    # Two items are enough for an interval: i alone gives 0.1, j alone -0.1, of four draws each one.
    assert (found.note, found.low, found.high) == ("", pytest.approx(-0.1), pytest.approx(0.1))


def test_nothing_to_compare_is_said():
    rng = np.random.default_rng(1)
    assert order_effect(verdict_rows(), rng).note == "no verdict"
    single = order_effect(verdict_rows(("i", "x", "A", 0.9, 0.5), ("i", "x", "B", 0.5, 0.9)), rng)
    assert (single.note, single.value) == ("single item", pytest.approx(0.4))


def test_a_text_scored_anew_in_another_pair_is_another_unit():
    rows = [
        {"metric": "m", "session": "s", "item_id": "i", "condition": c, "seed": seed,
         "judge": judge, "anchor_score": score, "other_score": score + 0.1}
        for c, seed in (("foreign", 1), ("foreign", 2), ("veridical", np.nan))
        for judge, score in (("one", 0.2), ("two", 0.3))
    ]  # fmt: skip
    matrix, items = ratings_matrix(pd.DataFrame(rows), "m")
    assert matrix.shape == (2, 6)
    assert set(items) == {"i"}
    assert sorted(matrix[0].tolist()) == pytest.approx([0.2] * 3 + [0.3] * 3)
    assert ratings_matrix(pd.DataFrame(rows).assign(metric="n"), "n")[0].shape == (2, 6)


# ---------------------------------------------------------------- power


@pytest.mark.parametrize("n", [3, 9])
def test_intervals_of_many_rows_move_and_stretch_with_them(n):
    rows = np.random.default_rng(1).normal(size=(700, n))  # more than one slice of 500
    one = bootstrap_intervals(rows, np.random.default_rng(2), 400)
    two = bootstrap_intervals(3 * rows + 1, np.random.default_rng(2), 400)
    for a, b in zip(one, two, strict=True):
        assert b == pytest.approx(3 * a + 1)
        assert (a[:, 0] <= a[:, 1]).all()
    assert (one[1][:, 0] <= one[0][:, 0]).all()
    assert (one[0][:, 1] <= one[1][:, 1]).all()


@pytest.fixture(scope="module")
def curves() -> pd.DataFrame:
    values = [0.2, 0.25, 0.3, 0.35, 0.4]
    table = pd.DataFrame({"metric": "m", "contrast": "c", "anchored": values})
    rng = np.random.default_rng(1)
    return power_table(
        table, bound=0.1, reading="anchored", rng=rng, items=(5, 10), simulations=300
    )


def test_a_curve_has_every_method_truth_and_number_of_items(curves):
    assert len(curves) == 2 * 2 * 2
    assert set(curves["n_items"]) == {5, 10} < set(ITEMS)
    assert (curves["sd_items"] == np.std([0.2, 0.25, 0.3, 0.35, 0.4], ddof=1)).all()
    observed = curves[curves["assumed"] == "observed"]
    assert observed["true_difference"].to_numpy() == pytest.approx(0.3)
    assert (curves.loc[curves["assumed"] == "zero", "true_difference"] == 0).all()


def test_shares_of_verdicts_add_up_and_a_plain_difference_is_found(curves):
    total = curves["probability_equivalent"] + curves["probability_different"]
    assert total.to_numpy() == pytest.approx(curves["probability_conclusive"].to_numpy())
    observed = curves[(curves["assumed"] == "observed") & (curves["n_items"] == 10)]
    assert (observed["probability_different"] > 0.99).all()
    assert (observed["items_for_80"] == 5).all()


def test_curves_keep_the_order_of_the_contrasts():
    values = {"anchored": [0.0, 0.1, 0.2]}
    table = pd.concat(pd.DataFrame({"metric": m, "contrast": "c", **values}) for m in ("z", "a"))
    rng = np.random.default_rng(1)
    found = power_table(
        table, bound=0.1, reading="anchored", rng=rng, items=(3,), simulations=20, resamples=50
    )
    assert list(dict.fromkeys(found["metric"])) == ["z", "a"]


def test_eighty_percent_are_enough():
    table = pd.DataFrame(
        {"metric": "m", "n_items": [5, 10, 20], "probability_conclusive": [0.79, 0.8, 0.9]}
    )
    assert _with_needed(table, ["metric"])["items_for_80"].tolist() == [10] * 3
    table["probability_conclusive"] = 0.5
    assert _with_needed(table, ["metric"])["items_for_80"].isna().all()


def test_the_power_at_no_difference_is_schuirmanns(curves):
    row = curves.query("assumed == 'zero' and method == 't' and n_items == 10").iloc[0]
    # P(both t tests reject) at mean 0: t within ±(bound √n / s - t_0.95), by simulation here.
    rng = np.random.default_rng(9)
    samples = rng.normal(0, row["sd_items"], (20_000, 10))
    half = stats.t.ppf(0.95, 9) * samples.std(axis=1, ddof=1) / math.sqrt(10)
    expected = (np.abs(samples.mean(axis=1)) + half < 0.1).mean()
    assert row["probability_equivalent"] == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 300))
