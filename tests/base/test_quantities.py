"""A number and what follows it, as one: its value, or none."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.numerals import parse_number, plain_numbers
from veridical.base.quantities import quantities


def read(text, language="en", **how):
    return [quantity.value for quantity in quantities(plain_numbers(text), language, **how)]


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("1.5 million", "en", [1_500_000]),
        ("1,5 milioni", "it", [1_500_000]),
        ("1,5 milyondur", "tr", [1_500_000]),
        ("5 milioni", "en", [None]),  # a word that English doesn't have: known to change the number
        ("5 billion", "de", [None]),  # 1e9 or 1e12
        ("5 bin", "tr", [5000]),
        ("5 bins", "en", [5]),
        ("5 hundred thousand", "en", [500_000]),
        ("$5M and 5M", "en", [5_000_000, None]),
        ("2k, 2 k, 2K", "en", [2000, None, None]),
        ("5 m, 5m, 5 b", "en", [5, 5, 5]),
        ("10^3, 10³, 2^{10}", "en", [1000, 1000, 1024]),
        ("-3^2, 10^x, 10^99", "en", [None] * 3),
        ("3.5^2", "en", [Fraction(49, 4)]),
        ("1.5e3, 1.5 × 10^3, 2·10⁵, 5 x 10^-2", "en", [1500, 1500, 200_000, Fraction(1, 20)]),
        ("5-7", "en", [None, None]),  # the second may be minus seven
        ("5 – 7", "en", [None, 7]),
        ("5:30", "en", [None, 30]),
        ("5h30", "en", [None]),
        ("5 and a half, 5 and 1/2", "en", [Fraction(11, 2), Fraction(11, 2)]),
        ("5 ½, 1 1/2, 5/0", "en", [Fraction(11, 2), Fraction(3, 2), None]),
        ("5 m², 5 cm^2, 5 ft2", "en", [5, 5, 5, None]),
        ("1.250,75", "en", [None]),
        ("1.250,75", "it", [Fraction(5003, 4)]),
        ("1,250.75", "it", [None]),
        ("3.33..., 3.(3), 0.3\u0305", "en", [None, None, 3, None]),
        ("<5, ≥5, ±5, √5, f(5), 5+", "en", [None] * 6),
        ("x-3, H2O, 2x", "en", [None] * 3),
        ("Rs.500, US$5, 5€, EUR 5", "en", [500, 5, 5, 5]),
        ("9" * 100, "en", [None]),  # a loop of digits
    ],
)
def test_what_follows_belongs_to_it(text, language, values):
    assert read(text, language) == values


def test_a_group_after_a_plain_space_is_a_guess_in_prose():
    assert read("day 3 250 came") == [3250]
    assert read("day 3 250 came", spaced=False) == [None]
    assert read("12\u00a0500 came", spaced=False) == [12_500]  # that space can only group


@given(st.integers(0, 10**9), st.sampled_from(["million", "dozen", "k", "²", "e3", "-8", ":8"]))
def test_no_number_is_read_without_what_is_bound_to_it(n, bound):
    gap = " " if bound in ("million", "dozen") else ""
    assert n == 0 or n not in read(f"{n}{gap}{bound}")[:1] or (n, bound) == (1, "²")


@given(st.text(max_size=60), st.sampled_from(["en", "it", "tr"]))
def test_every_digit_is_a_part_of_some_quantity(text, language):
    plain = plain_numbers(text)
    found = quantities(plain, language)
    covered = {at for quantity in found for at in range(quantity.start, quantity.end)}
    assert all(at in covered for at, character in enumerate(plain) if character.isdecimal())


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("１２", "en", 12),
        ("٣", "en", 3),
        ("1⁄2", "en", Fraction(1, 2)),
        ("12’500", "en", 12_500),
        ("+5", "en", 5),
        ("‑5", "en", -5),
        ("1.234", "it", 1234),
        ("twelve", "en", None),
        ("12 eggs", "en", None),
    ],
)
def test_a_text_that_is_one_number(text, language, value):
    assert parse_number(text, language) == value
