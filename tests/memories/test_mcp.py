"""MCP servers as memory systems: one of our own writing, and a real one from the registry."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.mcp_notes import EVENT, NOTES
from support.memory_adapters import ROOT, ready, start
from support.memory_study import corpus, plan
from veridical.base.keyless import variables_named
from veridical.memories import readers, receipts
from veridical.memories.adapters import open_adapter
from veridical.memories.conformance import check_system
from veridical.memories.filling import fill_in, texts_at
from veridical.memories.protocol import Event, MemoryFault
from veridical.memories.systems import System, environment
from veridical.memories.visit import Visit


@pytest.fixture
def memory(tmp_path):
    ready("mcp")
    with closing(open_adapter("mcp", NOTES, tmp_path)) as opened:
        yield opened


def test_a_server_is_described_by_what_it_says_of_itself(memory):
    found = memory.describe()
    assert (found.name, found.version) == ("notes", "1.4")
    assert found.optional == ("dump", "tools", "call")
    assert {tool["name"] for tool in memory.tools()} == {"remember", "find", "everything", "secret"}
    find = next(tool for tool in memory.tools() if tool["name"] == "find")
    assert find["schema"]["required"] == ["words", "most"]


def test_events_go_in_and_come_out_by_the_tools_that_are_named(memory):
    memory.reset("b")
    more = Event("e2", "2025-01-02", "Ada", "Rain {id} all day.")
    assert memory.ingest("b", [EVENT, more]) == 2
    assert [item.text for item in memory.recall("b", "bread day?", 5).items] == [
        EVENT.text,
        more.text,
    ]
    assert [item.text for item in memory.recall("b", "bread day?", 1).items] == [EVENT.text]
    assert [item.text for item in memory.dump("b")] == [EVENT.text, more.text]
    assert memory.dump("other") == ()
    memory.reset("b")
    assert memory.dump("b") == ()


def test_a_model_may_call_a_tool_and_is_told_its_errors(memory):
    assert memory.call("b", "remember", {"note": "mine", "tags": []}) == "kept under []"
    assert memory.call("b", "find", {"words": "mine", "most": 1}) == "mine"
    assert "not wanted" in memory.call("b", "remember", {"note": "unwanted", "tags": []})


def test_an_error_of_the_write_path_is_no_silence(memory):
    with pytest.raises(RuntimeError, match=r"remember: .*this note is not wanted"):
        memory.ingest("b", [Event("e", "2025-01-01", "Ada", "unwanted")])


def test_keys_go_only_where_the_config_sends_them(tmp_path, monkeypatch):
    ready("mcp")
    monkeypatch.setenv("LAB_TOKEN", "sesame-9")
    for passed, said in (([], "nothing"), (["LAB_TOKEN"], "sesame-9")):
        settings = NOTES | {"pass_env": passed}
        with closing(open_adapter("mcp", settings, tmp_path)) as opened:
            assert opened.call("b", "secret", {}) == said


def test_a_key_in_a_servers_error_reaches_nobody(tmp_path):
    """The fault that ledger and log get has it struck out."""
    ready("mcp")
    system = System("notes", "mcp", NOTES | {"pass_env": ["LAB_TOKEN"]})
    with (
        closing(start(system, tmp_path, LAB_TOKEN="open-7319-up")) as opened,
        pytest.raises(MemoryFault, match=r"the way in is \[key\]") as caught,
    ):
        opened.recall("b", "sesame", 3)
    assert "7319" not in str(caught.value)


def test_a_key_of_any_name_that_the_settings_hand_on_is_known_for_one(tmp_path):
    """What `pass_env` and `api_key_env` name is struck out, whatever the variable is called."""
    driver = {"model": {"base_url": "https://x.example/v1", "model": "m", "api_key_env": "DOOR"}}
    settings = NOTES | {"pass_env": ["HATCH"], "driver": driver}
    config = {"memories": {"systems": {"notes": {"adapter": "mcp", "settings": settings}}}}
    assert {"HATCH", "DOOR"} <= variables_named(config)
    ready("mcp")
    script = "import os, sys; sys.exit('no entry with ' + os.environ['HATCH'])"
    system = System("n", "mcp", {**settings, "command": [sys.executable, "-c", script]})
    environ = environment(str(tmp_path)) | {"HATCH": "open-7319-up"}
    with (
        closing(system.start(tmp_path, environ, sorted(variables_named(config)))) as opened,
        pytest.raises(MemoryFault) as caught,
    ):
        opened.recall("b", "x", 3)
    assert "7319" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"search": {"tool": "seek"}}, "search: the server has no tool 'seek', only remember, fi"),
        ({"search": {"arguments": {}}}, "search: `tool` must name one of the server's tools"),
        ({"write": {"tool": "remember", "argument": {}}}, "write: 'argument' is unknown; known a"),
        ({"command": ["no-such-server"], "install": "npm ci"}, "install it with `npm ci`"),
        ({"command": [sys.executable, "-c", ""]}, "can't be started"),
    ],
)
def test_settings_that_cannot_be_are_told_in_words(tmp_path, change, words):
    ready("mcp")
    with pytest.raises((ValueError, RuntimeError)) as caught:  # noqa: PT012
        opened = open_adapter("mcp", NOTES | change, tmp_path)
        with closing(opened):
            opened.describe()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"arguments": {"words": "{question}", "most": 1}},
            "{question} in '{question}' is nothing",
        ),
        ({"items": "result.*.text"}, "there is no 'text' (of path text) in \"The bread"),
        ({"items": "results.*"}, "there is no 'results' (of path results.*) in"),
    ],
)
def test_a_pattern_or_path_that_fits_nothing_is_named(tmp_path, change, words):
    ready("mcp")
    settings = NOTES | {"search": NOTES["search"] | change}
    with closing(open_adapter("mcp", settings, tmp_path)) as opened:
        opened.ingest("b", [EVENT])
        with pytest.raises(ValueError, match=r"nothing|there is no") as caught:
            opened.recall("b", "bread", 3)
    assert words in str(caught.value)


def test_a_result_that_is_text_alone_is_its_items(tmp_path):
    ready("mcp")
    search = {key: value for key, value in NOTES["search"].items() if key != "items"}
    with closing(open_adapter("mcp", NOTES | {"search": search}, tmp_path)) as opened:
        opened.ingest("b", [EVENT, Event("e2", "2025-01-02", "Ada", "No bread.")])
        assert len(opened.recall("b", "bread", 9).items) == 2
        assert "dump" in opened.describe().optional
    without = {key: value for key, value in NOTES.items() if key != "list"}
    with closing(open_adapter("mcp", without, tmp_path)) as opened:
        assert opened.describe().optional == ("tools", "call")


NAMES = st.text(st.characters(codec="utf-8"), max_size=20)


@given(NAMES, st.integers(), st.lists(NAMES, max_size=3))
def test_what_is_filled_in_is_never_read_again(text, k, tags):
    values = {"text": text, "k": k, "id": "{text}"}
    assert fill_in({"a": "{text}", "b": ["{k}", "<{text}>{id}"]}, values) == {
        "a": text,
        "b": [k, f"<{text}>{{text}}"],
    }
    assert fill_in([1, None, True, tags and []], values) == [1, None, True, tags and []]


@given(st.dictionaries(NAMES.filter(lambda name: name != "*" and "." not in name), st.lists(NAMES)))
def test_a_path_of_stars_gives_every_text_in_order(value):
    assert [*texts_at(value, "*.*")] == [text for texts in value.values() for text in texts]
    for name, texts in value.items():
        if name:
            assert [*texts_at(value, f"{name}.*")] == texts


def test_what_is_no_text_comes_as_json():
    assert [*texts_at({"a": [1, {"é": None}]}, "a.*")] == ["1", '{"é": null}']
    assert [*texts_at("whole", "")] == ["whole"]


SERVER = ROOT / "envs/mcp/node_modules/@modelcontextprotocol/server-memory/dist/index.js"
GRAPH = {
    "command": ["node", str(SERVER)],
    "environment": {"MEMORY_FILE_PATH": "{folder}/memory.jsonl"},
    "lasting": True,
    "write": {
        "tool": "create_entities",
        "arguments": {
            "entities": [{"name": "{id}", "entityType": "event", "observations": ["{text}"]}]
        },
    },
    "search": {
        "tool": "search_nodes",
        "arguments": {"query": "{query}"},
        "items": "entities.*.observations.*",
    },
    "list": {"tool": "read_graph", "items": "entities.*.observations.*"},
}


def graph() -> System:
    """The knowledge graph server of the protocol's own authors, from npm."""
    ready("mcp")
    if not shutil.which("node") or not SERVER.is_file():
        pytest.skip("needs Node 20 and `npm ci --prefix envs/mcp`")
    return System("graph", "mcp", GRAPH)


def test_the_graph_server_stores_everything_and_finds_nothing(tmp_path):
    """Its search takes the whole question as one piece of text: stored whole, found never."""
    system = graph()
    observed = Visit(plan(6), lambda: start(system, tmp_path)).run()
    banks = {row["document"]: row for row in receipts.bank_rows(plan(6), observed)}
    entries = len(corpus().memory_block.split("\n"))
    for document in ("veridical", "binding-corrupted", "veridical-again"):
        assert (banks[document]["intact"], banks[document]["entries"]) == (entries, entries)
        assert banks[document]["admitted"], banks[document]
    rows = [*readers.recall_rows(plan(6), observed)]
    assert [row["rank"] for row in rows] == [None] * len(rows)
    assert {row["state"] for row in rows} == {"ok"}


def test_the_graph_server_finds_what_it_is_asked_for_word_by_word(tmp_path):
    with closing(start(graph(), tmp_path)) as memory:
        memory.ingest("b", [EVENT])
        assert [item.text for item in memory.recall("b", "too SALTY", 5).items] == [EVENT.text]
        assert memory.recall("b", "salty bread", 5).items == ()


def test_the_conformance_check_of_the_graph_server(tmp_path):
    """No fault; that it finds nothing, and keeps one of two with one id, is told."""
    system = graph()
    found = check_system(lambda: start(system, tmp_path))
    said = {check.name: check.words for check in found if check.state != "ok"}
    assert [check for check in found if check.state == "fault"] == []
    assert set(said) == {"what was ingested is found", "the same id twice is survived"}


def test_the_lock_of_the_server_is_in_the_key():
    system = System("graph", "mcp", GRAPH, files=("envs/mcp/package-lock.json",))
    identity = system.identity(ROOT)
    assert "envs/mcp/package-lock.json" in identity["files"]
    assert "workflow/veridical/memories/filling.py" in identity["files"]
    assert identity["packages"]["mcp"].startswith("2.")
    lock = yaml.safe_load((ROOT / "envs/mcp/package-lock.json").read_text("utf-8"))["packages"]
    assert lock["node_modules/@modelcontextprotocol/server-memory"]["version"] == "2026.8.31"
    assert all(each.get("integrity") for name, each in lock.items() if name)
    assert os.path.basename(Path(GRAPH["command"][1])) == "index.js"
