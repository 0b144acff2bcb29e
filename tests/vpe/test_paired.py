"""Two sides of the same problems: ahead, the same, not settled; never from a few problems."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.config import check_config
from veridical.vpe import paired
from veridical.vpe.paired import MARGINS, TESTED, Ends, Margins, settled


def ends(*values: float, width: float = 0.0) -> Ends:
    return Ends(np.array(values), np.array(values) + width)


def row(*values: float, margin: float = 0.1, width: float = 0.0) -> dict:
    return paired.tested(ends(*values, width=width), margin)


def findings(*rows: dict, by: tuple[str, ...] = ()) -> pd.DataFrame:
    return settled(pd.DataFrame(rows), by)


@pytest.mark.parametrize(
    ("values", "p", "p_same"),
    [
        ([0.5] * 6, 2 / 64, 1.0),  # all one way; all beyond the margin
        ([-0.5] * 6, 2 / 64, 1.0),
        ([0.0] * 6, 1.0, 1 / 64),  # ties: nothing is ahead, and all lie within
        ([0.1] * 6, 2 / 64, 1.0),  # just the margin is not within it
        ([0.5, -0.5, 0.5, -0.5], 1.0, 7 / 16),  # four of them reach 0.4: 7 flips of the 16
    ],
)
def test_the_tests_of_a_pair_by_hand(values, p, p_same):
    found = row(*values)
    assert found["p"] == pytest.approx(p)
    if values[0] != -values[-1]:
        assert found["p_same"] == pytest.approx(p_same)
    assert (found["n_tested"], found["least"]) == (len(values), pytest.approx(np.mean(values)))


def test_a_side_is_ahead_where_its_least_is():
    """0.3 at least and 0.5 at most: ahead. From -0.1 to 0.1 neither, and within 0.2 the same."""
    assert row(*[0.3] * 9, width=0.2)["p"] == pytest.approx(2 / 512)
    between = row(*[-0.1] * 9, width=0.2, margin=0.2)
    assert (between["p"], between["p_same"]) == (1.0, pytest.approx(1 / 512))
    assert row(*[-0.1] * 9, width=0.4, margin=0.2)["p_same"] == 1.0  # the most lies beyond


def test_no_problem_no_test():
    found = paired.tested(Ends(np.array([]), np.array([])), 0.1)
    assert tuple(found) == TESTED
    assert found["n_tested"] == 0
    assert all(np.isnan(found[name]) for name in TESTED[1:])


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=9), st.floats(0, 1), st.floats(0.01, 0.5))
def test_turning_the_sides_round_changes_no_p(values, width, margin):
    least = np.array(values)
    one = paired.tested(Ends(least, least + width), margin)
    other = paired.tested(Ends(-least - width, -least), margin)
    assert one["p"] == pytest.approx(other["p"])
    assert one["p_same"] == pytest.approx(other["p_same"])
    assert one["least"] == pytest.approx(-other["most"])


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9), st.floats(0, 0.5))
def test_what_is_less_known_shows_less(values, width):
    """Wider ends never lower a p."""
    known, less = row(*values), row(*(v - width for v in values), width=2 * width)
    assert less["p"] >= known["p"] - 1e-9
    assert less["p_same"] >= known["p_same"] - 1e-9


# --- what is concluded


def test_findings_by_hand():
    """Five rows of nine problems: 10 / 512 after Holm."""
    table = findings(
        row(*[0.5] * 9),
        row(*[-0.5] * 9),
        row(*[0.0] * 9),
        row(*[0.0] * 9),
        row(*[0.5, -0.5] * 4, 0),
    )
    assert table["finding"].tolist() == ["more", "less", "same", "same", "not settled"]
    assert table["p_holm"].iloc[0] == pytest.approx(5 * 2 / 512)
    assert table["p_same_holm"].iloc[2] == pytest.approx(5 / 512)
    assert table["lowest"].tolist() == [5 * 2 / 512] * 5


@pytest.mark.parametrize(
    ("problems", "rows", "word"),
    [
        (1, 1, "too few problems"),
        (2, 1, "too few problems"),
        (3, 1, "too few problems"),
        (5, 1, "too few problems"),  # 2 / 32
        (6, 1, "more"),  # 2 / 64
        (6, 2, "too few problems"),
        (7, 3, "more"),  # 3 x 2 / 128
        (7, 4, "too few problems"),
        (8, 8, "too few problems"),
        (9, 8, "more"),
    ],
)
def test_so_few_problems_can_show_nothing(problems, rows, word):
    """However large the difference: with n problems p is 2 / 2^n at best, times the rows."""
    table = findings(*[row(*[0.9] * problems)] * rows)
    assert table["finding"].tolist() == [word] * rows
    assert (table["lowest"] <= 0.05).eq(word == "more").all()
    assert table["p_holm"].tolist() == pytest.approx(table["lowest"].tolist())
    same = findings(*[row(*[0.0] * problems)] * rows)
    assert same["finding"].tolist() == ["same" if word == "more" else word] * rows


def test_a_difference_within_the_margin_is_told_as_a_difference():
    table = findings(row(*[0.05] * 9))
    assert (table["p_same_holm"] <= 0.05).all()
    assert table["finding"].tolist() == ["more"]


def test_each_study_has_its_own_family():
    rows = [{"study": study} | row(*[0.5] * 6) for study in (1, 2, 3)]
    assert findings(*rows, by=("study",))["finding"].tolist() == ["more"] * 3
    assert findings(*rows)["finding"].tolist() == ["too few problems"] * 3


def test_a_row_without_a_test_is_declared_all_the_same():
    nothing = paired.tested(Ends(np.array([]), np.array([])), 0.1)
    table = findings(row(*[0.5] * 9), nothing)
    assert table["p_holm"].tolist() == pytest.approx([2 * 2 / 512, 1.0])
    assert table["finding"].tolist() == ["more", "too few problems"]


# --- the registered margins


def test_margins_are_registered_with_a_default():
    assert Margins.from_config(None) == Margins.from_config({}) == MARGINS == (0.10, 0.25)
    assert Margins.from_config({"share": 0.2}) == (0.2, 0.25)


def config(**margins) -> dict:
    vpe = {"models": ["m"], "problems": "data/problems/arithmetic.jsonl", "margins": margins}
    models = {"m": {"provider": "scripted", "model": "m"}}
    return {"study": "s", "seed": 1, "models": models, "vpe": vpe}


def test_the_config_gives_the_same_margins():
    assert Margins.from_config(check_config(config())["vpe"]["margins"]) == MARGINS
    own = check_config(config(nats=0.5))["vpe"]["margins"]
    assert Margins.from_config(own) == (0.10, 0.5)


@pytest.mark.parametrize(
    ("margins", "said"),
    [
        ({"share": 0}, "vpe/margins/share"),
        ({"share": 1.5}, "vpe/margins/share"),
        ({"nats": -1}, "vpe/margins/nats"),
        ({"points": 10}, "vpe/margins"),
    ],
)
def test_a_margin_that_is_none_is_refused(margins, said):
    with pytest.raises(Exception, match=said):
        check_config(config(**margins))
