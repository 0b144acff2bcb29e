"""Days and months by name in three languages, and the dates that converters read with them."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.aas.spoken import tell_date
from veridical.base.calendars import DAYS, MONTHS, in_english
from veridical.converters.moments import time_of

LANGUAGES = list(MONTHS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_year_has_twelve_months_and_a_week_seven_days(language):
    assert len(set(MONTHS[language].split())) == 12
    assert len(set(DAYS[language])) == 7


@pytest.mark.parametrize("language", ["it", "tr"])
def test_every_month_and_day_is_the_english_one_of_its_place(language):
    for own, english in zip(MONTHS[language].split(), MONTHS["en"].split(), strict=True):
        for written in (own, own.upper(), own.capitalize()):
            assert in_english(f"8 {written} 2023") == f"8 {english} 2023"
    for own, english in zip(DAYS[language], DAYS["en"], strict=True):
        assert in_english(own) == english


@given(st.dates(dt.date(1980, 1, 1), dt.date(2099, 12, 31)), st.sampled_from(LANGUAGES))
def test_a_date_told_in_a_language_is_read_again(day, language):
    """`tell_date` writes it with its weekday; the converters give the ISO day back."""
    assert time_of(tell_date(day, language)) == day.isoformat()


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("8 maggio 2023", "2023-05-08"),
        ("l'8 maggio del 2023", "2023-05-08"),
        ("lunedì 8 Maggio 2023, ore 13:56", "2023-05-08T13:56"),
        ("8 maggio 2023 alle 13:56", "2023-05-08T13:56"),
        ("8 Mayıs 2023 Pazartesi, saat 09:05", "2023-05-08T09:05"),
        ("8 MAYIS 2023", "2023-05-08"),
        ("1 Ağustos 2024 23:10", "2024-08-01T23:10"),
        ("1 agosto 2024 23:10", "2024-08-01T23:10"),
        # what was read before is read as before
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("March 4, 2025", "2025-03-04"),
        # what is no day stays none
        ("maggio 2023", None),
        ("8 maggio", None),
        ("8 maggiore 2023", None),
        ("di sabato", None),
        ("32 gennaio 2023", None),
        ("tre settimane fa", None),
        ("3 hafta önce", None),
    ],
)
def test_italian_and_turkish_days_are_times_of_a_life(value, time):
    assert time_of(value) == time


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=30))
def test_a_text_that_names_no_day_or_month_comes_back_as_it_is(text):
    named = [*MONTHS["it"].split(), *MONTHS["tr"].split(), *DAYS["it"], *DAYS["tr"]]
    if not any(name.lower() in text.lower() for name in named):
        assert in_english(text) == text
