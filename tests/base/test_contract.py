"""A table's contract: what breaks it is refused, by file, row and column."""

from __future__ import annotations

import pandas as pd
import pytest
from veridical.base.contract import (
    Contract,
    Shown,
    flag,
    interval,
    number,
    p_value,
    share,
    text,
    whole,
)
from veridical.base.tables import as_agreed

RIGHT = share("right", "right answers", missing=True)
PASSED = number("pass_at_k", "chance of one in k", pattern=r"pass_at_\d+", low=0, high=1)
SCORES = Contract(
    "control9/scores",
    "What every model scored.",
    text("model", "the model"),
    text("state", "what became of it", "ok", "failed"),
    whole("n", "probes asked", low=1),
    RIGHT,
    *interval("wilson", "Wilson's interval", RIGHT),
    p_value("p", "against chance", missing=True),
    flag("valid", "whether it counts", missing=True),
    PASSED,
    key=("model",),
)


def scores(**columns):
    """Two rows that keep the contract, some columns replaced."""
    table = pd.DataFrame(
        {
            "model": ["a", "b"],
            "state": ["ok", "failed"],
            "n": [24, 1],
            "right": [0.5, None],
            "wilson_low": [0.3, None],
            "wilson_high": [0.7, None],
            "p": [1.0, None],
            "valid": [True, None],
            "pass_at_1": [0.25, 0.0],
            "pass_at_32": [1.0, 0.0],
        }
    )
    return table.assign(**columns)


def test_a_table_gets_the_types_and_the_order_of_its_contract():
    table = as_agreed(scores()[["valid", "n", *(c for c in scores() if c not in ("n", "valid"))]],
                      SCORES)  # fmt: skip
    assert list(table) == list(scores())
    kinds = {name: str(dtype) for name, dtype in table.dtypes.items()}
    assert kinds["model"] == "object"
    assert kinds["n"] == "int64"
    assert kinds["right"] == "float64"
    assert kinds["valid"] == "boolean"
    assert table["valid"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"right": [0.5, 1.2]}, "row 3, column right: 1.2 is not in 0..1"),
        ({"n": [0, 1]}, r"row 2, column n: 0 is not in 1\.\."),
        ({"p": [float("inf"), None]}, "row 2, column p: inf is not in 0..1"),
        ({"state": ["ok", "lost"]}, "row 3, column state: 'lost' is none of ok, failed"),
        ({"state": ["ok", None]}, "row 3, column state: a value is missing"),
        ({"n": [1.5, 1]}, "row 2, column n: 1.5 is no whole number"),
        ({"n": ["24", 1]}, "row 2, column n: '24' is no whole number"),
        ({"n": [True, 1]}, "row 2, column n: True is no whole number"),
        ({"model": ["a", 7]}, "row 3, column model: 7 is no text"),
        ({"valid": [1, 0]}, "row 2, column valid: 1 is no true or false"),
        ({"right": ["half", None]}, "row 2, column right: 'half' is no number"),
        ({"model": ["a", "a"]}, "rows 2, 3 have the same model: a"),
        ({"extra": [1, 2]}, "column 'extra' is unknown; the contract of control9/scores has model"),
        ({"pass_at_32": [1.0, 2.0]}, "row 3, column pass_at_32: 2.0 is not in 0..1"),
    ],
)  # fmt: skip
def test_what_breaks_a_contract_is_named(columns, said):
    with pytest.raises(ValueError, match=rf"^scores\.csv: {said}"):
        as_agreed(scores(**columns), SCORES, "scores.csv")


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match=r"control9/scores: column 'n' is missing; it has model"):
        as_agreed(scores().drop(columns="n"), SCORES)
    as_agreed(scores().drop(columns=["pass_at_1", "pass_at_32"]), SCORES)  # any number of them


def test_a_number_may_lie_outside_its_range_by_rounding_alone():
    assert as_agreed(scores(right=[1 + 1e-12, None]), SCORES)["right"][0] > 1
    with pytest.raises(ValueError, match="column right"):
        as_agreed(scores(right=[1 + 1e-6, None]), SCORES)


def test_many_faults_are_counted():
    table = pd.concat([scores(right=[2.0, 3.0], model=[f"{n}a", f"{n}b"]) for n in range(5)])
    with pytest.raises(ValueError, match=r"row 6, column right: 2.0 .*; and 5 more$"):
        as_agreed(table, SCORES)


def test_the_ends_of_an_interval_are_like_what_it_is_of():
    low, high = interval("wilson", "Wilson's", RIGHT)
    assert (low.name, high.name) == ("wilson_low", "wilson_high")
    assert (low.low, low.high, low.unit, low.missing) == (0, 1, "share", True)
    assert low.shown == Shown("wilson", "share_interval", ("wilson_low", "wilson_high"))
    assert high.shown is None
    ahead = number("effect", "ahead", shown="signed")
    assert interval("ci", "its", ahead, ("low", "high"))[0].shown.kind == "signed_interval"


def test_ranges_as_a_person_writes_them():
    assert RIGHT.range == "0..1"
    assert whole("n", "").range == "0.."
    assert number("x", "", high=0).range == "..0"
    assert text("x", "").range == ""


def test_a_key_must_name_columns():
    with pytest.raises(ValueError, match=r"control9/x: the key names \['b'\]"):
        Contract("control9/x", "", text("a", ""), key=("b",))


def test_without_names_all_columns_are_shown_and_with_names_these_in_their_order():
    every = [shown.name for shown in SCORES.shown()]
    assert every[:3] == ["model", "state", "n"]
    assert len(every) > 5
    assert [shown.name for shown in SCORES.shown("n", "model")] == ["n", "model"]
    with pytest.raises(KeyError, match="nowhere"):
        SCORES.shown("nowhere")
