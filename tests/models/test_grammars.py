"""Pieces of an answer: what they leave open, what is certain, and the grammar they make."""

from __future__ import annotations

import doctest
import itertools
import json
import string

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.gbnf import answers
from veridical.control1.verdicts import verdict_form
from veridical.control3.prompts import quote_pieces
from veridical.corpora.corpus import read_corpus
from veridical.models import grammars, pieces, schemas
from veridical.models.exchange import Form, Raw
from veridical.models.forms import pieces_of, read_answer
from veridical.models.grammars import grammar
from veridical.models.pieces import CHOICES, Part, Span, after, certain, fixed, from_json, to_json
from veridical.models.schemas import schema_pieces

METRICS = ["identity_markers", "memory_reference"]


@pytest.mark.parametrize("module", [grammars, pieces, schemas])
def test_the_examples_of_the_docstrings(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert found.failed == 0


def test_every_form_of_the_study_is_fixed_and_its_pieces_write_what_it_accepts():
    form = verdict_form(METRICS, rationale=False)
    verdict = fixed(form.pieces)
    assert [len(piece) for piece in verdict if isinstance(piece, tuple)] == [11] * 4
    highest = "".join(piece if isinstance(piece, str) else piece[-1] for piece in verdict)
    assert read_answer(Raw(highest), form) == (
        "ok",
        {answer: dict.fromkeys(METRICS, 1.0) for answer in "AB"},
    )
    options = Form("choice", ("Llama", "DeepSeek"), 'I "don\'t" know')
    assert fixed(pieces_of(options)) == (("Llama", "DeepSeek", 'I "don\'t" know'),)
    corpus = read_corpus("data/corpora/A")
    quote = fixed(quote_pieces(corpus, "the tower", ("Llama", "DeepSeek")))
    assert [type(piece) for piece in quote] == [str, tuple, str, tuple]
    assert quote[0] == " "
    assert quote[2:] == (" — met", (" Llama", " DeepSeek"))
    assert certain(quote) == " 2025-"


def test_a_reasoned_verdict_has_open_text_so_all_of_it_is_drawn():
    assert fixed(verdict_form(METRICS, rationale=True).pieces) is None


@pytest.mark.parametrize(
    ("open_pieces", "why"),
    [
        (("a", Span("bc", 1, 2)), "text of some length"),
        (("a", Span("bc", 2, 2)), "text of a length that isn't one"),
        (("a", Span("bc", 0, 1)), "a character that may be left out"),
        (("a", Span("b", but=True)), "any character but one"),
        ((("Ann", "Anna"),), "a text that begins another"),
        ((("a", ""),), "a text that may be empty"),
        (((),), "a choice of nothing"),
        ((Span(""),), "no character to choose"),
        ((tuple(map(str, range(1000, 2001))),), "a thousand texts and one"),
        ((Part("p", ((Span(string.digits),) * 4, ("x",))),), "too many texts in one place"),
        ((Part("p", (("1",), ("10",))),), "a way that begins another"),
        ((Part("p", (("a", Part("q", ((Span("xy", 1, 9),),))),)),), "a part within a part"),
    ],
)
def test_an_answer_of_another_make_is_open(open_pieces, why):
    assert fixed(open_pieces) is None, why


def test_as_many_texts_as_allowed_are_fixed_and_repeated_ones_count_once():
    thousand = tuple(f"{number:03}" for number in range(CHOICES))
    assert fixed((thousand,)) == (thousand,)
    assert fixed((Part("p", ((Span(string.digits),) * 3, ("000",))),)) == (thousand,)


def test_parts_and_neighbours_are_put_together():
    day = Part("day", ((Span("23"),), ("1", Span("0a")), ('"\\',)))
    assert fixed(("on ", day, (".", "!"))) == ("on ", ("2", "3", "10", "1a", '"\\'), (".", "!"))
    assert fixed(("a", "b", ("c",), Span("d"), "")) == ("abcd",)
    twice = Part("twice", (("x", ("y", "z")),))
    assert fixed((twice, "-", twice)) == ("x", ("y", "z"), "-x", ("y", "z"))


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
    """Walked in steps of a character where nothing is certain."""
    answer = "".join(
        piece if isinstance(piece, str) else data.draw(st.sampled_from(piece)) for piece in parts
    )
    written = ""
    while left := after(fixed(parts), written):
        sure = certain(left)
        assert answer.startswith(written + sure)
        written += sure or answer[len(written)]
    assert written == answer
    assert left == ()


# --- the grammar ----------------------------------------------------------------------------------

SET = st.text(alphabet="abcxyz019-^]\\[\"' \x00\n\x1fçé", min_size=1, max_size=6)
SIMPLE = st.one_of(TEXT, CHOICE.map(tuple), SET.map(Span))


@st.composite
def answers_with_parts(draw):
    """Pieces of fixed texts, choices and single characters, some of them in named parts."""
    inner = Part("inner", tuple(map(tuple, draw(st.lists(st.lists(SIMPLE, max_size=2), min_size=1,
                                                         max_size=2)))))  # fmt: skip
    outer = Part("outer", ((draw(SIMPLE), inner),))
    return tuple(draw(st.lists(st.one_of(SIMPLE, st.sampled_from([inner, outer])), max_size=3)))


def all_of(sequence) -> set[str]:
    """Every answer of some pieces, spelt out from what each piece means."""
    each = []
    for piece in sequence:
        if isinstance(piece, str):
            each.append([piece])
        elif isinstance(piece, tuple):
            each.append(piece)
        elif isinstance(piece, Span):
            each.append(list(piece.characters))
        else:
            each.append([text for way in piece.ways for text in all_of(way)])
    return {"".join(parts) for parts in itertools.product(*each)}


@given(answers_with_parts())
def test_a_grammar_lets_a_model_write_what_its_pieces_mean_and_nothing_else(parts):
    assert answers(grammar(parts)) == all_of(parts)


@given(answers_with_parts())
def test_fixed_pieces_mean_the_same(parts):
    flat = fixed(parts)
    if flat is not None:
        assert all_of(flat) == all_of(parts)


@given(answers_with_parts())
def test_pieces_are_read_back_from_json(parts):
    entries = json.loads(json.dumps([to_json(piece) for piece in parts]))
    assert tuple(map(from_json, entries)) == parts


def test_open_text_is_written_with_its_bounds():
    words = string.ascii_uppercase + string.ascii_lowercase + "' "
    assert grammar((Span(words, 2, 9),)) == "root ::= [A-Za-z' ]{2,9}"
    assert grammar((Span("ab", 3, 3), Span("abc"))) == "root ::= [ab]{3} [a-c]"
    assert grammar((Span('"\\\x00\x01\x02', 1, 4, but=True),)) == (r'root ::= [^"\\\x00-\x02]{1,4}')
    assert grammar((Span("-^"),)) == r"root ::= [\x2D\x5E]"


def test_parts_of_open_text_stand_last_and_each_once():
    score, text = Part("score", (("0", "1"),)), Part("text", ((Span("ab", 1, 5),),))
    pair = Part("pair", ((score, ",", score),))
    assert grammar((text, pair, pair)).split("\n") == [
        "root ::= text pair pair",
        'pair ::= score "," score',
        'score ::= "0" "1"',
        "text ::= [ab]{1,5}",
    ]


@pytest.mark.parametrize(
    "parts",
    [
        (Part("a", (("x",),)), Part("a", (("y",),))),
        (Part("a", (("x",),)), Part("b", ((Part("a", (("y",),)),),))),
        (Part("root", (("x",),)),),
    ],
)
def test_one_name_with_two_meanings_is_refused(parts):
    with pytest.raises(ValueError, match="two parts of an answer are called"):
        grammar(parts)


def test_what_is_left_is_a_grammar_again():
    left = after(fixed(verdict_form(METRICS, rationale=False).pieces), '{"A":{"identity_markers":0')
    assert grammar(left).startswith('root ::= (".0" | ".1"')


def test_what_a_form_implies_where_it_has_no_pieces():
    partners = Form("choice", ("Llama", "DeepSeek"), "I don't know")
    assert grammar(pieces_of(partners)) == 'root ::= "Llama" | "DeepSeek" | "I don\'t know"'
    hard = Form("choice", ('say "no"', "back\\slash", "two\nlines", "İstanbul"))
    assert grammar(pieces_of(hard)) == (
        r'root ::= "say \"no\"" | "back\\slash" | "two\nlines" | "İstanbul"'
    )
    begun = Form("choice", ("A", "B"), begin="It was")
    assert grammar(pieces_of(begun)) == 'root ::= " " ("A" | "B")'
    assert pieces_of(Form("choice", ("A", "B"), begin="It was ")) == (("A", "B"),)
    assert pieces_of(Form()) == ()
    with pytest.raises(ValueError, match="needs options"):
        pieces_of(Form("choice"))


# --- schemas --------------------------------------------------------------------------------------


def closed(**properties) -> dict:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


VALUES = st.one_of(
    st.lists(st.text(max_size=4), min_size=1, max_size=4, unique=True).map(lambda e: {"enum": e}),
    st.one_of(st.none(), st.booleans(), st.integers(-3, 30), st.text(max_size=4)).map(
        lambda value: {"const": value}
    ),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}]),
    st.tuples(st.integers(-3, 30), st.integers(0, 30)).map(
        lambda pair: {"type": "integer", "minimum": pair[0], "maximum": pair[0] + pair[1]}
    ),
)
SCHEMAS = st.recursive(
    VALUES, lambda inner: st.dictionaries(st.text(max_size=3), inner, max_size=3).map(
        lambda properties: closed(**properties)), max_leaves=4)  # fmt: skip


@given(SCHEMAS, st.data())
def test_what_pieces_of_a_schema_write_fits_it(schema, data):
    parts = schema_pieces(schema)
    assert parts
    text = "".join(p if isinstance(p, str) else data.draw(st.sampled_from(p)) for p in parts)
    value = json.loads(text)
    jsonschema.Draft202012Validator(schema).validate(value)
    assert json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text


def test_a_schemas_words_bind_nothing_and_its_order_stays():
    schema = closed(z={"enum": ["b", "a"], "description": "which"}, a={"const": 1, "title": "one"})
    assert "".join(map(str, fixed(schema_pieces(schema | {"title": "both"})))) == (
        """{"z":('"b"', '"a"'),"a":1}"""
    )


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": "integer"},
        {"type": "integer", "minimum": 1},
        {"type": "integer", "minimum": 3, "maximum": 2},
        {"type": "integer", "minimum": 1, "maximum": CHOICES + 1},
        {"type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 3},
        {"type": "number", "minimum": 0, "maximum": 1},
        {"enum": ["a", 1]},
        {"enum": ["a"], "pattern": "b"},
        {"enum": ["a"], "type": "integer"},
        {"type": "array", "items": {"type": "null"}},
        {"anyOf": [{"const": 1}, {"const": 2}]},
        closed(a={"type": "string"}),
        closed(a={"const": 1}) | {"required": []},
        closed(a={"const": 1}) | {"additionalProperties": True},
        closed(a={"const": 1}) | {"minProperties": 2},
    ],
)
def test_a_schema_that_says_more_has_no_pieces(schema):
    assert schema_pieces(schema) == ()
