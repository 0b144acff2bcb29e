"""What stops a collection, how far it is, and the ledger's file: each by itself."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.ledger.exports import is_replies, replies_export
from veridical.ledger.file import SCHEMA, VERSION, LedgerError, damage, digest, open_file
from veridical.ledger.progress import Progress
from veridical.ledger.stopping import CollectionStopped, Halt
from veridical.ledger.task import Tally, Task
from veridical.ledger.texts import compact
from veridical.models.conversation import Position
from veridical.models.exchange import Model, ProviderError
from veridical.models.prompts import Prompt, Turn

KEY = "sk-" + "Zq4" * 10
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture
def task() -> Task:
    prompts = [Prompt(f"p{n}", (Turn("?"),), samples=n + 1) for n in range(3)]
    return Task(prompts, Model("parrot", "openai", "m-1"), Path("l.sqlite"), "control3")


# Stopping


def test_the_first_error_is_the_one_raised_and_all_are_called(task):
    halt = Halt(task, [])
    halt.raise_error()  # nothing stopped it
    first = ValueError("first")
    halt.call(first)
    halt.call(KeyError("second"))
    assert halt.called.is_set()
    with pytest.raises(ValueError, match=r"^first$") as caught:
        halt.raise_error()
    assert caught.value is first


def test_an_error_that_shows_a_key_is_raised_without_it_and_without_its_frames(task):
    halt = Halt(task, [KEY])
    halt.call(ValueError(f"it said {KEY}"))
    with pytest.raises(CollectionStopped) as caught:
        halt.raise_error()
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert str(caught.value).startswith("parrot, control3: ValueError: it said ")


@pytest.mark.parametrize(
    ("error", "position", "said"),
    [
        (ProviderError("down", transient=True), None, "parrot, control3: down. "),
        (KeyError("x"), None, "parrot, control3: KeyError: 'x'. "),
        (
            ProviderError("no", transient=False),
            Position("p1", 0, 0),
            "parrot, control3 ('p1', sample 0",
        ),
    ],
)
def test_an_error_says_where_it_arose_and_that_nothing_is_lost(task, error, position, said):
    text = Halt(task, []).explained(error, position)
    assert text.startswith(said)
    assert text.endswith("What was answered before is kept")


# Progress


def test_conversations_are_counted_and_the_bar_stands_at_their_sum(task, capsys):
    tally = Tally()
    progress = Progress(task, tally)
    with progress.shown():
        for held in (True, False, True):
            progress.count(held=held)
        progress.note("a \x1b[31mnote")
        assert progress.bar.total == 1 + 2 + 3
        assert progress.bar.n == 3
    assert (tally.conversations, tally.held) == (3, 2)
    said = capsys.readouterr().err
    assert "a \\x1b[31mnote" in said  # shown, not obeyed
    assert "parrot control3" in said
    assert "2 from the ledger" in said


def test_a_note_is_said_on_the_terminal_only_where_the_log_is_elsewhere(task, monkeypatch, capsys):
    import io
    import sys

    terminal = io.StringIO()
    monkeypatch.setattr(sys, "__stderr__", terminal)
    progress = Progress(task, Tally())
    with progress.shown():
        progress.note("quiet")
        progress.note("aloud", aloud=True)
    assert terminal.getvalue() == "parrot: aloud\n"
    assert capsys.readouterr().err.count("aloud") == 1


# What is to be collected


def test_a_task_has_a_place_a_label_and_addresses(tmp_path, task):
    written = Task(tmp_path / "A-none.jsonl", task.model, task.ledger, "control3")
    assert (written.label, written.place) == ("control3/A-none", "control3/parrot/A-none")
    one, several = Prompt("p", (Turn("?"),)), Prompt("q", (Turn("?"),), samples=2)
    assert written.address(one) == "control3/parrot/A-none/p"
    assert written.address(several, 1) == "control3/parrot/A-none/q#1"
    assert Task([one], task.model, task.ledger).label == "prompts"


# The file


@given(JSON)
def test_one_content_has_one_text(content):
    text = compact(content)
    assert json.loads(text) == content
    assert text == compact(json.loads(text))
    assert "\n" not in text


@given(st.dictionaries(st.text(max_size=4), st.integers(), max_size=5))
def test_the_order_of_keys_is_no_matter(content):
    assert compact(dict(reversed(content.items()))) == compact(content)


def test_a_digest_is_of_key_and_reply():
    assert digest("k", "r") == hashlib.sha256(b"k\nr").hexdigest()
    assert digest("k", "r") != digest("k\nr", "")[:0] + digest("kr", "")


def test_a_new_file_has_its_tables_and_its_version(tmp_path):
    path = tmp_path / "new" / "ledger.sqlite"
    database = open_file(path, create=True)
    assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)
    names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    assert {"requests", "attempts", "owners", "claims", "one_answer"} <= names
    assert not database.in_transaction
    assert damage(database, path) == []
    database.close()
    open_file(path, create=False).close()


def test_a_file_that_is_not_there_is_made_only_where_it_may(tmp_path):
    with pytest.raises(LedgerError, match=r"none\.sqlite: no such ledger"):
        open_file(tmp_path / "a/none.sqlite", create=False)
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("content", [b"id,answer\n" * 100, b"SQLite format 3\x00" + b"\x00" * 200])
def test_a_file_of_another_kind_is_no_ledger(tmp_path, content):
    path = tmp_path / "l.sqlite"
    path.write_bytes(content)
    with pytest.raises(LedgerError, match=r"l\.sqlite: can't be opened as a ledger"):
        open_file(path, create=True)
    assert path.read_bytes() == content


def test_tables_half_made_are_undone(tmp_path, monkeypatch):
    """As when the disk fills up while a ledger is made: the next process makes it whole."""
    path = tmp_path / "l.sqlite"
    with monkeypatch.context() as patched:
        patched.setattr("veridical.ledger.file.SCHEMA", SCHEMA + ";\nNO SUCH STATEMENT")
        with pytest.raises(sqlite3.OperationalError):
            open_file(path, create=True)
    database = open_file(path, create=True)
    assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)
    database.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("INSERT INTO attempts VALUES ('k', 1, 'u', 1, '{}', 'x')", "no request is kept for k"),
        ("INSERT INTO attempts VALUES ('k', 1, 'u', 1, '{}', 'x')", "does not have its digest"),
        (
            "INSERT INTO requests VALUES ('k', 'other');"
            "INSERT INTO attempts VALUES ('k', 1, 'u', 1, '{}', 'x')",
            "the request kept for k is not the one sent",
        ),
    ],
)
def test_what_was_put_in_by_hand_is_named(tmp_path, statement, said):
    path = tmp_path / "l.sqlite"
    database = open_file(path, create=True)
    database.executescript(statement)
    assert any(said in problem for problem in damage(database, path))
    assert all(problem.startswith(f"{path}: ") for problem in damage(database, path))
    database.close()


# Exports


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.jsonl", '{"id": 1, "exchanges": []}\n', True),
        ("a.jsonl", '{"id": 1}\n', False),
        ("a.jsonl", "[1]\n", False),
        ("a.jsonl", "exchanges\n", False),
        ("a.jsonl", "", False),
        ("a.json", '{"exchanges": []}\n', False),
    ],
)
def test_a_replies_file_is_known_by_its_first_line(tmp_path, name, text, found):
    path = tmp_path / name
    path.write_text(text)
    assert is_replies(path) == found


@pytest.mark.parametrize("path", ["data/x.jsonl", "results", "/results/demo/x.jsonl"])
def test_what_lies_elsewhere_has_no_export(path):
    with pytest.raises(ValueError, match="a replies file lies under results/<study>"):
        replies_export(path)


def test_halting_wakes_who_waits(task):
    async def wait() -> bool:
        halt = Halt(task, [])
        waiting = asyncio.create_task(halt.called.wait())
        await asyncio.sleep(0)
        halt.call(ValueError())
        return await asyncio.wait_for(waiting, 5)

    assert asyncio.run(wait())
