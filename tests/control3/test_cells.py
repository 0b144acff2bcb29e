"""Control 3: the printed table through these functions, every kind of cell, three partners."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.base.tables import as_agreed
from veridical.control3.cells import cells, follows_false
from veridical.control3.tables import CELLS
from veridical.documents.corrupted import corrupted_names, named_partner

PRINTED = [  # corpus A: right with the veridical and the corrupted document, b, c, p after Holm
    ("gpt-4.1", 24, 0, 24, 0, 8.3e-07),
    ("gemini-2.5-pro", 24, 0, 24, 0, 8.3e-07),
    ("llama3", 24, 1, 23, 0, 1.2e-06),
    ("qwen3.6:35b-a3b", 24, 2, 22, 0, 1.9e-06),
    ("qwen3.5:27b", 24, 3, 21, 0, 2.9e-06),
    ("qwen3:32b", 23, 2, 21, 0, 2.9e-06),
    ("deepseek-r1:32b", 16, 7, 10, 1, 0.012),
]
PARTNERS = ("X", "Y", "Z")


def cell(answers, corrupted, k):
    """One cell of the table: the model's under this corrupted document."""
    model = answers["model"].iloc[0]
    table = cells(answers, [("A", model)], {"A": k})
    return table[table["corrupted_document"] == corrupted].iloc[0].to_dict()


def answers_of(model, *, k=2, corpus="A", n=24, **documents):
    """Answers by document, one letter a probe: c(orrect), w(rong), -, ?, f(ailed), x (left out)."""
    partners = PARTNERS[:k]
    rows = []
    for document, letters in documents.items():
        name = document.replace("_", "-")
        for i, letter in enumerate(letters):
            true = partners[i % k]
            wrong = named_partner(partners, true, name)
            if wrong in (None, true):
                wrong = partners[(i + 1) % k]
            state = {"-": "abstained", "?": "unparseable", "f": "failed", "x": "left out"}.get(
                letter, "ok"
            )
            answer = {"c": true, "w": wrong}.get(letter)
            rows.append(
                {
                    "corpus": corpus,
                    "model": model,
                    "document": name,
                    "probe_id": f"p{i:02d}",
                    "state": state,
                    "answer": answer,
                    "true_partner": true,
                    "document_partner": named_partner(partners, true, name),
                    "correct": None if answer is None else answer == true,
                    "first_option": partners[(i // k) % k],
                }
            )
        assert len(letters) == n
    return pd.DataFrame(rows).astype({"correct": object, "answer": object})


def from_counts(model, veridical, corrupted, b, c):
    both, n = veridical - b, 24
    one = "c" * (both + b) + "w" * (n - both - b)
    two = "c" * both + "w" * b + "c" * c + "w" * (n - both - b - c)
    return answers_of(model, veridical=one, binding_corrupted=two, none="cwwccwwccwwccwwccwwccwwc")


def test_the_printed_table_of_corpus_a():
    answers = pd.concat([from_counts(*row[:5]) for row in PRINTED], ignore_index=True)
    table = cells(answers, [("A", row[0]) for row in PRINTED], {"A": 2})
    as_agreed(table, CELLS)
    for row, (model, veridical, corrupted, b, c, p) in zip(
        table.itertuples(), PRINTED, strict=True
    ):
        assert (row.model, row.veridical_correct, row.corrupted_correct) == (
            model,
            veridical,
            corrupted,
        )
        assert (row.b, row.c, row.m) == (b, c, 7)
        assert row.p_holm == pytest.approx(p, rel=0.03)
        assert row.delta == pytest.approx((veridical - corrupted) / 24)
        assert row.delta_low <= row.delta <= row.delta_high
        assert row.discordant_share == b / (b + c)
        assert row.survives
        assert row.valid
        assert row.follows_corrupted == 1.0
        assert follows_false(row._asdict())
    assert round(100 * table["delta"].iloc[2], 1) == 95.8
    assert round(100 * table["discordant_share"].iloc[6], 1) == 90.9


def test_the_worst_cell_of_corpus_b():
    # b = 13, c = 0: 2/2^13; alone it is 0.000244, as printed ("0.0002") for the last of seven
    row = cell(from_counts("m", 18, 5, 13, 0), "binding-corrupted", 2)
    assert row["p_exact"] == 0.000244140625


def test_a_cell_by_hand():
    answers = answers_of(
        "m",
        n=8,
        veridical="cccccw-?",
        binding_corrupted="wwwc-wc-",
        none="--cw----",
    )
    row = cell(answers, "binding-corrupted", 2)
    # discordant: p0, p1, p2, p4 right with the veridical only; p6 with the corrupted only
    assert (row["b"], row["c"], row["both"], row["neither"]) == (4, 1, 1, 2)
    assert row["p_exact"] == pytest.approx(2 * (1 + 5) / 32)
    assert row["p_mid"] == pytest.approx((2 * (1 + 5) - 5) / 32)
    assert row["veridical_accuracy"] == 5 / 8  # over all probes
    assert (row["veridical_abstained"], row["veridical_unparseable"]) == (1, 1)
    assert (row["corrupted_correct"], row["corrupted_wrong"], row["corrupted_abstained"]) == (
        2,
        4,
        2,
    )
    assert (row["none_answered"], row["none_accuracy_answered"]) == (2, 0.5)
    assert row["none_p"] == 0.75  # P(X >= 1) of two
    assert row["follows_corrupted"] == 1.0
    assert row["corrupted_named"] == 4


def test_a_probe_left_out_under_one_document_is_left_out_under_all():
    """24 probes, p05 left out under the false document alone: 23 are compared."""
    none = "cw" * 12
    answers = answers_of(
        "m",
        veridical="cccccccccc" + "wccccccccccccc",  # p10 alone is wrong
        binding_corrupted="cccwwx" + "wwwwc" + "w" * 13,  # right: p00 to p02, and p10
        none=none,
    )
    row = cell(answers, "binding-corrupted", 2)
    assert (row["n"], row["n_left_out"]) == (23, 1)
    # 22 are right under the true document without p05; three of them under the false one, too
    assert (row["b"], row["c"], row["both"], row["neither"]) == (19, 1, 3, 0)
    assert row["p_exact"] == pytest.approx(2 * (1 + 20) / 2**20)
    assert row["delta"] == pytest.approx((22 - 4) / 23)
    assert (row["veridical_correct"], row["corrupted_correct"], row["corrupted_wrong"]) == (
        22,
        4,
        19,
    )
    assert (row["corrupted_unparseable"], row["none_answered"], row["none_correct"]) == (0, 23, 12)
    without = cell(answers[answers["probe_id"] != "p05"], "binding-corrupted", 2)
    for name in set(row) - {"n_left_out"}:
        assert row[name] == without[name] or (pd.isna(row[name]) and pd.isna(without[name])), name
    assert without["n_left_out"] == 0


def test_a_probe_left_out_twice_is_one_and_a_failed_one_is_not_left_out():
    answers = answers_of(
        "m",
        veridical="cx" + "c" * 22,
        binding_corrupted="wx" + "w" * 20 + "ff",
        none="--x" + "-" * 21,
    )
    row = cell(answers, "binding-corrupted", 2)
    assert (row["n"], row["n_left_out"]) == (22, 2)  # p01, twice, and p02
    assert (row["b"], row["c"], row["corrupted_unparseable"]) == (22, 0, 2)


def test_what_is_left_out_is_its_models_alone_and_of_all_its_false_documents():
    whole = {"veridical": "c" * 24, "binding_corrupted_1": "w" * 24, "none": "-" * 24}
    answers = [
        answers_of("m", k=3, binding_corrupted_2="w" * 23 + "x", **whole),
        answers_of("n", k=3, binding_corrupted_2="w" * 24, **whole),
    ]
    table = cells(pd.concat(answers), [("A", "m"), ("A", "n")], {"A": 3})
    assert list(table["n"]) == [23, 23, 24, 24]
    assert list(table["b"]) == [23, 23, 24, 24]
    assert list(table["n_left_out"]) == [1, 1, 0, 0]
    as_agreed(table, CELLS)


@pytest.mark.parametrize("alone", [True, False])
def test_a_cell_of_which_all_is_left_out_is_missing_and_never_ends_the_study(alone):
    gone = answers_of("gone", veridical="c" * 24, binding_corrupted="x" * 24, none="-" * 24)
    whole = answers_of("n", veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24)
    answers, declared = (
        (gone, [("A", "gone")])
        if alone
        else (
            pd.concat([gone, whole]),
            [("A", "gone"), ("A", "n")],
        )
    )
    table = cells(answers, declared, {"A": 2})
    row = table.iloc[0]
    assert (row["tested"], row["n"], row["n_left_out"], row["p_holm"]) == ("missing", 0, 24, 1.0)
    assert set(table["m"]) == {len(declared)}
    as_agreed(table, CELLS)


def test_a_model_that_abstains_without_a_document_has_no_validity_and_keeps_its_cell():
    answers = answers_of("m", veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24)
    row = cells(answers, [("A", "m")], {"A": 2}).iloc[0]
    assert pd.isna(row["valid"])
    assert pd.isna(row["none_p"])
    assert pd.isna(row["none_accuracy_answered"])
    assert (row["tested"], row["survives"]) == ("tested", True)


def test_a_model_that_answers_nothing_is_not_testable_and_never_zero():
    silent = answers_of("m", veridical="-" * 24, binding_corrupted="?" * 24, none="-" * 24)
    good = answers_of("n", veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24)
    table = cells(pd.concat([silent, good]), [("A", "m"), ("A", "n")], {"A": 2})
    row = table.iloc[0]
    assert row["tested"] == "not testable"
    assert pd.isna(row["veridical_accuracy"])
    assert pd.isna(row["delta"])
    assert pd.isna(row["p_exact"])
    assert (row["p_holm"], row["survives"]) == (1.0, False)
    assert table.iloc[1]["p_holm"] == pytest.approx(2 * 2 / 2**24)  # the family keeps its size


@pytest.mark.parametrize("how", ["absent", "failed"])
def test_a_missing_cell_is_named_and_counts_as_one(how):
    answers = answers_of("n", veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24)
    if how == "failed":
        gone = dict.fromkeys(("veridical", "binding_corrupted", "none"), "f" * 24)
        answers = pd.concat([answers, answers_of("gone", **gone)])
    table = cells(answers, [("A", "gone"), ("A", "n")], {"A": 2})
    assert list(table["tested"]) == ["missing", "tested"]
    assert list(table["m"]) == [2, 2]
    assert table["p_holm"].iloc[0] == 1.0
    as_agreed(table, CELLS)
    assert table["p_holm"].iloc[1] == pytest.approx(2 * 2 / 2**24)


def test_each_corpus_is_its_own_family():
    parts = [
        answers_of(
            model, corpus=corpus, veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24
        )
        for corpus, model in (("A", "m"), ("A", "n"), ("B", "m"))
    ]
    declared = [("A", "m"), ("A", "n"), ("B", "m")]
    table = cells(pd.concat(parts), declared, {"A": 2, "B": 2})
    assert list(table["m"]) == [2, 2, 1]
    assert list(table["p_holm"]) == pytest.approx([4 / 2**24, 4 / 2**24, 2 / 2**24])


def test_a_model_that_beats_chance_without_a_document_is_not_measured():
    answers = answers_of(
        "m", veridical="c" * 24, binding_corrupted="w" * 24, none="c" * 18 + "w" * 6
    )
    row = cells(answers, [("A", "m")], {"A": 2}).iloc[0]
    assert not row["valid"]


def test_one_name_throughout_is_found():
    names = "cwcwcwcwcwcwcwcwcwcwcwcw"  # true partners alternate, so this is always X
    answers = answers_of("m", veridical=names, binding_corrupted=names, none=names)
    row = cells(answers, [("A", "m")], {"A": 2}).iloc[0]
    assert row["one_name_share"] == 1.0
    assert (row["b"], row["c"], row["p_exact"]) == (0, 0, 1.0)
    assert pd.isna(row["discordant_share"])


def test_three_partners_give_a_row_a_corrupted_document_and_chance_of_a_third():
    names = [name.replace("-", "_") for name in corrupted_names(3)]
    answers = answers_of(
        "m",
        k=3,
        veridical="c" * 24,
        none="c" * 8 + "w" * 16,
        **{names[0]: "w" * 24, names[1]: "w" * 20 + "c" * 4},
    )
    table = cells(answers, [("A", "m")], {"A": 3})
    assert list(table["corrupted_document"]) == corrupted_names(3)
    assert list(table["m"]) == [2, 2]
    assert list(table["b"]) == [24, 20]
    assert set(table["chance"]) == {1 / 3}
    assert table["valid"].all()
    # R: binom.test(8, 24, 1/3, alternative = "greater")$p.value
    assert table["none_p"].iloc[0] == pytest.approx(0.576195351622)
    assert list(table["follows_corrupted"]) == [1.0, 1.0]


def test_answers_of_a_cell_that_was_not_declared_are_refused():
    answers = answers_of("m", veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24)
    with pytest.raises(ValueError, match="m on corpus A"):
        cells(answers, [("A", "other")], {"A": 2})


def test_a_duplicated_answer_is_named():
    answers = answers_of("m", veridical="c" * 24, binding_corrupted="w" * 24, none="-" * 24)
    with pytest.raises(ValueError, match=r"more than once: p00 \(veridical\)"):
        cell(pd.concat([answers, answers.head(1)]), "binding-corrupted", 2)


letters = st.text("cw-?", min_size=6, max_size=6)


@settings(max_examples=40)
@given(letters, letters, letters)
def test_what_holds_for_every_cell(one, two, three):
    answers = answers_of("m", n=6, veridical=one, binding_corrupted=two, none=three)
    row = cell(answers, "binding-corrupted", 2)
    for name in ("veridical", "corrupted", "none"):
        parts = ("correct", "wrong", "abstained", "unparseable")
        assert sum(row[f"{name}_{part}"] for part in parts) == 6
    if row["tested"] == "tested":
        assert row["b"] - row["c"] == row["veridical_correct"] - row["corrupted_correct"]
        assert row["both"] + row["neither"] + row["b"] + row["c"] == 6
        assert math.isclose(row["delta"], (row["b"] - row["c"]) / 6, abs_tol=1e-12)
    swapped = answers.replace(
        {"document": {"veridical": "binding-corrupted", "binding-corrupted": "veridical"}}
    )
    other = cell(swapped, "binding-corrupted", 2)
    if row["tested"] == other["tested"] == "tested":
        assert (row["b"], row["c"]) == (other["c"], other["b"])
        assert row["p_exact"] == other["p_exact"]
