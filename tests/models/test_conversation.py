"""Conversations: which call comes next, and what it sees."""

from __future__ import annotations

import itertools

from veridical.models.conversation import converse
from veridical.models.exchange import Form, Model, Raw, Reply
from veridical.models.prompts import Document, Prompt, Turn, read_prompts, write_prompts
from veridical.models.providers.fitting import split_system

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


def documents_of(prompt: Prompt, model: Model = MODEL) -> list[str | None]:
    """The memory document that each call of a conversation carries, every answer being `ok`."""
    seen, steps = [], converse(prompt, 0, model)
    _, call = next(steps)
    try:
        while True:
            seen.append(call.document)
            _, call = steps.send(Reply(call.key, "ok", "x", Raw("x")))
    except StopIteration:
        return seen


ONE, TWO = Document("veridical", "one life"), Document("foreign-1", "another life")


def test_a_call_carries_the_document_of_the_system_prompt_in_force():
    turns = (
        Turn("a", system="You lived one life.", document=ONE),
        Turn("b"),  # the system prompt stays, and its document with it
        Turn("c", system="You lived another life.", document=TWO),
        Turn("d", system="You are a judge."),
        Turn("e"),
    )
    assert documents_of(Prompt("p", turns)) == ["one life"] * 2 + ["another life", None, None]


def test_a_quote_has_its_turns_document_unless_its_system_prompt_is_another():
    quoting = Model("m", "openai", "m", quoting=True)
    quote = Turn("quote", Form(begin="It is"))
    turn = Turn("who?", system="one life", document=ONE, quote=quote)
    assert documents_of(Prompt("p", (turn,)), quoting) == ["one life"] * 2
    quote = Turn("quote", Form(begin="It is"), system="another life", document=TWO)
    turn = Turn("who?", system="one life", document=ONE, quote=quote)
    later = Turn("sure?")
    seen = documents_of(Prompt("p", (turn, later)), quoting)
    assert seen == ["one life", "another life", "another life"]


def test_a_document_enters_no_key_and_no_message():
    bare = Prompt("p", (Turn("who?", system="You lived one life."),))
    held = Prompt("p", (Turn("who?", system="You lived one life.", document=ONE),))
    (_, without), (_, with_it) = (next(converse(prompt, 0, MODEL)) for prompt in (bare, held))
    assert without.canonical() == with_it.canonical()
    assert without.key == with_it.key


def test_a_document_in_a_prompts_file_is_read_back_and_stands_there_once(tmp_path):
    path = tmp_path / "p.jsonl"
    within = Turn("a", system="You lived one life.", document=ONE)
    beside = Turn("b", system="Ask your memory.", document=TWO)
    alone = Turn("c", document=TWO, facts={"session": 3})
    write_prompts(path, [Prompt("p", (within, beside, alone))])
    assert path.read_text().count("one life") == 1
    assert read_prompts(path)[0].turns == (within, beside, alone)


def test_every_turn_keeps_the_prompts_facts_and_its_own():
    turns = (Turn("a", facts={"session": 1}), Turn("b", facts={"session": 2, "phase": "own"}))
    steps = converse(Prompt("p", turns, facts={"phase": "persistent"}), 0, MODEL)
    _, call = next(steps)
    _, call = steps.send(Reply(call.key, "ok", "x", Raw("x")))
    try:
        steps.send(Reply(call.key, "ok", "x", Raw("x")))
    except StopIteration as end:
        answered = end.value
    assert [turn.facts for turn in answered] == [
        {"phase": "persistent", "session": 1},
        {"phase": "own", "session": 2},
    ]
