"""Conversations: which call comes next, and what it sees."""

from __future__ import annotations

import itertools

from veridical.models.conversation import converse
from veridical.models.exchange import Form, Model, Raw, Reply
from veridical.models.prompts import Prompt, Turn
from veridical.models.providers.base import split_system

MODEL = Model("m", "openai", "m")


def walk(prompt: Prompt, model: Model = MODEL, answers=iter, **options) -> list[list[tuple]]:
    """Play the conversation; returns what each call saw, as (role, content) pairs."""
    seen, steps = [], converse(prompt, 0, model, **options)
    said = iter(answers)
    _, call = next(steps)
    try:
        while True:
            seen.append([(m["role"], m["content"]) for m in call.messages])
            state, text = next(said)
            _, call = steps.send(Reply(call.key, state, text, Raw(text)))
    except StopIteration:
        return seen


def test_a_new_system_prompt_stands_where_it_comes_into_force():
    turns = (
        Turn("day?", system="Monday"),
        Turn("number?", system="Monday"),
        Turn("day?", system="Tuesday"),
        Turn("number?", system="Tuesday"),
    )
    seen = walk(
        Prompt("p", turns), answers=[("ok", "mon"), ("ok", "1"), ("ok", "tue"), ("ok", "2")]
    )
    assert seen[3] == [
        ("system", "Monday"),
        ("user", "day?"),
        ("assistant", "mon"),
        ("user", "number?"),
        ("assistant", "1"),
        ("system", "Tuesday"),
        ("user", "day?"),
        ("assistant", "tue"),
        ("user", "number?"),
    ]
    for earlier, later in itertools.pairwise(seen):
        assert later[: len(earlier)] == earlier  # one growing prefix


def test_an_api_with_one_system_prompt_gets_the_one_in_force():
    messages = [
        {"role": role, "content": text}
        for role, text in [
            ("system", "Monday"),
            ("user", "a"),
            ("system", "Tuesday"),
            ("user", "b"),
        ]
    ]
    system, others = split_system(messages)
    assert system == "Tuesday"
    assert [m["content"] for m in others] == ["a", "b"]


def test_a_quote_takes_the_turns_place_only_where_the_first_reply_is_an_answer():
    quote = Turn("quote, then answer", Form(begin="It is dated"))
    turns = (Turn("who?", system="doc", quote=quote), Turn("sure?", system="doc"))
    quoting = Model("m", "openai", "m", quoting=True)
    seen = walk(Prompt("p", turns), quoting, [("ok", "X"), ("ok", " May — Y"), ("ok", "yes")])
    assert [each[-1][1] for each in seen] == ["who?", "quote, then answer", "sure?"]
    assert seen[1] == [("system", "doc"), ("user", "quote, then answer")]
    assert seen[2][1:3] == [("user", "quote, then answer"), ("assistant", "It is dated May — Y")]
    seen = walk(Prompt("p", turns), quoting, [("abstained", "?"), ("ok", "yes")])
    assert [each[-1][1] for each in seen] == ["who?", "sure?"]


def test_asked_again_a_bounded_number_of_times():
    seen = walk(Prompt("p", (Turn("who?"),)), answers=[("unparseable", "")] * 3, reask=2)
    assert len(seen) == 3
