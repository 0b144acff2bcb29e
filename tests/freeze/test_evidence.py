"""What tells of a record besides the record, and what a manifest says of its files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rows import write_rows
from support.small_study import (
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
from veridical.freeze.beside import changes_of_archive, listed_sums, strays
from veridical.freeze.chain import after, before
from veridical.freeze.design import archive_settings, design_config
from veridical.freeze.deviations import add_deviation
from veridical.freeze.evidence import (
    UNKNOWN,
    calls,
    is_vouched,
    known_records,
    log_entries,
    read_receipt,
    receipt_path,
    records_in,
    sums_hash,
    superseded,
    traces,
)
from veridical.freeze.log_checks import check_deviations
from veridical.freeze.manifest import (
    Change,
    Manifest,
    Sealed,
    compare,
    read_manifest,
    seal_file,
    sealed_files,
    sums,
    take_manifest,
)
from veridical.freeze.sealing import log_digest
from veridical.freeze.tables import TIMES
from veridical.freeze.time_checks import check_times

HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)
NAMES = st.from_regex(r"[a-z]{1,8}(/[a-z0-9é]{1,8}){0,2}\.csv", fullmatch=True)
FILES = st.dictionaries(NAMES, st.tuples(st.integers(0, 10**9), HASHES), max_size=6)


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    return tmp_path


def manifest_of(files: dict, **more) -> Manifest:
    sealed = tuple(Sealed(name, *facts) for name, facts in sorted(files.items()))
    return Manifest("demo", "design", sealed, **more)


# Manifests


@given(FILES, st.one_of(st.none(), HASHES), st.one_of(st.just(""), HASHES))
def test_a_record_is_read_back_as_it_was(files, previous, log):
    manifest = manifest_of(files, previous=previous, deviations=log)
    text = manifest.to_json()
    assert Manifest.from_dict(json.loads(text)) == manifest
    assert Manifest.from_dict(json.loads(text)).to_json() == text
    assert manifest.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert text.count("\n") >= len(files) + 3  # one line a file


@given(FILES, FILES)
def test_two_manifests_differ_in_what_is_named_and_nothing_else(old, new):
    changes = compare(manifest_of(old), manifest_of(new))
    assert {change.name for change in changes if change.kind == "missing"} == set(old) - set(new)
    assert {change.name for change in changes if change.kind == "added"} == set(new) - set(old)
    differ = {name for name in set(old) & set(new) if old[name][1] != new[name][1]}
    assert {change.name for change in changes if change.kind == "changed"} == differ
    assert compare(manifest_of(old), manifest_of(old)) == []


def test_the_log_may_grow_and_the_chain_may_not_break():
    first, other = {"vpe-responses": "a" * 64}, {"vpe-responses": "c" * 64}
    one = manifest_of({}, previous=first, deviations="")
    assert compare(one, manifest_of({}, previous=first, deviations="b" * 64)) == []
    (change,) = compare(one, manifest_of({}, previous=other))
    assert "the record of stage" in change.name


def test_a_lock_among_the_files_is_named_once():
    files = {"uv.lock": (1, "a" * 64)}
    old = manifest_of(files, lock="a" * 64)
    new = manifest_of({"uv.lock": (2, "b" * 64)}, lock="b" * 64)
    assert [change.name for change in compare(old, new)] == ["uv.lock"]


def test_stages_stand_in_a_chain():
    earlier = [(), ("design",), ("responses",), ("verdicts",)]
    assert [before(stage) for stage in STAGES] == earlier
    assert after("design") == ("responses", "verdicts", "results")
    assert after("results") == ()
    with pytest.raises(ValueError, match="no stage 'draft'; the stages are study, <part>-design"):
        before("draft")


@pytest.mark.parametrize("name", ["a\nb.csv", "a\\b.csv", "a\rb.csv"])
def test_a_name_that_sums_cannot_hold_is_refused(study, name):
    Path(name).write_text("x")
    with pytest.raises(ValueError, match="no line break and no backslash"):
        seal_file(name)


def test_a_file_is_sealed_by_path_size_and_hash(study):
    Path("data/é.txt").write_text("été\n")
    sealed = seal_file("data/../data/é.txt")
    assert sealed == Sealed("data/é.txt", 6, hashlib.sha256("été\n".encode()).hexdigest())


def test_sums_are_what_sha256sum_reads(study):
    seal_all()
    for stage in STAGES:
        manifest = read_manifest(record_of(stage))
        text = record_of(stage).with_suffix(".SHA256SUMS").read_text()
        assert text == sums(manifest)
        for line in text.splitlines():
            sha256, name = line.split("  ", 1)
            assert hashlib.sha256(Path(name).read_bytes()).hexdigest() == sha256


def test_the_files_of_all_sealed_stages_are_listed(study):
    assert sealed_files("demo") == {}
    seal_all("design", "responses")
    assert {stage: sorted(STAGES[stage]) for stage in ("design", "responses")} == sealed_files(
        "demo"
    )


def test_no_log_has_no_digest(study):
    assert log_digest("demo") == ""
    seal_all("design")
    add_deviation("demo", "design", **WORDS)
    assert (
        log_digest("demo")
        == hashlib.sha256(Path("data/freeze/demo/deviations.csv").read_bytes()).hexdigest()
    )


def test_a_stage_without_files_is_refused_where_it_cannot_do_without(study):
    with pytest.raises(ValueError, match="stage design of study 'demo' has no files to seal"):
        take_manifest("demo", "design", [])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("changed", "a.csv"), "changed  a.csv"),
        (Change("added", "a.csv", "note"), "added    a.csv  (note)"),
        (Change("missing", "a.csv"), "missing  a.csv"),
    ],
)
def test_a_difference_in_words(change, said):
    assert str(change) == said


# What tells of a record


def test_before_anything_is_sealed_nothing_tells_of_it(study):
    assert traces("demo", "design", "") == {}
    assert read_receipt("demo", "design") == {}
    assert sums_hash("demo", "design") is None
    assert is_vouched("demo", "design")
    assert calls("demo") == {}
    assert log_entries("demo") == []


def test_receipt_sums_log_later_stages_and_calls_tell_of_a_record(study):
    seal_all("design")
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    seal_all()
    make_calls("control3", "f" * 64, 5)
    make_calls("control2", sha_of("design"), 2)  # under the record that lies there: no trace
    found = traces("demo", "design", "another")
    assert list(found)[:4] == [
        "its receipt",
        "its SHA256SUMS",
        "the log of deviations",
        "the receipt of responses",
    ]
    (by_calls,) = [by for by in found if "call(s)" in by]
    assert by_calls.startswith("5 call(s)")
    assert found.pop(by_calls) == "f" * 64
    assert set(found.values()) == {sha_of("design")}
    assert list(traces("demo", "design", sha_of("design"))) == [by_calls]  # the others name it


@pytest.mark.parametrize("text", ["", "[]", "null", "sealed", '"x"', "{"])
def test_a_receipt_that_cannot_be_read_tells_that_there_was_one(study, text):
    seal_all("design")
    path = receipt_path("demo", "design")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert read_receipt("demo", "design") == {"sha256": UNKNOWN}
    assert not is_vouched("demo", "design")


def test_sums_that_do_not_name_the_record_tell_of_an_unknown_one(study):
    seal_all("design")
    sums_path = record_of("design").with_suffix(".SHA256SUMS")
    assert sums_hash("demo", "design") == sha_of("design")
    sums_path.write_text("".join(sums_path.read_text().splitlines(keepends=True)[:-1]))
    assert sums_hash("demo", "design") == UNKNOWN
    sums_path.write_bytes(b"\xff\xfe")
    assert sums_hash("demo", "design") == UNKNOWN


def test_a_log_that_cannot_be_read_has_no_entries_here(study):
    path = Path("data/freeze/demo/deviations.csv")
    path.parent.mkdir(parents=True)
    path.write_text("date,what\n")
    assert log_entries("demo") == []


def test_replaced_and_lost_records_stay_known(study):
    seal_all()
    old = sha_of("design")
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    assert {old, sha_of("design")} <= known_records("demo")
    assert old in superseded("demo")
    assert sha_of("design") not in superseded("demo")


def test_calls_are_counted_by_collection_and_record(study):
    make_calls("control3", "a" * 64, 3)
    make_calls("control3", "b" * 64, 2, model="other")
    make_calls("control2", "", 1)
    assert calls("demo") == {"control2": {"": 1}, "control3": {"a" * 64: 3, "b" * 64: 2}}


def test_where_there_is_no_ledger_the_replies_files_are_counted(study):
    write_replies("results/demo/control3/replies/m.jsonl", "control3", "a" * 64, "", "a" * 64)
    assert calls("demo") == {"control3": {"a" * 64: 2, "": 1}}
    assert records_in(Path("results/demo/control3/replies/m.jsonl")) == calls("demo")
    make_calls("control3", "c" * 64, 1)  # the ledgers go before
    assert calls("demo") == {"control3": {"c" * 64: 1}}


def test_a_line_without_an_exchange_counts_as_one_call_of_an_unknown_record(study):
    path = Path("results/demo/r.jsonl")
    path.write_text('{"stage": "vpe", "exchanges": []}\n{"stage": "vpe"}\n')
    assert records_in(path) == {"vpe": {"": 2}}


# What lies beside


def test_a_file_put_beside_sealed_ones_is_a_stray_of_their_stage(study):
    seal_all()
    Path("data/corpora/A/notes.txt").write_text("x")
    Path("data/corpora/A/notes.csv").write_text("x")  # of another suffix than any sealed one
    Path("results/demo/more.csv").write_text("x")
    found = strays("demo")
    assert found["design"] == ["data/corpora/A/notes.txt"]
    assert sorted(path for paths in found.values() for path in paths) == [
        "data/corpora/A/notes.txt",
        "results/demo/more.csv",
    ]


def test_before_all_is_sealed_what_is_to_come_is_no_stray(study):
    seal_all("design", "responses")
    Path("results/demo/more.csv").write_text("x")
    assert strays("demo") == {}
    expected = {"results": ["results/demo/more.csv"]}
    assert strays("demo", expected=expected)["responses"] == []


def test_an_unzipped_archive_is_held_to_its_sums(study):
    assert listed_sums() == {}
    sha256 = hashlib.sha256(Path("uv.lock").read_bytes()).hexdigest()
    Path("SHA256SUMS").write_text(f"{sha256}  uv.lock\n{'0' * 64}  gone.csv\n")
    assert listed_sums() == {"uv.lock": sha256, "gone.csv": "0" * 64}
    found = {(change.kind, change.name) for change in changes_of_archive(".")}
    assert ("missing", "gone.csv") in found
    Path("uv.lock").write_text("version = 2\n")
    assert ("changed", "uv.lock") in {(c.kind, c.name) for c in changes_of_archive(".")}


# Which keys belong to the design


def test_how_a_run_is_carried_out_and_shown_is_no_part_of_its_design():
    config = {"study": "s", "seed": 1, "control3": {"probes": 24}}
    running = {"budget": {"calls": 3}, "collect": False, "models_folder": "/m", "title": "T"}
    running |= {"language": "it", "deposit": {"server": "x"}}
    assert design_config(config | running) == config


@pytest.mark.parametrize(
    ("config", "settings"),
    [
        ({}, {}),
        ({"title": "T", "seed": 1}, {"title": "T"}),
        ({"deposit": {"server": "x", "publish": True}}, {}),
        ({"deposit": {"communities": ["c"], "server": "x"}}, {"deposit": {"communities": ["c"]}}),
        ({"deposit": None, "language": "it"}, {"language": "it"}),
    ],
)
def test_where_it_is_deposited_leaves_an_archives_bytes_as_they_are(config, settings):
    assert archive_settings(config) == settings


def test_what_names_no_record_is_no_trace_of_another_where_something_names_the_very_one(study):
    seal_all("design")
    path = receipt_path("demo", "design")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")  # it says that there was one, and not which
    assert traces("demo", "design", sha_of("design")) == {}  # the sums name it
    assert traces("demo", "design", "another") == {
        "its receipt": UNKNOWN,
        "its SHA256SUMS": sha_of("design"),
    }


def test_an_entry_whose_record_is_nowhere_is_named_by_its_number(study):
    seal_all()
    for what in ("one", "two"):
        add_deviation("demo", "design", **WORDS | {"what": what})
    log = Path("data/freeze/demo/deviations.csv")
    first, second, third = log.read_text().splitlines()
    log.write_text("\n".join([first, second, third.replace(sha_of("design"), "e" * 64)]) + "\n")
    (change,) = [c for c in check_deviations("demo").changes if "no record" in c.note]
    assert change.name == "data/freeze/demo/deviations.csv, entry 2"
    assert change.note == f"no record has hash {'e' * 8}"


def test_what_a_replay_makes_in_an_archive_is_not_added_but_its_like_beside_a_packed_file_is(study):
    sha256 = hashlib.sha256(Path("results/demo/table.csv").read_bytes()).hexdigest()
    packed = [path.as_posix() for path in Path().rglob("*") if path.is_file()]
    hashes = {name: hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in packed}
    assert hashes["results/demo/table.csv"] == sha256
    Path("SHA256SUMS").write_text("".join(f"{sha}  {name}\n" for name, sha in hashes.items()))
    assert changes_of_archive() == []
    made = ("logs/demo/x.log", "figures/demo/x.svg", "results/demo/new/x.csv")
    hidden = (".cache/x", "workflow/__pycache__/x.pyc", "results/demo/.x.csv")
    strange = ("notes.txt", "results/demo/x.csv")
    for name in (*made, *hidden, *strange):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x")
    assert {(c.kind, c.name) for c in changes_of_archive()} == {("added", name) for name in strange}


def test_a_time_that_no_receipt_attests_is_named_by_its_entry(study):
    """A study may not say of itself when it was sealed."""
    seal_all("design")
    row = {"stage": "design", "record": sha_of("design"), "kind": "rfc3161", "authority": "A"}
    row |= {"state": "attested", "time": "2026-01-02T00:00:00Z"}
    write_rows(Path("data/freeze/demo/timestamps.csv"), TIMES, row, row | {"record": "e" * 64})
    (change,) = check_times("demo").changes  # the second is of no record in force
    assert change.name == "data/freeze/demo/timestamps.csv, entry 1"
    assert change.note == f"no receipt says so of record {sha_of('design')[:8]}"
