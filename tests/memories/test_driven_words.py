"""What a model is told that works a memory by its tools: in the language of what goes in."""

from __future__ import annotations

import re

import pytest
from support.chat_server import chat_server
from support.memory_study import ROOT
from veridical.check.languages import is_driven, lacking_texts
from veridical.documents.texts import TEXTS
from veridical.memories.adapters import open_adapter
from veridical.memories.asks import DRIVING_TEXTS
from veridical.memories.chat import Chat
from veridical.memories.driving import DRIVING, LANGUAGE, Driven, worded
from veridical.memories.protocol import Description, Event, Memory
from veridical.memories.systems import System, environment

LANGUAGES = ("en", "it", "tr")
DONE = '{"tool": "done"}'
VIEW = '{"tool": "view", "arguments": {"path": "/memories"}}'


@pytest.mark.parametrize("name", DRIVING_TEXTS)
def test_every_language_has_the_text_with_the_same_place_to_fill(name):
    read = {each: (TEXTS / f"{name}.{each}.txt").read_text("utf-8") for each in LANGUAGES}
    places = {each: re.findall(r"\{(\w+)\}", text) for each, text in read.items()}
    assert places["en"] == places["it"] == places["tr"] != []
    assert len(set(read.values())) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_of_an_answer_are_the_same_in_every_language(monkeypatch, language):
    """The schema binds them: `tool`, `arguments` and `done` are never translated."""
    monkeypatch.setenv(LANGUAGE, language)
    said = worded("tools", {"tools": "{braces}"})
    assert all(f'"{word}"' in said for word in ("tool", "arguments", "done"))
    assert said.endswith("\n\n{braces}")


def test_english_is_spoken_where_nothing_says_which(monkeypatch):
    monkeypatch.delenv(LANGUAGE, raising=False)
    assert worded("find", {"query": "{x}?"}) == "Find in your memory what this asks about: {x}?"
    assert worded("keep", {"text": "t"}) == (
        "Keep this in your memory, every name and date as it stands: t"
    )
    assert worded("said", {"said": "s"}) == "The tool says:\ns"


def test_a_language_without_the_text_is_named(monkeypatch):
    monkeypatch.setenv(LANGUAGE, "xx")
    with pytest.raises(ValueError, match=r"no text drive-find\.xx\.txt"):
        worded("find", {"query": "?"})


@pytest.mark.parametrize(("language", "find", "keep"), [
    ("it", "Trova nella tua memoria", "Conserva questo"),
    ("tr", "Belleğinde", "Bunu belleğinde sakla"),
])  # fmt: skip
def test_a_folder_is_worked_in_the_language_of_the_life(
    tmp_path, monkeypatch, language, find, keep
):
    monkeypatch.setenv(LANGUAGE, language)
    said = [VIEW, DONE, VIEW, DONE]
    with chat_server(lambda body: said.pop(0)) as server:
        model = {"base_url": server.url, "model": "m"}
        memory = open_adapter("files", {"model": model, "write": "model"}, tmp_path)
        memory.ingest("b", [Event("e1", "2025-01-01", "Ada", "incontro con Bo: tè")])
        memory.recall("b", "Con chi?", 5)
    told = [body["messages"] for body in server.asked]
    assert told[0][1]["content"].startswith(keep)
    assert "incontro con Bo: tè" in told[0][1]["content"]
    assert any(each[1]["content"].startswith(find) for each in told)
    sent = " ".join(message["content"] for each in told for message in each)
    assert not re.search(r"You have a memory|Find in your|Keep this|The tool says", sent)


class Shelf(Memory):
    """A memory with one tool."""

    def describe(self):
        return Description("shelf", "1", optional=("tools", "call"))

    def tools(self):
        return [{"name": "view", "schema": {}}]

    def call(self, bank, name, arguments):
        return "tè"


def test_a_driver_speaks_it_too(monkeypatch):
    monkeypatch.setenv(LANGUAGE, "it")
    said = [VIEW, DONE]
    with chat_server(lambda body: said.pop(0)) as server:
        memory = Driven(Shelf(), Chat({"base_url": server.url, "model": "m"}), ["view"])
        memory.recall("b", "Con chi?", 5)
    (system, task), (*_, reply) = (body["messages"] for body in server.asked)
    assert system["content"].startswith("Hai una memoria")
    assert task["content"] == "Trova nella tua memoria ciò che questa domanda chiede: Con chi?"
    assert reply["content"] == "Lo strumento risponde:\ntè"


def test_a_process_is_told_the_language():
    assert environment(None, {})[LANGUAGE] == "en"
    assert environment(None, {LANGUAGE: "it"}, "tr")[LANGUAGE] == "tr"


def test_the_words_are_in_the_key_of_a_driven_system_alone():
    model = {"base_url": "http://127.0.0.1:1/v1", "model": "m"}
    driven = System.from_config("f", {"adapter": "files", "settings": {"model": model}})
    plain = System.from_config("p", {"adapter": "fts5"})
    words = {
        f"workflow/veridical/texts/{name}.{each}.txt"
        for name in DRIVING_TEXTS
        for each in LANGUAGES
    }
    assert words <= set(DRIVING)
    assert words <= set(driven.identity(ROOT)["files"])
    assert not words & set(plain.identity(ROOT)["files"])
    settings = {"driver": {"model": model, "tools": ["x"]}}
    asked = System.from_config("m", {"adapter": "mcp", "settings": settings})
    assert words <= set(asked.identity(ROOT)["files"])


@pytest.mark.parametrize(
    ("system", "lacking"),
    [
        ({"adapter": "files", "settings": {}}, True),
        ({"adapter": "mcp", "settings": {"driver": {}}}, True),
        ({"adapter": "fts5"}, False),
    ],
)
def test_a_language_that_lacks_them_is_named_before_anything_is_asked(system, lacking):
    """And Control 3's corpora are the memory systems' where they name none."""
    config = {"control3": {"corpora": ["X"]}, "memories": {"systems": {"s": system}}}
    (said,) = lacking_texts(config, {"X": "xx"})
    assert ("drive-find.xx.txt" in said) is lacking is is_driven(system)
    assert "recalled.xx.txt" in said
    assert [*lacking_texts(config, {"X": "en"})] == []
