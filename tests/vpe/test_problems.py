import json
from fractions import Fraction
from pathlib import Path

import pytest
from veridical.vpe.problems import (
    Problem,
    calculate,
    check_annotations,
    draw_problems,
    file_sha256,
    read_problems,
)

SHIPPED = Path(__file__).parents[2] / "data/problems/arithmetic.jsonl"


def test_the_shipped_answers_are_what_their_calculations_give():
    problems = read_problems(SHIPPED)
    assert len(problems) == 30
    assert len({problem.question for problem in problems}) == 30
    for problem in problems:
        check_annotations(problem)


def test_the_shipped_problems_rise_from_one_step_to_five():
    steps = [problem.answer.count("<<") for problem in read_problems(SHIPPED)]
    assert steps[:6] == [1] * 6
    assert max(steps) >= 5


def test_a_wrong_annotation_is_named():
    wrong = Problem("p-0001", "?", "3*4=<<3*4=13>>13\n#### 13", Fraction(13))
    with pytest.raises(ValueError, match=r"p-0001: <<3\*4=13>> is 12"):
        check_annotations(wrong)
    other = Problem("p-0002", "?", "3*4=<<3*4=12>>12\n#### 13", Fraction(13))
    with pytest.raises(ValueError, match="does not give 13"):
        check_annotations(other)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2+3*4", 14),
        ("(2+3)*4", 20),
        ("7/2", Fraction(7, 2)),
        ("-3+5", 2),
        (".5*4", 2),
        ("9-3-2", 4),
    ],
)
def test_calculate(expression, value):
    assert calculate(expression) == value


@pytest.mark.parametrize("expression", ["", "2+", "(2", "2 3", "__import__", "2**3", "1.2.3", ")"])
def test_calculate_refuses_anything_else(expression):
    with pytest.raises(ValueError, match=r"."):
        calculate(expression)


def write(path, *entries):
    path.write_text("".join(json.dumps(e) + "\n" for e in entries), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"question": "How many?", "answer": "18"}, r"no number after ####"),
        ({"question": "How many?"}, "not a problem .*answer"),
        ({"question": " ", "answer": "#### 1"}, "the question is empty"),
        ("text", "not a problem"),
    ],
)
def test_a_bad_problem_names_file_and_line(tmp_path, entry, message):
    good = {"question": "2+2?", "answer": "#### 4"}
    path = write(tmp_path / "gsm.jsonl", good, entry)
    with pytest.raises(ValueError, match=rf"gsm\.jsonl, line 2: .*{message}"):
        read_problems(path)


def test_an_empty_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no problem in it"):
        read_problems(write(tmp_path / "gsm.jsonl"))


def test_gsm8k_is_read_as_it_is(tmp_path):
    entry = {  # its format: annotated steps, the answer on the last line, thousands with commas
        "question": "A robe takes 2 bolts of blue fiber and half that much white fiber. How many?",
        "answer": "It takes 2/2=<<2/2=1>>1 bolt\nSo 2+1=<<2+1=3>>3 bolts\n#### 1,003",
    }
    problem = read_problems(write(tmp_path / "test.jsonl", entry))[0]
    assert (problem.id, problem.gold) == ("test-0001", 1003)


def test_the_draw_is_the_seeds_own_and_without_replacement():
    problems = read_problems(SHIPPED)
    drawn = draw_problems(problems, 12, seed=5)
    assert drawn == draw_problems(problems, 12, seed=5)
    assert drawn != draw_problems(problems, 12, seed=6)
    assert len({problem.id for problem in drawn}) == 12
    assert [problem.id for problem in drawn] == sorted(problem.id for problem in drawn)
    assert draw_problems(problems, 30, seed=5) == problems
    with pytest.raises(ValueError, match="n_problems is 31, but the file has 30"):
        draw_problems(problems, 31, seed=5)


def test_sha256_of_a_file(tmp_path):
    (tmp_path / "abc").write_bytes(b"abc")
    assert file_sha256(tmp_path / "abc").startswith("ba7816bf8f01cfea414140de5dae2223")
