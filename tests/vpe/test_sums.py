"""Sums, problems and counts by another way: Python's own arithmetic, and every draw written out."""

from __future__ import annotations

import contextlib
import json
import math
import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy
from veridical.vpe.estimators import (
    coverage_good_turing,
    entropy,
    entropy_chao_shen,
    entropy_miller_madow,
    log_probability_smoothed,
    pass_at_k,
    pass_curve,
    rarefaction,
)
from veridical.vpe.leads import upper_entropy
from veridical.vpe.measures import mode_counts
from veridical.vpe.modes import OPERATORS, STYLES, Mode, ModeMap
from veridical.vpe.problems import (
    Problem,
    calculate,
    check_annotations,
    draw_problems,
    read_problems,
)

# ---------------------------------------------------------------- sums

numbers = st.integers(0, 99).map(str) | st.sampled_from(["0.5", "1.25", ".75"])
sums = st.recursive(
    numbers,
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner, st.booleans()).map(
        lambda parts: f"({''.join(parts[:3])})" if parts[3] else " ".join(parts[:3])
    ),
    max_leaves=6,
)


def by_python(expression: str) -> Fraction:
    """The value as Python's grammar has it, each number exact."""
    source = re.sub(r"\d*\.?\d+", lambda number: f'Fraction("{number[0]}")', expression)
    return eval(source, {"Fraction": Fraction})


@settings(max_examples=150)
@given(sums)
def test_a_sum_is_what_pythons_own_arithmetic_makes_of_it(expression):
    try:
        expected = by_python(expression)
    except ZeroDivisionError:
        with pytest.raises(ValueError, match="it divides by 0"):
            calculate(expression)
        return
    assert calculate(expression) == expected
    assert calculate(f"-({expression})") == -expected


@given(st.text("0123456789.+-*/() ", max_size=10))
def test_any_string_of_signs_has_a_value_or_is_refused(text):
    with contextlib.suppress(ValueError):  # anything else is a crash
        assert isinstance(calculate(text), Fraction)


def test_an_annotation_that_divides_by_nothing_is_refused_in_words():
    broken = Problem("p-1", "?", "3/0=<<3/0=1>>1\n#### 1", Fraction(1))
    with pytest.raises(ValueError, match="it divides by 0"):
        check_annotations(broken)


# ---------------------------------------------------------------- problems


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"question": None, "answer": "#### 1"}, "question and answer must be texts"),
        ({"question": "How many?", "answer": 4}, "question and answer must be texts"),
        ({"question": ["How many?"], "answer": "#### 1"}, "must be texts"),
        ({"question": "How many?"}, "answer"),
        (["How many?", "#### 1"], "not a problem"),
        (7, "not a problem"),
        ({"question": "  ", "answer": "#### 1"}, "the question is empty"),
        ({"question": "How many?", "answer": "1"}, "has no number after ####"),
    ],
)
def test_a_line_that_is_no_problem_is_named(tmp_path, entry, told):
    path = tmp_path / "p.jsonl"
    good = json.dumps({"question": "How many?", "answer": "#### 1"})
    path.write_text(f"{good}\n\n{json.dumps(entry)}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"p\.jsonl, line 3: ") as refusal:
        read_problems(path)
    assert told in str(refusal.value)


def test_problems_are_numbered_by_their_lines(tmp_path):
    path = tmp_path / "own.jsonl"
    lines = [json.dumps({"question": f" Q{n}? ", "answer": f"#### {n:,}"}) for n in (1, 2000)]
    path.write_text("\ufeff" + "\n\n".join(lines) + "\n", encoding="utf-8")
    found = read_problems(path)
    assert [(p.id, p.question, p.gold) for p in found] == [
        ("own-0001", "Q1?", 1),
        ("own-0003", "Q2000?", 2000),
    ]


@given(st.integers(1, 30), st.integers(0, 50))
def test_a_draw_is_in_the_files_order_and_without_repeats(n, seed):
    problems = [Problem(str(k), "?", "", Fraction(k)) for k in range(30)]
    drawn = draw_problems(problems, n, seed)
    places = [int(problem.id) for problem in drawn]
    assert places == sorted(set(places))
    assert len(places) == n
    assert drawn == draw_problems(problems, n, seed)


# ---------------------------------------------------------------- estimators, draw by draw


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_the_draws_that_hold_one(n):
    for c in range(n + 1):
        verified = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            draws = list(combinations(verified, k))
            assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))
        assert pass_curve(n, c).tolist() == [pass_at_k(n, c, k) for k in range(1, n + 1)]


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3), max_size=4), st.integers(0, 3), st.data())
def test_rarefaction_is_the_mean_number_of_modes_over_all_draws(counts, failed, data):
    rollouts = [mode for mode, count in enumerate(counts) for _ in range(count)] + [None] * failed
    n = len(rollouts)
    budget = data.draw(st.integers(0, n))
    draws = list(combinations(rollouts, budget))
    expected = sum(len({mode for mode in each if mode is not None}) for each in draws) / len(draws)
    assert rarefaction(counts, n, [budget])[0] == pytest.approx(expected)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any))
def test_entropies_agree_with_scipy_and_their_corrections(counts):
    seen = [count for count in counts if count]
    n, plain = sum(seen), entropy(counts)
    assert plain == pytest.approx(scipy_entropy(seen), abs=1e-12)
    assert entropy_miller_madow(counts) == pytest.approx(plain + (len(seen) - 1) / (2 * n))
    assert coverage_good_turing(counts) == pytest.approx(1 - seen.count(1) / n)
    assert 0 <= plain <= math.log(len(seen)) + 1e-12
    assert entropy(counts[::-1]) == plain


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_chao_and_shens_entropy_term_by_term(counts):
    n, singles = sum(counts), counts.count(1)
    if n == 1:
        assert entropy_chao_shen(counts) == 0
        return
    covered = 1 - (n - 1 if singles == n else singles) / n
    total = 0.0
    for count in counts:
        share = covered * count / n
        missed = (1 - min(share, 1 - 1e-16)) ** n
        total -= share * math.log(share) / (1 - missed)
    assert entropy_chao_shen(counts) == pytest.approx(max(0.0, total), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("call", [entropy, entropy_miller_madow, entropy_chao_shen])
@pytest.mark.parametrize(
    ("counts", "told"),
    [([], "not defined"), ([0, 0], "not defined"), ([1.5], "whole numbers"), ([-1, 2], "negative")],
)
def test_counts_that_are_none_are_refused(call, counts, told):
    with pytest.raises(ValueError, match=told):
        call(counts)


@pytest.mark.parametrize(
    ("n", "c", "k", "told"),
    [(3, 4, 1, "between 0 and n"), (3, -1, 1, "between 0 and n"), (3, 1, 0, "draw more rollouts"),
     (3, 1, 4, "draw more rollouts")],
)  # fmt: skip
def test_more_than_there_are_cant_be_drawn(n, c, k, told):
    with pytest.raises(ValueError, match=told):
        pass_at_k(n, c, k)


@pytest.mark.parametrize(("n", "c", "a"), [(0, 0, 0.5), (4, 0, 0.5), (4, 4, 1.0), (10, 3, 0.25)])
def test_a_smoothed_probability_by_hand(n, c, a):
    assert log_probability_smoothed(n, c, a) == pytest.approx(math.log((c + a) / (n + 2 * a)))
    with pytest.raises(ValueError, match="greater than 0"):
        log_probability_smoothed(n, c, 0.0)
    with pytest.raises(ValueError, match="between 0 and n"):
        log_probability_smoothed(n, n + 1, a)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=20))
def test_modes_are_counted_problem_by_problem(pairs):
    problems = np.array([p for p, _ in pairs], dtype=int)
    modes = np.array([m for _, m in pairs], dtype=int)
    found = mode_counts(problems, modes, 5)
    assert len(found) == 5
    for number, counts in enumerate(found):
        own = [m for p, m in pairs if p == number]
        assert sorted(counts) == sorted(own.count(mode) for mode in set(own))


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 0.9)), min_size=1, max_size=5))
@example([(0.0, 2.2250738585072014e-308)])
def test_the_most_that_an_entropy_could_be_is_that_of_an_even_tail(pairs):
    """Seen modes keep their shares of C; what is unseen lies evenly on all modes there are."""
    entropies, unseen = (np.array(part) for part in zip(*pairs, strict=True))
    found = upper_entropy(entropies, unseen, 1_000)
    mean = unseen.mean()
    for h, u, most in zip(entropies, unseen, found, strict=True):
        covered = 1 - u
        tail = u * (math.log(1_000) - math.log(mean)) if mean > 0 else 0.0
        assert most == pytest.approx(covered * h - covered * math.log(covered) + tail)
    if len(pairs) == 1 and unseen[0] > 1e-300:
        # The same as the entropy of the mixture itself, for one problem of evenly seen modes.
        u, seen = unseen[0], 4
        shares = [(1 - u) / seen] * seen + [u / 1_000] * 1_000
        (own,) = upper_entropy(np.array([math.log(seen)]), np.array([u]), 1_000)
        assert own == pytest.approx(-sum(s * math.log(s) for s in shares))


# ---------------------------------------------------------------- the mode map


@given(st.text("ab 12+-*/=#.\n`<>$", max_size=60))
def test_any_text_has_a_mode_within_the_map(text):
    modes = ModeMap()
    found = modes(text)
    assert 0 <= found.length <= len(modes.length_edges)
    assert set(found.operators) <= set(OPERATORS)
    assert list(found.operators) == sorted(set(found.operators))
    assert 0 <= found.equations <= modes.equations_cap
    assert found.style in STYLES
    assert modes(f"{text}\n#### 7").style in STYLES
    assert str(found) == f"{found.length}|{found.operators}|{found.equations}|{found.style}"


@given(st.integers(1, 80))
def test_a_solution_falls_into_the_bin_of_its_words(words):
    found = ModeMap()(" ".join(["word"] * words))
    assert found.length == sum(words >= edge for edge in (12, 24, 48))
    assert found.equations == 0


@pytest.mark.parametrize(
    ("text", "operators", "sequence"),
    [
        ("3 + 4 = 7", "+", "+"),
        ("3 + 4 - 2 + 1 = 6", "+-", "+-+"),
        ("3 × 4 ÷ 2 = 6", "*/", "*/"),
        ("3 x 4 = 12", "*", "*"),
        ("no sum at all", "", ""),
    ],
)
def test_operators_as_a_set_and_in_their_order(text, operators, sequence):
    assert ModeMap()(text).operators == operators
    assert ModeMap(operators="sequence")(text).operators == sequence


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"length_edges": [5, 5]}, "they must ascend, from 1 at least"),
        ({"length_edges": [9, 5]}, "they must ascend"),
        ({"length_edges": [0, 5]}, "from 1 at least"),
        ({"operators": "list"}, "set or sequence"),
        ({"equations_cap": 0}, "at least 1"),
    ],
)
def test_a_map_that_cant_be_is_refused(more, told):
    with pytest.raises(ValueError, match=told):
        ModeMap.from_config(more)


def test_the_size_of_a_map_is_its_modes():
    small = ModeMap((5,), 1)
    every = {
        Mode(length, "".join(signs), equations, style)
        for length in (0, 1)
        for size in range(len(OPERATORS) + 1)
        for signs in combinations(sorted(OPERATORS), size)
        for equations in (0, 1)
        for style in STYLES
    }
    assert small.size == len(every)
    assert ModeMap(operators="sequence").size is None
