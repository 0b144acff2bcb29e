"""A chain of seals a part: which stage follows which, and what a change leaves alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.parts_study import (
    CHAIN,
    FIRST,
    OLDER,
    SECOND,
    WORDS,
    change,
    lay_out,
    record_of,
    records,
    seal_stages,
)
from support.small_study import make_calls
from support.time_server import NOW, Authority, serving
from veridical.base.files import file_sha256
from veridical.freeze.asked_times import ask_for_times
from veridical.freeze.chain import (
    CLOSING,
    KINDS,
    STUDY,
    after,
    before,
    design_of,
    in_order,
    is_stage,
    is_stamped,
    stage_of,
    to_come,
)
from veridical.freeze.deviations import add_deviation, main, read_deviations
from veridical.freeze.manifest import log_path, read_manifest, sealed_files
from veridical.freeze.sealing import FreezeError, found_path, receipt_path, seal
from veridical.freeze.timestamps import describe_records
from veridical.freeze.verify import render, verify

PARTS = st.lists(st.from_regex(r"[a-z]{1,6}[0-9]?", fullmatch=True), unique=True, max_size=4)


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    """The study's files, none of them sealed, in a folder that is the current one."""
    monkeypatch.chdir(lay_out(tmp_path))
    return tmp_path


@pytest.fixture
def sealed(study) -> Path:
    """The study, sealed from the first stage to the closing one."""
    seal_stages()
    return study


def follows(stage: str) -> dict[str, str]:
    return read_manifest(record_of(stage)).follows


def broken() -> dict[str, list[str]]:
    """What doesn't hold, by what is checked."""
    return {
        check.stage: [str(change) for change in check.changes]
        for check in verify("demo")
        if not check.holds
    }


def refused(stage: str, files: list[str] | None = None, **more) -> str:
    """What the sealing rule says when it stops."""
    with pytest.raises(FreezeError) as caught:
        seal("demo", stage, CHAIN[stage] if files is None else files, **more)
    return str(caught.value)


# The order


@given(PARTS, st.randoms())
def test_a_chain_is_told_in_its_order_whatever_the_order_it_is_found_in(parts, chance):
    chain = [STUDY, *(stage_of(part, kind) for part in parts for kind in KINDS), CLOSING]
    mixed = chance.sample(chain, len(chain))
    assert in_order([*mixed, *mixed], parts) == chain


@given(PARTS)
def test_what_comes_before_and_what_comes_after_agree(parts):
    there = [STUDY, *(stage_of(part, kind) for part in parts for kind in KINDS), CLOSING]
    for stage in there:
        for earlier in before(stage, there):
            assert stage in after(earlier, there)
    for stage in there[1:-1]:
        assert CLOSING in after(stage, there)
        mates = {name.partition("-")[0] for name in after(stage, there)} - {CLOSING}
        assert mates <= {stage.partition("-")[0]}


def test_results_follow_the_verdicts_where_there_are_any_or_the_responses():
    assert before("vpe-results", ["vpe-responses", "vpe-verdicts"]) == ("vpe-verdicts",)
    assert before("vpe-results", ["vpe-responses"]) == ("vpe-responses",)
    assert before("results", [*CHAIN]) == ("control1-results", "vpe-results")
    assert before("results", ["study"]) == ("study",)
    assert (design_of("vpe-verdicts"), design_of("verdicts")) == ("vpe-design", "design")


@pytest.mark.parametrize(
    ("name", "known"),
    [("study", True), ("results", True), ("control1-design", True), ("a_b-results", True),
     ("vpe-draft", False), ("-design", False), ("../x-design", False), ("a-b-design", False),
     ("vpe/design", False), ("study-", False), ("", False), ("design.found", False)],
)  # fmt: skip
def test_no_path_is_taken_for_a_stage(name, known):
    assert is_stage(name) == known


def test_what_a_study_will_have_is_told_from_what_it_has():
    assert to_come([]) == ["study", "results"]
    assert to_come(["design", "responses"]) == ["design", "responses", "verdicts", "results"]
    whole = ["study", "vpe-design", "vpe-responses", "vpe-results", "results"]
    assert to_come(["study", "vpe-design"]) == whole
    assert to_come(["vpe-design"]) == whole  # the study's own is lost, not another chain


# Sealing


def test_each_part_follows_the_study_and_the_closing_seal_follows_each_part(sealed):
    first = file_sha256(record_of("study"))
    assert follows("control1-design") == follows("vpe-design") == {"study": first}
    assert follows("vpe-results") == {"vpe-responses": file_sha256(record_of("vpe-responses"))}
    assert set(follows("control1-results")) == {"control1-verdicts"}
    ends = ("control1-results", "vpe-results")
    assert follows("results") == {stage: file_sha256(record_of(stage)) for stage in ends}
    assert list(sealed_files("demo")) == list(CHAIN)
    assert broken() == {}


def test_no_software_of_ours_is_needed_to_check_it(sealed):
    check = "sha256sum -c --quiet data/freeze/demo/*.SHA256SUMS"
    assert subprocess.run(check, shell=True, check=False).returncode == 0
    change("results/demo/vpe/summary.csv")
    done = subprocess.run(check, shell=True, check=False, capture_output=True, text=True)
    assert done.stdout == "results/demo/vpe/summary.csv: FAILED\n"


@pytest.mark.parametrize(
    ("done", "stage", "missing"),
    [
        ([], "vpe-design", "study"),
        (["study"], "vpe-responses", "vpe-design"),
        (["study", *FIRST], "vpe-responses", "vpe-design"),  # another part's chain is none of its
        (["study", "vpe-design"], "vpe-results", "vpe-responses"),
    ],
)
def test_a_stage_is_not_sealed_before_those_that_it_follows(study, done, stage, missing):
    for each in done:
        seal_stages(each)
    with pytest.raises(ValueError, match=rf"seal {missing} before {stage}"):
        seal("demo", stage, CHAIN[stage])


def test_one_part_is_sealed_to_its_results_while_the_other_has_not_begun(study):
    seal_stages("study", *SECOND)
    assert broken() == {}
    said = render(verify("demo"))
    assert "vpe-results          holds" in said
    assert "results              not sealed yet" in said
    assert "control1" not in said


def test_the_workflow_says_what_a_stage_follows(study):
    """Verdicts that are to come are not left out because they aren't there yet."""
    seal_stages("study", "control1-design", "control1-responses")
    with pytest.raises(ValueError, match="seal control1-verdicts before control1-results"):
        seal("demo", "control1-results", ["uv.lock"], follows=["control1-verdicts"])


def test_a_judge_that_comes_later_is_a_change_of_the_parts_results_alone(sealed):
    kept = records()
    seal("demo", "vpe-verdicts", ["results/demo/vpe/summary.csv"])
    said = refused("vpe-results", follows=["vpe-verdicts"])
    assert "added    the record of stage vpe-verdicts" in said
    assert "missing  the record of stage vpe-responses" in said
    assert {stage: data for stage, data in records().items() if stage in kept} == kept


# A change in one part


def test_a_changed_design_stops_its_own_part_alone(sealed):
    change("results/demo/vpe/prompts/p.jsonl")
    said = refused("vpe-design")
    assert "changed  results/demo/vpe/prompts/p.jsonl" in said
    assert "deviations add --study demo --stage vpe-design" in said
    left = {path.stem for path in receipt_path("demo", "study").parent.glob("*.json")}
    assert left == {"study", *FIRST, "vpe-design.found"}
    for stage in ("study", *FIRST):
        seal("demo", stage, CHAIN[stage])


def test_its_deviation_leaves_every_record_of_the_other_parts(sealed):
    kept = records()
    change("results/demo/vpe/prompts/p.jsonl")
    refused("vpe-design")
    row = add_deviation("demo", "vpe-design", **WORDS)
    assert (row["stage"], row["parts"]) == ("vpe-design", "vpe")
    left = records()
    assert {stage for stage in left if left[stage] == kept[stage]} == {"study", *FIRST}
    assert set(left) == {"study", *FIRST, "vpe-design"}
    seal_stages(*SECOND, "results")
    assert broken() == {}


def test_further_parts_that_a_deviation_concerns_are_named_beside_its_own(sealed):
    row = add_deviation("demo", "vpe-design", parts=["control2"], **WORDS)
    assert row["parts"] == "control2 vpe"
    assert add_deviation("demo", "results", **WORDS)["parts"] == ""
    assert read_deviations(log_path("demo"))["stage"].tolist() == ["vpe-design", "results"]


def test_a_change_of_what_all_share_is_logged_once_and_hides_no_parts_change(sealed):
    """The parts' designs follow the new record with the files that they had."""
    old = read_manifest(record_of("vpe-design"))
    change("uv.lock")
    change("results/demo/vpe/prompts/p.jsonl")
    assert "changed  uv.lock" in refused("study")
    add_deviation("demo", "study", **WORDS)
    assert set(records()) == {"study", "control1-design", "vpe-design"}
    new = read_manifest(record_of("vpe-design"))
    assert (new.files, new.lock) == (old.files, file_sha256("uv.lock"))
    assert new.follows == {"study": file_sha256(record_of("study"))}
    seal_stages("study", *FIRST)
    assert refused("vpe-design").count("changed  ") == 1  # its prompts, which nobody has logged
    add_deviation("demo", "vpe-design", **WORDS)
    seal_stages(*SECOND, "results")
    assert broken() == {}


@pytest.mark.parametrize("late", ["vpe-results", "results"])
def test_what_an_earlier_stages_deviation_put_aside_is_not_taken_for_lost(sealed, late):
    """The log still names the late stage's record, which lies among the superseded."""
    change(CHAIN[late][0])
    refused(late)
    add_deviation("demo", late, **WORDS)
    seal_stages(*dict.fromkeys((late, "results")))
    change("results/demo/vpe/prompts/p.jsonl")
    refused("vpe-design")
    add_deviation("demo", "vpe-design", **WORDS)
    change(CHAIN[late][0])
    seal_stages(*SECOND, "results")
    assert broken() == {}


def test_the_command_says_which_stages_there_are(sealed, capsys):
    words = [word for name, text in WORDS.items() for word in (f"--{name}", text)]
    assert main(["add", "--study", "demo", "--stage", "vpe-draft", *words]) == 1
    assert "no stage 'vpe-draft'; the stages are study, <part>-design" in capsys.readouterr().err
    assert main(["add", "--study", "demo", "--stage", "vpe-results", *words]) == 0


# Parts that come and go


def test_a_part_added_to_a_finished_study_breaks_no_seal_but_the_closing_one(study):
    ends = {"results": CHAIN["results"]}
    seal_stages("study", *FIRST, "results")
    kept = records()
    assert broken() == {}
    seal_stages(*SECOND)  # none of this asks about the closing seal
    assert {stage: data for stage, data in records().items() if stage in kept} == kept
    assert broken() == {}
    said = refused("results", ends["results"])
    assert "added    the record of stage vpe-results" in said
    add_deviation("demo", "results", **WORDS)
    seal_stages("results")
    assert set(follows("results")) == {"control1-results", "vpe-results"}
    assert broken() == {}


def test_a_part_turned_off_is_missed_by_the_closing_seal_and_its_records_still_hold(sealed):
    said = refused("results", follows=["control1-results"])
    assert "missing  the record of stage vpe-results" in said
    add_deviation("demo", "results", **WORDS)
    seal("demo", "results", CHAIN["results"], follows=["control1-results"])
    assert broken() == {}
    change("results/demo/vpe/summary.csv")
    assert list(broken()) == ["vpe-results"]


# Lost and forged records


@pytest.mark.parametrize(
    ("stage", "tells"),
    [("study", "control1-design"), ("vpe-design", "vpe-responses"), ("vpe-results", "results")],
)
def test_a_lost_record_is_missed_by_what_was_sealed_after_it(sealed, stage, tells):
    record_of(stage).unlink()
    assert any(f"{tells} is sealed after it" in change for change in broken()[stage])
    assert f"is gone while {tells} is sealed" in refused(stage)


def test_a_lost_closing_record_is_told_by_its_receipt_and_no_other_part(sealed):
    old = file_sha256(record_of("results"))
    record_of("results").unlink()
    record_of("results").with_suffix(".SHA256SUMS").unlink()
    assert list(broken()) == ["results"]
    change("results/demo/codebook.csv")
    assert f"its receipt tells of {old[:8]}" in refused("results")


def test_calls_tell_of_their_own_parts_lost_design(study):
    seal_stages("study", "control1-design", "vpe-design")
    old = file_sha256(record_of("vpe-design"))
    make_calls("vpe", old, 4)
    make_calls("responses", file_sha256(record_of("control1-design")), 2)
    for path in [*Path("data/freeze/demo").glob("vpe-*"), receipt_path("demo", "vpe-design")]:
        path.unlink()
    assert list(broken()) == ["calls"]
    change("results/demo/vpe/prompts/p.jsonl")
    assert f"4 call(s) made after it tells of {old[:8]}" in refused("vpe-design")
    seal_stages("control1-responses")  # which nothing tells otherwise of


def test_a_forged_record_of_one_part_breaks_that_parts_chain(sealed):
    forged = json.loads(record_of("vpe-design").read_text())
    forged["files"] = []
    record_of("vpe-design").write_text(json.dumps(forged))
    assert set(broken()) == {"vpe-design", "vpe-responses"}


@pytest.mark.parametrize(
    ("previous", "said"),
    [
        ('{"../../x-design": "ab"}', "no stage"),
        ('{"results": "ab"}', "can't follow results"),
        ('{"vpe-results": "ab"}', "can't follow vpe-results"),
        ('{"study": 5}', "no hash of study"),
        ("7", ""),
    ],
)
def test_a_record_that_follows_what_is_no_stage_is_named(sealed, previous, said):
    text = record_of("vpe-results").read_text()
    before_, _, rest = text.partition('"previous": ')
    rest = rest.partition(",\n")[2]
    record_of("vpe-results").write_text(f'{before_}"previous": {previous},\n{rest}')
    assert any("not a freeze manifest" in each and said in each for each in broken()["vpe-results"])


# Proofs of time


def test_servers_are_asked_for_the_designs_and_the_closing_record_alone(sealed):
    assert [stage for stage in CHAIN if is_stamped(stage)] == [
        "control1-design", "vpe-design", "results",
    ]  # fmt: skip
    clock = Authority()
    clock.write_root(Path("roots.pem"))
    with serving(clock) as url:
        asked = {"rfc3161": [f"{url}/tsr"], "certificates": "roots.pem"}
        for _ in range(2):  # what is there is not asked for again
            assert ask_for_times("demo", list(CHAIN), asked) == []
        assert len(serving.seen) == 3
    assert broken() == {}
    (times,) = [check for check in verify("demo") if check.stage == "times"]
    assert times.note.startswith(f"2 designs sealed by {NOW:%Y-%m-%dT%H:%M:%SZ}, attested by")
    lines = {line.split()[0]: line for line in describe_records("demo")}
    assert "held by the records after it" in lines["vpe-responses"]
    assert "attests" in lines["vpe-design"]


def test_a_design_that_nobody_attests_is_named(sealed):
    clock = Authority()
    clock.write_root(Path("roots.pem"))
    with serving(clock) as url:
        asked = {"rfc3161": [f"{url}/tsr"], "certificates": "roots.pem"}
        assert ask_for_times("demo", ["vpe-design"], asked) == []
    (times,) = [check for check in verify("demo") if check.stage == "times"]
    assert times.note == "when it was sealed is this study's own word (control1-design)"


# Studies that were sealed in one chain


@pytest.fixture
def older(study) -> Path:
    seal_stages(chain=OLDER)
    make_calls("vpe", file_sha256(record_of("design")), 3)
    return study


def test_a_study_sealed_in_one_chain_is_checked_as_it_was(older):
    assert broken() == {}
    assert [check.stage for check in verify("demo")][:4] == list(OLDER)
    change("results/demo/vpe/summary.csv")
    assert list(broken()) == ["results"]


def test_it_is_not_gone_on_with_in_silence(older):
    kept = records()
    said = refused("study")
    assert "was sealed before each part had a chain of its own" in said
    assert "give the study another name" in said
    assert "deviations add --study demo --stage study" in said
    assert records() == kept
    assert broken() == {}


def test_on_the_record_it_is_sealed_anew_by_part_and_nothing_is_asked_again(older):
    old = file_sha256(record_of("design"))
    refused("study")
    row = add_deviation("demo", "study", **WORDS)
    assert (row["manifest_before"], row["parts"]) == (old, "")
    assert set(records()) == {"study"}
    seal_stages()
    assert broken() == {}  # calls under the old design among what is checked
    kept = {path.name.partition("-")[0] for path in Path("data/freeze/demo/superseded").glob("*")}
    assert kept == set(OLDER)


def test_nothing_is_adopted_that_the_rule_has_not_listed(older):
    with pytest.raises(ValueError, match="study is not sealed yet"):
        add_deviation("demo", "study", **WORDS)
    refused("study")
    change("uv.lock")
    with pytest.raises(ValueError, match="have changed since they were listed"):
        add_deviation("demo", "study", **WORDS)
    assert found_path("demo", "study").is_file()
