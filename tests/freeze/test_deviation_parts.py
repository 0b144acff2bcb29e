"""Which parts a deviation concerns: said when it is logged, shown there, absent from older logs."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pandas as pd
import pytest
from support.small_study import RUBRIC, WORDS, change_rubric, lay_out, record_of, seal_all
from veridical.freeze import deviations
from veridical.freeze.deviations import add_deviation, read_deviations
from veridical.freeze.sealing import FreezeError, receipt_path, seal
from veridical.freeze.verify import verify
from veridical.report.part import deviations_of
from veridical.report.study import Study

LOG = Path("data/freeze/demo/deviations.csv")
SUMS = Path("data/freeze/demo/deviations.SHA256SUMS")
HEADER = "date,stage,what,why,effect,manifest_before,manifest_after"


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    return tmp_path


def logged(*parts: str, what: str = WORDS["what"]) -> None:
    add_deviation("demo", "design", **WORDS | {"what": what}, parts=parts, date="2026-01-02")


def broken() -> dict[str, list[str]]:
    return {c.stage: [str(change) for change in c.changes] for c in verify("demo") if not c.holds}


def as_before_parts(lines: int) -> None:
    """Write the log as it was written before it had the column, with so many of its entries, and
    reseal what was sealed after it, as it was sealed then."""
    table = pd.read_csv(LOG, dtype=str, keep_default_na=False)[HEADER.split(",")]
    text = table.head(lines).to_csv(index=False, lineterminator="\n")
    assert text.startswith(HEADER + "\n")
    LOG.write_text(text)
    SUMS.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}  {LOG}\n")
    later = ("responses", "verdicts", "results")
    for stage in later:
        for path in (record_of(stage), record_of(stage).with_suffix(".SHA256SUMS")):
            path.unlink()
        receipt_path("demo", stage).unlink(missing_ok=True)
    seal_all(*later)


def test_an_entry_says_which_parts_it_concerns_in_the_reports_order(study):
    seal_all()
    logged("vpe", "control1", "vpe")
    assert read_deviations(LOG)["parts"].tolist() == ["control1 vpe"]
    assert broken() == {}


def test_a_part_shows_its_own_entries_and_no_other(study):
    """An entry that speaks of Control 1 in its words alone is none of its own."""
    seal_all()
    logged(what="Control 1 and control2 were looked at")
    logged("control1", what="one word")
    logged("control1", "aas", what="another")
    shown = Study("demo", {}, {}, {}, {}, deviations=read_deviations(LOG))
    found = {
        part: [entry["what"] for entry in deviations_of(part, shown)]
        for part in ("control1", "control2", "aas", "control")
    }
    assert found == {
        "control1": ["one word", "another"],
        "control2": [],
        "aas": ["another"],
        "control": [],
    }


def test_no_log_no_entry():
    assert deviations_of("control1", Study("demo", {}, {}, {}, {})) == []


def test_a_part_that_there_isnt_is_refused_before_anything_is_logged(study):
    seal_all()
    with pytest.raises(ValueError, match=r"--part: no part 'control9'; the parts are control1, "):
        logged("control1", "control9")
    assert not LOG.exists()


def test_a_part_put_in_by_hand_is_named_by_file_and_entry(study):
    seal_all()
    logged("control1")
    logged("control2", what="another")
    LOG.write_text(LOG.read_text().replace(",control2\n", ",control2 vape\n"))
    with pytest.raises(ValueError, match=r"deviations\.csv, entry 2: no part 'vape'"):
        read_deviations(LOG)
    assert any("no part 'vape'" in line for line in broken()["deviations"])


def test_the_same_words_for_another_part_are_another_entry(study):
    seal_all()
    logged("control1")
    logged("control1")
    assert len(read_deviations(LOG)) == 1
    logged("control2")
    assert read_deviations(LOG)["parts"].tolist() == ["control1", "control2"]


def test_the_command_line_takes_a_part_several_times_and_no_unknown_one(study, capsys):
    seal_all()
    words = [word for name, text in WORDS.items() for word in (f"--{name}", text)]
    command = ["add", "--study", "demo", "--stage", "design", *words]
    assert deviations.main([*command, "--part", "aas", "--part", "control3"]) == 0
    assert read_deviations(LOG)["parts"].tolist() == ["control3 aas"]
    with pytest.raises(SystemExit):
        deviations.main([*command, "--part", "aaas"])
    assert "invalid choice: 'aaas'" in capsys.readouterr().err
    assert len(read_deviations(LOG)) == 1


# Logs that were begun before parts were recorded


def with_an_older_log() -> None:
    seal_all()
    change_rubric()
    logged()
    seal_all()
    as_before_parts(1)
    assert broken() == {}


def test_an_older_log_is_read_and_concerns_the_study_as_a_whole(study):
    with_an_older_log()
    assert read_deviations(LOG)["parts"].tolist() == [""]
    assert "parts" not in LOG.read_text().splitlines()[0]


def test_an_older_log_that_goes_on_leaves_what_was_sealed_after_it_as_it_was(study):
    """The records after the first entry keep the hash of the log as it stood, without the column;
    an entry that is added writes the column for all."""
    with_an_older_log()
    sealed = record_of("responses").read_bytes()
    logged("control1", what="another")
    assert LOG.read_text().splitlines()[0] == HEADER + ",parts"
    assert read_deviations(LOG)["parts"].tolist() == ["", "control1"]
    assert broken() == {}
    seal_all()  # compares and changes nothing
    assert record_of("responses").read_bytes() == sealed


def test_a_part_added_later_to_an_older_entry_is_a_change_of_the_log(study):
    """Were the hash of the older form taken for any log, this would go unnoticed."""
    with_an_older_log()
    logged("control1", what="another")
    first, second, *rest = LOG.read_text().splitlines()
    assert second.endswith(",")
    text = "\n".join([first, f"{second}control1", *rest]) + "\n"
    LOG.write_text(text)
    SUMS.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}  {LOG}\n")
    assert any("was sealed after other entries" in line for line in broken()["deviations"])


def test_an_older_log_of_two_entries_knows_the_records_sealed_between_them(study):
    seal_all()
    change_rubric()
    logged()
    seal_all()
    logged(what="in the night a judge was replaced")
    as_before_parts(1)  # what was sealed after the first entry alone
    text = LOG.read_text()
    entry = text.splitlines()[1].replace("one word of the rubric", "in the night")
    LOG.write_text(text + entry + "\n")
    SUMS.write_text(f"{hashlib.sha256(LOG.read_bytes()).hexdigest()}  {LOG}\n")
    assert broken() == {}
    logged("vpe", what="a third")
    assert read_deviations(LOG)["parts"].tolist() == ["", "", "vpe"]
    assert broken() == {}


def test_a_changed_design_may_be_adopted_with_an_older_log(study):
    with_an_older_log()
    Path(RUBRIC).write_text("Score kindly.\n")
    with pytest.raises(FreezeError):
        seal_all()
    logged("control1", what="kindly")
    seal_all()
    assert broken() == {}
    with pytest.raises(FreezeError):
        seal("demo", "design", [RUBRIC])  # another list of files
