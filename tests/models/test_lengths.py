"""How long replies are likely to be, by their form and who serves them."""

from __future__ import annotations

import math

import pytest
from veridical.control1.verdicts import verdict_form
from veridical.models.exchange import Call, Form, Model
from veridical.models.lengths import likely_output, likely_seconds
from veridical.models.pieces import Part, Span

CHOICE = Form("choice", ("Joss", "Marit"), "I don't know")
VERDICT = verdict_form(["tone", "wit"], rationale=False)
SAID = '{"A":{"tone":0.5,"wit":0.5},"B":{"tone":0.5,"wit":0.5}}'
ENTRY = Form(pieces=("on ", Part("topic", ((Span("abc", 10, 20),),)), ("x", "yyy"), "."))


def call(form: Form, *, provider: str = "openai", structured: str = "schema", **parameters) -> Call:
    model = Model("m", provider, "m", structured=structured, parameters=parameters)
    return Call(model, ({"role": "user", "content": "?"},), form)


@pytest.mark.parametrize(
    ("asked", "tokens"),
    [
        (call(CHOICE), 2),  # the middle one of three, `Marit`, has five characters
        (call(CHOICE, structured="text"), 8),  # nothing holds it to the form: four times as much
        (call(CHOICE, structured="text", max_tokens=5), 5),
        (call(CHOICE, provider="embedded", structured="grammar"), 1),
        (call(VERDICT), math.ceil(len(SAID) / 4)),
        (call(VERDICT, provider="embedded", structured="grammar"), 8),  # two tokens a score
        (call(Form(), max_tokens=48), 36),  # three quarters
        (call(Form(), max_tokens=1), 1),
        (call(Form()), 300),  # 4096 are allowed where nothing is said
        (call(ENTRY, structured="grammar"), 6),  # 3 + 15 + 2 + 1 characters
        (call(ENTRY, max_tokens=40), 30),  # a server that takes no pieces is free
    ],
)
def test_a_reply_is_as_long_as_its_form(asked, tokens):
    assert likely_output(asked) == tokens


def test_a_verdict_with_its_reason_is_longer_by_half_of_what_a_reason_may_have():
    short, long = (likely_output(call(verdict_form(["wit"], rationale=r))) for r in (False, True))
    assert long - short == pytest.approx((150 + len('"rationale":"",')) / 4, abs=1)


def test_one_word_answers_are_no_four_thousand_tokens():
    """72 one-word answers with no limit of their own: 294,912 tokens at most, 144 likely."""
    assert 72 * likely_output(call(CHOICE)) == 144


def test_a_server_answers_after_a_second_and_a_model_in_the_process_reads_slowly():
    assert likely_seconds(call(CHOICE), 1000, 10) == pytest.approx(1 + 0.2 + 0.2)
    assert likely_seconds(call(CHOICE, provider="embedded"), 1000, 10) == pytest.approx(1.5 + 0.3)
