"""A memory system in a process: what it says gets through; whatever it does is told in words."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from support.memory_programs import broken, example, shipped, started
from veridical.memories.process import Patience, Process
from veridical.memories.protocol import Event, Item, MemoryFault, Recalled, Settled, Usage

EVENT = Event("e1", "2025-01-01", "Ada", "The bread was too salty.")


def after(verb: str, action: str) -> str:
    """The example doing something else when it is asked a verb."""
    return broken(
        '    verb, bank = asked["verb"], asked.get("bank")\n',
        f'    verb, bank = asked["verb"], asked.get("bank")\n    if verb == "{verb}": {action}\n',
    )


def fault_of(memory: Process, verb: str = "recall") -> MemoryFault:
    """The fault that a bank of one event and one query bring out, which must be that verb's."""
    with closing(memory), pytest.raises(MemoryFault) as caught:
        visit(memory)
    assert caught.value.verb == verb
    return caught.value


def visit(memory: Process) -> None:
    memory.reset("b")
    memory.ingest("b", [EVENT])
    memory.recall("b", "bread", 3)
    memory.usage()


def test_the_notes_example_is_short_and_does_all_it_must(tmp_path):
    assert len(example().splitlines()) < 40
    memory = started(example(), tmp_path)
    assert memory.describe().name == "word overlap"
    memory.reset("b")
    assert memory.ingest("b", [EVENT, Event("e2", "2025-01-02", "Ada", "Rain all day.")]) == 2
    assert memory.settle("b", 5) == Settled(True, 0)
    assert memory.recall("b", "How salty was the bread?", 1) == Recalled(
        (Item(EVENT.text, sources=("e1",)),)
    )
    assert memory.usage() == Usage()
    assert [item.sources for item in memory.dump("b")] == [("e1",), ("e2",)]
    memory.reset("b")
    assert memory.dump("b") == ()
    memory.close()
    assert memory._process.poll() is not None


@pytest.mark.parametrize("adapter", ["fts5", "window"])
def test_texts_come_back_as_they_went_in(adapter, tmp_path):
    odd = ["two\nlines", "a NUL \x00 here", "\u202eback\u202c", "🧠", "x" * 2**20, '"\\n";--', " "]
    memory = shipped(adapter, tmp_path)
    memory.reset("b")
    for number, text in enumerate(odd):
        assert memory.ingest("b", [Event(str(number), "2025-01-01", "Ada", text)]) == 1
    assert [item.text for item in memory.dump("b")] == odd
    memory.close()


def test_a_program_that_dies_is_named_with_its_last_words(tmp_path):
    program = after("recall", 'sys.stderr.write("out of hats"); sys.stderr.flush(); os._exit(3)')
    fault = fault_of(started(program, tmp_path))
    assert fault.gone
    assert fault.bank == "b"
    assert "ended during `recall` (exit code 3); its last words: out of hats" in str(fault)


def test_a_program_that_hangs_is_ended_in_time(tmp_path):
    program = after("recall", "time.sleep(60)")
    begun = time.monotonic()
    fault = fault_of(started(program, tmp_path, patience=Patience(recall=0.5, close=0.5)))
    assert "no reply to `recall` within 0.5 s" in str(fault)
    assert fault.gone
    assert time.monotonic() - begun < 10


def test_a_program_that_reads_nothing_hangs_nobody(tmp_path):
    """What it doesn't read fills the pipe; the writer must not wait for it."""
    memory = started("import time; time.sleep(60)", tmp_path, patience=Patience(ingest=0.5))
    with closing(memory), pytest.raises(MemoryFault, match=r"no reply to `ingest`"):
        memory.ingest("b", [Event("e", "2025-01-01", "Ada", "x" * 2**20)])


def test_output_that_is_no_json_is_quoted(tmp_path):
    fault = fault_of(started(after("recall", 'print("Recalling...", flush=True)'), tmp_path))
    assert "answered `recall` with what is no JSON: 'Recalling...'" in str(fault)


def test_a_hundred_megabytes_without_a_line_end_are_cut_off(tmp_path):
    program = after("recall", 'sys.stdout.write("x" * (101 << 20)); sys.stdout.flush()')
    fault = fault_of(started(program, tmp_path))
    assert "wrote more than 100 MB without a line end" in str(fault)


def test_a_large_reply_within_the_limit_is_read(tmp_path):
    program = after("recall", 'return {"items": [{"text": "x" * (20 << 20)}]}')
    with closing(started(program, tmp_path)) as memory:
        assert len(memory.recall("b", "bread", 3).items[0].text) == 20 << 20


def test_an_error_is_no_end(tmp_path):
    with closing(started(example(), tmp_path)) as memory:
        with pytest.raises(MemoryFault, match="it says: KeyError: 'never'") as caught:
            memory.recall("never", "bread", 3)
        assert not caught.value.gone
        memory.reset("never")
        assert memory.recall("never", "bread", 3) == Recalled()


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("[1]", "the reply is no JSON object but [1]"),
        ("{}", "its reply has no `items`: {}"),
        ('{"items": "all of them"}', "`items` of its reply is 'all of them', not a list"),
        ('{"items": [{"score": 1}]}', "item 1 has no text: {'score': 1}"),
        ('{"items": ["bread"]}', "item 1 has no text: 'bread'"),
        ('{"items": [{"text": "a"}, {"text": null}]}', "item 2 has no text"),
        ('{"items": [{"text": "a", "score": "high"}]}', "the score of item 1 is 'high'"),
        ('{"items": [], "context": 3}', "`context` of its reply is 3, not text"),
    ],
)
def test_a_reply_that_is_wrong_is_told_in_words(tmp_path, reply, words):
    program = after("recall", f"print({reply!r}, flush=True); raise SystemExit")
    fault = fault_of(started(program, tmp_path))
    assert words in str(fault)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"protocol": 1', '"protocol": 2', "it speaks memory protocol 2; this is protocol 1"),
        ('"version": "1"', '"version": 1', "`version` of its reply is 1, not text"),
        ('["dump"]', '["dumb"]', "`optional` holds 'dumb'; known are dump, tools, call, answer"),
        ('"optional"', '"reads": ["mind"], "optional"', "`reads` holds 'mind'"),
    ],
)
def test_a_description_that_is_wrong_is_told_in_words(tmp_path, old, new, words):
    with (
        closing(started(broken(old, new), tmp_path)) as memory,
        pytest.raises(MemoryFault) as caught,
    ):
        memory.describe()
    assert words in str(caught.value)


def test_keys_never_reach_an_error(tmp_path):
    program = after("recall", 'raise ValueError(os.environ["SOME_API_KEY"])')
    dying = after("recall", 'print(os.environ["SOME_API_KEY"], file=sys.stderr); os._exit(1)')
    for each in (program, dying):
        environ = {"SOME_API_KEY": "sesame-sesame-9", "PATH": "/usr/bin"}
        fault = fault_of(started(each, tmp_path, environ=environ))
        assert "sesame" not in str(fault)
        assert "[key]" in str(fault)


def test_a_program_that_is_not_there(tmp_path):
    with pytest.raises(MemoryFault, match="no-such-program can't be started"):
        Process(["no-such-program"], tmp_path)


def test_what_a_program_started_ends_with_it(tmp_path):
    mark = tmp_path / "pid"
    start = "p = __import__('subprocess').Popen(['sleep', '60']); "
    memory = started(after("reset", f"{start}open({str(mark)!r}, 'w').write(str(p.pid))"), tmp_path)
    memory.reset("b")
    status = Path(f"/proc/{int(mark.read_text())}/stat")
    assert status.exists()
    memory.close()
    time.sleep(0.2)
    assert not status.exists() or ") Z " in status.read_text()


def test_what_libraries_print_is_no_reply(tmp_path):
    """An adapter's own prints go to standard error, and leave the protocol alone."""
    code = (
        "import os, sys, veridical.memories.adapters.window as w, veridical.memories.serve as s\n"
        "old = w.Adapter.recall\n"
        "def loud(self, *a):\n    print('hello'); os.system('echo hi'); return old(self, *a)\n"
        "w.Adapter.recall = loud\ns.main('window', '{}')\n"
    )
    memory = Process([sys.executable, "-c", code], tmp_path)
    memory.reset("b")
    memory.ingest("b", [EVENT])
    assert memory.recall("b", "x", 1).items[0].text == EVENT.text
    memory.close()
