"""Manifests, sealing, deviations and verification, on a handful of files."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from veridical.freeze import deviations, verify
from veridical.freeze.design import analysis_files, design_config, part_files
from veridical.freeze.deviations import add_deviation, read_deviations
from veridical.freeze.manifest import (
    compare,
    file_sha256,
    read_manifest,
    take_manifest,
)
from veridical.freeze.sealing import FreezeError, found_path, receipt, receipt_path, seal
from veridical.freeze.tables import DEVIATIONS

ROOT = Path(__file__).parents[2]
FILES = ["uv.lock", "data/corpora/A/rubric.txt", "results/demo/prompts/p.jsonl"]
WORDS = {"what": "one word of the rubric", "why": "a typo misled", "effect": "none expected"}


@pytest.fixture
def study(tmp_path: Path, monkeypatch) -> Path:
    """Three design files, one replies file, one table, in a folder that is the current one."""
    content = {
        "uv.lock": "version = 1\n",
        "data/corpora/A/rubric.txt": "Score each answer as if it stood alone.\n",
        "results/demo/prompts/p.jsonl": "{}\n",
        "results/demo/replies/m.jsonl": "{}\n",
        "results/demo/verdicts.csv": "score\n1\n",
        "results/demo/table.csv": "mean\n1\n",
    }
    for name, text in content.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def seal_all() -> None:
    seal("demo", "design", FILES)
    seal_all_but_design()


def seal_all_but_design() -> None:
    seal("demo", "responses", ["results/demo/replies/m.jsonl"])
    seal("demo", "verdicts", ["results/demo/verdicts.csv"])
    seal("demo", "results", ["results/demo/table.csv"])


def checks() -> dict[str, verify.Check]:
    return {check.stage: check for check in verify.verify("demo")}


def sha256sum(*stages: str) -> subprocess.CompletedProcess:
    names = [f"data/freeze/demo/{stage}.SHA256SUMS" for stage in stages]
    return subprocess.run(
        ["sha256sum", "-c", "--quiet", *names], capture_output=True, text=True, check=False
    )


def test_manifest_lists_path_size_and_hash_of_each_file(study):
    manifest = take_manifest("demo", "design", [FILES[1], FILES[1]])
    (file,) = manifest.files  # a repetition counts once
    text = b"Score each answer as if it stood alone.\n"
    assert (file.path, file.size) == ("data/corpora/A/rubric.txt", 40)
    assert file.sha256 == hashlib.sha256(text).hexdigest()
    assert manifest.lock == hashlib.sha256(b"version = 1\n").hexdigest()
    assert manifest.previous is None


def test_record_is_plain_json_with_the_same_bytes_in_any_order(study):
    one, other = (take_manifest("demo", "design", files) for files in (FILES, FILES[::-1]))
    assert one.to_json() == other.to_json()
    entry = json.loads(one.to_json())
    assert list(entry) == ["study", "stage", "previous", "version", "lock", "files"]
    assert one.sha256 == hashlib.sha256(one.to_json().encode()).hexdigest()


def test_stages_are_chained_by_the_hash_of_the_record_before(study):
    seal_all()
    for before, stage in (("design", "responses"), ("verdicts", "results")):
        record = read_manifest(f"data/freeze/demo/{stage}.json")
        assert record.previous == file_sha256(f"data/freeze/demo/{before}.json")


def test_a_stage_is_not_sealed_before_the_one_before_it(study):
    with pytest.raises(ValueError, match="seal design before responses"):
        seal("demo", "responses", ["results/demo/replies/m.jsonl"])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("results/none.csv", "no such file"),
        ("../outside.txt", "outside the project"),
        ("data", "no such file"),
        ("data/a\\b.txt", "no backslash"),
    ],
)
def test_what_cannot_be_sealed_is_named(study, path, message):
    (study / "data/a\\b.txt").write_text("")
    (study.parent / "outside.txt").write_text("")
    with pytest.raises(ValueError, match=message):
        take_manifest("demo", "design", [path])


def test_sealing_twice_changes_nothing(study):
    first = seal("demo", "design", FILES)
    before = Path("data/freeze/demo/design.json").stat().st_mtime_ns
    assert receipt(seal("demo", "design", FILES)) == receipt(first)
    assert Path("data/freeze/demo/design.json").stat().st_mtime_ns == before


def test_a_changed_design_stops_with_the_changes_and_the_two_ways_out(study):
    seal("demo", "design", FILES)
    Path(FILES[1]).write_text("Score every answer as if it stood alone.\n")
    Path("data/new.txt").write_text("")
    with pytest.raises(FreezeError) as caught:
        seal("demo", "design", [FILES[0], FILES[1], "data/new.txt"])
    message = str(caught.value)
    assert "changed  data/corpora/A/rubric.txt  (40 → 41 bytes)" in message
    assert "added    data/new.txt" in message
    assert "missing  results/demo/prompts/p.jsonl" in message
    assert "1. undo" in message
    assert "python -m veridical.freeze.deviations add --study demo --stage design" in message


def test_undoing_the_change_lets_it_go_on(study):
    first = seal("demo", "design", FILES)
    text = Path(FILES[1]).read_text()
    Path(FILES[1]).write_text("another\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", FILES)
    Path(FILES[1]).write_text(text)
    assert seal("demo", "design", FILES) == first
    assert not found_path("demo", "design").exists()


def test_a_lost_record_is_not_sealed_anew_behind_a_later_stage(study):
    seal_all()
    Path("data/freeze/demo/design.json").unlink()
    with pytest.raises(FreezeError, match="gone while responses is sealed"):
        seal("demo", "design", FILES)


def test_another_lock_is_a_change_of_every_stage(study):
    seal_all()
    Path("uv.lock").write_text("version = 2\n")
    with pytest.raises(FreezeError, match=r"changed  uv\.lock"):
        seal("demo", "responses", ["results/demo/replies/m.jsonl"])


def test_a_stage_that_fails_takes_back_its_receipt_and_the_later_ones(study):
    seal_all()
    for stage in ("design", "responses", "verdicts", "results"):
        path = receipt_path("demo", stage)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    Path("results/demo/replies/m.jsonl").write_text("{} \n")
    with pytest.raises(FreezeError):
        seal("demo", "responses", ["results/demo/replies/m.jsonl"])
    left = {path.name for path in receipt_path("demo", "design").parent.iterdir()}
    assert left == {"design.json", "responses.found.json"}


# Deviations


def change_rubric() -> None:
    Path(FILES[1]).write_text("Score every answer as if it stood alone.\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", FILES)


def test_a_logged_deviation_lets_it_go_on(study):
    seal_all()
    old = file_sha256("data/freeze/demo/design.json")
    change_rubric()
    row = add_deviation("demo", "design", date="2026-01-02", **WORDS)
    assert row["manifest_before"] == old
    assert row["manifest_after"] == file_sha256("data/freeze/demo/design.json") != old
    seal_all()  # the later stages are sealed anew, chained to the new design
    assert all(check.holds for check in checks().values())
    (log,) = read_deviations("data/freeze/demo/deviations.csv").to_dict("records")
    assert log == {"date": "2026-01-02", "stage": "design", **WORDS} | {
        "manifest_before": old,
        "manifest_after": row["manifest_after"],
        "parts": "",
    }
    kept = sorted(path.name for path in Path("data/freeze/demo/superseded").iterdir())
    assert kept[0] == f"design-{old[:8]}.SHA256SUMS"
    assert len(kept) == 8  # four records with their sums


@pytest.mark.parametrize("word", WORDS)
def test_a_deviation_without_reason_is_refused(study, word):
    seal_all()
    change_rubric()
    with pytest.raises(ValueError, match=f"--{word} is empty"):
        add_deviation("demo", "design", **WORDS | {word: "  "})
    assert not Path("data/freeze/demo/deviations.csv").exists()
    with pytest.raises(FreezeError):
        seal("demo", "design", FILES)


def test_only_what_was_listed_is_adopted(study):
    seal_all()
    change_rubric()
    Path(FILES[2]).write_text("{} \n")
    with pytest.raises(ValueError, match="changed since they were listed"):
        add_deviation("demo", "design", **WORDS)


def test_a_change_that_the_workflow_has_not_listed_yet_is_not_logged_as_none(study):
    seal_all()
    Path(FILES[1]).write_text("Score kindly.\n")
    with pytest.raises(ValueError, match=r"differ from its record .* run the workflow"):
        add_deviation("demo", "design", **WORDS)
    assert not Path("data/freeze/demo/deviations.csv").exists()


def test_a_departure_without_changed_files_is_logged_alone(study):
    seal_all()
    row = add_deviation("demo", "verdicts", **WORDS)
    assert row["manifest_before"] == row["manifest_after"]
    assert not Path("data/freeze/demo/superseded").exists()
    seal_all()


def test_two_deviations_stand_in_the_order_logged(study):
    seal_all()
    change_rubric()
    first = add_deviation("demo", "design", **WORDS)
    Path(FILES[1]).write_text("Score.\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", FILES)
    add_deviation("demo", "design", **WORDS | {"what": "all but one word"})
    log = read_deviations("data/freeze/demo/deviations.csv")
    assert list(log["what"]) == [WORDS["what"], "all but one word"]
    assert log["manifest_before"][1] == first["manifest_after"]
    assert checks()["deviations"].holds


def test_no_log_is_an_empty_log(study):
    log = read_deviations("data/freeze/demo/deviations.csv")
    assert log.empty
    assert list(log.columns) == DEVIATIONS.names


def test_an_entry_emptied_by_hand_is_refused_by_file_row_and_column(study):
    path = Path("data/freeze/demo/deviations.csv")
    path.parent.mkdir(parents=True)
    path.write_text(",".join(DEVIATIONS.names) + "\n2026-01-02,design,what,,effect,a,b,\n")
    with pytest.raises(ValueError, match=r"deviations\.csv, entry 1: why is empty"):
        read_deviations(path)


def test_command_line_adds_and_lists(study, capsys):
    seal_all()
    change_rubric()
    words = [part for name, text in WORDS.items() for part in (f"--{name}", text)]
    assert deviations.main(["add", "--study", "demo", "--stage", "design", *words]) == 0
    assert "sealed anew" in capsys.readouterr().out
    assert deviations.main(["list", "--study", "demo"]) == 0
    assert "a typo misled" in capsys.readouterr().out
    arguments = ["add", "--study", "demo", "--stage", "design", *words[:2], "--why", "", *words[4:]]
    assert deviations.main(arguments) == 1
    assert "--why is empty" in capsys.readouterr().err


# Verification


def test_everything_holds_after_sealing(study):
    seal_all()
    assert all(check.holds for check in checks().values())
    assert sha256sum("design", "responses", "verdicts", "results").returncode == 0
    assert verify.render(verify.verify("demo")).count("holds") == 4


SEALED = [
    ("design", "data/corpora/A/rubric.txt"),
    ("design", "uv.lock"),
    ("responses", "results/demo/replies/m.jsonl"),
    ("verdicts", "results/demo/verdicts.csv"),
    ("results", "results/demo/table.csv"),
    ("design", "data/freeze/demo/design.json"),
    ("responses", "data/freeze/demo/responses.json"),
]


@pytest.mark.parametrize(("stage", "path"), SEALED)
def test_one_flipped_byte_is_named_by_verify_and_by_sha256sum(study, stage, path):
    seal_all()
    data = bytearray(Path(path).read_bytes())
    data[len(data) // 2] ^= 1
    Path(path).write_bytes(data)
    broken = checks()[stage]
    assert not broken.holds
    assert any(change.name == path and change.kind == "changed" for change in broken.changes)
    done = sha256sum(stage)
    assert done.returncode == 1
    assert f"{path}: FAILED" in done.stdout


def test_a_lost_file_is_missing(study):
    seal_all()
    Path("results/demo/table.csv").unlink()
    assert str(checks()["results"].changes[0]) == "missing  results/demo/table.csv"
    assert sha256sum("results").returncode == 1


def test_a_file_put_beside_sealed_ones_is_added(study):
    seal_all()
    Path("results/demo/replies/other.jsonl").write_text("{}\n")
    Path("results/demo/replies/notes.txt").write_text("")  # another kind of file
    (change,) = checks()["responses"].changes
    assert str(change) == "added    results/demo/replies/other.jsonl"


def test_shared_folders_of_data_may_get_more_files(study):
    own = Path("data/problems/own.jsonl")
    own.parent.mkdir(parents=True)
    own.write_text("{}\n")
    seal("demo", "design", [*FILES, str(own)])
    seal_all_but_design()
    own.with_name("another-studys.jsonl").write_text("{}\n")
    assert all(check.holds for check in checks().values())


def test_a_file_that_the_workflow_counts_by_now_is_added(study):
    seal_all()
    (check, *_) = verify.verify("demo", expected={"design": [*FILES, "workflow/new.py"]})
    assert str(check.changes[0]) == "added    workflow/new.py"


def test_the_files_of_a_stage_to_come_are_not_strays(study):
    seal("demo", "design", FILES)
    seal("demo", "responses", ["results/demo/verdicts.csv"])
    assert all(check.holds for check in checks().values())
    counted = {"results": ["results/demo/table.csv"]}
    assert all(check.holds for check in verify.verify("demo", expected=counted))
    Path("results/demo/stray.csv").write_text("")
    found = verify.verify("demo", expected=counted)[1].changes
    assert [str(change) for change in found] == ["added    results/demo/stray.csv"]


def test_a_stage_to_come_is_not_a_failure_but_a_lost_record_is(study):
    seal("demo", "design", FILES)
    assert str(checks()["results"]) == "results              not sealed yet"
    seal("demo", "responses", ["results/demo/replies/m.jsonl"])
    Path("data/freeze/demo/design.json").unlink()
    assert [change.kind for change in checks()["design"].changes] == ["missing"]


def test_a_record_forged_whole_breaks_the_chain(study):
    seal_all()
    Path(FILES[1]).write_text("Score generously.\n")
    forged = take_manifest("demo", "design", FILES)
    Path("data/freeze/demo/design.json").write_text(forged.to_json())
    found = [change.name for change in checks()["responses"].changes]
    assert found == ["data/freeze/demo/design.json"]
    assert sha256sum("responses").returncode == 1


def test_a_deviation_whose_record_is_gone_is_named(study):
    seal_all()
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    shutil.rmtree("data/freeze/demo/superseded")
    assert "deviations.csv, entry 1" in checks()["deviations"].changes[0].name


def test_command_line_says_what_holds(study, capsys):
    seal_all()
    assert verify.main(["--study", "demo"]) == 0
    Path("uv.lock").write_text("version = 1 \n")
    assert verify.main(["--study", "demo"]) == 1
    out = capsys.readouterr().out
    assert "design               BROKEN  3 files" in out
    assert verify.main(["--study", "none"]) == 1


def test_compare_is_empty_for_equal_manifests(study):
    manifest = take_manifest("demo", "design", FILES)
    assert compare(manifest, manifest) == []


# What every design holds


def test_the_design_holds_the_analysis_but_no_figure_report_or_sealing():
    shared, own = analysis_files(ROOT), part_files(ROOT, "control1", ["A"])
    assert {"workflow/veridical/texts/rubric.en.txt", "workflow/veridical/models/forms.py"} < {
        *shared
    }
    assert not any(path.startswith("workflow/scripts/control1/") for path in shared)
    assert not any(path.startswith("data/") for path in shared)
    assert {
        "data/corpora/A/encounters.csv",
        "workflow/scripts/control1/test_contrasts.py",
        "workflow/veridical/statistics/equivalence.py",
    } < set(own)
    for path in (files := [*shared, *own]):
        assert "/draw_" not in path
        assert not path.startswith(
            tuple(f"workflow/scripts/{room}/" for room in ("report", "models", "ledger"))
        )
        assert Path(path).name not in ("style.py", "packing.py", "sealing.py", "verify.py")
    assert not any("corpora/B" in path for path in files)


def test_the_sealed_config_leaves_out_how_a_run_is_carried_out():
    config = {"study": "demo", "collect": False, "language": "it", "budget": {"calls": 1}}
    assert design_config(config) == {"study": "demo"}


def test_a_study_without_judges_seals_no_verdicts_and_no_study_seals_no_results(study):
    for stage, files in (("design", ["design.txt"]), ("responses", []), ("verdicts", [])):
        for name in files:
            Path(name).write_text("x", encoding="utf-8")
        sealed = seal("demo", stage, files)
        assert len(sealed.files) == len(files)
    with pytest.raises(ValueError, match="stage results of study 'demo' has no files to seal"):
        seal("demo", "results", [])
