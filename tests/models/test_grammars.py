"""Grammars as pieces: what they leave open, and what is certain after what stands."""

from __future__ import annotations

import doctest
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.choices.probing import quote_grammar
from veridical.control1.verdicts import verdict_form
from veridical.corpora.corpus import read_corpus
from veridical.models import grammars
from veridical.models.exchange import Form, Raw
from veridical.models.forms import choice_grammar, settle
from veridical.models.grammars import after, certain, grammar, pieces

METRICS = ["identity_markers", "memory_reference"]


def test_the_examples_of_the_docstrings():
    assert doctest.testmod(grammars).failed == 0


def test_every_form_of_the_study_has_pieces_and_they_write_what_it_accepts():
    form = verdict_form(METRICS, rationale=False)
    verdict = pieces(form.grammar)
    assert [len(piece) for piece in verdict if isinstance(piece, tuple)] == [11] * 4
    highest = "".join(piece if isinstance(piece, str) else piece[-1] for piece in verdict)
    assert settle(Raw(highest), form) == (
        "ok",
        {answer: dict.fromkeys(METRICS, 1.0) for answer in "AB"},
    )
    options = Form("choice", ("Llama", "DeepSeek"), 'I "don\'t" know')
    assert pieces(choice_grammar(options)) == (("Llama", "DeepSeek", 'I "don\'t" know'),)
    corpus = read_corpus("data/corpora/A")
    quote = pieces(quote_grammar(corpus, "the tower", ("Llama", "DeepSeek")))
    assert [type(piece) for piece in quote] == [str, tuple, str, tuple]
    assert quote[0] == " "
    assert quote[2:] == (" — met", (" Llama", " DeepSeek"))
    assert certain(quote) == " 2025-"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('root ::= "a" [a-z]+', "a repetition"),
        ('root ::= "a"? "b"', "a part that may be left out"),
        ('root ::= "a" [a-z]{2}', "a counted repetition"),
        ('root ::= "a" [^b]', "any character but one"),
        ('root ::= "a" .', "any character"),
        ('root ::= "Ann" | "Anna"', "a text that begins another"),
        ('root ::= "a" | ""', "a text that may be empty"),
        ('root ::= "\\x41"', "a character by its number"),
        ('root ::= "a" root | "b"', "a rule inside itself"),
        ('root ::= one\none ::= two\ntwo ::= one "a" | "b"', "two rules inside each other"),
        ("root ::= word", "a rule that isn't there"),
        ('other ::= "a"', "no root"),
        ('root ::= ("a" | "b"', "a bracket never closed"),
        ('root ::= "a") "b"', "a bracket never opened"),
        ("root ::= [0-9] [0-9] [0-9] [0-9] | [a-z]", "too many texts in one place"),
        ('root ::= "a', "a text never closed"),
        ('root ::= [0-9] [0-9] [0-9] | "000" | "xyz"', "a thousand texts and one, some twice"),
        ("root ::= [z-a]", "a choice of nothing"),
        ("", "nothing"),
    ],
)
def test_a_grammar_of_another_kind_has_no_pieces(source, why):
    assert pieces(source) is None, why


def test_rules_brackets_and_characters_are_read():
    source = 'root ::= "on " day ("." | "!")\nday ::= [1-3] | "1" [0a] | "\\"\\\\"'
    assert pieces(source) is None  # 1 begins 10
    source = source.replace("[1-3]", "[2-3]")
    assert pieces(source) == ("on ", ("2", "3", "10", "1a", '"\\'), (".", "!"))
    assert pieces('root ::= "a" "b" ("c") [d]') == ("abcd",)
    assert pieces('root ::=\n  "a" |\n  "b"\n') == (("a", "b"),)
    assert pieces('root ::= ("x" | "y") [-+]') == (("x", "y"), ("-", "+"))


def test_what_is_certain_ends_where_a_model_would_begin_a_token():
    assert certain(("met ", ("Llama", "Lloyd"))) == "met"  # the space belongs to the name
    assert certain((("New York", "New Haven"),)) == "New"
    for names in (("Jean-Paul", "Jean-Pierre"), ("Jean_a", "Jean_b"), ("Jean.r", "Jean.b")):
        assert certain((names,)) == "Jean"  # a mark belongs to the letters after it
    assert certain((("O'Brien", "O'Neill"),)) == "O"
    assert certain((("gpt-4", "gpt-5"),)) == "gpt-"
    assert certain(('{"name":', ('"Ann"', '"Bob"'))) == '{"name'  # marks stay together
    assert certain(("is (", ("Ann", "Bob"))) == "is"
    assert certain(("version 1", ("2", "3"))) == "version"
    assert certain(("line:", ("\nA", "\nB"))) == "line"
    assert certain((("Zoe\u0301", "Zoe\u0300"),)) == ""  # an accent belongs to its letter
    assert certain((("0.1", "0.2"),)) == "0."
    assert certain(("a", "b ")) == "ab "  # nothing left to choose: all of it
    assert certain(()) == ""


def test_what_breaks_the_grammar_is_told():
    parts = ("{", ("0.1", "0.2"), "}")
    assert after(parts, "{0.3") is None
    assert after(parts, "{0.1}!") is None
    assert after(parts, "{0.1}") == ()
    assert after(parts, "{0") == ((".1", ".2"), "}")


TEXT = st.text(alphabet='ab01.,{} "\\\n—ç', min_size=1, max_size=5)
CHOICE = st.lists(TEXT, min_size=2, max_size=4, unique=True).filter(
    lambda texts: not any(b.startswith(a) for a, b in itertools.permutations(texts, 2))
)


@given(st.lists(st.one_of(TEXT, CHOICE.map(tuple)), min_size=1, max_size=5), st.data())
def test_any_answer_can_be_written_choice_by_choice(parts, data):
    """Read back from its own grammar, walked in steps of a character where nothing is certain."""
    read = pieces(grammar(parts))
    answer = "".join(
        piece if isinstance(piece, str) else data.draw(st.sampled_from(piece)) for piece in parts
    )
    written = ""
    while left := after(read, written):
        sure = certain(left)
        assert answer.startswith(written + sure)
        written += sure or answer[len(written)]
    assert written == answer
    assert left == ()


def test_what_is_left_is_a_grammar_again():
    left = after(
        pieces(verdict_form(METRICS, rationale=False).grammar), '{"A":{"identity_markers":0'
    )
    assert re.match(r'root ::= \("\.0" \| "\.1"', grammar(left))
