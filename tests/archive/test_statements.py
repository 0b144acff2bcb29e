"""The freeze for other tools, read by their own libraries: in-toto's and PRML's."""

from __future__ import annotations

import datetime
import hashlib
import json
import subprocess
import sys
import uuid
from itertools import pairwise
from pathlib import Path

import falsify_prml
import pytest
import yaml
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from support.small_study import RUBRIC, WORDS, change_rubric, lay_out, make_calls, seal_all, sha_of
from support.time_server import NOW, Authority, serving
from veridical.archive.statements import (
    PREDICATE_TYPE,
    canonical,
    corpus_sha256,
    first_asked,
    intoto_statement,
    prml_manifests,
)
from veridical.base.files import file_sha256
from veridical.freeze.asked_times import ask_for_times
from veridical.freeze.chain import KINDS as STAGES
from veridical.freeze.deviations import add_deviation
from veridical.freeze.manifest import read_manifest, record_path

CITATION = {"authors": [{"name": "The Clock Keepers"}]}
CONFIG = {
    "seed": 7,
    "models": {"small": {"provider": "embedded", "model": "qwen-0.5b"}},
    "documents": {"foreign_seeds": [1], "shuffled_seeds": []},
    "control1": {
        "corpora": ["A"], "metrics": ["identity_markers", "memory_reference"],
        "equivalence_bound": 0.1, "registered": "unanchored",
    },
    "control2": {
        "corpora": ["A"], "responders": ["small"],
        "validity": {"registered": "upper", "threshold": 0.6, "upper": 0.75},
    },
}  # fmt: skip


@pytest.fixture
def study(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(lay_out(tmp_path))
    seal_all()
    return tmp_path


def parsed() -> Statement:
    """The statement by in-toto's own library, strictly: an unknown field is an error there."""
    message = json_format.Parse(intoto_statement("demo"), statement_pb2.Statement())
    statement = Statement.copy_from_pb(message)
    statement.validate()
    return statement


def test_in_totos_library_takes_the_statement_and_its_subjects_are_the_records(study):
    statement = parsed()
    assert statement.pb.type == "https://in-toto.io/Statement/v1"
    assert statement.pb.predicate_type == PREDICATE_TYPE
    named = {each.name: each.digest["sha256"] for each in statement.pb.subject}
    assert named == {
        record_path("demo", stage).as_posix(): file_sha256(record_path("demo", stage))
        for stage in STAGES
    }


def test_the_predicate_says_which_record_follows_which_and_what_it_seals(study):
    predicate = json.loads(intoto_statement("demo"))["predicate"]
    stages = predicate["stages"]
    assert [stage["stage"] for stage in stages] == list(STAGES)
    assert "previous" not in stages[0]
    for before, after in pairwise(stages):
        assert after["previous"] == before["record"]
    sealed = {each["name"]: each["digest"]["sha256"] for each in stages[0]["files"]}
    assert sealed[RUBRIC] == hashlib.sha256(Path(RUBRIC).read_bytes()).hexdigest()
    assert (predicate["deviations"], predicate["times"]) == (0, [])


def test_deviations_and_times_are_in_it(study):
    make_calls("control3", sha_of("design"))
    change_rubric()
    add_deviation("demo", "design", **WORDS)
    seal_all()
    clock = Authority()
    clock.write_root(Path("roots.pem"))
    with serving(clock) as url:
        asked = {"rfc3161": [f"{url}/tsr"], "certificates": "roots.pem"}
        assert ask_for_times("demo", ["design"], asked) == []
    statement = parsed()
    assert "data/freeze/demo/deviations.csv" in {each.name for each in statement.pb.subject}
    predicate = json.loads(intoto_statement("demo"))["predicate"]
    assert predicate["deviations"] == 1
    assert predicate["times"][0]["authority"] == "Clock of the tests"
    made = prml_manifests("demo", CONFIG, CITATION)
    assert read(made, "control2-small")["created_at"] == f"{NOW:%Y-%m-%dT%H:%M:%SZ}"


def test_a_study_that_is_not_sealed_through_is_not_stated(tmp_path, monkeypatch):
    monkeypatch.chdir(lay_out(tmp_path))
    seal_all("design", "responses")
    with pytest.raises(ValueError, match=r"verdicts\.json: missing"):
        intoto_statement("demo")


def test_the_same_study_is_stated_in_the_same_bytes(study):
    assert intoto_statement("demo") == intoto_statement("demo")
    replies = [asked_under(study, "2026-03-01T10:00:00.123Z")]
    first = prml_manifests("demo", CONFIG, CITATION, replies)
    assert prml_manifests("demo", CONFIG, CITATION, replies) == first


def asked_under(folder: Path, *times: str, record: str | None = None) -> Path:
    """A replies file whose replies came at these times, under the design's record."""
    path = folder / f"replies-{len(times)}.jsonl"
    reply = {"record": sha_of("design") if record is None else record}
    lines = [{"exchanges": [{"reply": reply | {"time": time}}]} for time in times]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def made(study) -> dict[str, str]:
    replies = [asked_under(study, "2026-03-01T12:00:00+02:00", "2026-03-01T11:00:00Z")]
    return prml_manifests("demo", CONFIG, CITATION, replies)


def read(made: dict[str, str], name: str) -> dict:
    return yaml.safe_load(made[f"prml/{name}.prml.yaml"])


def test_each_registered_threshold_is_a_manifest_and_nothing_else(made):
    assert sorted(name for name in made if name.endswith(".yaml")) == [
        "prml/control1-identity_markers-foreign.prml.yaml",
        "prml/control1-memory_reference-foreign.prml.yaml",
        "prml/control2-small.prml.yaml",
    ]
    bound, rule = read(made, "control1-memory_reference-foreign"), read(made, "control2-small")
    assert (bound["comparator"], bound["threshold"], bound["seed"]) == ("<=", 0.1, 7)
    assert (rule["comparator"], rule["threshold"]) == ("<", 0.75)  # the rule that is registered
    assert rule["model"]["id"] == "qwen-0.5b"
    assert rule["producer"]["id"] == "The Clock Keepers"
    assert sha_of("design") in rule["notes"]


def test_every_kind_of_counterfeit_has_a_bound_in_the_corpora_that_have_it(study):
    replies = [asked_under(study, "2026-03-01T12:00:00+02:00")]
    documents = {"foreign_seeds": [1, 2], "shuffled_seeds": [], "stale": ["B"]}
    documents |= {"partial_doses": [30], "partial_seeds": [1, 2], "own": {"A": {"adjacent-1": "x"}}}
    control1 = CONFIG["control1"] | {"corpora": ["A", "B"], "metrics": ["warmth"]}
    config = CONFIG | {"documents": documents, "control1": control1}
    made = prml_manifests("demo", config, CITATION, replies)
    named = (name.removesuffix(".prml.yaml") for name in made if name.endswith(".yaml"))
    bounds = {name.removeprefix("prml/control1-") for name in named if "control1" in name}
    assert bounds == {
        "warmth-foreign-A", "warmth-foreign-B", "warmth-partial-30-A", "warmth-partial-30-B",
        "warmth-adjacent-A", "warmth-stale-B",
    }  # fmt: skip
    brought = config | {"control1": control1 | {"verdicts_csv": "own.csv"}}
    made = prml_manifests("demo", brought, CITATION, replies)
    assert not any("control1" in name for name in made)


def test_direct_pairs_register_their_margin_and_no_bound_of_scores(study):
    control1 = {name: value for name, value in CONFIG["control1"].items() if name != "registered"}
    control1 |= {"pairs": "direct", "preference_margin": 0.2}
    replies = [asked_under(study, "2026-03-01T12:00:00+02:00")]
    made = prml_manifests("demo", CONFIG | {"control1": control1}, CITATION, replies)
    bound = read(made, "control1-memory_reference-foreign")
    assert (bound["metric"], bound["comparator"], bound["threshold"]) == (
        "veridical.control1.preference_off_one_half", "<=", 0.2,
    )  # fmt: skip
    assert bound["metric_args"] == {"metric": "memory_reference", "counterfeit": "foreign"}
    assert len([name for name in made if name.endswith(".yaml") and "control1" in name]) == 2


def test_the_reference_implementation_locks_to_our_hash_and_verifies(made, tmp_path):
    """`falsify`, the format's own program, from a shell: valid, same hash, and the bar holds."""
    for name, text in made.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for path in sorted((tmp_path / "prml").glob("*.prml.yaml")):
        told = falsify(path, "hash")
        assert told.stdout.split()[0] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert falsify(path, "verify").returncode == 0, falsify(path, "verify").stderr
        assert falsify(path, "verify", "--observed", "0.05").returncode == 0
        assert falsify(path, "verify", "--observed", "0.9").returncode == 10
        path.write_text(path.read_text().replace("threshold: 0.", "threshold: 0.9"))
        assert falsify(path, "verify").returncode == 3  # TAMPERED


def falsify(path: Path, command: str, *more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "falsify_prml", command, path, *more], capture_output=True, text=True
    )


def test_each_corpus_has_a_threshold_of_its_own_by_model(study):
    part = CONFIG["control2"] | {"corpora": ["A", "B"]}
    made = prml_manifests("demo", CONFIG | {"control2": part}, CITATION, [
        asked_under(study, "2026-03-01T10:00:00Z")])  # fmt: skip
    there = [name for name in made if "control2" in name and name.endswith(".yaml")]
    assert there == [f"prml/control2-small-{corpus}.prml.yaml" for corpus in "AB"]
    found = [read(made, f"control2-small-{corpus}") for corpus in "AB"]
    assert [one["dataset"]["id"] for one in found] == ["A", "B"]
    design = read_manifest(record_path("demo", "design"))
    assert found[1]["dataset"]["hash"] == corpus_sha256(design, "B")
    assert found[0]["claim_id"] != found[1]["claim_id"]


@pytest.mark.parametrize("threshold", [0.1, 1, 1e-7, 123456.0, 0.30000000000000004])
def test_our_canonical_text_is_the_reference_implementations(made, threshold):
    manifest = read(made, "control2-small") | {"threshold": float(threshold), "notes": "né, “x”: #"}
    assert canonical(manifest) == falsify_prml.canonicalize(manifest)


def test_the_claims_id_is_a_uuid_of_version_7_with_its_time(made):
    manifest = read(made, "control2-small")
    ids = {read(made, name[5:-10])["claim_id"] for name in made if name.endswith(".yaml")}
    assert len(ids) == 3
    found = uuid.UUID(manifest["claim_id"])
    assert (found.version, found.variant) == (7, uuid.RFC_4122)
    moment = datetime.datetime.fromtimestamp((found.int >> 80) / 1000, datetime.UTC)
    assert manifest["created_at"] == "2026-03-01T10:00:00Z" == f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def test_the_dataset_is_the_corpus_as_it_was_sealed(made):
    """As anyone gets it: grep the corpus's lines from the SHA256SUMS, and hash them."""
    told = subprocess.run(
        "grep '  data/corpora/A/' data/freeze/demo/design.SHA256SUMS | sha256sum",
        shell=True, capture_output=True, text=True, check=True,
    ).stdout.split()[0]  # fmt: skip
    assert read(made, "control2-small")["dataset"] == {"id": "A", "hash": told}
    design = read_manifest(record_path("demo", "design"))
    assert corpus_sha256(design, "B") != told


def test_replies_of_another_record_date_nothing(study):
    """An author's replies come before the design: they say nothing of when it was registered."""
    early = asked_under(study, "2020-01-01T00:00:00Z", record="")
    assert first_asked([early], sha_of("design")) == ""
    assert prml_manifests("demo", CONFIG, CITATION, [early]) == {}


def test_a_study_without_registered_thresholds_has_no_manifest(study):
    replies = [asked_under(study, "2026-03-01T10:00:00Z")]
    bare = {"seed": 1, "models": {}, "control3": {"corpora": ["A"]}}
    assert prml_manifests("demo", bare, CITATION, replies) == {}


@pytest.mark.parametrize(
    ("citation", "producer"),
    [
        ({"authors": [{"orcid": "https://orcid.org/0000-0002-1825-0097", "name": "J"}]},
         "0000-0002-1825-0097"),
        ({"authors": [{"name": "J"}], "repository-code": "https://git.example.org/v"},
         "git.example.org"),
        ({"authors": [{"given-names": "Josiah", "family-names": "Carberry"}]}, "Josiah Carberry"),
    ],
)  # fmt: skip
def test_the_producer_is_whom_the_citation_names(study, citation, producer):
    replies = [asked_under(study, "2026-03-01T10:00:00Z")]
    made = prml_manifests("demo", CONFIG, citation, replies)
    assert read(made, "control2-small")["producer"]["id"] == producer
