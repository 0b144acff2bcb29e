"""Who is named in a text: marks, capitals, languages, numbers; one answer for all who ask."""

from __future__ import annotations

import doctest
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.corpora import naming
from veridical.corpora.naming import named, parts_of


def test_the_examples_of_the_docstrings():
    assert doctest.testmod(naming).failed == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("then Anna left", "Anna"),
        ("ANNA left", "Anna"),
        ("l'Anna di ieri", "Anna"),
        ("l’Anna di ieri", "Anna"),  # a typographic apostrophe
        ("Anna's cup", "Anna"),
        ("Anna’nın fincanı", "Anna"),  # Turkish endings follow an apostrophe
        ("İstanbul'da", "istanbul"),
        ("ISTANBUL", "İstanbul"),
        ("the street of DIYARBAKIR", "Diyarbakır"),
        ("two llamas", "Llama"),
        ("Jean-Paul came", "Jean-Paul"),
        ("Jean Paul came", "Jean-Paul"),
        ("Jean\u2011Paul came", "Jean-Paul"),  # a hyphen that breaks no line
        ("New\u00a0York", "New York"),
        ("O’Brien", "O'Brien"),
        ("(Anna)", "Anna"),
        ("Zoe\u0308 is here", "Zoë"),  # composed and decomposed
        ("room 7, door 2", "7"),
        ("it is 7.", "7"),
        ("gpt-4 said", "GPT-4"),
        ("GPT‑4.", "GPT-4"),
    ],
)
def test_a_name_in_a_text(text, name):
    assert named(text, [name]) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Annabel left", "Anna"),
        ("Susanna left", "Anna"),
        ("anna_3", "Anna"),
        ("Anna7", "Anna"),
        ("7.5 litres", "7"),
        ("1,7 litres", "7"),
        ("17 litres", "7"),
        ("GPT-4.1 said", "GPT-4"),
        ("GPT-41 said", "GPT-4"),
        ("7s", "7"),
        ("Zoe is here", "Zoë"),
        ("Zoë is here", "Zoe"),
        ("New Yorkshire", "New York"),
        ("New, York", "New York"),
        ("", "Anna"),
    ],
)
def test_no_name_in_a_text(text, name):
    assert named(text, [name]) == []


def test_capitals_and_plurals_count_where_a_proper_name_is_sought():
    assert named("a rose by the old mint", ["Rose", "Old Mint"], exact=True) == []
    assert named("Rose by the Old Mint", ["Rose", "Old Mint"], exact=True) == ["Rose", "Old Mint"]
    assert named("the Roses", ["Rose"], exact=True) == []
    assert named("l'Anna", ["Anna"], exact=True) == ["Anna"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("DeepSeek", ["Deep", "Seek"]),
        ("Llama", ["Llama"]),
        ("GPT-4", ["GPT"]),
        ("OpenAI", ["Open"]),
        ("Éric İnönü", ["Éric", "İnönü"]),
        ("kız-Kulesi", ["kız", "Kulesi"]),
        ("7", []),
    ],
)
def test_the_parts_of_a_name(name, parts):
    assert parts_of(name) == parts


WORD = st.text(alphabet="abcçdeğıiİoöşuüßàéè", min_size=2, max_size=8)


@given(WORD, WORD)
def test_a_word_names_itself_between_marks_and_not_within_a_longer_word(name, other):
    for text in (f"{other} {name}.", f"«{name}»", f"l'{name}", f"{name}'{other}", name.upper()):
        if "ß" not in name or text != name.upper():  # whose capital is two letters
            assert named(text, [name]) == [name], text
    assert named(f"x{name}", [name]) == []
    assert named(f"{name}x", [name]) == []
    assert named(unicodedata.normalize("NFD", f"to {name}"), [name]) == [name]
