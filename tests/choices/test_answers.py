"""From replies to answers, and what all answers of a model have in common."""

import pandas as pd
import pytest
from veridical.choices.answers import Counts, check_chance, count_answers, find_habit, score_replies
from veridical.models.exchange import Form
from veridical.models.prompts import Prompt, Turn


def prompts(samples=1):
    turn = Turn("A or B?", Form("choice", ("A", "B"), "no idea"))
    return [
        Prompt(f"none-p{i}", (turn,), samples, facts={"probe_id": f"p{i}", "truth": truth})
        for i, truth in enumerate("ABA")
    ]


def replies(*rows):
    return pd.DataFrame(rows, columns=["id", "sample", "turn", "state", "value"])


ALL = [
    ("none-p0", 0, 0, "ok", "A"),
    ("none-p1", 0, 0, "ok", "A"),
    ("none-p2", 0, 0, "abstained", "no idea"),
]


def test_an_answer_is_right_wrong_or_none():
    table = score_replies(prompts(), replies(*ALL), "m")
    assert list(table["correct"]) == [True, False, None]
    assert list(table["answer"]) == ["A", "A", None]
    assert list(table["first_option"]) == ["A"] * 3
    assert "truth" not in table


def test_a_reply_left_out_is_told_from_one_that_failed():
    said = replies(("none-p0", 0, 0, "failed", None), ("none-p1", 0, 0, "failed", None), ALL[2])
    table = score_replies(prompts(), said.assign(left_out=["too long", None, None]), "m")
    assert list(table["state"]) == ["left out", "failed", "abstained"]
    assert list(table["answer"]) == [None] * 3
    assert count_answers(table) == Counts(0, 0, 1, 1)  # the failed one is asked and unreadable


def test_an_answer_for_no_probe_is_named():
    with pytest.raises(ValueError, match=r"belong to no probe: none-p9 \(sample 0\)"):
        score_replies(prompts(), replies(*ALL, ("none-p9", 0, 0, "ok", "A")), "m")


def test_a_duplicated_answer_is_named():
    with pytest.raises(ValueError, match=r"m: more than one answer: none-p1 \(sample 0\)"):
        score_replies(prompts(), replies(*ALL, ALL[1]), "m")


def test_a_missing_answer_is_named():
    with pytest.raises(ValueError, match=r"m: no reply: none-p2 \(sample 0\)"):
        score_replies(prompts(), replies(*ALL[:2]), "m")
    with pytest.raises(ValueError, match=r"no reply: none-p0 \(sample 1\)"):
        score_replies(prompts(samples=2), replies(*ALL), "m")


def test_an_answer_that_was_not_offered_is_refused():
    with pytest.raises(ValueError, match="none-p0 was answered 'C', not one of"):
        score_replies(prompts(), replies(("none-p0", 0, 0, "ok", "C"), *ALL[1:]), "m")


def test_what_cannot_be_read_is_counted_and_never_wrong():
    states = ["ok", "ok", "abstained", "refused", "unparseable", "truncated", "empty", "failed"]
    correct = [True, False, *[None] * 6]
    counts = count_answers(pd.DataFrame({"state": states, "correct": correct}))
    assert counts == Counts(correct=1, wrong=1, abstained=2, unparseable=4)
    assert (counts.n, counts.answered) == (8, 2)


def test_no_answer_at_all_is_not_testable():
    assert check_chance(Counts(0, 0, 24, 0), 0.5) == (None, None)


@pytest.mark.parametrize(("correct", "valid"), [(17, False), (16, True), (0, True)])
def test_chance_is_beaten_from_17_of_24(correct, valid):
    # one-sided binomial: P(X >= 16) = 0.0758, P(X >= 17) = 0.0320
    assert check_chance(Counts(correct, 24 - correct, 0, 0), 0.5)[1] is valid


def test_abstentions_do_not_make_a_probe_look_valid():
    # 8 of 8 answered rightly beats chance (p = 1/256), whatever was left unanswered
    p, valid = check_chance(Counts(8, 0, 16, 0), 0.5)
    assert (p, valid) == (1 / 256, False)


@pytest.mark.parametrize(
    ("given", "first", "habit"),
    [
        (["A", "B", "A", "B"], ["A", "B", "A", "B"], (1.0, 0.5, "A")),
        (["A", "A", "A", "B"], ["A", "B", "A", "B"], (0.75, 0.75, "A")),
        (["B", "A", "B", None], ["A", "B", "A", "B"], (0.0, 2 / 3, "B")),
        ([None, None], ["A", "B"], (None, None, None)),
    ],
)
def test_a_habit_is_found(given, first, habit):
    found = find_habit(pd.DataFrame({"answer": given, "first_option": first}))
    assert (found.first_share, found.name_share, found.name) == habit
    assert found.answers == sum(answer is not None for answer in given)
