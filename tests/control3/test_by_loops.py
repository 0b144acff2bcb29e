"""Control 3 once more by plain loops: counts, pairs, habits, and every rule from its definition."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests
from veridical.choices.answers import Counts, check_chance
from veridical.choices.habits import FEW, HABITUAL, blurred, find_habits
from veridical.choices.tally import drop_left_out, series, tally, truths
from veridical.control3.cells import cells, follows_false
from veridical.control3.counts import KINDS, count_cells
from veridical.control3.rules import FOLLOWS, conclude
from veridical.control3.tables import FINDINGS, WITHOUT
from veridical.statistics.neighbours import inflation

PARTNERS = ("X", "Y", "Z")
FALSE = "binding-corrupted"
N = 6  # probes a document

letters = st.sampled_from("tttfff-?x")  # true, false, silent, unreadable, left out


def row(model: str, document: str, place: int, letter: str, order: list[int]) -> dict:
    """One answer to a probe of two partners; a letter says what became of it."""
    true = PARTNERS[place % 2]
    other = PARTNERS[1 - place % 2]
    answer = {"t": true, "f": other}.get(letter)
    return {
        "corpus": "A",
        "model": model,
        "document": document,
        "probe_id": f"p{place}",
        "state": {"-": "abstained", "?": "unparseable", "x": "left out"}.get(letter, "ok"),
        "answer": answer,
        "true_partner": true,
        "document_partner": {"veridical": true, FALSE: other}.get(document),
        "correct": None if answer is None else answer == true,
        "first_option": PARTNERS[place // 2 % 2],
        "place": order[place],
    }


@st.composite
def studies(draw, without=letters):
    """Answers of two models under the true, the false and no document."""
    rows = []
    for model in ("one", "two"):
        order = draw(st.permutations(range(N)))
        for document in ("veridical", FALSE, "none"):
            own = without if document == "none" else letters
            said = draw(st.lists(own, min_size=N, max_size=N))
            rows += [row(model, document, n, said[n], list(order)) for n in range(N)]
    return pd.DataFrame(rows).astype({"correct": object, "answer": object})


def of(table: pd.DataFrame, **where) -> list[dict]:
    return [r for r in table.to_dict("records") if all(r[k] == v for k, v in where.items())]


def count(rows: list[dict]) -> Counts:
    """A set of answers, one by one."""
    ok = [r for r in rows if r["state"] == "ok"]
    right = sum(r["correct"] is True for r in ok)
    silent = sum(r["state"] in ("abstained", "refused") for r in rows)
    unreadable = sum(r["state"] not in ("ok", "abstained", "refused", "left out") for r in rows)
    return Counts(right, len(ok) - right, silent, unreadable)


# ---------------------------------------------------------------- counting


@settings(max_examples=12)
@given(studies())
def test_a_tally_counts_what_a_loop_counts(table):
    for found in tally(table, ["model", "document"]).to_dict("records"):
        rows = of(table, model=found["model"], document=found["document"])
        expected = count(rows)
        assert (found["n"], found["answered"]) == (expected.n, expected.answered)
        assert found["correct"] == expected.correct
        assert found["wrong"] == expected.wrong
        assert found["abstained"] == expected.abstained
        assert found["unparseable"] == expected.unparseable
        assert found["n_left_out"] == sum(r["state"] == "left out" for r in rows)
        given_ = [r["answer"] for r in rows if r["answer"] is not None]
        assert found["given"] == len(given_)
        assert found["first"] == sum(r["answer"] == r["first_option"] for r in rows)
        most = Counter(given_).most_common()
        assert found["most"] == (most[0][1] if most else 0)
        first = min((name for name, n in most if n == most[0][1]), default=None)
        assert found["name"] == first


@settings(max_examples=12)
@given(studies())
def test_a_probe_left_out_anywhere_in_a_cell_is_left_out_everywhere_in_it(table):
    kept, lacking = drop_left_out(table, ["model"])
    gone = {(r["model"], r["probe_id"]) for r in of(table) if r["state"] == "left out"}
    expected = [r for r in of(table) if (r["model"], r["probe_id"]) not in gone]
    assert kept["probe_id"].tolist() == [r["probe_id"] for r in expected]
    assert kept["model"].tolist() == [r["model"] for r in expected]
    assert dict(zip(lacking["model"], lacking["n_left_out"], strict=True)) == Counter(
        model for model, _ in gone
    )


@settings(max_examples=12)
@given(studies())
def test_pairs_and_following_are_counted_probe_by_probe(table):
    kept, _ = drop_left_out(table, ["model"])
    if kept.empty:
        return
    for found in count_cells(kept, FALSE, ["model"]).to_dict("records"):
        own = {
            document: {r["probe_id"]: r for r in of(kept, model=found["model"], document=document)}
            for document in ("veridical", FALSE, "none")
        }
        pairs = Counter(
            (own["veridical"][probe]["correct"] is True, own[FALSE][probe]["correct"] is True)
            for probe in own["veridical"]
        )
        assert found["b"] == pairs[True, False]
        assert found["c"] == pairs[False, True]
        assert found["both"] == pairs[True, True]
        assert found["neither"] == pairs[False, False]
        false = own[FALSE].values()
        named = sum(r["answer"] is not None and r["answer"] == r["document_partner"] for r in false)
        true = sum(r["correct"] is True for r in own["veridical"].values())
        assert (found["named"], found["agreeing"]) == (named, named + true)
        for kind, document in zip(KINDS, own, strict=True):
            expected = count(list(own[document].values()))
            assert found[f"{kind}_correct"] == expected.correct
            assert found[f"{kind}_answered"] == expected.answered
        every = [r for rows in own.values() for r in rows.values() if r["answer"] is not None]
        assert found["given"] == len(every)
        assert found["first"] == sum(r["answer"] == r["first_option"] for r in every)


def signs_of(rows: list[dict], value) -> list[int]:
    """Signs in the order of the document; 0 where nothing was answered."""
    ordered = sorted(rows, key=lambda r: r["place"])
    return [0 if r["answer"] is None else (1 if value(r) else -1) for r in ordered]


@settings(max_examples=12)
@given(studies())
def test_neighbours_are_those_of_the_documents_order(table):
    kept, _ = drop_left_out(table, ["model"])
    if kept.empty:
        return
    for found in count_cells(kept, FALSE, ["model"]).to_dict("records"):
        told = [
            signs_of(
                of(kept, model=found["model"], document=document),
                lambda r: r["answer"] == r["document_partner"],
            )
            for document in ("veridical", FALSE)
        ]
        none = of(kept, model=found["model"], document="none")
        assert found["neighbours"] == pytest.approx(float(inflation(told)))
        right = signs_of(none, lambda r: r["correct"] is True)
        assert found["none_neighbours"] == pytest.approx(float(inflation([right])))
    unknown = count_cells(kept.drop(columns="place"), FALSE, ["model"])
    assert unknown[["neighbours", "none_neighbours"]].isna().all(axis=None)


def test_a_series_is_padded_and_put_in_order():
    table = pd.DataFrame({"m": list("aabab"), "place": [2, 1, 5, 3, 4]})
    found = series(table, ["m"], np.array([10, 20, 30, 40, 50]))
    assert found.tolist() == [[20, 10, 40], [50, 30, 0]]
    assert series(table.drop(columns="place"), ["m"], np.arange(1, 6)).tolist() == [
        [1, 2, 4],
        [3, 5, 0],
    ]


@pytest.mark.parametrize(
    "values", [[True, None, False], pd.array([True, None, False], dtype="boolean")]
)
def test_a_missing_truth_is_no_truth(values):
    assert truths(pd.Series(values)).tolist() == [True, False, False]
    assert truths(pd.Series([True, False])).tolist() == [True, False]


def test_a_document_that_a_probe_lacks_is_named():
    table = pd.DataFrame(
        [row("m", d, n, "t", [0, 1]) for d in ("veridical", FALSE) for n in (0, 1)]
    )
    with pytest.raises(
        ValueError, match=r"no answer is recorded under 'binding-corrupted' for: p1"
    ):
        count_cells(table.iloc[:3], FALSE, ["model"])
    with pytest.raises(ValueError, match=r"more than once: p0 \(veridical\)"):
        count_cells(pd.concat([table, table.head(1)]), FALSE, ["model"])


# ---------------------------------------------------------------- habits


def test_whoever_draws_among_twelve_values_passes_over_the_first_without_a_habit():
    """A value asked for in half of the probes makes chance 1/2; each of twelve is first in 1/12."""
    table = pd.DataFrame({"given": [24], "first": [2], "most": [5]})
    assert list(find_habits(table, 1 / 2, 1, 1 / 12)) == [None]
    assert list(find_habits(table, 1 / 2, 1)) == ["never the first option"]


@settings(max_examples=80)
@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([1 / 2, 1 / 3]),
    st.integers(1, 12),
)
def test_a_habit_is_found_where_chance_hardly_makes_it(cells_, chance, tests):
    rows = [(given_, min(first, given_), min(most, given_)) for given_, first, most in cells_]
    table = pd.DataFrame(rows, columns=["given", "first", "most"])
    for (given_, first, most), habit in zip(rows, find_habits(table, chance, tests), strict=True):
        if not given_:
            assert habit is None
            continue

        def p(hits: int, likely: float, of_: int = given_) -> float:
            return binomtest(hits, of_, likely, alternative="greater").pvalue

        tried = {
            "one answer": (most, min(1.0, p(most, chance) / chance)),
            "first option": (first, p(first, chance)),
            "never the first option": (given_ - first, p(given_ - first, 1 - chance)),
        }
        holds = [
            name
            for name, (alike, value) in tried.items()
            if alike >= HABITUAL * given_ and value * 3 * tests <= 0.05 + 1e-12
        ]
        assert habit == (holds[0] if holds else None)


@pytest.mark.parametrize(
    ("counts", "hidden"),
    [
        ((FEW - 1, FEW - 1, 2, 2), True),  # too few
        ((10, 10, 5, 5), False),
        ((10, 10, 9, 5), True),  # nine of ten are one name
        ((10, 10, 5, 9), True),  # or the first
        ((10, 10, 5, 1), True),  # or never the first
        ((10, 10, 8, 2), False),
        ((10, 4, 5, 5), True),  # ten names, of which four are answers
    ],
)
def test_when_answers_tell_nothing(counts, hidden):
    table = pd.DataFrame([counts], columns=["given", "answered", "most", "first"])
    assert bool(blurred(table)[0]) is hidden


# ---------------------------------------------------------------- the rules


def tail(hits: float, of_: float, chance: float, factor: float = 1.0) -> float:
    return 1.0 if hits <= 0 else float(betainc(hits / factor, (of_ - hits) / factor + 1, chance))


def counted(**more) -> dict:
    """A cell of 24 probes, half right under either document; no names are preferred."""
    cell = {
        "corpus": "A",
        "model": "m",
        "tested": "tested",
        "chance": 0.5,
        "n": 24,
        "b": 6,
        "c": 6,
        "p_exact": 1.0,
        "agreeing": 24,
        "named": 12,
        "veridical_correct": 12,
        "veridical_given": 24,
        "corrupted_given": 24,
        "neighbours": 1.0,
        "none_neighbours": 1.0,
        "none_correct": 12,
        "none_answered": 24,
        "none_given": 24,
        "none_first": 12,
        "none_most": 13,
        "given": 72,
        "first": 36,
        "most": 37,
    }
    return cell | more


READS = {
    "b": 20,
    "c": 0,
    "p_exact": 2 / 2**20,
    "agreeing": 44,
    "veridical_correct": 22,
    "named": 22,
}
TRUE_ONLY = {
    "b": 12,
    "c": 0,
    "p_exact": 2 / 2**12,
    "agreeing": 36,
    "veridical_correct": 24,
    "named": 12,
}
AGAINST = {
    "b": 0,
    "c": 20,
    "p_exact": 2 / 2**20,
    "agreeing": 4,
    "veridical_correct": 2,
    "named": 2,
}
SILENT = {"b": 12, "c": 0, "p_exact": 2 / 2**12, "agreeing": 12, "corrupted_given": 0, "named": 0}
GUESSES = {"none_correct": 22}
DOUBTFUL = {"none_correct": 17}  # P(X >= 17 of 24) = 0.032


@pytest.mark.parametrize(
    ("cell", "finding", "without"),
    [
        ({}, "not shown", "not shown"),
        (READS, "follows", "not shown"),
        (TRUE_ONLY, "uses", "not shown"),
        (AGAINST, "against", "not shown"),
        (SILENT, "not shown", "not shown"),  # the true one is read no better than a coin
        (READS | GUESSES, "not readable", "beats chance"),
        (AGAINST | GUESSES, "not readable", "beats chance"),
        (GUESSES, "not shown", "beats chance"),
        (READS | {"tested": "missing"}, "missing", "not shown"),
        (READS | {"tested": "not testable"}, "not testable", "not shown"),
        (READS | {"none_given": 4, "none_answered": 4}, "follows", "not testable"),
        (READS | {"none_most": 24}, "follows", "not testable"),
    ],
)
def test_what_follows_from_one_cell(cell, finding, without):
    found = conclude(pd.DataFrame([counted(**cell)])).iloc[0]
    assert (found["finding"], found["without"]) == (finding, without)
    assert finding in FINDINGS
    assert without in WITHOUT


def test_what_would_not_stand_among_many_cells_is_doubtful_and_not_read():
    cells_ = [counted(model=f"m{n}") for n in range(6)]
    cells_[0] |= READS | DOUBTFUL
    found = conclude(pd.DataFrame(cells_)).iloc[0]
    assert found["p_without"] == pytest.approx(binomtest(17, 24, alternative="greater").pvalue)
    assert found["p_without_holm"] == pytest.approx(6 * found["p_without"])
    assert (found["without"], found["finding"]) == ("doubtful", "not readable")


def any_cell(rng: np.random.Generator) -> dict:
    """A cell counted by chance."""
    b, c, named, right = (int(n) for n in rng.integers(0, [13, 13, 25, 25]))
    return counted(
        b=b,
        c=c,
        p_exact=binomtest(b, b + c).pvalue if b + c else 1.0,
        named=named,
        veridical_correct=right,
        agreeing=named + right,
        neighbours=rng.choice([1.0, 2.0, 3.5]),
        chance=rng.choice([1 / 2, 1 / 3]),
    )


@pytest.mark.parametrize("n", [1, 4, 60])
def test_every_rule_is_the_largest_of_its_tests_and_holm_goes_over_the_cells(n):
    rng = np.random.default_rng(n)
    listed = [any_cell(rng) for _ in range(n)]
    table = pd.DataFrame([cell | {"model": f"m{n}"} for n, cell in enumerate(listed)])
    found = conclude(table)
    for name in ("p_use", "p_follow", "p_against"):
        expected = multipletests(found[name], method="holm")[1]
        assert found[f"{name}_holm"].tolist() == pytest.approx(expected.tolist())
    for cell, row_ in zip(listed, found.to_dict("records"), strict=True):
        chance, factor, agreeing = cell["chance"], cell["neighbours"], cell["agreeing"]
        toward = max(tail(agreeing, 48, chance), tail(agreeing, 48, chance, factor))
        away = max(tail(48 - agreeing, 48, 1 - chance), tail(48 - agreeing, 48, 1 - chance, factor))
        use = max(cell["p_exact"], toward) if cell["b"] > cell["c"] else 1.0
        against = max(cell["p_exact"], away) if cell["b"] < cell["c"] else 1.0
        assert row_["p_use"] == pytest.approx(use)
        assert row_["p_against"] == pytest.approx(against)
        each = [tail(cell[name], 24, FOLLOWS) for name in ("veridical_correct", "named")]
        assert row_["p_follow"] == pytest.approx(max(use, *each))
        assert not (row_["p_use"] < 1 and row_["p_against"] < 1)
        if row_["finding"] == "follows":
            assert row_["p_use_holm"] <= 0.05


@settings(max_examples=5)
@given(studies())
def test_a_studys_cells_do_not_depend_on_the_order_of_its_rows(table):
    declared = [("A", "one"), ("A", "two")]
    one = cells(table, declared, {"A": 2})
    two = cells(table.iloc[::-1].reset_index(drop=True), declared, {"A": 2})
    pd.testing.assert_frame_equal(one, two)


@settings(max_examples=5)
@given(studies(), studies())
def test_studies_beside_one_another_are_each_by_itself(first, second):
    declared = [("A", "one"), ("A", "two")]
    both = pd.concat([first.assign(study=0), second.assign(study=1)], ignore_index=True)
    together = cells(both, declared, {"A": 2}, by=["study"])
    for number, alone in enumerate((first, second)):
        own = together[together["study"] == number].drop(columns="study").reset_index(drop=True)
        pd.testing.assert_frame_equal(own, cells(alone, declared, {"A": 2}), check_dtype=False)


@pytest.mark.parametrize(
    ("named", "n", "follows"),
    [(13, 24, True), (12, 24, False), (None, 24, False), (13, None, False), (0, 0, False)],
)
def test_most_of_all_probes_means_more_than_half(named, n, follows):
    assert follows_false({"corrupted_named": named, "n": n}) is follows


@pytest.mark.parametrize("chance", [1 / 2, 1 / 3])
@pytest.mark.parametrize("right", range(0, 25, 3))
def test_the_registered_check_is_the_exact_test_at_five_percent(right, chance):
    p, valid = check_chance(Counts(right, 24 - right, 3, 1), chance)
    expected = binomtest(right, 24, chance, alternative="greater").pvalue
    assert p == pytest.approx(expected)
    assert valid == (expected > 0.05)
