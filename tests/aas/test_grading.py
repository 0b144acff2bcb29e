import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.aas.grading import MARKS, expected_value, score_answer
from veridical.aas.redundancy import redundancy_so_far
from veridical.aas.spoken import heard
from veridical.base.calendars import DAYS

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
    ("en", "Monday", "Yesterday was Sunday, today is Monday.", "right", "en"),
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
    ("en", "7", "7/20", "ambiguous", None),  # the 20th of July?
    ("en", "13", "13/45", "right", None),
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


def test_turkish_dots_are_folded():
    assert heard("İSTANBUL ısırgan  ÇĞÖŞÜ") == "istanbul isirgan cgosu"


MORE_DAYS = [
    ("en", "Monday", "It is Monday, not Tuesday.", "right", "en"),
    ("en", "Monday", "not Tuesday but Monday", "right", "en"),
    ("en", "Monday", "Monday rather than Tuesday", "right", "en"),
    ("en", "Monday", "It isn't Monday.", "unparseable", "en"),
    ("en", "Monday", "Neither Monday nor Tuesday", "unparseable", None),
    ("en", "Tuesday", "Tomorrow is Tuesday.", "unparseable", "en"),
    ("en", "Monday", "the day after Monday", "unparseable", "en"),
    ("en", "Monday", "Monday or Tuesday", "ambiguous", "en"),
    ("en", "Monday", "Mon", "right", "en"),
    ("en", "Monday", "Mon, 11 Aug 2025", "right", "en"),
    ("en", "Tuesday", "Tues.", "right", "en"),
    ("en", "Monday", "**MONDAY**", "right", "en"),
    ("en", "Monday", "Ｍｏｎｄａｙ", "right", "en"),
    ("en", "Monday", "Mon\u00adday", "right", "en"),
    ("en", "Monday", "\u00a0Monday\u200b", "right", "en"),
    ("en", "Monday", "Monday\x00", "right", "en"),
    ("en", "Monday", "Montag", "right", "de"),  # right, and in the wrong language
    ("en", "Monday", "lunedì", "right", "it"),
    ("en", "Monday", "LUNEDI\u0300", "right", "it"),
    ("en", "Wednesday", "miércoles", "right", "es"),
    ("en", "Tuesday", "mardi", "right", "fr"),
    ("en", "Monday", "È lunedì, non martedì.", "right", "it"),
    ("tr", "Monday", "Salı değil, Pazartesi.", "right", "tr"),
    ("tr", "Monday", "Pazartesi’dir", "right", "tr"),
    ("tr", "Tuesday", "Yarın Salı.", "unparseable", None),
    ("tr", "Monday", "Pazartesi veya Salı", "ambiguous", "tr"),
]
MORE_NUMBERS = [
    ("en", "3", "No. 3", "right", "en"),
    ("en", "3", "No.3", "right", "en"),
    ("en", "3", "no 3", "right", "en"),
    ("en", "3", "Nr. 3", "right", "en"),
    ("en", "3", "n° 3", "right", "en"),
    ("en", "3", "№ 3", "right", "en"),
    ("en", "3", "#3", "right", "en"),
    ("en", "3", "# 3", "right", "en"),
    ("en", "3", "Experiment No. 3", "right", "en"),
    ("en", "3", "experiment number three", "right", "en"),
    ("en", "3", "3rd", "right", None),
    ("en", "3", "3.", "right", None),
    ("en", "3", "３", "right", None),
    ("en", "3", "the third one", "right", "en"),
    ("en", "3", "3 (three)", "right", "en"),
    ("en", "3", "three (4)", "ambiguous", "en"),
    ("en", "3", "Not 3", "unparseable", "en"),
    ("en", "3", "It is 3, not 4.", "right", "en"),
    ("en", "15", "Aug 15", "unparseable", None),
    ("en", "15", "15 Aug", "unparseable", None),
    ("en", "15", "Aug. 15th, 2025", "unparseable", None),
    ("en", "15", "15 Aug 2024", "unparseable", None),
    ("en", "15", "the 15th of August", "unparseable", "en"),
    ("en", "15", "the fifteenth of August", "unparseable", "en"),
    ("en", "15", "August fifteenth", "unparseable", None),
    ("en", "15", "15.08.2025", "unparseable", None),
    ("en", "15", "15-08-2025", "unparseable", None),
    ("en", "15", "2025/08/15", "unparseable", None),
    ("en", "8", "8/15", "ambiguous", None),  # August, or the 8th of 15
    ("en", "15", "8/15", "ambiguous", None),
    ("en", "8", "experiment 8/15", "right", "en"),
    ("en", "8", "8 of 15", "right", None),
    ("en", "8", "8 out of 15", "right", None),
    ("en", "10", "10:30", "unparseable", None),
    ("en", "10", "10 am", "unparseable", None),
    ("en", "7", "On Aug 15 we had experiment 7", "right", "en"),
    ("en", "100", "one hundred", "right", "en"),
    ("en", "123", "one hundred and twenty-third", "right", "en"),
    ("en", "123", "one hundred and twenty\u2011three", "right", "en"),
    ("en", "123", "experiment one hundred twenty three", "right", "en"),
    ("en", "20", "one hundred and twenty-three", "wrong", "en"),  # and no part of it
    ("en", "1000", "1,000", "right", None),
    ("en", "1", "1,000", "wrong", None),
    ("en", "1", "1.000", "ambiguous", None),
    ("tr", "1000", "1.000", "right", None),
    ("tr", "1", "1.000", "wrong", None),
    ("en", "14", "XIV", "right", None),
    ("en", "3", "Ⅲ", "right", None),
    ("en", "3", "Experiment III", "right", "en"),
    ("en", "1", "Session I", "right", "en"),
    ("en", "1", "I", "unparseable", "en"),  # the pronoun, as far as one can tell
    ("en", "9", "IIX", "unparseable", None),  # no numeral
    ("en", "3", "3 and 4", "ambiguous", "en"),
    ("en", "3", "between 3 and 5", "ambiguous", "en"),
    ("en", "3", "3-4", "ambiguous", None),
    ("en", "3", "3 or 4", "ambiguous", None),
    ("en", "123", "centoventitré", "right", "it"),
    ("en", "3", "terzo", "right", "it"),
    ("tr", "123", "yüz yirmi üç", "right", "tr"),
    ("tr", "123", "yüzyirmiüçüncü", "right", "tr"),
    ("tr", "20", "yüz yirmi üç", "wrong", "tr"),
    ("tr", "101", "yüz bir", "right", "tr"),
    ("tr", "3", "üçüncü", "right", "tr"),
    ("tr", "3", "No: 3", "right", "tr"),
    ("tr", "3", "3 numaralı deney", "right", "tr"),
    ("tr", "3", "3'üncü deney", "right", "tr"),
    ("tr", "3", "4 değil, 3", "right", "tr"),
    ("tr", "15", "15 Ağu 2025", "unparseable", None),
    ("tr", "15", "15 ağustos", "unparseable", None),
]


@pytest.mark.parametrize(("asked", "expected", "answer", "mark", "language"), MORE_DAYS)
def test_more_days(asked, expected, answer, mark, language):
    scored = score_answer("semantic", asked, expected, answer)
    assert (scored.mark, scored.language) == (mark, language)


@pytest.mark.parametrize(("asked", "expected", "answer", "mark", "language"), MORE_NUMBERS)
def test_more_numbers(asked, expected, answer, mark, language):
    scored = score_answer("episodic", asked, expected, answer)
    assert scored.mark == mark
    assert scored.x == (mark == "right")


@pytest.mark.parametrize(
    ("task", "expected", "answer", "mark"),
    [
        ("episodic", "12", "Experiment 12", "unparseable"),  # it may have been going to be 123
        ("episodic", "12", "Experiment 12, the", "right"),
        ("episodic", "20", "twenty", "unparseable"),
        ("semantic", "Sunday", "Pazar", "unparseable"),  # Pazartesi was on its way
        ("semantic", "Sunday", "Pazar, 17", "right"),
    ],
)
def test_what_stands_at_the_end_of_a_cut_answer_is_not_read(task, expected, answer, mark):
    assert score_answer(task, "tr", expected, answer, complete=False).mark == mark
    assert score_answer(task, "tr", expected, answer).mark == "right"


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
        ("semantic", "fr", "Monday", "language 'fr'"),
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


@pytest.mark.parametrize(
    ("task", "expected", "answer", "mark", "language"),
    [
        ("semantic", "Monday", "Lunedì", "right", "it"),
        ("semantic", "Monday", "Oggi è lunedì 11 agosto 2025.", "right", "it"),
        ("semantic", "Monday", "mar", "wrong", "it"),
        ("semantic", "Monday", "Ieri era domenica, quindi lunedì.", "right", "it"),
        ("semantic", "Monday", "Monday", "right", "en"),
        ("semantic", "Monday", "Non lo so.", "abstained", "it"),
        ("semantic", "Monday", "Mi dispiace, non posso saperlo.", "abstained", "it"),
        ("semantic", "Monday", "Lunedì o martedì", "ambiguous", None),
        ("episodic", "7", "7", "right", None),
        ("episodic", "7", "sette", "right", "it"),
        ("episodic", "7", "È il settimo esperimento.", "right", "it"),
        ("episodic", "7", "L'esperimento numero otto", "wrong", "it"),
        ("episodic", "21", "ventuno", "right", "it"),
        ("episodic", "7", "Non ricordo.", "abstained", "it"),
        ("episodic", "7", "Non è specificato.", "abstained", "it"),
    ],
)
def test_italian_answers(task, expected, answer, mark, language):
    found = score_answer(task, "it", expected, answer)
    assert found.mark == mark, found
    assert found.x == (mark == "right")
    if language:
        assert found.language == language
