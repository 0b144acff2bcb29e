import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.aas.grading import MARKS, expected_value, score_answer
from veridical.aas.redundancy import redundancy_so_far
from veridical.aas.spoken import DAYS, NUMBERS, fold

# asked in, expected, answer, mark, language of the answer (None where nothing tells it)
DAY_ANSWERS = [
    ("tr", "Monday", "PAZARTESİ", "right", "tr"),
    ("tr", "Monday", "pazartesi", "right", "tr"),
    ("tr", "Monday", "Pazartesi.", "right", "tr"),
    ("tr", "Monday", "PAZARTESI", "right", "tr"),  # typed on an English keyboard
    ("tr", "Monday", "pazartesı", "right", "tr"),
    ("tr", "Pazartesi", "Monday", "right", "en"),  # right, and in the wrong language
    ("tr", "Monday", "Bugün günlerden Pazartesi'dir.", "right", "tr"),
    ("tr", "Tuesday", "SALI", "right", "tr"),
    ("tr", "Tuesday", "Salıdır", "right", "tr"),
    ("tr", "Wednesday", "carsamba", "right", "tr"),
    ("tr", "Wednesday", "Çarşamba günü", "right", "tr"),
    ("tr", "Thursday", "Bugün 14 Ağustos 2025 Perşembe.", "right", "tr"),
    ("tr", "Sunday", "Pazar", "right", "tr"),
    ("tr", "Monday", "Pazar", "wrong", "tr"),  # Sunday, no part of Pazartesi
    ("tr", "Friday", "Cumartesi", "wrong", "tr"),  # Saturday, though it begins like Friday
    ("tr", "Tuesday", "Pazartesi değil, Salı", "right", "tr"),
    ("en", "Friday", "Today is Friday, 15 August 2025.", "right", "en"),
    ("en", "Friday", "FRIDAY!!", "right", "en"),
    ("en", "Friday", "fri", "right", "en"),
    ("en", "Friday", "**Friday**", "right", "en"),
    ("en", "Friday", "It is not Friday, it is Saturday.", "wrong", "en"),
    ("en", "Monday", "Yesterday was Sunday, today is Monday.", "ambiguous", "en"),
    ("en", "Monday", "I don't know", "abstained", "en"),
    ("en", "Monday", "I’m unable to tell.", "abstained", "en"),
    ("tr", "Monday", "Bilmiyorum", "abstained", "tr"),
    ("tr", "Monday", "BİLMİYORUM.", "abstained", "tr"),
    ("en", "Monday", "I'm not sure, but I think Monday", "right", "en"),  # a hedge is an answer
    ("en", "Monday", "I don't know if it is Monday or Tuesday", "abstained", "en"),
    ("en", "Monday", "2025-08-11", "unparseable", None),
    ("en", "Monday", "   ", "empty", None),
    ("en", "Monday", "…", "empty", None),
]
NUMBER_ANSWERS = [
    ("en", "7", "7", "right", None),
    ("en", "7", "Seven.", "right", "en"),
    ("en", "7", "Experiment #7", "right", "en"),
    ("en", "7", "This is experiment number 7 of 20.", "right", "en"),
    ("en", "7", "7/20", "right", None),
    ("en", "7", "the seventh experiment", "right", "en"),
    ("en", "3", "3rd", "right", None),
    ("en", "3", "Today is Monday, August 11, 2025. This is experiment 3.", "right", "en"),
    ("en", "11", "11 August", "unparseable", None),  # a date is no number of an experiment
    ("en", "20", "TWENTY", "right", "en"),
    ("en", "21", "Twenty-one", "right", "en"),
    ("en", "12", "twelve (12)", "right", "en"),
    ("en", "1", "One", "right", "en"),
    ("en", "1", "This is number one.", "right", "en"),
    ("en", "5", "This one is number 5", "right", "en"),  # "one" stands for a thing here
    ("en", "1", "On Monday we did experiment 1", "right", "en"),  # "on" is ten in Turkish only
    ("en", "3", "-3", "wrong", None),
    ("en", "3", "1.3", "wrong", None),
    ("en", "3", "Experiment-3", "right", "en"),
    ("en", "3", "3 or 4", "ambiguous", None),
    ("en", "3", "I don't know if this is experiment 3 or 4", "abstained", "en"),
    ("en", "7", "yedi", "right", "tr"),  # right, and in the wrong language
    ("tr", "7", "YEDİ", "right", "tr"),
    ("tr", "7", "7'dir.", "right", None),
    ("tr", "7", "Bu deneyin numarası 7'dir", "right", "tr"),
    ("tr", "7", "yedinci deney", "right", "tr"),
    ("tr", "10", "on", "right", "tr"),
    ("tr", "12", "on iki", "right", "tr"),
    ("tr", "12", "Oniki", "right", "tr"),
    ("tr", "14", "Ondördüncü", "right", "tr"),
    ("tr", "20", "Yirmi", "right", "tr"),
    ("tr", "21", "yirmi bir", "right", "tr"),
    ("tr", "6", "altı", "right", "tr"),
    ("tr", "6", "ALTI", "right", "tr"),
    ("tr", "3", "Üçtür", "right", "tr"),
    ("tr", "3", "3. deney", "right", "tr"),
    ("tr", "1", "bir", "right", "tr"),
    ("tr", "1", "bir numaralı deney", "right", "tr"),
    ("tr", "1", "Bu bir deneydir.", "unparseable", "tr"),  # "bir" is an article here
    ("tr", "5", "Bu bir deneydir, numarası 5.", "right", "tr"),
    ("tr", "5", "Bilmiyorum, bana bir numara verilmedi.", "abstained", "tr"),
    ("tr", "5", "five", "right", "en"),
]


@pytest.mark.parametrize(("asked", "expected", "answer", "mark", "language"), DAY_ANSWERS)
def test_days(asked, expected, answer, mark, language):
    scored = score_answer("semantic", asked, expected, answer)
    assert (scored.mark, scored.language) == (mark, language)
    assert scored.x == (mark == "right")


@pytest.mark.parametrize(("asked", "expected", "answer", "mark", "language"), NUMBER_ANSWERS)
def test_numbers(asked, expected, answer, mark, language):
    scored = score_answer("episodic", asked, expected, answer)
    assert (scored.mark, scored.language) == (mark, language)
    assert scored.x == (mark == "right")


@pytest.mark.parametrize("language", ["en", "tr"])
def test_every_day_and_number_word_in_any_case(language):
    for n, day in enumerate(DAYS[language]):
        for written in (day, day.upper(), day.lower(), f"{day}."):
            assert score_answer("semantic", language, DAYS["en"][n], written).x == 1
    for word, value in NUMBERS[language].items():
        for written in (word, word.upper()):
            scored = score_answer("episodic", language, str(value), written)
            assert (scored.x, scored.language) == (1, language), word


def test_turkish_dots_are_folded():
    assert fold("İSTANBUL ısırgan ÇĞÖŞÜ") == "istanbul isirgan cgosu"


@given(
    st.text(max_size=60), st.sampled_from(["semantic", "episodic"]), st.sampled_from(["en", "tr"])
)
def test_any_text_gets_a_mark(answer, task, asked):
    scored = score_answer(task, asked, "Monday" if task == "semantic" else "7", answer)
    assert scored.mark in MARKS
    assert scored.x == (scored.mark == "right")


@pytest.mark.parametrize(
    ("task", "expected", "value"),
    [("semantic", "pazar", "Sunday"), ("episodic", "on iki", "12"), ("episodic", "3", "3")],
)
def test_expected_may_be_written_in_either_language(task, expected, value):
    assert expected_value(task, expected) == value


@pytest.mark.parametrize(
    ("task", "language", "expected", "message"),
    [
        ("semantic", "en", "someday", "not a day of the week"),
        ("episodic", "en", "", "not a whole number"),
        ("visual", "en", "1", "task 'visual'"),
        ("semantic", "it", "Monday", "language 'it'"),
    ],
)
def test_bad_input_is_named(task, language, expected, message):
    with pytest.raises(ValueError, match=message):
        score_answer(task, language, expected, "Monday")


def test_redundancy_by_hand():
    # one answer: nothing to compare; twice the same: H = 0; "a a b": H = log2(3) - 2/3
    three = 1 - (1.584962500721156 - 2 / 3) / 1.584962500721156
    assert redundancy_so_far(["a", "a", "b"]).tolist() == pytest.approx([0, 1, three])
    assert redundancy_so_far(["a", "b", "c", "d"]).tolist() == pytest.approx([0] * 4)
    assert redundancy_so_far([]).tolist() == []


@given(st.lists(st.sampled_from("abcde"), max_size=30))
def test_redundancy_lies_between_0_and_1(answers):
    redundancy = redundancy_so_far(answers)
    assert ((redundancy >= 0) & (redundancy <= 1)).all()
