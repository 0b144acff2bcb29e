"""A part that was designed and then turned off: what is waited for, and what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.parts_study import (
    CHAIN,
    FIRST,
    OLDER,
    SECOND,
    change,
    lay_out,
    record_of,
    seal_stages,
)
from veridical.archive.statements import intoto_statement
from veridical.freeze.chain import KINDS, stage_of, to_come
from veridical.freeze.left_off import awaited, left_off
from veridical.freeze.sealing import receipt_path, seal
from veridical.freeze.timestamps import describe_records
from veridical.freeze.verify import LEFT_OFF, render, verify

ON = ["study", *FIRST]


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    return tmp_path


def close(*parts: str) -> None:
    """The closing seal, after the results of these parts alone, as the workflow sets it."""
    seal("demo", "results", CHAIN["results"], follows=[f"{part}-results" for part in parts])


@pytest.fixture(params=[1, 2], ids=["designed", "answered"])
def off(study, request) -> list[str]:
    """The stages of `vpe` that were sealed before it was turned off; control1 went on."""
    sealed = SECOND[: request.param]
    seal_stages(*ON, *sealed)
    close("control1")
    return sealed


def test_nothing_more_of_it_is_waited_for(off):
    assert left_off("demo") == ["vpe"]
    assert awaited("demo") == [*ON, *off, "results"]


def test_before_the_closing_seal_a_part_may_still_be_under_way(study):
    seal_stages(*ON, "vpe-design")
    assert left_off("demo") == []
    assert awaited("demo") == [*ON, *SECOND, "results"]


def test_of_a_whole_study_no_part_is_left_off(study):
    seal_stages()
    assert left_off("demo") == []
    assert awaited("demo") == [*CHAIN]


def test_nothing_sealed_and_older_chains_are_as_they_were(study):
    assert (left_off("demo"), awaited("demo")) == ([], ["study", "results"])
    seal_stages(chain=OLDER)
    assert left_off("demo") == []
    assert awaited("demo") == [*KINDS]


def test_its_records_hold_and_each_line_says_that_it_was_turned_off(off):
    checks = verify("demo")
    assert all(check.holds for check in checks)
    told = [check.stage for check in checks if check.note == LEFT_OFF]
    assert told == off
    lines = render(checks).splitlines()
    assert sum(line.endswith(f"; {LEFT_OFF}") for line in lines) == len(off)
    assert not any("not sealed yet" in line for line in lines)


def test_what_was_sealed_of_it_is_still_checked(off):
    change(CHAIN[off[-1]][0])
    broken = {check.stage: str(check) for check in verify("demo") if not check.holds}
    assert set(broken) == {off[-1]}
    assert f"changed  {CHAIN[off[-1]][0]}" in broken[off[-1]]
    assert LEFT_OFF in broken[off[-1]]


def test_asked_for_again_it_is_waited_for_again(off):
    """The workflow counts files to its stages, since the config has the part once more."""
    expected = {stage: CHAIN[stage] for stage in (*ON, *SECOND, "results")}
    checks = {check.stage: check for check in verify("demo", expected=expected)}
    assert not any(check.note == LEFT_OFF for check in checks.values())
    for stage in SECOND[len(off) :]:
        assert str(checks[stage]).endswith("not sealed yet") or not checks[stage].holds
    assert set(SECOND) <= set(checks)


def test_a_lost_record_of_a_part_that_was_closed_is_missing_and_not_left_off(study):
    """Whoever removes a part's end can't pass it off as one that was turned off."""
    seal_stages()
    for path in (record_of("vpe-results"), receipt_path("demo", "vpe-results")):
        path.unlink()
    record_of("vpe-results").with_suffix(".SHA256SUMS").unlink()
    assert left_off("demo") == []
    assert "vpe-results" in awaited("demo")
    broken = {check.stage for check in verify("demo") if not check.holds}
    assert "vpe-results" in broken


def test_a_closing_record_that_names_fewer_parts_than_it_did_is_broken(study):
    """Taking a part out of the closing record afterwards shows by its hash."""
    seal_stages()
    record = json.loads(record_of("results").read_text(encoding="utf-8"))
    del record["previous"]["vpe-results"]
    record_of("results").write_text(json.dumps(record), encoding="utf-8")
    assert left_off("demo") == ["vpe"]
    assert "results" in {check.stage for check in verify("demo") if not check.holds}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"stage": "results"}'])
def test_a_closing_record_that_is_none_is_left_to_its_check(off, text):
    record_of("results").write_text(text, encoding="utf-8")
    assert left_off("demo") == []
    broken = {check.stage: str(check) for check in verify("demo") if not check.holds}
    assert "not a freeze manifest" in broken["results"]


def test_the_statement_names_every_record_and_waits_for_none(off):
    statement = json.loads(intoto_statement("demo"))
    named = [Path(each["name"]).stem for each in statement["subject"]]
    assert named == [*ON, *off, "results"]
    stages = [each["stage"] for each in statement["predicate"]["stages"]]
    assert stages == named


def test_the_hashes_to_register_are_those_that_there_are(off):
    lines = describe_records("demo")
    assert [line.split()[0] for line in lines] == [*ON, *off, "results"]
    assert not any("not sealed yet" in line for line in lines)


NAMES = st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), unique=True, min_size=1, max_size=4)


@given(NAMES, st.data())
def test_a_part_left_off_adds_no_stage_and_the_others_are_whole(parts, data):
    off = data.draw(st.sets(st.sampled_from(parts)))
    there = ["study", "results", *(stage_of(part, "design") for part in parts)]
    came = to_come(there, off)
    for part in parts:
        own = [name for name in came if name.startswith(f"{part}-")]
        kinds = ["design"] if part in off else [kind for kind in KINDS if kind != "verdicts"]
        assert own == [stage_of(part, kind) for kind in kinds]
    assert (came[0], came[-1]) == ("study", "results")
