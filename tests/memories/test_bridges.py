"""Bridges to others' provider classes: a real class of each shape, put through its paces."""

from __future__ import annotations

import shutil
from contextlib import closing

import pytest
from support.memory_adapters import ROOT, start
from support.memory_study import plan
from veridical.memories import readers, receipts
from veridical.memories.adapters import open_adapter
from veridical.memories.conformance import check_system
from veridical.memories.protocol import Event, Item, MemoryFault, Settled
from veridical.memories.systems import System
from veridical.memories.visit import Visit

EVENTS = [
    Event("e1", "2025-01-01", "Ada", "The bread was too salty."),
    Event("e2", "2025-01-02", "Bo", "Rain all day."),
]
PYTHON = "tests/support/amb_provider.py:Notes"
AMB = System("a", "amb", {"provider": PYTHON, "version": "3"}, files=(PYTHON.split(":")[0],))
BRIDGE = "workflow/veridical/memories/bridges/memorybench.js"
SCRIPT = "tests/support/memorybench_provider.mjs"


@pytest.fixture(autouse=True)
def project(monkeypatch):
    monkeypatch.chdir(ROOT)


def bench(name: str = "Notes", config: str = "{}", script: str = SCRIPT) -> System:
    if not shutil.which("node"):
        pytest.skip("needs Node 20")
    return System("m", "command", command=("node", BRIDGE, script, name, config))


def test_amb_a_document_goes_in_and_comes_out_whole(tmp_path):
    with closing(open_adapter("amb", {"provider": PYTHON, "version": 3}, tmp_path)) as memory:
        assert memory.describe().name == "shared words"
        assert memory.describe().version == "3"
        memory.reset("b")
        assert memory.ingest("b", EVENTS) == 2
        found = memory.recall("b", "the rain of that day", 9, "2025-02-01").items
        assert [item.text for item in found] == [EVENTS[1].text, EVENTS[0].text]
        assert found[1] == Item(EVENTS[0].text, None, "2025-01-01", ("e1",))
        assert len(memory.recall("b", "the rain of that day", 1).items) == 1
        assert memory.recall("other", "bread", 9).items == ()
        memory.reset("b")
        assert memory.recall("b", "bread", 9).items == ()


def test_amb_hooks_are_called_and_settings_given(tmp_path):
    settings = {"provider": PYTHON, "version": "3", "settings": {"least": 2}, "answers": True}
    memory = open_adapter("amb", settings, tmp_path)
    memory.ingest("b", EVENTS)
    assert memory.recall("b", "bread", 9).items == ()  # one word is shared, two are wanted
    assert memory.describe().reads == ("query", "answer")
    asked = [{"role": "user", "content": "Was the bread salty?"}]
    assert memory.answer("b", asked) == EVENTS[0].text
    memory.close()
    assert len([*tmp_path.glob("*/notes.left")]) == 1  # its cleanup


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("Notes", "names no class; write package.module:Class or file.py:Class"),
        ("tests/none.py:Notes", "none.py is not there; it is looked for from the project's folder"),
        ("no_such_package.memory:Notes", "can't be imported (No module named 'no_such_package')"),
        ("tests/support/amb_provider.py:Note", "has no class 'Note'"),
        ("tests/support/amb_provider.py:NUMBER", "has no class 'NUMBER'"),
    ],
)
def test_amb_a_class_that_is_not_there_is_named(tmp_path, provider, words):
    with pytest.raises(ValueError, match=r"class|is not there|can't be") as caught:
        open_adapter("amb", {"provider": provider, "version": "1"}, tmp_path)
    assert words in str(caught.value)


def test_memorybench_sessions_are_waited_for_before_they_are_found(tmp_path):
    with closing(start(bench(), tmp_path)) as memory:
        assert memory.describe().version == "2.0"
        memory.reset("b")
        assert memory.ingest("b", EVENTS[:1]) + memory.ingest("b", EVENTS[1:]) == 2
        assert memory.recall("b", "salty bread", 5).items == ()  # not yet indexed
        assert memory.settle("b", 5) == Settled(True)
        assert memory.recall("b", "salty bread", 5).items == (Item(EVENTS[0].text, 2),)
        assert memory.recall("other", "salty bread", 5).items == ()
        memory.reset("b")
        assert memory.recall("b", "salty bread", 5).items == ()


def test_memorybench_an_error_of_the_class_is_told_and_the_program_goes_on(tmp_path):
    with closing(start(bench(), tmp_path)) as memory:
        with pytest.raises(MemoryFault, match="it says: RangeError: no such query"):
            memory.recall("b", "fail", 3)
        assert memory.recall("b", "bread", 3).items == ()


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (("Note",), "exports no class Note"),
        (("Notes", "{"), "SyntaxError"),
        (("Notes", "{}", "tests/none.mjs"), "none.mjs"),
    ],
)
def test_memorybench_what_is_not_there_is_in_its_last_words(tmp_path, system, words):
    with closing(start(bench(*system), tmp_path)) as memory:
        with pytest.raises(MemoryFault, match="the program ended during `describe`") as caught:
            memory.describe()
        assert words in str(caught.value)


@pytest.mark.parametrize("shape", ["amb", "memorybench"])
def test_the_conformance_check_finds_no_fault(shape, tmp_path):
    system = AMB if shape == "amb" else bench()
    found = check_system(lambda: start(system, tmp_path))
    assert [str(check) for check in found if check.state == "fault"] == []
    notes = {check.name for check in found if check.state == "note"}
    assert notes == {"it starts and describes itself"}  # no dump


@pytest.mark.parametrize("shape", ["amb", "memorybench"])
def test_corpus_a_comes_through(shape, tmp_path):
    """Without a dump *stored* is not measurable, and the canary admits the bank."""
    system = AMB if shape == "amb" else bench()
    observed = Visit(plan(6), lambda: start(system, tmp_path)).run()
    banks = {row["document"]: row for row in receipts.bank_rows(plan(6), observed)}
    assert banks["veridical"]["admitted"], banks["veridical"]
    assert banks["veridical"]["intact"] is None
    rows = [*readers.recall_rows(plan(6), observed)]
    assert sum(row["rank"] is not None for row in rows if row["document"] == "veridical") == 6


def test_the_bridge_and_the_class_are_in_the_key():
    assert {PYTHON.split(":")[0], "workflow/veridical/memories/adapters/amb.py"} == set(
        AMB.identity(ROOT)["files"]
    )
    system = System("m", "command", command=("node", BRIDGE, SCRIPT, "Notes"))
    assert set(system.identity(ROOT)["files"]) == {BRIDGE, SCRIPT}
