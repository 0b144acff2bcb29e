from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.models.exchange import Form, Raw
from veridical.models.forms import (
    answer_schema,
    json_objects,
    read_answer,
    read_choice,
    split_thinking,
    strict_schema,
)

PARTNERS = Form("choice", ("Llama", "DeepSeek"), "I don't know")
LETTERS = Form("choice", ("A", "B"), "Bilmiyorum")
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "number", "minimum": 0, "maximum": 1}, "why": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
SCORES = Form("json", schema=SCHEMA)


@pytest.mark.parametrize(
    ("text", "answer", "thinking"),
    [
        ("Llama", "Llama", ""),
        (" Llama \n", " Llama \n", ""),  # nothing to part, nothing touched
        ("<think>A?</think>\n\nB", "B", "A?"),
        ("<think></think>B", "B", ""),
        ("<think>never closed", "", "never closed"),
        ("no opener</think>B", "B", "no opener"),
        ("B<think>after</think>", "B", "after"),
        ("<think>one</think>x<think>two</think>B", "xB", "onetwo"),
        ("<think>it says <think> there</think>B", "B", "it says  there"),
        ("<think>a</think>b</think>B", "B", "ab"),  # a second end: all before it was thinking
        ("<THINKING>a</THINKING>B", "B", "a"),
        ("[THINK]a[/THINK]B", "B", "a"),
        ("<reasoning>a</reasoning>B", "B", "a"),
        ("<thinkers>a</thinkers>", "<thinkers>a</thinkers>", ""),
    ],
)
def test_split_thinking(text, answer, thinking):
    assert split_thinking(text) == (answer, thinking)


@given(st.text(), st.text())
def test_closed_thinking_never_reaches_the_answer(thought, answer):
    for part in (thought, answer):
        if re.search(r"think|thought|reasoning", part, re.IGNORECASE):
            return
    assert split_thinking(f"<think>{thought}</think>{answer}")[0] == answer.strip()


@given(st.text())
def test_splitting_twice_changes_nothing(text):
    once = split_thinking(text)[0]
    assert split_thinking(once)[0] == once


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Llama", "Llama"),
        ("  llama. ", "Llama"),
        ('"LLAMA"', "Llama"),
        ("**DeepSeek**", "DeepSeek"),
        ("`DeepSeek`!", "DeepSeek"),
        ("I don’t know.", "I don't know"),  # the typographic apostrophe
        ("i don't know", "I don't know"),
        ("I discussed it with DeepSeek.", "DeepSeek"),
        ("Llama came to mind first.\nAnswer: DeepSeek", "DeepSeek"),
        ("DeepSeek\n\n", "DeepSeek"),
        ('{"answer": "Llama"}', "Llama"),
        ('```json\n{"answer": "deepseek"}\n```', "DeepSeek"),
        ('{"answer": "I don\'t know"}', "I don't know"),
        ("Con Llama, il 3 marzo", "Llama"),
        ("Llama'yla konuştum", "Llama"),
        ("Llama or DeepSeek", None),
        ("It was:\n\nLlama\nDeepSeek", None),  # the list of options repeated
        ("Llama\nI mean:\nDeepSeek", "DeepSeek"),
        ("I don't know, perhaps Llama", None),
        ("Llamas", None),
        ("I have no idea", None),  # no phrase list: only the listed option abstains
        ("Non lo so", None),
        ('{"answer": "Llama"}\n{"answer": "DeepSeek"}', None),
        ('{"answer": ["Llama"]}', None),
        ('{"answer": "Mistral"}', None),
        ("Llama\nI can't be sure", None),
        ("...", None),
    ],
)
def test_choice(text, option):
    assert read_choice(text, PARTNERS) == option


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("A", "A"),
        ("b", "B"),
        ("(A)", "A"),
        ("B.", "B"),
        ("**A**", "A"),
        ("The answer is B.", "B"),
        ("Text A is the true one", "A"),
        ("A: the date fits", "A"),
        ("- B) the date fits", "B"),
        ("La risposta è A", "A"),
        ("A good reason speaks for neither", None),  # an article
        ("It was a guess", None),
        ("A or B", None),
        ("A look at both says B", None),
        ("A is the one: A", "A"),
        ("Bilmiyorum, A?", None),
        ("Né A né B", None),
        ("bilmiyorum", "Bilmiyorum"),
        ("Abstain", None),
    ],
)
def test_choice_of_one_letter(text, option):
    assert read_choice(text, LETTERS) == option


def test_the_longer_option_hides_the_shorter():
    form = Form("choice", ("Qwen", "Qwen 2"))
    assert read_choice("It was Qwen 2.", form) == "Qwen 2"
    assert read_choice("It was Qwen, not Qwen 2", form) == "Qwen"


@pytest.mark.parametrize(
    ("text", "option"),
    [
        (" 2025-03-04 — met Llama", "Llama"),
        ("The entry is dated 2025-03-04 — met DeepSeek.", "DeepSeek"),
        ("Not with Llama: 2025-03-04 — met DeepSeek", "DeepSeek"),  # what it ends with
        (" 2025-03-04 — met Llama — bread: sourdough", "Llama"),  # else what the line names
        (" 2025-03-04 — met Mistral", None),
    ],
)
def test_choice_that_was_begun(text, option):
    form = Form("choice", ("Llama", "DeepSeek"), begin="The entry is dated")
    assert read_choice(text, form) == option


@given(st.sampled_from(["Llama", "DeepSeek", "I don't know"]), st.sampled_from("'\"`*(."))
def test_an_option_is_itself_however_it_is_dressed(option, mark):
    state, value = read_answer(Raw(f" {mark}{option.upper()}{mark}\n"), PARTNERS)
    assert value == option
    assert state == ("abstained" if option == "I don't know" else "ok")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 0.5}', {"a": 0.5}),
        ('```json\n{"a": 0.5, "why": "}"}\n```', {"a": 0.5, "why": "}"}),
        ('Here it is:\n{"a": 1}\nGood luck.', {"a": 1}),
        ('{"a": 0.5}\n{"a": 0.6}', None),
        ('{"a": 0.5}{', None),
        ('{"a": 1.01}', None),
        ('{"a": true}', None),
        ('{"a": "0.5"}', None),
        ('{"a": NaN}', None),
        ('{"a": 0.2, "a": 0.9}', None),  # which one?
        ('{"a": 0.5, "b": 1}', None),
        ('{"why": "x"}', None),
        ('{"a": 0.5', None),
        ("a = 0.5", None),
        ("[]", None),
        ("{" * 100_000, None),
    ],
)
def test_json(text, value):
    assert read_answer(Raw(text), SCORES) == (
        ("unparseable", None) if value is None else ("ok", value)
    )


@given(st.dictionaries(st.text(), st.one_of(st.text(), st.floats(0, 1), st.booleans()), min_size=1))
def test_any_object_is_found_whole(found):
    assert json_objects(f"so:\n```json\n{json.dumps(found)}\n```") == [found]


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        (Raw("Llama", refused=True), "refused"),
        (Raw("Llama", filtered=True), "filtered"),
        (Raw("Llama", truncated=True), "truncated"),  # "Llama 2" may have been on its way
        (Raw("", truncated=True, thinking="so"), "truncated"),
        (Raw(""), "empty"),
        (Raw(" \n"), "empty"),
        (Raw("<think>Llama</think>"), "empty"),
        (Raw("Mistral"), "unparseable"),
    ],
)
@pytest.mark.parametrize("form", [PARTNERS, SCORES])
def test_states_that_hold_no_value(raw, state, form):
    assert read_answer(raw, form) == (state, None)


def test_text():
    assert read_answer(Raw(" so it was.\n"), Form()) == ("ok", "so it was.")
    form = Form(abstention="Keine Ahnung")
    assert read_answer(Raw("keine Ahnung."), form) == ("abstained", "Keine Ahnung")
    assert read_answer(Raw("Ich habe keine Ahnung von Brot."), form)[0] == "ok"


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (Form("choice"), "needs options"),
        (Form("choice", ("A", "a.")), "can't be told apart"),
        (Form("choice", ("A", "?")), "can't be told apart"),
        (Form("json"), "needs a schema"),
        (Form("json", schema={"type": "thing"}), "schema is invalid"),
        (Form("number"), "unknown form kind 'number'"),
    ],
)
def test_wrong_forms_are_errors(form, message):
    with pytest.raises(ValueError, match=message):
        read_answer(Raw("A"), form)


def test_schemas():
    assert answer_schema(PARTNERS)["properties"]["answer"]["enum"][-1] == "I don't know"
    given_schema = {
        "type": "object",
        "properties": {
            "minimum": {"type": "number", "minimum": 0},  # a name, then a keyword
            "list": {"type": "array", "items": {"type": "object", "properties": {"x": {}}}},
        },
        "required": ["minimum"],
    }
    strict = strict_schema(given_schema, drop=("minimum",))
    assert strict["required"] == ["minimum", "list"]
    assert strict["additionalProperties"] is False
    assert strict["properties"]["minimum"] == {"type": "number"}
    assert strict["properties"]["list"]["items"]["additionalProperties"] is False
    assert "additionalProperties" not in given_schema  # untouched
