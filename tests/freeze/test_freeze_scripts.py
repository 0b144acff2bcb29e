"""The scripts of the freeze: a stage sealed or compared, and all of them checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.scripts import load_script
from support.small_study import (
    DESIGN,
    STAGES,
    WORDS,
    change_rubric,
    lay_out,
    record_of,
    seal_all,
    sha_of,
)
from veridical.freeze.deviations import add_deviation
from veridical.freeze.sealing import FreezeError, receipt_path


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    return tmp_path


def seal_stage(stage: str = "design") -> Path:
    receipt = receipt_path("demo", stage)
    main = load_script("freeze/seal_stage.py").main
    main(STAGES[stage], receipt, study="demo", stage=stage, timestamps={})
    return receipt


def verify(expected: dict | None = None) -> int:
    return load_script("freeze/verify_study.py").main(study="demo", expected=expected or {})


def test_a_sealed_stage_leaves_record_sums_and_receipt(study, capsys):
    receipt = seal_stage()
    assert sha_of("design") in receipt.read_text()
    assert record_of("design").with_suffix(".SHA256SUMS").is_file()
    said = capsys.readouterr().out
    assert said == f"design: {len(DESIGN)} files hold, sealed as {sha_of('design')}\n"


def test_sealing_once_more_compares_and_writes_the_same(study):
    first = seal_stage().read_bytes()
    record = record_of("design").read_bytes()
    assert seal_stage().read_bytes() == first
    assert record_of("design").read_bytes() == record


def test_a_difference_stops_it_and_takes_the_receipts_back(study):
    """Without a receipt the engine collects nothing."""
    receipt = seal_stage()
    Path(DESIGN[1]).write_text("Score kindly.\n")
    with pytest.raises(FreezeError, match=r"changed  data/corpora/A/rubric\.txt"):
        seal_stage()
    assert not receipt.exists()


def test_with_a_logged_deviation_it_goes_on_under_the_new_record(study):
    seal_stage()
    old = sha_of("design")
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    assert sha_of("design") in seal_stage().read_text()
    assert sha_of("design") != old


def test_a_stage_is_not_sealed_before_the_one_before_it(study):
    with pytest.raises(ValueError, match="seal design before responses"):
        seal_stage("responses")
    assert not receipt_path("demo", "responses").exists()


def test_a_study_that_holds_is_checked_line_by_line(study, capsys):
    seal_all()
    assert verify() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == list(STAGES)
    assert all("holds" in line for line in lines[:4])


def test_what_does_not_hold_is_named_and_the_exit_says_so(study, capsys):
    seal_all()
    Path("results/demo/table.csv").write_text("mean\n2\n")
    assert verify() == 1
    said = capsys.readouterr().out
    assert "results              BROKEN" in said
    assert "changed  results/demo/table.csv" in said
    assert "design               holds" in said


def test_a_file_that_the_workflow_counts_to_a_stage_and_the_record_lacks_is_named(study, capsys):
    seal_all()
    Path("results/demo/more.csv").write_text("mean\n2\n")
    assert verify({"results": ["results/demo/table.csv", "results/demo/more.csv"]}) == 1
    assert "added    results/demo/more.csv" in capsys.readouterr().out


def test_before_anything_is_sealed_nothing_is_broken(study, capsys):
    assert verify() == 0
    assert capsys.readouterr().out.count("not sealed yet") == 2  # the study, and the closing one
