"""One number as written in digits: exact, with signs, currencies, fractions and groups."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.numerals import (
    DECIMAL_COMMA,
    LONGEST,
    number_of,
    number_pattern,
    parse_number,
    plain_numbers,
)

WHOLE = st.integers(min_value=0, max_value=10**15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("−7", -7),
        ("–7", -7),
        ("+7", 7),
        ("007", 7),
        ("2,125", 2125),
        ("1,000,000", 1_000_000),
        ("1'000'000", 1_000_000),
        ("12\u202f500", 12500),
        ("3.25", Fraction(13, 4)),
        (".5", Fraction(1, 2)),
        ("-.5", Fraction(-1, 2)),
        ("$29.00", 29),
        ("US$ 29", 29),
        ("-$5", -5),
        ("$-5", -5),
        ("€5", 5),
        ("1/2", Fraction(1, 2)),
        ("1 1/2", Fraction(3, 2)),
        ("1½", Fraction(3, 2)),
        ("½", Fraction(1, 2)),
        ("-1 1/2", Fraction(-3, 2)),
        ("６", 6),
    ],
)
def test_a_number_is_what_it_says(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one",
        "1,00",
        "1,0000",
        "12,34,567",
        "1/0",
        "3.4.5",
        "1.",
        "--5",
        "5-",
        "1 2",
        "$",
        "1/2/3",
    ],
)
def test_what_is_no_single_number_is_none(text):
    assert parse_number(text) is None


@pytest.mark.parametrize("language", sorted(DECIMAL_COMMA))
def test_where_the_comma_is_decimal_the_point_groups(language):
    assert parse_number("1.234,5", language) == Fraction(2469, 2)
    assert parse_number("1.234", language) == 1234
    assert parse_number("0,125", language) == Fraction(1, 8)
    assert parse_number("1.25", language) == Fraction(5, 4)  # it can only be decimal


@given(WHOLE)
def test_groups_change_nothing(n):
    for text in (str(n), f"{n:,}", f"{n:,}".replace(",", "'"), f"{n:,}".replace(",", "\u00a0")):
        assert parse_number(text) == n
    assert parse_number(f"{n:,}".replace(",", "."), "it") == n


@given(WHOLE, st.integers(min_value=0, max_value=10**6))
def test_decimals_are_exact(n, decimals):
    text = f"{n}.{decimals:07}"
    assert parse_number(text) == Fraction(text)
    assert parse_number(text.replace(".", ","), "de") == Fraction(text)


@given(WHOLE, st.integers(1, 999), st.integers(1, 999))
def test_mixed_numbers_are_sums(n, top, bottom):
    assert parse_number(f"{n} {top}/{bottom}") == n + Fraction(top, bottom)
    assert parse_number(f"−{n} {top}/{bottom}") == -(n + Fraction(top, bottom))


@given(st.text(alphabet="0123456789.,/'$- +½", max_size=12))
def test_any_line_of_digits_is_a_number_or_none(text):
    for language in ("en", "it"):
        value = parse_number(text, language)
        assert value is None or isinstance(value, Fraction)


def test_a_loop_of_digits_is_no_number():
    assert parse_number("9" * LONGEST) == int("9" * LONGEST)
    assert parse_number("9" * (LONGEST + 1)) is None


@pytest.mark.parametrize("text", ["12 m²", "12 m^2", "12 m2", "12 cm³", "12 feet²"])
def test_the_digit_of_a_unit_is_no_number(text):
    found = [number_of(match) for match in number_pattern().finditer(plain_numbers(text))]
    assert found == [12]


@pytest.mark.parametrize("text", ["v2", "room4", "x-5", "10.0.0.1", "1.2.3", "2^10x", "a_7"])
def test_what_only_looks_like_a_number_in_a_text_is_passed_over(text):
    values = [number_of(match) for match in number_pattern().finditer(plain_numbers(text))]
    assert values == ([2] if text == "2^10x" else [])
