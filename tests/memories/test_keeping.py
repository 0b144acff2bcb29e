"""Exchanges with a memory system in the ledger: had once, replayed without it, keys struck out."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from support.memory_programs import ROOT, broken, example, started
from support.memory_study import plan, sound
from veridical.ledger.ledger import LEASED, Ledger
from veridical.ledger.replies import replies_file
from veridical.memories.keeping import WAIT, Keeper, NotKept, outcomes
from veridical.memories.plan import VERIDICAL
from veridical.memories.protocol import Wrapped
from veridical.memories.systems import System, packages, weights_in
from veridical.memories.visit import Changed, Visit
from veridical.models.exchange import Call

IDENTITY = {"adapter": "fts5", "take": 1}


def run(folder: Path, start, identity=IDENTITY, **more) -> tuple[Keeper, dict]:
    """A visit through a ledger in the folder; the keeper, and what was observed."""
    with Ledger(folder / "s.sqlite") as ledger:
        keeper = Keeper("s", identity, ledger, **more)
        return keeper, Visit(plan(4), start, keeper).run()


def export(keeper: Keeper, path: Path) -> bytes:
    with replies_file(path) as lines:
        for line in keeper.lines:
            lines.write(line)
    return path.read_bytes()


def never():
    raise AssertionError("no memory system may be started")


def test_a_second_run_asks_nothing_and_starts_nothing(tmp_path):
    first, observed = run(tmp_path, sound)
    # describe, hygiene; of four banks: ingestion, canary, four probes, a last look
    assert (first.asked, first.held) == (2 + 4 * 7, 0)
    second, again = run(tmp_path, never)
    assert (second.asked, second.held) == (0, first.asked)
    assert {id: o.value for id, o in again.items()} == {id: o.value for id, o in observed.items()}


def test_what_another_process_is_having_is_waited_for(tmp_path, monkeypatch):
    """The other's lease is looked at again until its answer is there; nothing is asked twice."""
    request, path = {"verb": "describe"}, tmp_path / "s.sqlite"
    with Ledger(path) as theirs, Ledger(path) as ours:
        other, keeper = Keeper("s", IDENTITY, theirs), Keeper("s", IDENTITY, ours)
        waited = []

        def sleep(seconds):
            waited.append(seconds)
            if len(waited) == 2:
                act.append(other("a", request, lambda: {"name": "theirs"}))

        act: list = []
        monkeypatch.setattr("veridical.memories.keeping.time.sleep", sleep)
        call = Call(other.model, ({"role": "user", "content": json.dumps(request)},))
        assert theirs.lease([call]) == [LEASED]
        found = keeper("a", request, never)
    assert found.value == act[0].value == {"name": "theirs"}
    assert waited == [WAIT, WAIT]
    assert (other.asked, keeper.asked, keeper.held) == (1, 0, 1)


def test_a_replay_from_the_export_alone_gives_the_same_bytes(tmp_path):
    first, observed = run(tmp_path, sound)
    made = export(first, tmp_path / "first.jsonl")
    (tmp_path / "replay").mkdir()
    replay, again = run(
        tmp_path / "replay", never, asking=False, exports=[tmp_path / "first.jsonl"]
    )
    assert export(replay, tmp_path / "again.jsonl") == made
    assert again == observed == outcomes(tmp_path / "again.jsonl")


def test_a_replay_that_lacks_an_exchange_says_which(tmp_path):
    with pytest.raises(NotKept, match=r"s: describe is neither in .*s\.sqlite nor in an export"):
        run(tmp_path, never, asking=False)


def test_a_failure_is_replayed_as_it_failed_and_tried_again_where_asking(tmp_path):
    topic = plan(4).probes[0].topic
    program = broken("wanted = ", f"if {topic!r} in asked['query']: os._exit(5)\n        wanted = ")
    first, observed = run(tmp_path, lambda: started(program, tmp_path / "store"))
    id = f"recall/{VERIDICAL}/{plan(4).probes[0].id}"
    assert not observed[id].ok
    made = export(first, tmp_path / "first.jsonl")
    (tmp_path / "replay").mkdir()
    replay, _ = run(tmp_path / "replay", never, asking=False, exports=[tmp_path / "first.jsonl"])
    assert export(replay, tmp_path / "again.jsonl") == made
    second, mended = run(tmp_path, lambda: started(example(), tmp_path / "store"))
    assert mended[id].ok
    assert second.asked == 4  # that probe, of each of the four banks


@pytest.mark.parametrize(
    "change", [{"take": 2}, {"files": {"a.py": "0"}}, {"packages": {"p": "2"}}]
)
def test_another_identity_is_asked_anew(tmp_path, change):
    run(tmp_path, sound)
    second, _ = run(tmp_path, sound, IDENTITY | change)
    assert second.held == 0


def test_another_event_asks_that_banks_recalls_anew_and_no_others(tmp_path, monkeypatch):
    run(tmp_path, sound)
    from dataclasses import replace

    old = plan(4)
    bank = old.bank(VERIDICAL)
    events = (replace(bank.events[0], text=bank.events[0].text + "!"), *bank.events[1:])
    banks = (replace(bank, events=events), *old.banks[1:])
    with Ledger(tmp_path / "s.sqlite") as ledger:
        keeper = Keeper("s", IDENTITY, ledger)
        Visit(replace(old, banks=banks), sound, keeper).run()
    assert keeper.asked == 7


def test_a_system_that_became_another_is_noticed_when_it_is_started(tmp_path):
    first, _ = run(tmp_path, sound)
    with Ledger(tmp_path / "s.sqlite") as ledger:  # one recall is lost
        lost = next(line["key"] for line in first.lines if line["id"].endswith("A-p01"))
        ledger._db.execute("DELETE FROM attempts WHERE key = ?", (lost,))

    class Newer(Wrapped):
        def describe(self):
            from dataclasses import replace

            return replace(self.inner.describe(), version="99")

    with pytest.raises(Changed, match="the system now says it is SQLite FTS5 99; what is kept"):
        run(tmp_path, lambda: Newer(sound()))


def test_keys_reach_neither_ledger_nor_export(tmp_path):
    secret = "sesame-open-sesame-9"
    program = broken('"version": "1"', '"version": os.environ["SOME_API_KEY"]')
    environ = {"SOME_API_KEY": secret, "PATH": "/usr/bin"}
    keeper, _ = run(
        tmp_path, lambda: started(program, tmp_path / "store", environ=environ), environ=environ
    )
    export(keeper, tmp_path / "out.jsonl")
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


def test_a_key_that_only_the_config_names_is_struck_out_too(tmp_path):
    program = broken("wanted = ", "raise ValueError(os.environ['MINE'])\n        wanted = ")
    environ, secret = {"MINE": "open-sesame-and-more", "PATH": "/usr/bin"}, ["MINE"]
    start = partial(started, program, tmp_path / "store", environ=environ, secret=secret)
    keeper, observed = run(tmp_path, start, environ=environ, secret=secret)
    made = export(keeper, tmp_path / "out.jsonl")
    assert b"open-sesame" not in made
    assert "ValueError" in observed["recall/veridical/A-p01"].error


def test_identity_holds_files_packages_and_weights(tmp_path):
    shipped = System("f", "fts5").identity(ROOT)
    assert list(shipped["files"]) == ["workflow/veridical/memories/adapters/fts5.py"]
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/mine.py").write_text("1")
    (tmp_path / "tools/more.txt").write_text("2")
    own = System("o", "command", command=("python", "tools/mine.py"), files=("tools/*.txt",))
    before = own.identity(tmp_path)
    assert list(before["files"]) == ["tools/mine.py", "tools/more.txt"]
    (tmp_path / "tools/mine.py").write_text("changed")
    assert own.identity(tmp_path)["files"] != before["files"]
    weights = "SmolLM2-135M-Instruct.Q4_1"
    set_to = System("w", "fts5", {"a": [{"weights": weights}]})
    assert weights_in(set_to.settings) == [weights]
    assert set_to.identity(ROOT)["weights"][weights].startswith("b179c952")


@pytest.mark.parametrize("pattern", ["tools/*.none", "../outside.py", "/etc/passwd"])
def test_a_file_that_cannot_be_sealed_is_refused(tmp_path, pattern):
    system = System("mine", "command", command=("python", "a.py"), files=(pattern,))
    with pytest.raises(
        ValueError, match=r"memories/systems/mine/files: .* is no file in the project"
    ):
        system.program_files(tmp_path)


def test_a_group_that_the_lock_lacks_is_named():
    assert packages(None, ROOT) == {}
    with pytest.raises(ValueError, match="no group 'no-such-group'; run `uv lock`"):
        packages("no-such-group", ROOT)


def test_outcomes_of_a_broken_export_are_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"id": 1}) + "\n")
    with pytest.raises(ValueError, match=r"x\.jsonl, line 1"):
        outcomes(path)
    assert shutil.which("python3")
