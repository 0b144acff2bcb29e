"""Records that are gone, rewritten or put under what was collected before: each is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.small_study import (
    DESIGN,
    RUBRIC,
    STAGES,
    WORDS,
    change_rubric,
    lay_out,
    make_calls,
    record_of,
    seal_all,
    sha_of,
    write_replies,
)
from veridical.freeze import verify as verifying
from veridical.freeze.deviations import add_deviation, read_deviations
from veridical.freeze.manifest import take_manifest, write_record
from veridical.freeze.sealing import FreezeError, receipt_path, seal

REPLIES = "results/demo/replies/m.jsonl"


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    return tmp_path


def broken() -> dict[str, list[str]]:
    checks = verifying.verify("demo")
    return {c.stage: [str(change) for change in c.changes] for c in checks if not c.holds}


def without_receipts() -> None:
    """As when the engine has removed them, or somebody."""
    shutil.rmtree("results/demo/freeze", ignore_errors=True)


# Another design under calls that were made


@pytest.mark.parametrize("clear", [False, True], ids=["receipts left", "receipts gone"])
def test_another_design_is_not_sealed_over_calls_in_silence(study, clear):
    seal_all("design")
    old = sha_of("design")
    make_calls("control3", old, 5)
    shutil.rmtree("data/freeze")
    if clear:
        without_receipts()
    Path(RUBRIC).write_text("Score generously.\n")
    with pytest.raises(FreezeError) as caught:
        seal("demo", "design", DESIGN)
    message = str(caught.value)
    assert f"5 call(s) made after it tells of {old[:8]}" in message
    assert "bring the record back" in message
    assert "deviations add --study demo --stage design" in message
    assert not record_of("design").exists()
    left = set() if clear else {"design"}  # nothing but the calls tells of it any more
    assert {*left, "calls"} == set(broken()) - {"responses"}
    with pytest.raises(FreezeError):  # nor at the second try
        seal("demo", "design", DESIGN)


def test_the_replies_files_tell_where_there_is_no_ledger(study):
    """As in an archive, where the replies stand for the ledgers."""
    seal_all("design")
    write_replies("data/replies/demo/control3/replies/m.jsonl", "control3", sha_of("design"))
    Path(REPLIES).unlink()
    shutil.rmtree("data/freeze")
    without_receipts()
    Path(RUBRIC).write_text("Score generously.\n")
    with pytest.raises(FreezeError, match="1 call"):
        seal("demo", "design", DESIGN)


def test_calls_that_do_not_say_under_which_design_tell_as_well(study):
    """As those of an older ledger, or of a program of one's own."""
    make_calls("control3", "")
    with pytest.raises(FreezeError, match=r"3 call\(s\) made after it tells of unknown"):
        seal("demo", "design", DESIGN)


@pytest.mark.parametrize("stage", ["author", "trial"])
def test_what_is_asked_before_the_design_is_sealed_stands_in_no_way(study, stage):
    make_calls(stage, "")
    seal_all()
    assert broken() == {}


def test_a_receipt_alone_tells(study):
    seal_all()
    shutil.rmtree("data/freeze")
    Path(RUBRIC).write_text("Score generously.\n")
    for by in ("its receipt", "the receipt of responses"):  # the engine removes the first
        with pytest.raises(FreezeError, match=f"{by} tells of"):
            seal("demo", "design", DESIGN)
        receipt_path("demo", "design").unlink(missing_ok=True)


def test_sums_alone_tell(study):
    seal_all("design")
    record_of("design").unlink()
    without_receipts()
    Path(RUBRIC).write_text("Score generously.\n")
    assert "its SHA256SUMS" in broken()["design"][0]
    with pytest.raises(FreezeError, match="its SHA256SUMS tells of"):
        seal("demo", "design", DESIGN)


def test_the_same_design_is_sealed_again_as_the_same_record(study):
    """Lost by accident, nothing changed: the record comes back by itself, byte for byte."""
    seal_all()
    make_calls("control3", sha_of("design"))
    make_calls("verdicts", sha_of("responses"))
    before = {path: path.read_bytes() for path in Path("data/freeze/demo").iterdir()}
    shutil.rmtree("data/freeze")
    assert list(broken()) == ["design", "responses", "verdicts", "results", "calls"]
    without_receipts()
    seal_all()
    assert {path: path.read_bytes() for path in Path("data/freeze/demo").iterdir()} == before
    assert broken() == {}


def test_lost_responses_are_told_by_the_verdicts_on_them(study):
    seal_all("design", "responses")
    make_calls("verdicts", sha_of("responses"))
    record_of("responses").unlink()
    record_of("responses").with_suffix(".SHA256SUMS").unlink()
    without_receipts()
    Path(REPLIES).write_text("{} \n")
    assert "3 call(s) made after it" in broken()["responses"][0]
    with pytest.raises(FreezeError, match=r"3 call\(s\) made after it"):
        seal("demo", "responses", STAGES["responses"])


def test_going_on_all_the_same_is_a_deviation_that_names_the_lost_record(study):
    seal_all("design")
    old = sha_of("design")
    make_calls("control3", old)
    shutil.rmtree("data/freeze")
    Path(RUBRIC).write_text("Score generously.\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", DESIGN)
    row = add_deviation("demo", "design", **WORDS)
    assert row["manifest_before"] == f"lost:{old}"
    assert row["manifest_after"] == sha_of("design")
    seal_all()
    assert broken() == {}
    assert len(read_deviations("data/freeze/demo/deviations.csv")) == 1


def test_a_record_forged_elsewhere_does_not_fit_the_calls(study):
    seal_all("design")
    old = sha_of("design")
    make_calls("control3", old)
    write_replies(REPLIES, "control3", old, old)
    shutil.rmtree("data/freeze")
    without_receipts()
    Path(RUBRIC).write_text("Score generously.\n")
    write_record(take_manifest("demo", "design", DESIGN))  # as if sealed where no calls are
    assert seal("demo", "design", DESIGN)
    with pytest.raises(FreezeError, match=rf"2 call\(s\) .* made under record {old[:8]}"):
        seal("demo", "responses", STAGES["responses"])
    (line,) = broken()["calls"]
    assert f"3 call(s) of control3  (made under {old[:8]}, no record of this study)" in line
    row = add_deviation("demo", "design", **WORDS)
    assert row["manifest_before"] == f"lost:{old}"
    seal_all()
    assert broken() == {}


def test_calls_under_a_design_that_was_given_up_on_the_record_hold(study):
    seal_all("design")
    make_calls("control3", sha_of("design"))
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    make_calls("control3", sha_of("design"))
    seal_all()
    assert broken() == {}
    assert "calls                6 made under records of this study" in verifying.render(
        verifying.verify("demo")
    )


def test_calls_of_before_are_counted_apart(study):
    seal_all()
    make_calls("control3", "", 2)
    assert (
        "calls                0 made under records of this study; 2 more don't say"
        in verifying.render(verifying.verify("demo"))
    )


# What verify names


def test_a_folder_that_is_gone_is_named(study, capsys):
    seal_all()
    shutil.rmtree("data/freeze/demo")
    assert verifying.main(["--study", "demo"]) == 1
    assert "missing  data/freeze/demo/results.json" in capsys.readouterr().out


@pytest.mark.parametrize("stage", STAGES)
def test_each_record_that_is_gone_is_named(study, stage):
    seal_all()
    record_of(stage).unlink()
    assert any(str(record_of(stage)) in line for line in broken()[stage])


@pytest.mark.parametrize("stage", STAGES)
def test_each_record_that_is_gone_with_its_sums_is_named(study, stage):
    seal_all()
    record_of(stage).unlink()
    record_of(stage).with_suffix(".SHA256SUMS").unlink()
    assert any(str(record_of(stage)) in line for line in broken()[stage])


def test_a_last_record_rewritten_whole_is_told_by_its_receipt(study):
    seal_all()
    Path("results/demo/table.csv").write_text("mean\n9\n")
    write_record(take_manifest("demo", "results", STAGES["results"]))
    (line,) = broken()["results"]
    assert "changed  results/demo/freeze/results.json  (names record" in line


def test_a_receipt_that_cannot_be_read_vouches_for_nothing(study):
    seal_all()
    Path(receipt_path("demo", "results")).write_text("{}")
    assert "names record unknown" in broken()["results"][0]


def test_a_receipt_names_its_record_and_the_one_before(study):
    seal_all()
    content = json.loads(Path(receipt_path("demo", "responses")).read_text())
    assert content["sha256"] == sha_of("responses")
    assert content["previous"] == sha_of("design")


# The log of deviations


LOG = Path("data/freeze/demo/deviations.csv")
LOG_SUMS = Path("data/freeze/demo/deviations.SHA256SUMS")


def with_deviation() -> None:
    seal_all()
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    seal_all()
    assert broken() == {}


def test_the_log_is_checked_by_sha256sum_too(study):
    import subprocess

    with_deviation()
    done = subprocess.run(["sha256sum", "-c", "--quiet", LOG_SUMS], check=False)
    assert done.returncode == 0
    LOG.write_text(LOG.read_text().replace("a typo", "an error"))
    assert subprocess.run(["sha256sum", "-c", "--quiet", LOG_SUMS], check=False).returncode == 1


def test_a_log_that_is_gone_is_named(study):
    with_deviation()
    LOG.unlink()
    assert any(
        "missing  data/freeze/demo/deviations.csv" in line for line in broken()["deviations"]
    )


def test_a_log_that_is_gone_with_its_sums_is_named(study):
    with_deviation()
    LOG.unlink()
    LOG_SUMS.unlink()
    lines = broken()["deviations"]
    assert any("missing" in line and "sealed after other entries" in line for line in lines)
    assert any("no entry says why design-" in line for line in lines)


def test_a_log_that_is_gone_before_anything_was_sealed_after_it_is_named(study):
    seal_all()
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    LOG.unlink()
    LOG_SUMS.unlink()
    assert any("no entry says why design-" in line for line in broken()["deviations"])


@pytest.mark.parametrize("sums", [False, True], ids=["alone", "with its sums"])
def test_an_edited_log_is_named(study, sums):
    import hashlib

    with_deviation()
    LOG.write_text(LOG.read_text().replace("none expected", "none at all"))
    if sums:
        LOG_SUMS.write_text(f"{hashlib.sha256(LOG.read_bytes()).hexdigest()}  {LOG}\n")
    assert any(
        "changed  data/freeze/demo/deviations.csv" in line for line in broken()["deviations"]
    )


def test_an_entry_taken_out_is_named(study):
    seal_all()
    for text in ("Score.\n", "Score kindly.\n"):
        change_rubric(text)
        add_deviation("demo", "design", **WORDS)
        seal_all()
    lines = LOG.read_text().splitlines(keepends=True)
    LOG.write_text("".join([lines[0], lines[2]]))
    assert broken()["deviations"]


def test_entries_added_later_leave_the_records_as_they_were(study):
    with_deviation()
    add_deviation("demo", "verdicts", what="a judge was replaced", why="it died", effect="none")
    assert broken() == {}
    seal_all()
    assert broken() == {}


def test_records_are_chained_to_the_log(study):
    import hashlib

    with_deviation()
    entry = json.loads(record_of("responses").read_text())
    assert entry["deviations"] == hashlib.sha256(LOG.read_bytes()).hexdigest()
    assert "deviations" not in json.loads(record_of("design").read_text())  # none was logged yet


def test_a_cell_that_a_spreadsheet_would_run_is_kept_and_is_safe(study):
    seal_all()
    what = '=HYPERLINK("http://x.org")'
    add_deviation("demo", "design", what=what, why="@home", effect="-")
    assert read_deviations(LOG)["what"][0] == what
    assert "'=HYPER" in LOG.read_text()
