"""Counting many cells at once gives what counting one at a time gives."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from veridical.choices.answers import count_answers, find_habit
from veridical.choices.tally import drop_left_out, series, tally

LETTERS = {
    "c": "ok",
    "w": "ok",
    "-": "abstained",
    "r": "refused",
    "?": "unparseable",
    "x": "left out",
}


def answers_of(**cells):
    """A letter a probe: right, wrong, abstained, refused, unparseable, left out.

    The truth is A, B, A, …
    """
    rows = []
    for model, letters in cells.items():
        for i, letter in enumerate(letters):
            true, other = ("A", "B") if i % 2 == 0 else ("B", "A")
            answer = {"c": true, "w": other}.get(letter)
            rows.append(
                {
                    "model": model,
                    "probe_id": f"p{i}",
                    "state": LETTERS[letter],
                    "answer": answer,
                    "correct": None if answer is None else answer == true,
                    "first_option": "A" if i % 3 else "B",
                    "place": -i,
                }
            )
    return pd.DataFrame(rows).astype({"answer": object, "correct": object})


def test_by_hand():
    table = tally(answers_of(m="ccw-?", n="ww"), ["model"]).set_index("model")
    assert table.loc["m", ["n", "correct", "wrong", "abstained", "unparseable"]].tolist() == [
        5,
        2,
        1,
        1,
        1,
    ]
    # m names A, B, B; n names B, A, and of equals the first by alphabet is taken
    assert table.loc["m", ["given", "most", "name"]].tolist() == [3, 2, "B"]
    assert table.loc["n", ["given", "most", "name"]].tolist() == [2, 1, "A"]


def test_nobody_answered():
    table = tally(answers_of(m="--"), ["model"])
    assert table["given"].tolist() == table["most"].tolist() == [0]
    assert table["name"].tolist() == [None]


letters = st.text("".join(LETTERS), min_size=1, max_size=12)


@given(letters, letters)
def test_it_counts_as_one_cell_at_a_time(one, two):
    answers = answers_of(m=one, n=two)
    table = tally(answers.sample(frac=1, random_state=1), ["model"]).set_index("model")
    for model, mine in answers.groupby("model"):
        counts, habit, row = count_answers(mine), find_habit(mine), table.loc[model]
        assert [row[part] for part in ("correct", "wrong", "abstained", "unparseable")] == [
            counts.correct,
            counts.wrong,
            counts.abstained,
            counts.unparseable,
        ]
        assert (row["n"], row["answered"], row["given"]) == (
            counts.n,
            counts.answered,
            habit.answers,
        )
        if habit.answers:
            assert row["first"] / row["given"] == habit.first_share
            assert (row["most"] / row["given"], row["name"]) == (habit.name_share, habit.name)


def test_what_is_left_out_is_counted_apart():
    row = tally(answers_of(m="cxw?x"), ["model"]).iloc[0]
    assert (row["n"], row["n_left_out"], row["unparseable"]) == (3, 2, 1)
    row = tally(answers_of(m="xx"), ["model"]).iloc[0]
    assert (row["n"], row["n_left_out"], row["unparseable"]) == (0, 2, 0)


def test_a_probe_left_out_is_dropped_from_its_own_cell_alone():
    answers = pd.concat(
        [
            answers_of(m="cxwc", n="cccc").assign(document="true"),
            answers_of(m="cwwx", n="cccc").assign(document="false"),
        ]
    )
    left, lacking = drop_left_out(answers, ["model"])
    assert list(left.loc[left["model"] == "m", "probe_id"]) == ["p0", "p2", "p0", "p2"]
    assert (left["model"] == "n").sum() == 8
    assert lacking.to_dict("records") == [{"model": "m", "n_left_out": 2}]


def test_where_nothing_is_left_out_nothing_is_changed():
    answers = answers_of(m="cw-?r")
    left, lacking = drop_left_out(answers, ["model"])
    assert left is answers
    assert lacking.empty


def test_a_series_stands_in_the_documents_order():
    answers = answers_of(m="cw-", n="cc")
    signs = np.where(answers["correct"] == True, 1, np.where(answers["answer"].isna(), 0, -1))  # noqa: E712
    # places run backwards; the shorter series is filled with 0 behind
    assert series(answers, ["model"], signs).tolist() == [[0, -1, 1], [1, 1, 0]]
    assert series(answers.drop(columns="place"), ["model"], signs).tolist() == [
        [1, -1, 0],
        [1, 1, 0],
    ]
