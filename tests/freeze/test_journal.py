"""A deviation is logged whole or not at all, at whatever moment the process dies."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.dying import run_until
from support.small_study import (
    DESIGN,
    RUBRIC,
    WORDS,
    change_rubric,
    lay_out,
    make_calls,
    record_of,
    seal_all,
    sha_of,
)
from veridical.freeze.deviations import add_deviation, main, read_deviations
from veridical.freeze.journal import PENDING, alone, change, finish
from veridical.freeze.manifest import log_path
from veridical.freeze.sealing import FreezeError, seal
from veridical.freeze.verify import verify

LOG = log_path("demo")
PLACES = ("data/freeze/demo", "results/demo/freeze")


def files() -> dict[str, bytes]:
    """All that logging a deviation may touch, hidden files included."""
    paths = (path for place in PLACES for path in Path(place).rglob("*"))
    return {path.as_posix(): path.read_bytes() for path in sorted(paths) if path.is_file()}


def changed_design() -> None:
    seal_all()
    make_calls("control3", sha_of("design"))
    change_rubric()


def lost_design() -> None:
    seal_all("design")
    make_calls("control3", sha_of("design"))
    shutil.rmtree("data/freeze")
    Path(RUBRIC).write_text("Score generously.\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", DESIGN)


def second_deviation() -> None:
    changed_design()
    add_deviation("demo", "design", **WORDS)
    seal_all()
    change_rubric("Score.\n")


BEGINNINGS = [changed_design, lost_design, second_deviation, seal_all]


def log_one() -> None:
    add_deviation("demo", "design", date="2026-01-02", **WORDS | {"what": "the rubric again"})


def number_of_steps(beginning, folder: Path, monkeypatch) -> int:
    (folder / "counted").mkdir()
    monkeypatch.chdir(lay_out(folder / "counted"))
    beginning()
    return run_until(0, log_one)


@pytest.mark.parametrize("beginning", BEGINNINGS, ids=lambda each: each.__name__)
def test_every_moment_of_death_leaves_the_old_state_or_the_new(tmp_path, monkeypatch, beginning):
    monkeypatch.chdir(lay_out(tmp_path / "study"))
    beginning()
    before = files()
    steps = number_of_steps(beginning, tmp_path, monkeypatch)
    assert steps >= 12
    states = []
    for step in range(1, steps + 1):
        place = tmp_path / f"died-{step}"
        shutil.copytree(tmp_path / "study", place)
        monkeypatch.chdir(place)
        assert run_until(step, log_one) == -1
        verify("demo")  # whoever comes next finishes it
        after = files()
        rows = len(read_deviations(LOG))
        if rows == len(read_deviations(tmp_path / "study" / LOG)):
            assert {name: data for name, data in after.items() if PENDING not in name} == before
            states.append("old")
        else:
            states.append("new")
        log_one()  # the person tries again
        done = files()
        assert PENDING not in "".join(done)
        assert not [name for name in done if name.endswith(".part")]
        if states[-1] == "new":
            assert done == after
        log = read_deviations(LOG)
        assert list(log["what"]).count("the rubric again") == 1
        seal_all()
        assert [str(check) for check in verify("demo") if not check.holds] == []
        shutil.rmtree(place)
    assert states == sorted(states, reverse=True)  # old up to some moment, new ever after
    assert set(states) == {"old", "new"}


@pytest.mark.parametrize("beginning", BEGINNINGS[:3], ids=lambda each: each.__name__)
def test_whoever_finishes_may_die_as_well(tmp_path, monkeypatch, beginning):
    monkeypatch.chdir(lay_out(tmp_path / "study"))
    beginning()
    number_of_steps(beginning, tmp_path, monkeypatch)
    done = (tmp_path / "counted" / LOG).read_bytes()
    monkeypatch.chdir(tmp_path / "study")
    step = 1
    while not (Path(PLACES[0]) / PENDING).is_file():  # as soon as the change is made
        run_until(step, log_one)
        step += 1
    deaths = 0
    while run_until(deaths + 1, lambda: finish("demo")) == -1:
        deaths += 1
    assert deaths >= 10
    assert LOG.read_bytes() == done
    log_one()
    assert LOG.read_bytes() == done
    seal_all()
    assert all(check.holds for check in verify("demo"))


def test_sealing_finishes_what_was_cut_off(tmp_path, monkeypatch):
    """A run right after the kill meets the new record, not half of one."""
    monkeypatch.chdir(lay_out(tmp_path))
    changed_design()
    step = 1
    while not (Path(PLACES[0]) / PENDING).is_file():
        run_until(step, log_one)
        step += 1
    seal_all()
    assert len(read_deviations(LOG)) == 1
    assert all(check.holds for check in verify("demo"))


def test_the_same_said_twice_is_one_entry_and_on_another_day_it_is_two(tmp_path, monkeypatch):
    monkeypatch.chdir(lay_out(tmp_path))
    changed_design()
    log_one()
    log_one()
    assert len(read_deviations(LOG)) == 1
    add_deviation("demo", "design", date="2026-01-03", **WORDS | {"what": "the rubric again"})
    assert len(read_deviations(LOG)) == 2


def test_two_at_once_wait_for_each_other(tmp_path, monkeypatch):
    monkeypatch.chdir(lay_out(tmp_path))
    seal_all()
    words = [part for name, text in WORDS.items() for part in (f"--{name}", text)][2:]
    command = [sys.executable, "-m", "veridical.freeze.deviations", "add", "--study", "demo"]
    command += ["--stage", "design", *words]
    running = [
        subprocess.Popen([*command, "--what", f"departure {n}"], stdout=subprocess.DEVNULL)
        for n in range(3)
    ]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    log = read_deviations(LOG)
    assert sorted(log["what"]) == [f"departure {n}" for n in range(3)]
    assert all(check.holds for check in verify("demo"))


def test_a_change_waits_for_the_one_under_way(tmp_path, monkeypatch):
    monkeypatch.chdir(lay_out(tmp_path))
    seal_all()
    with alone("demo"):
        other = threading.Thread(target=log_one)
        other.start()
        other.join(0.3)
        assert other.is_alive()
        assert not LOG.exists()
    other.join(10)
    assert LOG.exists()


def test_a_study_that_was_never_sealed_leaves_no_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = [part for name, text in WORDS.items() for part in (f"--{name}", text)]
    assert main(["add", "--study", "demo", "--stage", "design", *words]) == 1
    assert "is not sealed yet" in capsys.readouterr().err
    assert not Path("data/freeze/demo").exists()


def test_what_is_written_down_is_carried_out_file_by_file(tmp_path, monkeypatch):
    monkeypatch.chdir(lay_out(tmp_path))
    seal_all()
    with alone("demo"):
        change(
            "demo", {Path("a/b.txt"): b"\x00new", Path(RUBRIC): None, record_of("results"): None}
        )
    assert Path("a/b.txt").read_bytes() == b"\x00new"
    assert not Path(RUBRIC).exists()
    assert not record_of("results").exists()


def test_where_nothing_can_be_written_verify_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(lay_out(tmp_path))
    changed_design()
    (Path(PLACES[0]) / PENDING).write_text('{"data/freeze/demo/deviations.csv": null}')

    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("veridical.freeze.journal._finish", refuse)
    first, *_ = verify("demo")
    assert not first.holds
    assert "was cut off, and can't be finished here (Read-only file system)" in str(first)
