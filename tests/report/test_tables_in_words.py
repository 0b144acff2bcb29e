"""From a table to what a reader sees: cells in words, columns chosen, marks, compact columns."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.contract import Shown
from veridical.report.drill import Drill, Group, Nested, details, encode, escape_json, plain_value
from veridical.report.finding import Finding, true
from veridical.report.part import models_of
from veridical.report.probes import mark, pivot
from veridical.report.tabulate import address, cell, right_of, tabulate, to
from veridical.report.wording import Said, Wording

ENGLISH, ITALIAN = Wording.read("en"), Wording.read("it")
MISSING = ENGLISH.value("", None)


def shown(kind: str, *values, words: Wording = ENGLISH, digits: int | None = None) -> str:
    row = {f"c{n}": value for n, value in enumerate(values)}
    return cell(Shown("c0", kind, tuple(row), digits), row, words)


@pytest.mark.parametrize(
    ("kind", "values", "english", "italian"),
    [
        ("int", (1234.0,), "1,234", "1.234"),
        ("number", (0.5,), "0.500", "0,500"),
        ("signed", (0.5,), "+0.500", "+0,500"),
        ("signed", (-0.5,), "−0.500", "−0,500"),
        ("share", (0.625,), "62.5%", "62,5%"),
        ("points", (-0.25,), "−25.0", "−25,0"),
        ("interval", (0.1, 0.25), "[0.100, 0.250]", "[0,100; 0,250]"),
        ("signed_interval", (-0.1, 0.25), "[−0.100, +0.250]", "[−0,100; +0,250]"),
        ("share_interval", (0.1, 0.25), "[10.0, 25.0]", "[10,0; 25,0]"),
        ("p", (0.012,), "0.012", "0,012"),
        ("count", (3, 4), "75.0% (3)", "75,0% (3)"),
        ("count_of", (6, 7), "85.7% (6 of 7)", "85,7% (6 su 7)"),
        ("of", (3, 4), "3 of 4", "3 su 4"),
        ("text", ("qwen2.5",), "qwen2.5", "qwen2.5"),
        ("text", (2.0,), "2", "2"),
        ("text", (2.5,), "2.500", "2,500"),
    ],
)
def test_a_value_is_written_by_its_kind_and_language(kind, values, english, italian):
    found = [shown(kind, *values, words=words) for words in (ENGLISH, ITALIAN)]
    assert [text.replace("\u00a0", " ").replace(" %", "%") for text in found] == [
        english,
        italian.replace(" %", "%"),
    ]


@pytest.mark.parametrize(
    "kind", ["int", "number", "signed", "share", "points", "p", "flag", "text"]
)
@pytest.mark.parametrize("value", [None, float("nan"), np.nan])
def test_a_missing_value_is_a_dash_of_any_kind(kind, value):
    assert shown(kind, value) == MISSING


@pytest.mark.parametrize("ends", [(None, 0.5), (0.5, None), (float("nan"), 0.5)])
def test_half_an_interval_is_none(ends):
    assert shown("interval", *ends) == MISSING


def test_a_share_of_nothing_is_a_dash():
    assert right_of(0, 0, ENGLISH) == MISSING
    assert shown("count_of", 0, 0) == MISSING


def test_digits_are_the_columns_own():
    assert shown("number", 0.12345, digits=1) == "0.1"
    assert shown("share", 0.12345, digits=0) == "12%"


def test_flags_and_vocabulary_are_words():
    assert shown("flag", True) == ENGLISH.value("bool", True) != shown("flag", False)
    assert shown("value:state", "unparseable") == ENGLISH.value("state", "unparseable")
    assert shown("value:state", "some_new_state") == "some new state"


# Tables


@pytest.fixture
def table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "model": ["a", "b"],
            "n": [3, 4],
            "preset": ["warm", "warm"],
            "empty": [None, None],
            "pass_at_1": [0.1, 0.2],
            "pass_at_8": [0.3, 0.4],
        }
    )


COLUMNS = (
    Shown("model"),
    Shown("n", "int"),
    Shown("preset", several=True),
    Shown("empty", "number"),
    Shown("absent", "number"),
    Shown("pass_at_k", "share", pattern=r"pass_at_(\d+)"),
)


def test_a_column_that_says_nothing_is_left_out(table):
    made = tabulate(table, COLUMNS, ENGLISH.of("vpe"), "pass_at_k")
    assert [column.name for column in made.columns] == ["model", "n", "pass_at_1", "pass_at_8"]
    assert [column.numeric for column in made.columns] == [False, True, True, True]
    table["preset"] = ["warm", "cold"]
    made = tabulate(table, COLUMNS, ENGLISH.of("vpe"), "pass_at_k")
    assert "preset" in [column.name for column in made.columns]


def test_a_pattern_stands_for_every_column_with_its_number_in_the_heading(table):
    made = tabulate(table, COLUMNS, ENGLISH.of("vpe"), "pass_at_k")
    one, eight = made.columns[2:]
    assert one.label.replace("1", "8") == eight.label
    assert "1" in one.label


def test_rows_keep_their_order_and_link_where_they_are_told(table):
    made = tabulate(table, COLUMNS[:2], ENGLISH.of("vpe"), "summary", to("vpe", "model", "n"))
    assert made.rows == (("#vpe/a/3", ("a", "3")), ("#vpe/b/4", ("b", "4")))
    plain = tabulate(table, COLUMNS[:1], ENGLISH.of("vpe"), "summary")
    assert [link for link, _ in plain.rows] == [None, None]


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4))
def test_an_address_has_as_many_steps_as_it_was_given(steps):
    found = address(*steps)
    assert found.startswith("#")
    assert len(found[1:].split("/")) == len(steps)
    assert not set(found) & set(" \"'<>&")


# Marked answers


def answers(*rows: tuple) -> pd.DataFrame:
    columns = ["probe_id", "document", "state", "answer", "correct"]
    return pd.DataFrame(rows, columns=columns, dtype=object)


def test_an_answer_is_marked_right_wrong_or_neither():
    table = answers(
        ("p1", "v", "ok", "Llama", True),
        ("p2", "v", "ok", "DeepSeek", False),
        ("p3", "v", "abstained", None, None),
        ("p4", "v", "unparseable", "x", np.nan),
        ("p5", "v", "left_out", "x", True),  # whatever else it says
    )
    words = ENGLISH
    assert mark(table, words).tolist() == [
        "1|Llama",
        "0|DeepSeek",
        "-|" + words.value("state", "abstained"),
        "-|" + words.value("state", "unparseable"),
        "-|" + words.value("state", "left_out"),
    ]


def test_a_probe_has_one_row_and_an_answer_under_each_document():
    table = answers(
        ("p2", "veridical", "ok", "A", True),
        ("p1", "veridical", "ok", "B", False),
        ("p1", "none", "abstained", None, None),
    )
    rows, names = pivot(table, ["probe_id"], "document", ENGLISH)
    assert names == {"veridical": "answer_veridical", "none": "answer_none"}
    assert rows["probe_id"].tolist() == ["p2", "p1"]  # in the order asked
    assert rows["answer_veridical"].tolist() == ["1|A", "0|B"]
    assert pd.isna(rows["answer_none"][0])  # not asked


# Columns that travel


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.text(max_size=4), st.floats(width=32)
)


@given(st.lists(VALUES, max_size=30))
def test_a_column_comes_back_from_its_indices(values):
    column = encode(pd.DataFrame({"x": pd.Series(values, dtype=object)}))["c"]["x"]
    found = column.get("v") if "v" in column else [column["d"][i] for i in column["i"]]
    expected = [plain_value(value) for value in values]
    assert found == expected
    json.dumps(column, allow_nan=False)


def test_numbers_without_bound_travel_as_signs():
    """JSON has no infinity, and a page whose data JSON refuses shows nothing at all."""
    column = encode(pd.DataFrame({"x": [math.inf, 1.0, -math.inf]}))["c"]["x"]
    assert column["v"] == ["∞", 1, "−∞"]


def test_few_different_values_travel_once():
    assert encode(pd.DataFrame({"x": ["a", "b", "a", "a", "b"]})) == {
        "n": 5,
        "c": {"x": {"d": ["a", "b"], "i": [0, 1, 0, 0, 1]}},
    }
    assert encode(pd.DataFrame({"x": ["a", "b"]}))["c"]["x"] == {"v": ["a", "b"]}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.int64(3), 3),
        (np.bool_(True), 1),
        (False, 0),
        (2.0, 2),
        (0.123456789, 0.123457),
        (np.float32(0.5), 0.5),
        (pd.NA, None),
        (float("nan"), None),
        ("x", "x"),
    ],
)
def test_a_value_as_json_has_it(value, plain):
    assert plain_value(value) == plain
    assert type(plain_value(value)) is type(plain)


@given(st.text(max_size=30))
def test_json_ends_no_script_and_means_the_same(text):
    escaped = escape_json(json.dumps(text, ensure_ascii=False))
    assert not set(escaped) & set("<>&\u2028\u2029")
    assert json.loads(escaped) == text


def test_a_drill_travels_whole():
    rows = pd.DataFrame({"model": ["a"], "probe_id": ["p1"], "x": [0.5]})
    drill = Drill(
        "control9",
        ("model",),
        "probe_id",
        (Group(("a",), "a", "heading", ("fact </script>",), {"model": ["a"]}),),
        rows,
        (("x", "X", "number"),),
        details(ENGLISH, "probe_id"),
        nested=(Nested("more", "more", ("probe_id",), (("y", "Y", "text"),)),),
        tables={"more": pd.DataFrame({"probe_id": ["p1"], "y": ["é"]})},
        documents=(("label", "text"),),
    )
    content = json.loads(drill.to_json())
    assert "</script>" not in drill.to_json()
    assert content["groups"][0]["facts"] == ["fact </script>"]
    assert content["tables"]["rows"]["n"] == 1
    assert content["tables"]["more"]["c"]["y"] == {"v": ["é"]}
    assert content["nested"][0]["on"] == ["probe_id"]
    assert content["keys"] == ["model"]


# Findings


def test_a_figures_words_are_those_of_the_keys_each_once_without_marks():
    finding = Finding(
        "[[cell|Cells]] follow.",
        "sure",
        limits=(Said("One run.", "one_run"), Said("No **more**.", "more")),
        details=tuple(Said(f"d{n}.", "detail") for n in range(4)),
    )
    assert finding.told("answer") == "Cells follow. d0. d1. d2."
    assert finding.told("more", "one_run") == "One run. No more."
    assert finding.told("answer", "detail") == "Cells follow. d0. d1. d2. d3."
    assert finding.told("nothing") == ""


def test_flags_are_true_only_where_they_say_so():
    values = pd.Series([True, "true", 1, 1.0, "1.0", False, None, "no", float("nan"), pd.NA])
    assert true(values).tolist() == [True] * 5 + [False] * 5


def test_a_studys_models_are_those_that_its_parts_name():
    config = {
        "study": "gpt",
        "models": {"gpt": {}, "qwen": {}, "unused": {}},
        "control9": {"judges": ["qwen", "gpt"], "deep": {"er": [{"model": "qwen"}]}, "n": 3},
    }
    assert models_of(config) == ["gpt", "qwen"]
    assert models_of({"control9": {"judges": ["gpt"]}}) == []
