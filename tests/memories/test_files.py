"""Memory by tools: the file-memory tools, a model that works them, and files as a system."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.chat_server import chat_server
from support.mcp_notes import EVENT, NOTES
from support.memory_adapters import MODELS, ROOT, ready, start
from support.memory_study import plan
from veridical.memories import readers, receipts
from veridical.memories.adapters import open_adapter
from veridical.memories.chat import Chat
from veridical.memories.conformance import check_system
from veridical.memories.driving import Driven, drive, read_call, says_anything, schema_of
from veridical.memories.folder_tools import ROOT as MEMORIES
from veridical.memories.folder_tools import TOOLS, FolderTools
from veridical.memories.protocol import Description, Event, Memory, Usage
from veridical.memories.systems import System
from veridical.memories.visit import Visit


@pytest.fixture
def tools(tmp_path) -> FolderTools:
    tools = FolderTools(tmp_path / "bank")
    assert tools.call("create", {"path": "/memories/a.md", "file_text": "one\ntwo\n"}) == (
        "/memories/a.md is written"
    )
    return tools


def view(tools: FolderTools, path: str = "/memories/a.md") -> str:
    return tools.call("view", {"path": path})


def test_a_folder_and_a_file_are_shown(tools):
    tools.call("create", {"path": "/memories/b/c.md", "file_text": ""})
    assert view(tools, MEMORIES) == "Files in /memories:\n/memories/a.md\n/memories/b/c.md"
    assert view(tools) == "     1\tone\n     2\ttwo"
    assert view(tools, "/memories/b/c.md") == ""


def test_lines_go_in_where_they_are_told(tools):
    for line, text in ((0, "zero"), (3, "three\n"), (1, "half")):
        tools.call("insert", {"path": "/memories/a.md", "insert_line": line, "insert_text": text})
    assert [line.split("\t")[1] for line in view(tools).split("\n")] == [
        *("zero", "half", "one", "two", "three")
    ]


def test_a_text_that_stands_once_is_replaced(tools):
    asked = {"path": "/memories/a.md", "old_str": "two", "new_str": "2 {and} more"}
    assert "is written" in tools.call("str_replace", asked)
    assert view(tools).endswith("2 {and} more")


def test_files_are_renamed_and_deleted(tools):
    assert "is now" in tools.call(
        "rename", {"old_path": "/memories/a.md", "new_path": "/memories/x/y.md"}
    )
    assert view(tools, MEMORIES) == "Files in /memories:\n/memories/x/y.md"
    assert tools.call("delete", {"path": "/memories/x"}) == "/memories/x is deleted"
    assert view(tools, MEMORIES) == "Files in /memories:"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("look", {}, "there is no tool 'look'"),
        ("view", {}, "view needs path"),
        ("view", {"path": "/etc/passwd"}, "/etc/passwd does not begin with /memories"),
        ("view", {"path": "/memoriesx"}, "does not begin with /memories"),
        ("view", {"path": "/memories/../../x"}, "leads out of /memories"),
        ("create", {"path": "/memories/../x", "file_text": "."}, "leads out of /memories"),
        ("view", {"path": "/memories/none"}, "/memories/none does not exist"),
        ("view", {"path": 7}, "7 does not begin with /memories"),
        ("create", {"path": "/memories", "file_text": "."}, "Error"),
        ("create", {"path": "/memories/a.md/b", "file_text": "."}, "Error"),
        ("view", {"path": "/memories/\x00"}, "Error"),
        ("delete", {"path": "/memories"}, "/memories itself can't be deleted"),
        ("rename", {"old_path": "/memories/a.md", "new_path": "/memories/a.md"}, "there already"),
        ("insert", {"path": "/memories/a.md", "insert_line": 9, "insert_text": "."}, "has 2 lines"),
        ("insert", {"path": "/memories/a.md", "insert_line": True, "insert_text": "."}, "is True"),
        (
            "str_replace",
            {"path": "/memories/a.md", "old_str": "o", "new_str": "."},
            "stands in /memories/a.md 2 times, not once",
        ),
        ("str_replace", {"path": "/memories/a.md", "old_str": "", "new_str": "."}, "0 times"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(tools, name, arguments, words):
    said = tools.call(name, arguments)
    assert said.startswith("Error: ")
    assert words in said
    assert view(tools) == "     1\tone\n     2\ttwo"
    assert len(tools.files()) == 1


@given(
    st.sampled_from([tool["name"] for tool in TOOLS]),
    st.dictionaries(
        st.sampled_from(["path", "file_text", "old_path", "new_path", "insert_line"]),
        st.one_of(st.text(), st.integers(), st.just("/memories/../a"), st.none()),
    ),
)
def test_no_call_reaches_out_of_the_folder(tmp_path_factory, name, arguments):
    folder = tmp_path_factory.mktemp("out")
    assert isinstance(FolderTools(folder / "in").call(name, arguments), str)
    assert [path.name for path in folder.iterdir()] == ["in"]


def saying(*replies: str):
    """A model that says these in turn, whatever it is asked; then that it is done."""
    left = [*replies]
    return lambda body: left.pop(0) if left else '{"tool": "done"}'


def asking(server) -> dict:
    return {"base_url": server.url, "model": "m"}


VIEW = '{"tool": "view", "arguments": {"path": "/memories/2025-01.md"}}'


def test_a_model_is_shown_tools_task_and_replies():
    with chat_server(saying('{"tool": "view", "arguments": {"path": "x"}}')) as server:
        said = drive(Chat(asking(server)), TOOLS[:1], lambda name, a: f"{name} {a}", "find it")
    assert said == ["view {'path': 'x'}"]
    first, second = (body["messages"] for body in server.asked)
    assert '"name": "view"' in first[0]["content"]
    assert first[1]["content"] == "find it"
    assert second[-1]["content"] == "The tool says:\nview {'path': 'x'}"


@pytest.mark.parametrize(
    ("replies", "calls"),
    [
        ((), 0),  # done at once
        (("no JSON",), 0),
        (('{"tool": "format_disk", "arguments": {}}',), 0),
        (('["view"]',), 0),
        ((VIEW, VIEW, VIEW), 1),  # it repeats itself
        (tuple(VIEW.replace("01", f"{n:02}") for n in range(9)), 3),  # it would go on
    ],
)
def test_a_model_that_does_not_end_is_ended(replies, calls):
    with chat_server(saying(*replies)) as server:
        said = drive(Chat(asking(server)), TOOLS[:1], lambda name, arguments: "nothing", "t")
    assert len(said) == calls


def test_a_call_without_arguments_has_none():
    assert read_call('{"tool": "view"}', TOOLS) == ("view", {})
    assert read_call('{"tool": "view", "arguments": "x"}', TOOLS) == ("view", {})


def test_the_schema_admits_each_tool_and_the_end():
    import jsonschema

    schema = schema_of(TOOLS[:1], end=True)
    for right in (json.loads(VIEW), {"tool": "done"}):
        jsonschema.validate(right, schema)
    for wrong in ({"tool": "view"}, {"tool": "create", "arguments": {}}, {"tool": "done", "x": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"tool": "done"}, schema_of(TOOLS[:1], end=False))


def test_a_model_looks_once_before_it_may_be_done():
    with chat_server(saying(VIEW)) as server:
        drive(Chat(asking(server)), TOOLS[:1], lambda name, arguments: "nothing", "t")
    forms = [body["response_format"]["json_schema"]["schema"]["anyOf"] for body in server.asked]
    ends = [[form["properties"]["tool"]["const"] for form in each] for each in forms]
    assert ends == [["view"], ["view", "done"]]


class Shelf(Memory):
    """A memory with two tools and nothing else."""

    def describe(self):
        return Description("shelf", "1", optional=("tools", "call"))

    def tools(self):
        return [{"name": "left", "schema": {}}, {"name": "right", "schema": {}}]

    def call(self, bank, name, arguments):
        return f"{name} of {bank}: {arguments.get('what', '')}"

    def usage(self):
        return Usage(calls=5)


def test_any_memory_with_tools_can_be_driven():
    told = [json.dumps({"tool": "left", "arguments": {"what": n}}) for n in range(5)]
    with chat_server(saying(*told)) as server:
        memory = Driven(Shelf(), Chat(asking(server)), ["left"], steps=2)
        assert memory.describe().models == ("m",)
        assert memory.describe().optional == ("tools", "call")
        assert [item.text for item in memory.recall("b", "tea?", 5).items] == [
            "left of b: 0",
            "left of b: 1",
        ]
        assert len(memory.recall("b", "tea?", 1).items) == 1  # no more calls than items wanted
        assert memory.usage() == Usage(5 + 3, 300, 30)
        assert [tool["name"] for tool in memory.tools()] == ["left", "right"]
        memory.close()
    offered = server.asked[0]["messages"][0]["content"]
    assert '"left"' in offered
    assert '"right"' not in offered
    assert "tea?" in server.asked[0]["messages"][1]["content"]


def test_a_long_reply_of_a_tool_is_shown_in_part_and_recalled_whole():
    class Long(Shelf):
        def call(self, bank, name, arguments):
            return "x" * 50_000

    with chat_server(saying('{"tool": "left", "arguments": {}}')) as server:
        memory = Driven(Long(), Chat(asking(server)), ["left"])
        (found,) = memory.recall("b", "tea?", 5).items
    assert len(found.text) == 50_000
    assert len(server.asked[1]["messages"][-1]["content"]) < 7_000


EVENTS = [
    Event("e1", "2025-01-01", "Ada", "2025-01-01 — met Bo: bread."),
    Event("e2", "2025-01-30", "Ada", "2025-01-30 — met Cy: rain."),
    Event("e3", "2025-02-01", "Ada", "2025-02-01 — met Bo: boats."),
]


def test_events_lie_in_a_file_a_month_and_the_model_looks_where_it_likes(tmp_path):
    with chat_server(saying(VIEW)) as server:
        memory = open_adapter("files", {"model": asking(server)}, tmp_path)
        with closing(memory):
            memory.reset("b")
            assert memory.ingest("b", EVENTS) == 3
            assert [item.text for item in memory.dump("b")] == [event.text for event in EVENTS]
            (found,) = memory.recall("b", "Who met Cy?", 5).items
            assert found.text == f"     1\t{EVENTS[0].text}\n     2\t{EVENTS[1].text}"
            assert memory.usage() == Usage(2, 200, 20)
            assert memory.dump("other") == ()
            memory.reset("b")
            assert memory.dump("b") == ()
    asked = server.asked[0]["messages"][-1]["content"]
    assert "Who met Cy?" in asked
    assert "/memories/2025-01.md\n/memories/2025-02.md" in asked
    assert "create" not in server.asked[0]["messages"][0]["content"]  # reading writes nothing


def test_a_model_may_write_what_it_likes(tmp_path):
    made = {"path": "/memories/bo.md", "file_text": "Bo: bread\n"}
    with chat_server(saying(json.dumps({"tool": "create", "arguments": made}))) as server:
        settings = {"model": asking(server), "write": "model"}
        with closing(open_adapter("files", settings, tmp_path)) as memory:
            assert memory.describe().writes == "extracted"
            assert memory.ingest("b", EVENTS[:1]) == 1
            assert [item.text for item in memory.dump("b")] == ["Bo: bread"]
            assert {tool["name"] for tool in memory.tools()} == {tool["name"] for tool in TOOLS}
            assert memory.call("b", "view", {"path": "/memories/bo.md"}) == "     1\tBo: bread"
    assert EVENTS[0].text in server.asked[0]["messages"][-1]["content"]


def test_who_writes_is_one_of_two(tmp_path):
    with pytest.raises(ValueError, match="write is 'me'; known are verbatim, model"):
        open_adapter("files", {"model": {"weights": "x"}, "write": "me"}, tmp_path)


def first_file(body: dict) -> str:
    """A model that looks into every file it was told of, one after the other."""
    shown = len(body["messages"]) // 2 - 1
    task = body["messages"][1]["content"]
    named = [line for line in task.split("\n") if line.endswith(".md")]
    if shown >= len(named):
        return '{"tool": "done"}'
    return json.dumps({"tool": "view", "arguments": {"path": named[shown]}})


def test_the_conformance_check_finds_no_fault(tmp_path):
    with chat_server(first_file) as server:
        system = System("f", "files", {"model": asking(server)})
        found = check_system(lambda: start(system, tmp_path))
    assert [str(check) for check in found if check.state == "fault"] == []
    assert {check.name for check in found if check.state == "note"} == {"odd texts are survived"}


def test_corpus_a_by_a_model_that_looks_everywhere(tmp_path):
    """All is stored, and found as far as three files reach."""
    with chat_server(first_file) as server:
        system = System("f", "files", {"model": asking(server)})
        observed = Visit(plan(6), lambda: start(system, tmp_path)).run()
    banks = {row["document"]: row for row in receipts.bank_rows(plan(6), observed)}
    assert banks["veridical"]["lost"] == banks["veridical"]["altered"] == 0
    files = {entry.at[:7] for entry in plan(6).bank("veridical").events}
    rows = [*readers.recall_rows(plan(6), observed)]
    found = sum(row["rank"] is not None for row in rows if row["document"] == "veridical")
    assert (found == 6) == (len(files) <= 3)
    assert observed["recall/veridical/A-p01"].value["usage"]["calls"] >= 1


def test_a_real_model_works_the_tools(small_model, tmp_path, monkeypatch):
    """The 98 MB model: whatever it looks at, what is recalled is what its tools said."""
    monkeypatch.setenv("VERIDICAL_MODELS", str(MODELS))
    settings = {"model": {"weights": small_model, "max_tokens": 60}, "steps": 1}
    with closing(open_adapter("files", settings, tmp_path)) as memory:
        memory.ingest("b", EVENTS)
        found = memory.recall("b", "Who met Cy?", 5).items
        assert memory.usage().calls in (1, 2)
    assert len(found) <= 1
    assert all(any(event.text in item.text for event in EVENTS) for item in found)


@pytest.mark.parametrize(
    "looked", ["/memories", "/memories/none.md", "/etc/passwd", "/memories/\x00", None, 3]
)
def test_what_is_no_file_of_the_bank_is_no_memory(tmp_path, looked):
    """A folder's list and an error are shown to the model, and recalled from nowhere."""
    asked = {"tool": "view", "arguments": {"path": looked}}
    with chat_server(saying(json.dumps(asked))) as server:
        memory = open_adapter("files", {"model": asking(server)}, tmp_path)
        memory.ingest("b", EVENTS)
        assert memory.recall("b", "Who met Cy?", 5).items == ()
    assert "The tool says:" in server.asked[1]["messages"][-1]["content"]


@pytest.mark.parametrize("text", ["", " \n", "{}", "[]", '{"nodes": [], "n": 3}', '[["", " "]]'])
def test_a_reply_without_a_text_says_nothing(text):
    assert not says_anything(text)


@given(
    st.recursive(st.integers() | st.none(), lambda c: st.lists(c) | st.dictionaries(st.text(), c))
)
def test_json_without_a_text_says_nothing_however_deep(value):
    assert not says_anything(json.dumps(value)) or isinstance(value, str)
    assert says_anything(json.dumps([value, {"said": "tea"}]))


def test_an_empty_search_of_an_mcp_server_recalls_nothing(tmp_path):
    ready("mcp")
    everything = {"tool": "everything", "arguments": {}}
    with chat_server(saying(json.dumps(everything))) as server:
        driver = {"model": asking(server), "tools": ["everything"]}
        with closing(open_adapter("mcp", NOTES | {"driver": driver}, tmp_path)) as memory:
            assert memory.recall("b", "Bread?", 5).items == ()
    assert '"notes": []' in server.asked[1]["messages"][-1]["content"]


def test_an_mcp_server_is_asked_through_a_model(tmp_path):
    """The model writes the query, by the tools that it is offered."""
    ready("mcp")
    find = {"tool": "find", "arguments": {"words": "salty", "most": 3}}
    with chat_server(saying(json.dumps(find))) as server:
        driver = {"model": asking(server), "tools": ["find", "everything"], "steps": 2}
        with closing(open_adapter("mcp", NOTES | {"driver": driver}, tmp_path)) as memory:
            found = memory.describe()
            assert (found.name, found.reads, found.models) == ("notes", ("query", "tools"), ("m",))
            memory.ingest("b", [EVENT])
            assert [item.text for item in memory.recall("b", "Bread?", 5).items] == [EVENT.text]
            assert [item.text for item in memory.dump("b")] == [EVENT.text]
            assert memory.usage().calls == 2
    offered = server.asked[0]["messages"][0]["content"]
    assert '"find"' in offered
    assert '"remember"' not in offered


def test_a_tool_that_is_not_there_cannot_be_offered(tmp_path):
    ready("mcp")
    driver = {"model": {"base_url": "http://127.0.0.1:9", "model": "m"}, "tools": ["seek"]}
    memory = open_adapter("mcp", NOTES | {"driver": driver}, tmp_path)
    words = "there is no tool 'seek' to offer, only remember"
    with closing(memory), pytest.raises(ValueError, match=words):
        memory.describe()


def test_who_drives_is_in_the_key():
    driver = {"model": {"weights": "SmolLM2-135M-Instruct.Q4_1"}, "tools": ["find"]}
    identity = System("n", "mcp", NOTES | {"driver": driver}).identity(ROOT)
    assert "workflow/veridical/memories/driving.py" in identity["files"]
    assert [*identity["weights"]] == ["SmolLM2-135M-Instruct.Q4_1"]
    plain = System("n", "mcp", NOTES).identity(ROOT)
    assert "weights" not in plain
    assert "workflow/veridical/memories/driving.py" not in plain["files"]
    assert Path(ROOT, "workflow/veridical/memories/driving.py").is_file()
