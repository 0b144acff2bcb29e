"""A rehearsal's replies: in the form asked for, the same for the same question, or written down."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import jsonschema
import pytest
from veridical.models.exchange import Call, Form, Model
from veridical.models.forms import read_answer
from veridical.models.pieces import Part, Span
from veridical.models.providers.scripted import Provider, draw

MODEL = Model("m", "scripted", "any", structured="grammar")


def call(text: str, form: Form = Form(), model: Model = MODEL, sample: int = 0) -> Call:  # noqa: B008
    return Call(model, ({"role": "user", "content": text},), form, sample=sample)


def answer(asked: Call) -> str:
    async def ask() -> str:
        async with Provider(asked.model) as provider:
            return (await provider.ask(asked)).text

    return asyncio.run(ask())


def test_the_same_question_has_the_same_reply_and_another_sample_its_own():
    first = draw(call("Who?"))
    assert draw(call("Who?")) == first
    others = {draw(call("Who?", sample=n)) for n in range(1, 9)}
    assert len(others) == 8
    assert first not in others


def test_a_choice_is_drawn_evenly_from_options_and_abstention():
    """Three answers, 900 draws: each expected 300, sd 14; five sd are 71."""
    form = Form("choice", ("Ada", "Bo"), "I don't know")
    drawn = Counter(draw(call(f"Question {n}", form)) for n in range(900))
    assert set(drawn) == {"Ada", "Bo", "I don't know"}
    assert all(abs(count - 300) < 71 for count in drawn.values())


def test_an_object_fits_its_schema():
    schema = {
        "type": "object",
        "properties": {
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "month": {"type": "integer", "minimum": 1, "maximum": 12},
            "kind": {"enum": ["a", "b"]},
            "words": {"type": "array", "minItems": 2, "items": {"type": "string", "maxLength": 9}},
            "sure": {"type": "boolean"},
        },
        "required": ["score", "month", "kind", "words", "sure"],
        "additionalProperties": False,
    }
    for n in range(50):
        jsonschema.validate(json.loads(draw(call(f"{n}", Form("json", schema=schema)))), schema)


def test_bound_text_is_made_of_its_pieces_after_its_beginning():
    score = Part("score", (("0.", Span("345")), ("1.0",)))
    form = Form("text", begin="It is", pieces=(" ", score, "; ", Span("\n", 5, 9, but=True)))
    for n in range(50):
        text = draw(call(f"{n}", form))
        assert text.startswith("It is ")
        number, said = text.removeprefix("It is ").split("; ")
        assert number in ("0.3", "0.4", "0.5", "1.0")
        assert 5 <= len(said) <= 9


def test_what_it_says_is_read_as_an_answer():
    form = Form("choice", ("Ada", "Bo"), "I don't know", begin="The entry names")
    asked = call("Who?", form)
    with_reply = asyncio.run(Provider(MODEL).ask(asked))
    state, value = read_answer(with_reply, form)
    assert state in ("ok", "abstained")
    assert value in ("Ada", "Bo", "I don't know", None)


def test_a_written_reply_is_given_where_it_matches_and_the_first_one_wins():
    rows = [{"match": "^What day", "reply": "Monday"}, {"match": "day", "reply": "never"}]
    model = Model("m", "scripted", "any", options={"replies": rows})
    assert answer(call("What day is it?", model=model)) == "Monday"
    assert answer(call("Which day?", model=model)) == "never"
    assert answer(call("Who?", model=model)) not in ("Monday", "never")


def test_a_broken_pattern_is_named_with_its_entry():
    rows = [{"match": "fine", "reply": "x"}, {"match": "(", "reply": "y"}]
    with pytest.raises(ValueError, match=r"model 'm': replies, entry 2: '\(' is no regular"):
        Provider(Model("m", "scripted", "any", options={"replies": rows}))
