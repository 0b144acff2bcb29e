"""What a hostile or careless hand does to records, beyond deleting them: each is named."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from support.small_study import (
    DESIGN,
    WORDS,
    change_rubric,
    lay_out,
    make_calls,
    record_of,
    seal_all,
    sha_of,
)
from veridical.freeze.deviations import add_deviation
from veridical.freeze.evidence import receipt_path
from veridical.freeze.manifest import log_path, log_sums_path
from veridical.freeze.sealing import FreezeError, seal
from veridical.freeze.verify import main, verify


@pytest.fixture
def study(tmp_path: Path, monkeypatch) -> Path:
    """A study sealed through, with calls under its design and one deviation on its log."""
    monkeypatch.chdir(lay_out(tmp_path))
    seal_all("design")
    make_calls("control3", sha_of("design"))
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    seal_all()
    assert all(check.holds for check in verify("demo"))
    return tmp_path


def edited_receipt() -> None:
    path = receipt_path("demo", "responses")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"sha256": "0" * 64}))


def receipt_of_another_kind() -> None:
    receipt_path("demo", "responses").write_text("[1, 2]\n")


def rewritten_and_summed_anew() -> None:
    """The record and its sums are made to fit each other; the receipt and the next record tell."""
    record = record_of("responses")
    old = sha_of("responses")
    entry = json.loads(record.read_text())
    record.write_text(json.dumps(entry | {"version": "9.9.9"}))
    sums = record.with_suffix(".SHA256SUMS")
    sums.write_text(sums.read_text().replace(old, sha_of("responses")))


def exchanged_records() -> None:
    one, two = record_of("responses"), record_of("verdicts")
    content = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(content)


def record_of_another_study() -> None:
    shutil.copytree("data/freeze/demo", "data/freeze/other")
    entry = json.loads(record_of("verdicts").read_text())
    record_of("verdicts").write_text(json.dumps(entry | {"study": "other"}))


def log_cut_to_its_head() -> None:
    log = log_path("demo")
    log.write_text(log.read_text().splitlines()[0] + "\n")


def log_cut_and_summed_anew() -> None:
    import hashlib

    log_cut_to_its_head()
    digest = hashlib.sha256(log_path("demo").read_bytes()).hexdigest()
    log_sums_path("demo").write_text(f"{digest}  {log_path('demo').as_posix()}\n")


def log_row_reworded() -> None:
    log = log_path("demo")
    log.write_text(log.read_text().replace(WORDS["why"], "as planned from the start"))


def replaced_records_gone() -> None:
    shutil.rmtree("data/freeze/demo/superseded")


def sums_with_line_ends_of_windows() -> None:
    sums = record_of("design").with_suffix(".SHA256SUMS")
    sums.write_bytes(sums.read_bytes().replace(b"\n", b"\r\n").replace(b"design", b"Design", 1))


def a_sealed_file_made_a_folder() -> None:
    path = Path("results/demo/table.csv")
    path.unlink()
    path.mkdir()


def a_sealed_file_made_a_link_to_another() -> None:
    path = Path("results/demo/table.csv")
    path.unlink()
    path.symlink_to(Path("results/demo/verdicts.csv").resolve())


def a_sealed_file_grown_by_a_blank() -> None:
    with open("results/demo/table.csv", "a") as file:
        file.write(" ")


def a_record_that_nobody_can_read() -> None:
    record_of("results").write_bytes(b"\xff\xfe\x00")


HANDS = [
    edited_receipt, receipt_of_another_kind, rewritten_and_summed_anew, exchanged_records,
    record_of_another_study, log_cut_to_its_head, log_cut_and_summed_anew, log_row_reworded,
    replaced_records_gone, sums_with_line_ends_of_windows, a_sealed_file_made_a_folder,
    a_sealed_file_made_a_link_to_another, a_sealed_file_grown_by_a_blank,
    a_record_that_nobody_can_read,
]  # fmt: skip


@pytest.mark.parametrize("hand", HANDS, ids=lambda each: each.__name__)
def test_each_is_named_with_status_1(study, hand, capsys):
    hand()
    assert main(["--study", "demo"]) == 1
    out = capsys.readouterr().out
    assert "BROKEN" in out
    named = [line for line in out.splitlines() if line.startswith(("  changed", "  missing"))]
    assert named, out


@pytest.mark.parametrize(
    "hand", [edited_receipt, rewritten_and_summed_anew, exchanged_records, log_row_reworded],
    ids=lambda each: each.__name__,
)  # fmt: skip
def test_nothing_heals_it_by_sealing_again(study, hand):
    """The workflow runs over it: whatever it says, `verify` must not hold afterwards unnoticed."""
    hand()
    before = [str(check) for check in verify("demo") if not check.holds]
    try:
        seal_all()
    except (FreezeError, ValueError):
        return
    after = [str(check) for check in verify("demo") if not check.holds]
    assert hand is edited_receipt or after == before


def test_calls_of_a_design_that_was_never_logged_are_named_after_all_else_is_forged(study):
    """The folder of records is made anew from scratch, receipts too; the ledger still tells."""
    shutil.rmtree("data/freeze")
    shutil.rmtree("results/demo/freeze")
    Path("uv.lock").write_text("version = 2\n")
    with pytest.raises(FreezeError, match=r"call\(s\) made after it"):
        seal("demo", "design", DESIGN)


def test_a_files_time_is_no_part_of_what_is_sealed(study):
    for stage in ("design", "results"):
        os.utime(record_of(stage), (1, 1))
    assert all(check.holds for check in verify("demo"))
