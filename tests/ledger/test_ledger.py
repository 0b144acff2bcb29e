from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from veridical.base.processes import Signs, alive, host, started
from veridical.ledger.databases import journal
from veridical.ledger.file import LedgerError
from veridical.ledger.ledger import Ledger
from veridical.models.exchange import Call, Model, Raw, Reply

MODEL = Model("m", "openai", "gpt", parameters={"temperature": 0.0})


def call(text: str, sample: int = 0) -> Call:
    return Call(MODEL, ({"role": "user", "content": text},), sample=sample)


def reply(asked: Call, text: str = "yes", state: str = "ok") -> Reply:
    return Reply(asked.key, state, text, Raw(text, finish="stop", parameters={"seed": 1}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study" / "stage" / "m.sqlite"


def test_an_answer_comes_back_as_it_was_kept(path):
    asked = call("grüß dich \u2028 \x00 'quoted'")
    with Ledger(path) as ledger:
        kept = ledger.keep(asked, reply(asked, "ğ\u2028\x00"))
    with Ledger(path, create=False) as ledger:
        assert ledger.answer(asked.key) == kept
        assert kept.attempt == 1
        assert kept.time.endswith("Z")
        (exchange,) = ledger.exchanges()
    assert exchange.request == asked.canonical()
    assert exchange.served


def test_a_failed_attempt_is_kept_and_never_served(path):
    asked = call("x")
    with Ledger(path) as ledger:
        ledger.keep(asked, Reply(asked.key, "failed", None, Raw(""), error="500"))
        assert ledger.answer(asked.key) is None
        kept = ledger.keep(asked, reply(asked))
        assert kept.attempt == 2
        assert ledger.answer(asked.key) == kept
        assert [(each.reply.state, each.served) for each in ledger.exchanges()] == [
            ("failed", False),
            ("ok", True),
        ]


def test_a_second_answer_is_kept_and_the_first_one_served(path):
    asked = call("x")
    with Ledger(path) as ledger:
        first = ledger.keep(asked, reply(asked, "first"))
        ledger.keep(asked, reply(asked, "second"))
        assert ledger.answer(asked.key) == first
        assert [each.reply.raw.text for each in ledger.exchanges()] == ["first", "second"]
        assert ledger.check() == []


def test_refusals_are_answers(path):
    asked = call("x")
    with Ledger(path) as ledger:
        ledger.keep(asked, reply(asked, "no", "refused"))
        assert ledger.lease([asked]) == ["answered"]


def test_whatever_decides_the_answer_is_in_the_key():
    keys = {
        call("x").key,
        call("y").key,
        call("x", sample=1).key,
        Call(Model("m", "openai", "gpt"), ({"role": "user", "content": "x"},)).key,
        Call(MODEL, ({"role": "system", "content": "x"},)).key,
        Call(MODEL, ({"role": "user", "content": "x"},), parameters={"max_tokens": 8}).key,
        Call(Model("m", "openai", "gpt-2", parameters=MODEL.parameters), call("x").messages).key,
    }
    assert len(keys) == 7


def test_the_models_name_in_the_study_and_manners_are_not_in_the_key():
    polite = Model("n", "openai", "gpt", parameters=MODEL.parameters, options={"concurrency": 3})
    assert Call(polite, call("x").messages).key == call("x").key


def test_a_lease_is_respected_while_its_owner_lives(path):
    with Ledger(path) as one, Ledger(path) as two:
        assert one.lease([call("a"), call("b")]) == ["leased", "leased"]
        assert two.lease([call("a"), call("c")]) == ["held", "leased"]
        assert one.lease([call("a")]) == ["leased"]
        one.release(call("a").key)
        assert two.lease([call("a"), call("b")]) == ["leased", "held"]
        one.keep(call("b"), reply(call("b")))
        assert two.lease([call("b")]) == ["answered"]


BEFORE = """
CREATE TABLE requests (key TEXT PRIMARY KEY, request TEXT NOT NULL);
CREATE TABLE attempts (key TEXT NOT NULL REFERENCES requests (key), attempt INTEGER NOT NULL,
    uid TEXT NOT NULL, served INTEGER NOT NULL, reply TEXT NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (key, attempt));
CREATE UNIQUE INDEX one_answer ON attempts (key) WHERE served;
CREATE TABLE owners (owner TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL,
    started TEXT NOT NULL, heartbeat REAL NOT NULL);
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


def test_a_ledger_from_before_leases_had_their_name_opens_and_its_claims_hold(path):
    """The tables as they were when a lease was called a claim, one call of them under way."""
    path.parent.mkdir(parents=True)
    now = datetime.now(UTC).timestamp()
    with closing(sqlite3.connect(path)) as old:
        old.executescript(BEFORE)
        here = (host(), os.getpid(), started(os.getpid()), now)
        old.execute("INSERT INTO owners VALUES ('other', ?, ?, ?, ?)", here)
        old.execute("INSERT INTO claims VALUES (?, 'other')", (call("a").key,))
        old.commit()
    with Ledger(path, create=False) as ledger:
        assert ledger.lease([call("a"), call("b")]) == ["held", "leased"]
        ledger.keep(call("b"), reply(call("b")))
        assert ledger.answer(call("b").key) is not None
        assert ledger.check() == []


def test_closing_gives_leases_back(path):
    with Ledger(path) as one:
        one.lease([call("a")])
    with Ledger(path) as two:
        assert two.lease([call("a")]) == ["leased"]


def test_the_lease_of_a_dead_process_is_taken_over(path):
    code = (
        "import os, sys; from test_ledger import call\n"
        "from veridical.ledger.ledger import Ledger\n"
        f"print(Ledger({str(path)!r}).lease([call('a')])); sys.stdout.flush(); os._exit(9)"
    )
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=here,
        env={**os.environ, "PYTHONPATH": here},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "['leased']\n", done.stderr
    with Ledger(path) as ledger:
        assert ledger.lease([call("a")]) == ["leased"]


def never() -> bool:
    raise AssertionError("a process of this host is looked up, not asked for signs")


def test_who_lives():
    here, began = host(), started(os.getpid())
    assert alive(here, os.getpid(), began, never)  # this process: its signs are no matter
    assert not alive(here, os.getpid(), "1", never)  # its number is used by another now
    assert not alive(here, 2**22 + 1, "1", never)
    assert alive("elsewhere", 1, "1", lambda: True)
    assert not alive("elsewhere", 1, "1", lambda: False)
    assert not alive(None, None, None, lambda: True)


def test_signs_from_another_host_are_judged_by_our_own_clock():
    clock = [1000.0]
    signs = Signs(stale=120, clock=lambda: clock[0])
    assert signs.fresh("a", 5.0)  # seen for the first time, whatever time it says
    clock[0] += 119.0
    assert signs.fresh("a", 5.0)
    clock[0] += 1.0
    assert not signs.fresh("a", 5.0)  # the same for two minutes
    assert signs.fresh("a", 3.0)  # it changed, if backwards: that host's clock was set
    clock[0] += 60.0
    assert signs.fresh("b", 3.0)  # another owner has its own time
    clock[0] += 60.0
    assert not signs.fresh("a", 3.0)
    assert signs.fresh("b", 3.0)


@pytest.mark.parametrize("hours", [-5, 0, 5])
def test_a_host_whose_clock_differs_keeps_its_lease_while_it_gives_signs(path, hours):
    """A lease of another host's: kept while the sign changes, void once it hasn't for long."""
    clock = [0.0]
    with Ledger(path) as theirs, Ledger(path) as ours:
        ours._elsewhere = Signs(120, clock=lambda: clock[0])
        theirs.lease([call("a")])
        for minute in range(6):
            sign = time.time() + hours * 3600 + 60 * minute
            with theirs.together():
                theirs._db.execute("UPDATE owners SET host = 'far', heartbeat = ?", (sign,))
            clock[0] += 60.0
            assert ours.lease([call("a")]) == ["held"]
        clock[0] += 121.0  # the node is lost
        assert ours.lease([call("a")]) == ["leased"]


def test_a_process_that_ended_and_was_not_waited_for_is_dead():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    began = started(child.pid)
    assert alive(host(), child.pid, began, never)
    child.kill()
    while started(child.pid):
        time.sleep(0.01)
    assert not alive(host(), child.pid, began, never)
    child.wait()


def test_what_is_written_together_is_kept_together(path):
    with Ledger(path) as ledger:

        def two_things() -> None:
            with ledger.together():
                ledger.keep(call("a"), reply(call("a")))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            two_things()
        assert ledger.answer(call("a").key) is None
        with ledger.together():
            ledger.keep(call("a"), reply(call("a")))
            ledger.keep(call("b"), reply(call("b")))
    with Ledger(path) as ledger:
        assert len(list(ledger.exchanges())) == 2


# Damage


def fill(path: Path, n: int) -> list[Call]:
    calls = [call(f"question {i} " + "x" * 500) for i in range(n)]
    with Ledger(path) as ledger:
        for asked in calls:
            ledger.keep(asked, reply(asked, "y" * 300))
    return calls


def test_a_sound_ledger_passes_its_check(path):
    fill(path, 5)
    with Ledger(path) as ledger:
        assert ledger.check() == []


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE attempts SET reply = replace(reply, 'yyy', 'zzz') WHERE rowid_ = 0", "digest"),
        ("UPDATE texts SET text = replace(text, 'xxx', 'zzz')", "not the one"),
        ("DELETE FROM requests", "no request"),
    ],
)
def test_the_check_names_what_was_altered(path, statement, words):
    calls = fill(path, 2)
    statement = statement.replace("rowid_ = 0", f"key = '{calls[0].key}'")
    with sqlite3.connect(path) as db:
        db.execute(statement)
    with Ledger(path) as ledger:
        problems = ledger.check()
        assert problems
        assert any(words in problem and calls[0].key in problem for problem in problems)
        if words == "digest":
            with pytest.raises(LedgerError, match="damaged"):
                ledger.answer(calls[0].key)


def test_bytes_overwritten_in_the_file_are_found(path):
    fill(path, 200)
    with open(path, "r+b") as file:
        file.seek(30_000)
        file.write(b"\xff" * 9_000)
    with Ledger(path) as ledger:
        assert ledger.check() != []


def test_no_ledger_is_made_where_none_may_be(path):
    with pytest.raises(LedgerError, match="no such ledger"):
        Ledger(path, create=False)
    assert not path.exists()


def test_another_file_is_no_ledger(tmp_path):
    (tmp_path / "x.sqlite").write_text("id,answer\n" * 400)
    with pytest.raises(LedgerError, match=r"x\.sqlite: can't be opened as a ledger"):
        Ledger(tmp_path / "x.sqlite")


def test_a_ledger_of_a_later_version_is_refused(path):
    fill(path, 1)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(LedgerError, match="version 9"):
        Ledger(path)


@pytest.mark.parametrize("seed", range(8))
def test_a_torn_write_loses_only_what_was_not_finished(tmp_path, seed):
    """The log is cut, or overwritten with noise, at a random byte: what was committed before it
    is intact, and what comes after is gone whole."""
    path = tmp_path / "m.sqlite"
    calls = [call(f"question {i}") for i in range(20)]
    ledger = Ledger(path)
    sizes = []
    log = path.with_name("m.sqlite-wal")
    for asked in calls:
        ledger.keep(asked, reply(asked, "y" * 200))
        sizes.append(log.stat().st_size)
    copy = tmp_path / "copy.sqlite"  # as a machine that lost its power would leave them
    shutil.copy(path, copy)
    shutil.copy(log, copy.with_name("copy.sqlite-wal"))
    ledger.close()
    draw = random.Random(seed)
    cut = draw.randrange(sizes[4], sizes[-1])
    with open(copy.with_name("copy.sqlite-wal"), "r+b") as file:
        if seed % 2:
            file.truncate(cut)
        else:
            file.seek(cut)
            file.write(draw.randbytes(sizes[-1] - cut))
    whole = sum(size <= cut for size in sizes)
    with Ledger(copy) as ledger:
        assert ledger.check() == []
        found = [ledger.answer(asked.key) is not None for asked in calls]
    assert found == [True] * whole + [False] * (len(calls) - whole)


def test_a_full_disk_loses_nothing_that_was_finished(path):
    """The file may not grow any more (RLIMIT_FSIZE): the write fails, the answers stay."""
    code = f"""
import resource, signal, sqlite3, sys
from veridical.ledger.ledger import Ledger
from test_ledger import call, reply
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
ledger = Ledger({str(path)!r})
for i in range(1000):
    asked = call(f"question {{i}}")
    try:
        ledger.keep(asked, reply(asked, "y" * 2000))
    except sqlite3.OperationalError as error:
        print(error)
        print([ledger.answer(call(f"question {{n}}").key) is not None for n in range(i + 1)])
        break
"""
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=here,
        env={**os.environ, "PYTHONPATH": here},
        capture_output=True,
        text=True,
    )
    assert "disk" in done.stdout, done.stderr
    found = json.loads(done.stdout.splitlines()[1].lower())
    assert len(found) > 10
    assert found == [True] * (len(found) - 1) + [False]
    with Ledger(path) as ledger:  # and with room again, it goes on
        assert ledger.check() == []
        assert len(list(ledger.exchanges())) == len(found) - 1
        ledger.keep(call("one more"), reply(call("one more")))


def test_two_threads_of_writers_in_two_processes_number_their_attempts(path):
    """Eight writers, one key: eight attempts, one of them served."""
    asked = call("the same")

    def write(_: int) -> None:
        with Ledger(path) as ledger:
            ledger.keep(asked, reply(asked))

    threads = [threading.Thread(target=write, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Ledger(path) as ledger:
        exchanges = list(ledger.exchanges())
        assert [each.reply.attempt for each in exchanges] == list(range(1, 9))
        assert sum(each.served for each in exchanges) == 1
        assert ledger.check() == []


# Where the file lies


def test_a_network_file_system_gets_a_journal_that_works_there(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda / ext4 rw 0 0\n"
        "server:/x /cluster nfs4 rw 0 0\n"
        "/dev/sdb /cluster/local xfs rw 0 0\n"
    )
    read = Path.read_text
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda self, *a, **k: read(mounts if str(self) == "/proc/mounts" else self, *a, **k),
    )
    assert journal(Path("/home/x.sqlite")) == "WAL"
    assert journal(Path("/cluster/study/x.sqlite")) == "DELETE"
    assert journal(Path("/clusters/x.sqlite")) == "WAL"
    assert journal(Path("/cluster/local/x.sqlite")) == "WAL"


def test_with_the_older_journal_all_is_kept_as_well(path, monkeypatch):
    monkeypatch.setattr("veridical.ledger.databases.journal", lambda path: "DELETE")
    calls = fill(path, 3)
    with Ledger(path) as one, Ledger(path) as two:
        assert one.lease([call("new")]) == ["leased"]
        assert two.lease([call("new"), calls[0]]) == ["held", "answered"]
        assert two.check() == []
    assert not path.with_name("m.sqlite-wal").exists()


def test_a_ledger_on_a_read_only_medium_can_be_read(tmp_path):
    medium = tmp_path / "medium"
    medium.mkdir()
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(medium)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs leave to mount a file system")
    try:
        calls = fill(medium / "a b%.sqlite", 3)
        subprocess.run(["mount", "-o", "remount,ro", str(medium)], check=True)
        with Ledger(medium / "a b%.sqlite", create=False) as ledger:
            assert ledger.answer(calls[1].key) is not None
            assert ledger.check() == []
    finally:
        subprocess.run(["umount", str(medium)], check=True)


def test_a_statement_that_finds_the_file_locked_is_tried_again(monkeypatch):
    """Locked twice, then not; another error is not waited for. SQLite itself doesn't wait where two
    processes change the journal of one new file."""
    from veridical.ledger import databases

    class Database:
        def __init__(self, *said: str):
            self.said = list(said)

        def execute(self, statement):
            if error := self.said.pop(0):
                raise sqlite3.OperationalError(error)

    database = Database("database is locked", "database table is locked", "")
    databases._patiently(database, "PRAGMA journal_mode = WAL")
    assert database.said == []
    with pytest.raises(sqlite3.OperationalError, match="disk"):
        databases._patiently(Database("disk I/O error", ""), "PRAGMA journal_mode = WAL")
    monkeypatch.setattr(databases, "PATIENCE", 0.0)
    database = Database("database is locked", "database is locked")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        databases._patiently(database, "PRAGMA journal_mode = WAL")
