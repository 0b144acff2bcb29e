from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.numerals import parse_number
from veridical.vpe.verifier import WAYS, extract_answer, gold_answer, verify

ENDED, CUT = True, False

# how a rollout ends, whether by itself, the language, the number a careful reader takes from it
ENDINGS = [
    ("48 / 2 = 24\n48 + 24 = 72\n#### 72", ENDED, "en", 72),
    ("#### 2,125", ENDED, "en", 2125),
    ("#### $29.00", ENDED, "en", 29),
    ("#### 72 clips", ENDED, "en", 72),
    ("#### -3", ENDED, "en", -3),
    ("#### −3", ENDED, "en", -3),  # Unicode minus
    ("#### –3", ENDED, "en", -3),  # en dash
    ("#### -$3", ENDED, "en", -3),
    ("#### $-3", ENDED, "en", -3),
    ("#### 18.", ENDED, "en", 18),
    ("####18", ENDED, "en", 18),
    ("####\n18", ENDED, "en", 18),
    ("#### **15**", ENDED, "en", 15),
    ("#### 15%", ENDED, "en", 15),
    ("#### €1,250", ENDED, "en", 1250),
    ("#### 12,000,000", ENDED, "en", 12_000_000),
    ("#### 1 234", ENDED, "en", 1234),
    ("#### 1\u202f234\u202f567", ENDED, "en", 1_234_567),  # narrow no-break spaces
    ("#### 12\u00a0500", ENDED, "en", 12_500),
    ("#### 1.234,5", ENDED, "tr", Fraction(2469, 2)),
    ("#### 1.234", ENDED, "tr", 1234),
    ("#### 1.234", ENDED, "en", Fraction(1234, 1000)),
    ("#### 2,5", ENDED, "tr", Fraction(5, 2)),
    ("#### 2,5", ENDED, "en", None),  # no number of English make: not guessed
    ("#### 1,23,456", ENDED, "en", None),
    ("#### 3/4", ENDED, "en", Fraction(3, 4)),
    ("#### 1 1/2 cups", ENDED, "en", Fraction(3, 2)),
    ("#### 1½", ENDED, "en", Fraction(3, 2)),
    ("#### \\frac{3}{4}", ENDED, "en", Fraction(3, 4)),
    ("#### .5", ENDED, "en", Fraction(1, 2)),
    ("#### 5/0", ENDED, "en", None),
    ("#### 1e6", ENDED, "en", 1_000_000),
    ("#### 10^3", ENDED, "en", 1000),
    ("#### 5 * 3 = 15", ENDED, "en", 15),
    ("#### 5 * 3", ENDED, "en", None),  # a calculation left open
    ("#### 10 - 12", ENDED, "en", None),  # a range
    ("#### x = 7", ENDED, "en", 7),
    ("#### Answer: 42", ENDED, "en", 42),
    ("#### The final answer is 42.", ENDED, "en", 42),
    ("####", ENDED, "en", None),
    ("#### none", ENDED, "en", None),
    ("#### 5\n\nProblem: Tom has 4 apples and buys 5.\n#### 9", ENDED, "en", 5),  # a run-on
    ("#### 5\n#### 6\n#### 7\n#### 8\n#### 9\n#### 1", CUT, "en", 5),  # a loop
    ("#### 18 #### 18 #### 18", CUT, "en", 18),
    ("7 * 2 = 14\n7 * 2 = 14\n7 * 2 = 14\n7 * 2 = 14", CUT, "en", None),  # a loop with no answer
    ("#### Step 1: 5 * 3 = 15\n#### Step 2: 15 + 2 = 17\n#### 17", ENDED, "en", 17),  # headings
    ("#### Step 1: count the eggs\nSo the answer is 15.", ENDED, "en", 15),
    ("5 + 3 = 8\nQ: Tom has 4 apples. How many?\nA: 9", ENDED, "en", 8),
    ("5 + 3 = 8\n\nQuestion: Tom has 4 apples\n#### 4", CUT, "en", 8),  # cut in the next question
    ("#### 12", CUT, "en", None),  # it may have been going to be 125
    ("#### 12.", CUT, "en", None),
    ("#### 12\n", CUT, "en", 12),
    ("#### 12 app", CUT, "en", None),  # "12 apples and 5 pears", or "12 million"
    ("#### ", CUT, "en", None),
    ("12 * 4 = 48\nSo she has 48", CUT, "en", None),
    ("So she has 48 apples. She then buys", CUT, "en", None),
    ("The answer is 18.", ENDED, "en", 18),
    ("The answer is: **18**", ENDED, "en", 18),
    ("The final answer is $18.50.", ENDED, "en", Fraction(37, 2)),
    ("The answer is 18 because 9 * 2 = 18.", ENDED, "en", 18),
    ("The answer is 18 because 9 * 2", CUT, "en", None),  # it may be taken back
    ("The answer is 18.\nThat is", CUT, "en", None),
    ("\\boxed{18}\nThat is", CUT, "en", None),  # a step may be boxed: which is the last?
    ("The answer is 5. No, wait: the answer is 6.", ENDED, "en", 6),
    ("Answer: 5 + 3 = 8", ENDED, "en", 8),
    ("The answer is 1.000,5", ENDED, "en", None),
    ("so the answer is $\\boxed{18}$.", ENDED, "en", 18),
    ("\\boxed{1,200\\text{ dollars}}", ENDED, "en", 1200),
    ("\\boxed{\\dfrac{3}{4}}", ENDED, "en", Fraction(3, 4)),
    ("\\boxed{3 \\text{ or } 4}", ENDED, "en", None),
    ("So he has 5 + 3 = 8 apples.", ENDED, "en", 8),
    ("48/2 = <<48/2=24>>24 clips", ENDED, "en", 24),
    ("She pays $1,200.50 in total.", ENDED, "en", Fraction(2401, 2)),
    ("She pays £300 million.", ENDED, "en", 300_000_000),
    ("Half of it is left, which is ½", ENDED, "en", Fraction(1, 2)),
    ("Cevap: 12'dir.", ENDED, "tr", 12),
    ("Toplam 1.250,50 TL öder.", ENDED, "tr", Fraction(2501, 2)),
    ("It can't be told.", ENDED, "en", None),
    ("", ENDED, "en", None),
    (" \n\t", ENDED, "en", None),
    ("", CUT, "en", None),
]


def test_there_are_at_least_sixty_endings():
    assert len(ENDINGS) >= 60


@pytest.mark.parametrize(("text", "complete", "language", "number"), ENDINGS)
def test_endings(text, complete, language, number):
    found = extract_answer(text, complete, language)
    assert found.number == (None if number is None else Fraction(number))
    assert found.way in WAYS


MARKED = [ending for ending in ENDINGS if "####" in ending[0] or "nswer is" in ending[0]]


@pytest.mark.parametrize(("text", "complete", "language", "number"), MARKED)
def test_numbers_before_an_answer_line_change_nothing(text, complete, language, number):
    solution = f"Lena has 13 hens.\n13 * 7 = 91 eggs\n{text}"
    assert extract_answer(solution, complete, language) == extract_answer(text, complete, language)


@pytest.mark.parametrize(
    ("text", "gold", "right"),
    [
        ("#### 29.00", "29", True),
        ("#### 29.01", "29", False),
        ("#### 0.75", "3/4", True),
        ("#### 0.333", "1/3", False),  # no tolerance
        ("#### 300", "300", True),
        ("#### -300", "300", False),
    ],
)
def test_verified_means_exactly_equal(text, gold, right):
    assert verify(text, Fraction(gold)) is right


@pytest.mark.parametrize(
    ("answer", "number"),
    [("9 * 2 = <<9*2=18>>18\n#### 18", 18), ("#### 1,000", 1000), ("#### -3", -3)],
)
def test_gold_answers(answer, number):
    assert gold_answer(answer) == number


@pytest.mark.parametrize("answer", ["18", "", "#### ", "#### many", "the answer is 18"])
def test_a_gold_answer_without_a_number_after_the_mark_is_refused(answer):
    with pytest.raises(ValueError, match="no number after ####"):
        gold_answer(answer)


@given(st.text(max_size=120), st.booleans(), st.sampled_from(["en", "tr"]))
def test_any_text_can_be_read(text, complete, language):
    found = extract_answer(text, complete, language)
    assert found.way in WAYS
    assert (found.number is None) or isinstance(found.number, Fraction)


@given(st.integers(-(10**9), 10**9))
def test_integers_survive_every_way_of_writing_them(n):
    for written in (f"{n}", f"{n:,}", f"{n:,}".replace(",", "\u202f"), f"{n}.00", f"${n}"):
        assert parse_number(written.replace("-", "−")) == n
    assert parse_number(f"{n:,}".replace(",", "."), "tr") == n


@given(st.fractions(min_value=0, max_value=10**6))
def test_fractions_are_read_exactly(value):
    assert parse_number(f"{value.numerator}/{value.denominator}") == value


def test_a_long_loop_is_read_in_no_time():
    text = "The total is 14 because 7 * 2 = 14.\n" * 20_000
    assert extract_answer(text, complete=False).way == "cut"
    assert extract_answer("1 " * 100_000).number is not None
    assert extract_answer("#" * 100_000 + " 5").number == 5
