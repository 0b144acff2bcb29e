"""A call fitted to its server: form, system prompts, stops, parameters; was it read whole?"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.models.exchange import Call, Form, Model, Raw
from veridical.models.providers.fitting import (
    arranged,
    cut_at,
    in_words,
    next_way,
    split_system,
    stops_of,
)
from veridical.models.providers.parameters import BUDGETS, parameters_of
from veridical.models.providers.truncation import (
    SHORTEST_CHECKED,
    coarseness,
    cut_short,
    fewest_tokens,
    length_of,
)

CHOICE = Form("choice", ("Llama", "DeepSeek"), "I don't know")
SCHEMA = {"type": "object", "properties": {"città": {"type": "string"}}}
ROLES = st.sampled_from(["system", "user", "assistant"])
MESSAGES = st.lists(
    st.builds(lambda role, text: {"role": role, "content": text}, ROLES, st.text(max_size=5)),
    min_size=1,
    max_size=6,
).filter(lambda found: any(message["role"] == "user" for message in found))


def said(*texts: str) -> tuple[dict[str, str], ...]:
    """Messages from `role: text`."""
    pairs = [text.partition(": ") for text in texts]
    return tuple({"role": role, "content": content} for role, _, content in pairs)


def call(*texts: str, form: Form = CHOICE, parameters=None, sample: int = 0, **model) -> Call:
    asked = Model("m", "openai", "m-1", **model)
    messages = said(*(texts or ("user: Who?",)))
    return Call(asked, messages, form, parameters=parameters or {}, sample=sample)


# The form in words


def test_a_choice_that_nothing_enforces_is_worded_on_the_last_user_turn():
    asked = call("system: S", "user: first", "assistant: yes", "user: Who?")
    found = in_words(asked, enforced=False)
    options = "Llama\nDeepSeek\nI don't know"
    assert found[-1]["content"] == (
        f"Who?\n\nEnd your answer with a last line that is exactly one of these:\n{options}"
    )
    assert found[:-1] == list(asked.messages[:-1])
    assert asked.messages[-1]["content"] == "Who?"  # the call itself is what it was


def test_an_object_is_worded_by_its_schema_letters_as_they_are():
    found = in_words(call(form=Form("json", schema=SCHEMA)), enforced=False)[-1]["content"]
    assert json.loads(found.rpartition("\n")[2]) == SCHEMA
    assert "città" in found


def test_nothing_is_worded_where_the_server_enforces_the_form_or_there_is_none():
    assert in_words(call(), enforced=True) == list(call().messages)
    assert in_words(call(form=Form()), enforced=False) == list(call().messages)


def test_a_beginning_is_worded_or_given_as_a_turn_begun():
    begun = call(form=Form("choice", ("a", "b"), begin="Today I met"))
    worded = in_words(begun, enforced=True)
    assert worded[-1] == {
        "role": "user",
        "content": "Who?\n\nBegin your answer with these words, and go on from there: Today I met",
    }
    given_ = in_words(begun, enforced=True, prefill=True)
    assert given_ == [*begun.messages, {"role": "assistant", "content": "Today I met"}]


def test_a_models_own_wording_counts_key_by_key_and_braces_of_options_are_left():
    own = {"choice": "Rispondi con una di queste:\n{options}"}
    asked = call(form=Form("choice", ("{begin}", "b"), begin="Io"), options={"instructions": own})
    found = in_words(asked, enforced=False)[-1]["content"].split("\n\n")
    assert found[1] == "Begin your answer with these words, and go on from there: Io"
    assert found[2] == "Rispondi con una di queste:\n{begin}\nb"


# System prompts


def test_the_last_system_prompt_is_the_one_in_force():
    messages = said("system: old", "user: a", "system: new", "user: b")
    assert split_system(messages) == ("new", list(said("user: a", "user: b")))
    assert split_system(said("user: a")) == ("", list(said("user: a")))


@given(MESSAGES)
def test_no_arrangement_loses_a_turn_or_the_system_prompt_in_force(messages):
    system, rest = split_system(messages)
    had = any(message["role"] == "system" for message in messages)
    last, user = arranged(messages, "last"), arranged(messages, "user")
    assert last == ([{"role": "system", "content": system}, *rest] if had else messages)
    assert [message["role"] for message in user] == [message["role"] for message in rest]
    first = next(n for n, message in enumerate(rest) if message["role"] == "user")
    for n, (one, other) in enumerate(zip(user, rest, strict=True)):
        begun = f"{system}\n\n" if had and n == first else ""
        assert one["content"] == begun + other["content"]
    assert arranged(messages, "each") == messages


@pytest.mark.parametrize(
    ("texts", "ways"),
    [
        (("system: a", "user: b", "system: c", "user: d"), ["last", "user", None]),
        (("system: a", "user: b"), ["user", None]),
        (("user: b",), [None]),
    ],
)
def test_ways_are_tried_in_turn_and_each_once(texts, ways):
    tried, system = [], "each"
    while (way := next_way(call(*texts), system)) is not None:
        tried.append(way)
        system = way
    assert [*tried, None] == ways


# Stop texts


@pytest.mark.parametrize(
    ("given_", "stops"), [("END", ("END",)), (["a", "b"], ("a", "b")), (None, ()), ([], ())]
)
def test_stop_texts_are_one_or_several(given_, stops):
    assert stops_of(call(parameters={"stop": given_})) == stops


@given(st.text("abXY\n", max_size=20), st.lists(st.text("XY\n", max_size=2), max_size=3))
def test_a_text_is_cut_at_the_first_stop_and_holds_none(text, stops):
    found = cut_at(Raw(text, truncated=True), stops)
    real = [stop for stop in stops if stop]
    assert text.startswith(found.text)
    assert not any(stop in found.text for stop in real)
    if any(stop in text for stop in real):
        (by,) = found.stopped_by
        assert text[len(found.text) :].startswith(by)
        assert not found.truncated  # the server would have ended there
    else:
        assert found == Raw(text, truncated=True)


@pytest.mark.parametrize("verdict", ["refused", "filtered"])
def test_a_verdict_is_never_cut(verdict):
    raw = Raw("No. END more", **{verdict: True})
    assert cut_at(raw, ["END"]) == raw


# Parameters


def test_the_calls_parameters_go_over_the_models_and_none_removes_one():
    asked = call(
        parameters={"temperature": 0.5, "seed": None},
        sample=3,
    )
    asked = Call(
        Model("m", "openai", "m-1", parameters={"temperature": 1.0, "seed": 7, "top_p": 0.9}),
        asked.messages,
        parameters=asked.parameters,
        sample=3,
    )
    assert parameters_of(asked, {}) == {"temperature": 0.5, "top_p": 0.9}


def test_a_parameter_has_the_servers_name_and_the_configs_before_it():
    asked = call(parameters={"max_tokens": 64}, options={"names": {"max_tokens": "budget"}})
    assert parameters_of(asked, {"max_tokens": "num_predict"}) == {"budget": 64}
    assert parameters_of(call(parameters={"max_tokens": 64}), {"max_tokens": "num_predict"}) == {
        "num_predict": 64
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [("top_k", 0), ("top_k", -1), ("min_p", 0), ("repetition_penalty", 1), ("seed", 5),
     ("stop", ["x"]), ("presence_penalty", None)],
)  # fmt: skip
def test_what_a_server_lacks_is_dropped_where_it_asks_for_nothing(name, value):
    assert parameters_of(call(parameters={name: value}), {name: None}) == {}


@pytest.mark.parametrize(("name", "value"), [("top_k", 40), ("repetition_penalty", 1.1)])
def test_what_a_server_lacks_is_refused_where_it_would_change_the_answer(name, value):
    with pytest.raises(ValueError, match=f"no parameter '{name}' here, and {value} is no neutral"):
        parameters_of(call(parameters={name: value}), {name: None})
    dropped = call(parameters={name: value}, options={"names": {name: None}})
    assert parameters_of(dropped, {name: None}) == {}  # the config says so


@pytest.mark.parametrize("budget", BUDGETS)
def test_room_to_think_is_added_to_the_budget_by_whatever_name(budget):
    asked = call(parameters={"max_tokens": 64}, options={"thinking_room": 1000})
    assert parameters_of(asked, {"max_tokens": budget}) == {budget: 1064}


@given(st.integers(0, 2**31), st.integers(0, 100))
def test_each_sample_has_a_seed_of_its_own(seed, sample):
    asked = call(parameters={"seed": seed}, sample=sample)
    assert parameters_of(asked, {}) == {"seed": seed + sample}


# Whether the prompt was read whole


@given(st.integers(0, 40_000), st.one_of(st.none(), st.integers(0, 10_000)))
def test_a_prompt_was_cut_where_its_characters_cannot_be_so_few_tokens(length, counted):
    asked = call("user: " + "x" * length)
    assert length_of(asked) == length
    expected = counted is not None and length >= SHORTEST_CHECKED and length >= 6 * counted
    assert cut_short(asked, counted) == expected


def test_a_language_of_long_tokens_is_allowed_for():
    asked = call("user: " + "x" * 6000)
    assert cut_short(asked, 900)
    assert fewest_tokens(asked) == 1000
    longer = call("user: " + "x" * 6000, options={"characters_per_token": 10})
    assert (coarseness(longer), fewest_tokens(longer)) == (10.0, 600)
    assert not cut_short(longer, 900)


def test_every_message_counts_for_the_length():
    assert length_of(call("system: abc", "user: de", "assistant: f")) == 6
