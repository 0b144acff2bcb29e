"""The zip, its crate and its citation, from a study laid out by hand."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import zipfile
from pathlib import Path

import jsonschema
import pytest
import yaml
from veridical.archive.citation import author_name, read_citation, zenodo_metadata
from veridical.archive.crate import build_crate, run_times
from veridical.archive.packing import ArchiveError, build_archive, choose_files, pack
from veridical.freeze.design import design_config
from veridical.freeze.deviations import add_deviation
from veridical.freeze.sealing import FreezeError, seal
from veridical.freeze.verify import verify
from veridical.ledger.exports import exports_of
from veridical.ledger.ledger import Ledger

ROOT = Path(__file__).parents[2]
CONFIG = {
    "study": "demo",
    "title": "Two parrots",
    "control1": {"corpora": ["A"]},
    "control2": {"corpus": "A"},
    "control3": {"corpora": ["A"]},
}
CONTENT = {
    "CITATION.cff": (ROOT / "CITATION.cff").read_text(),
    "LICENSE": "MIT\n",
    "README.md": "# The project\n",
    "Snakefile": "# rules\n",
    "pyproject.toml": "[project]\n",
    "uv.lock": '[[package]]\nname = "snakemake"\nversion = "9.27.1"\n',
    "config/config.yaml": "study: demo\n",
    "data/corpora/A/encounters.csv": "encounter_id\nA-001\n",
    "data/corpora/private/encounters.csv": "encounter_id\nP-001\n",
    "data/freeze/other/design.json": "{}\n",
    "data/models/parrot.gguf": "GGUF",
    "results/demo/config.json": json.dumps(CONFIG),
    "results/demo/toy/replies/main/parrot.jsonl": "".join(
        json.dumps({"id": n, "time": f"2026-03-0{n}T10:00:00.000Z", "exchanges": []}) + "\n"
        for n in (2, 1)
    ),
    "results/demo/toy/verdicts.csv": "score\n1\n",
    "results/demo/toy/summary.csv": "mean\n1\n",
    "results/demo/freeze/design.found.json": "{}\n",
    "results/other/toy/summary.csv": "mean\n2\n",
    "figures/demo/toy_summary.svg": "<svg/>\n",
    "workflow/veridical/__pycache__/x.cpython-311.pyc": "",
    "workflow/veridical/x.py": "X = 1\n",
}


def write(folder: Path, content: dict[str, str]) -> None:
    for name, text in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def study(tmp_path: Path, monkeypatch) -> Path:
    """A sealed study with what an archive holds and what it must leave out."""
    write(tmp_path, {name: text for name, text in CONTENT.items() if "/toy/" not in name})
    monkeypatch.chdir(tmp_path)
    seal("demo", "design", ["data/corpora/A/encounters.csv", "results/demo/config.json"])
    write(tmp_path, {name: text for name, text in CONTENT.items() if "/toy/" in name})
    Ledger("data/ledger/demo/toy/parrot.sqlite").close()
    seal("demo", "responses", ["results/demo/toy/replies/main/parrot.jsonl"])
    seal("demo", "verdicts", ["results/demo/toy/verdicts.csv"])
    seal("demo", "results", ["results/demo/toy/summary.csv"])
    return tmp_path


def test_the_same_files_give_the_same_bytes(study):
    first = build_archive("demo", "one")
    for path in Path().rglob("*.csv"):
        os.utime(path, (1, 1))
        path.chmod(0o600)
    assert build_archive("demo", "two") == first
    one, two = (Path(out, first["archive"]).read_bytes() for out in ("one", "two"))
    assert one == two
    assert hashlib.sha256(one).hexdigest() == first["sha256"]


def test_the_name_carries_the_hash_of_the_sums_and_the_sums_hold(study):
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        archive.extractall("unzipped")
    sums = Path("unzipped/SHA256SUMS").read_bytes()
    assert facts["archive"] == f"veridical-demo-{hashlib.sha256(sums).hexdigest()[:8]}.zip"
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd="unzipped", check=True)


def test_it_holds_what_a_reader_needs_and_nothing_else(study):
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        names = archive.namelist()
        assert archive.read("PROJECT.md") == b"# The project\n"
        assert b"snakemake --forceall --configfile config/replay.yaml" in archive.read("README.md")
        replay = yaml.safe_load(archive.read("config/replay.yaml"))
        replies = archive.read("data/replies/demo/toy/replies/main/parrot.jsonl")
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o100644}
    assert replay == CONFIG | {"collect": False}
    assert list(replay) == [*CONFIG, "collect"]  # prompts hold parameters in the config's order
    assert replies.decode() == CONTENT["results/demo/toy/replies/main/parrot.jsonl"]
    assert names == sorted(names)
    assert names == sorted(
        [
            *(n for n in CONTENT if not any(part in n for part in LEFT_OUT)),
            *(f"data/freeze/demo/{s}.{e}" for s in STAGES for e in ("json", "SHA256SUMS")),
            *(f"results/demo/freeze/{s}.json" for s in STAGES),
            ".zenodo.json",
            "PROJECT.md",
            "SHA256SUMS",
            "config/replay.yaml",
            "data/replies/demo/toy/replies/main/parrot.jsonl",
            "freeze.intoto.json",
            "ro-crate-metadata.json",
        ]
    )


def test_a_sealed_file_is_packed_wherever_it_lies(study):
    Path("sessions.csv").write_text("session\n1\n")
    with pytest.raises(FreezeError):
        seal("demo", "design", ["sessions.csv", "results/demo/config.json"])
    add_deviation("demo", "design", what="own sessions", why="they are there", effect="one more")
    seal("demo", "responses", ["results/demo/toy/replies/main/parrot.jsonl"])
    seal("demo", "verdicts", ["results/demo/toy/verdicts.csv"])
    seal("demo", "results", ["results/demo/toy/summary.csv"])
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        assert archive.read("sessions.csv") == b"session\n1\n"


STAGES = ("design", "responses", "verdicts", "results")
LEFT_OUT = ("private", "other", "ledger", "models", "found", "__pycache__")


@pytest.mark.parametrize("name", ["LICENSE", "CITATION.cff", "uv.lock", "Snakefile"])
def test_a_missing_file_is_named(study, name):
    Path(name).unlink()
    with pytest.raises(ArchiveError, match=name):
        build_archive("demo", "out")


def test_a_study_that_no_longer_holds_is_not_packed(study):
    Path("results/demo/toy/summary.csv").write_text("mean\n2\n")
    with pytest.raises(ArchiveError, match=r"changed  results/demo/toy/summary\.csv"):
        build_archive("demo", "out")
    Path("data/freeze/demo/results.json").unlink()
    with pytest.raises(ArchiveError, match=r"missing  data/freeze/demo/results\.json"):
        build_archive("demo", "out")
    Path("data/freeze/demo/results.SHA256SUMS").unlink()
    Path("results/demo/freeze/results.json").unlink()
    with pytest.raises(ArchiveError, match="results is not sealed yet"):
        build_archive("demo", "out")


def seal_parts(*stages: str) -> None:
    """The study's own seal, the toy's whole chain, these stages of another part, the closing seal
    after the toy's results."""
    replies, table = "results/demo/toy/replies/main/parrot.jsonl", "results/demo/toy/summary.csv"
    seal("demo", "study", ["uv.lock", "results/demo/config.json"])
    for stage, files in {
        "toy-design": ["data/corpora/A/encounters.csv"],
        "toy-responses": [replies],
        "toy-results": [table],
        **{stage: ["notes.csv"] for stage in stages},
    }.items():
        seal("demo", stage, files)
    seal("demo", "results", ["results/demo/toy/verdicts.csv"], follows=["toy-results"])


@pytest.mark.parametrize("stages", [["more-design"], ["more-design", "more-responses"]])
def test_a_part_turned_off_after_its_design_is_packed_as_far_as_it_went(
    tmp_path, monkeypatch, stages
):
    """What was designed and not carried on stays to be read; it is not asked for."""
    write(tmp_path, CONTENT | {"notes.csv": "note\n1\n"})
    monkeypatch.chdir(tmp_path)
    Path("results/demo/freeze/design.found.json").unlink()
    Ledger("data/ledger/demo/toy/parrot.sqlite").close()
    seal_parts(*stages)
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        names = set(archive.namelist())
        archive.extractall("unzipped")
    assert {f"data/freeze/demo/{stage}.json" for stage in stages} | {"notes.csv"} <= names
    checks = verify("demo", root="unzipped")
    assert all(check.holds for check in checks), [str(c) for c in checks if not c.holds]
    assert [check.stage for check in checks if "turned off" in check.note] == stages


def test_a_part_under_way_is_still_waited_for(tmp_path, monkeypatch):
    write(tmp_path, CONTENT)
    monkeypatch.chdir(tmp_path)
    Ledger("data/ledger/demo/toy/parrot.sqlite").close()
    seal("demo", "study", ["uv.lock", "results/demo/config.json"])
    seal("demo", "toy-design", ["data/corpora/A/encounters.csv"])
    with pytest.raises(ArchiveError, match="toy-responses is not sealed yet"):
        build_archive("demo", "out")


@pytest.mark.parametrize(
    "name",
    ["workflow/veridical/x.py", "figures/demo/toy_summary.svg", "data/corpora/A/notes.md"],
)
def test_a_canary_key_anywhere_stops_it_with_file_and_line(study, name):
    path = Path(name)
    before = path.read_text() if path.is_file() else ""
    path.write_text(before + "second line\nkey sk-" + "Zq4" * 10 + "\n")
    line = before.count("\n") + 2
    with pytest.raises(ArchiveError, match=f"{name}:{line}: key"):
        build_archive("demo", "out")
    assert not Path("out").exists()


def test_the_allow_list_lets_it_pass(study):
    text = "sk-" + "Zq4" * 10
    Path("workflow/veridical/x.py").write_text(text)
    Path("config/privacy-allowed.csv").write_text(f"path,text,why\nworkflow/*,{text},an example\n")
    assert build_archive("demo", "out")["files"]


def test_packing_twice_over_replaces_whole_files(tmp_path):
    pack({"b": b"2", "a": b"1"}, tmp_path / "x.zip")
    pack({"a": b"1", "b": b"2"}, tmp_path / "y.zip")
    assert (tmp_path / "x.zip").read_bytes() == (tmp_path / "y.zip").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.zip", "y.zip"]


# The crate


@pytest.fixture
def graph(study) -> dict[str, dict]:
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        crate = json.loads(archive.read("ro-crate-metadata.json"))
        names = set(archive.namelist())
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    assert len(entities) == len(crate["@graph"])  # no id twice
    files = {i for i, entity in entities.items() if "File" in entity["@type"]}
    assert files == names - {"ro-crate-metadata.json"}
    return entities


def references(value):
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value["@id"]
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


OUTSIDE = ("https://bioschemas.org/", "https://w3id.org/ro/crate/", "https://snakemake.github.io")


def test_every_reference_of_the_crate_leads_somewhere(graph):
    for entity in graph.values():
        for target in references({k: v for k, v in entity.items() if k != "@id"}):
            assert target in graph or target.startswith(OUTSIDE), (entity["@id"], target)


def test_the_crate_conforms_to_workflow_run_crate(graph):
    root = graph["./"]
    assert {each["@id"] for each in root["conformsTo"]} == {
        "https://w3id.org/ro/wfrun/process/0.5",
        "https://w3id.org/ro/wfrun/workflow/0.5",
        "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
    }
    assert graph["ro-crate-metadata.json"]["conformsTo"][0]["@id"].endswith("/ro/crate/1.1")
    workflow = graph[root["mainEntity"]["@id"]]
    assert workflow["@type"] == ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
    assert graph[workflow["programmingLanguage"]["@id"]]["version"] == "9.27.1"
    run = graph["#run"]
    assert run["instrument"]["@id"] == "Snakefile"
    assert (run["startTime"], run["endTime"]) == (
        "2026-03-01T10:00:00.000+00:00",  # the earlier reply stands second in the file
        "2026-03-02T10:00:00.000+00:00",
    )
    assert root["datePublished"] == "2026-03-02"
    for parameter in references([workflow["input"], workflow["output"]]):
        (example,) = references(graph[parameter]["workExample"])
        assert graph[example]["exampleOfWork"] == {"@id": parameter}
    assert {"results/demo/", "figures/demo/"} < set(references(run["result"]))


def test_the_crate_gives_each_file_its_hash(graph):
    text = CONTENT["results/demo/toy/summary.csv"].encode()
    entity = graph["results/demo/toy/summary.csv"]
    assert entity["sha256"] == hashlib.sha256(text).hexdigest()
    assert (entity["contentSize"], entity["encodingFormat"]) == ("7", "text/csv")


def test_a_crate_without_its_workflow_is_refused():
    with pytest.raises(ValueError, match="Snakefile is not among the files"):
        build_crate({}, study="demo", title="", citation={}, versions={}, times=None)


def test_no_replies_no_times(tmp_path):
    assert run_times([]) is None


ROC = os.environ.get("ROC_PYTHON"), os.environ.get("ROC_CONTEXT")


@pytest.mark.skipif(not all(ROC), reason="ROC_PYTHON and ROC_CONTEXT name no roc-validator")
def test_roc_validator_passes_it(study):
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        archive.extractall("unzipped")
    script = ROOT / "tests/support/validate_crate.py"
    done = subprocess.run(
        [ROC[0], str(script), "unzipped", ROC[1], "REQUIRED"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


# The citation


def test_the_citation_fits_its_schema():
    schema = json.loads((ROOT / "tests/support/citation-1.2.0.schema.json").read_text())
    citation = yaml.load((ROOT / "CITATION.cff").read_text(), Loader=yaml.BaseLoader)
    jsonschema.validate(citation, schema)


def test_the_citation_has_the_package_version():
    from veridical import __version__

    assert read_citation(ROOT / "CITATION.cff")["version"] == __version__


def test_zenodo_is_told_who_what_and_under_which_licence():
    citation = {
        "title": "Veridical.",
        "abstract": "A study.",
        "authors": [
            {"family-names": "Lovelace", "given-names": "Ada", "affiliation": "Ockham"}
            | {"orcid": "https://orcid.org/0000-0002-1825-0097"},
            {"name": "The parrots"},
        ],
        "version": "1.0",
        "license": "MIT",
        "keywords": ["memory"],
        "repository-code": "https://example.org/veridical",
    }
    metadata = zenodo_metadata(citation, "demo", "Two parrots", {"communities": ["agents"]})
    assert metadata["title"] == "Veridical. Study demo: Two parrots"
    assert metadata["creators"] == [
        {"name": "Lovelace, Ada", "affiliation": "Ockham", "orcid": "0000-0002-1825-0097"},
        {"name": "The parrots"},
    ]
    assert (metadata["license"], metadata["access_right"]) == ("mit", "open")
    assert metadata["communities"] == [{"identifier": "agents"}]
    assert metadata["related_identifiers"][0]["identifier"] == "https://example.org/veridical"


def test_a_citation_without_author_or_name_is_refused(tmp_path):
    path = tmp_path / "CITATION.cff"
    path.write_text("title: x\nversion: 1\nlicense: MIT\n")
    with pytest.raises(ValueError, match=r"CITATION\.cff: authors is missing"):
        read_citation(path)
    with pytest.raises(ValueError, match="no name"):
        author_name({"orcid": "x"})


def test_the_readme_of_an_unzipped_archive_is_not_packed_as_the_project(study):
    Path("PROJECT.md").write_text("# The project\n")
    Path("README.md").write_text("# The archive\n")
    assert choose_files("demo", ["A"])["PROJECT.md"].read_text() == "# The project\n"


def test_a_replies_file_finds_its_export(study):
    replies = Path("results/demo/toy/replies/main/parrot.jsonl")
    assert exports_of(replies) == []
    export = Path("data/replies/demo/toy/replies/main/parrot.jsonl")
    export.parent.mkdir(parents=True)
    export.write_text("{}\n")
    assert exports_of(replies) == [export]
    with pytest.raises(ValueError, match="lies under results"):
        exports_of("data/summary.csv")


def test_the_replay_is_shown_and_would_be_deposited_as_the_run_was(study):
    settings = {"language": "it", "deposit": {"communities": ["agents"]}, "models_folder": "/x"}
    facts = build_archive("demo", "out", settings=settings)
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        replay = yaml.safe_load(archive.read("config/replay.yaml"))
        zenodo = json.loads(archive.read(".zenodo.json"))
    assert replay["language"] == "it"
    assert "models_folder" not in replay
    assert zenodo["communities"] == [{"identifier": "agents"}]
    assert design_config(replay) == design_config(CONFIG)


# Odd but lawful


def test_several_licences_are_a_choice(study):
    text = Path("CITATION.cff").read_text()
    Path("CITATION.cff").write_text(text.replace("license: MIT", "license: [MIT, Apache-2.0]"))
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        assert b"Licence: MIT or Apache-2.0." in archive.read("README.md")
        crate = json.loads(archive.read("ro-crate-metadata.json"))
        zenodo = json.loads(archive.read(".zenodo.json"))
    root = next(entity for entity in crate["@graph"] if entity["@id"] == "./")
    urls = ["https://spdx.org/licenses/MIT", "https://spdx.org/licenses/Apache-2.0"]
    assert [each["@id"] for each in root["license"]] == urls
    assert zenodo["license"] == "mit"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("license: MIT", "license: [MIT, [x]]", "license is an SPDX name"),
        ("version: 0.1.0", "version: [1]", "version is a text, not a list"),
        ("  - name: The Veridical authors", "  - The Veridical authors", "authors is a list, each"),
    ],
)
def test_a_citation_of_another_shape_is_named(study, old, new, message):
    text = Path("CITATION.cff").read_text()
    assert old in text
    Path("CITATION.cff").write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=rf"CITATION\.cff: {message}"):
        read_citation("CITATION.cff")


def test_a_name_in_the_crate_is_the_files_name():
    files = {name: (1, "0") for name in ("Snakefile", "README.md", "results/d/config.json")}
    files["figures/d/two words é.svg"] = (1, "0")
    crate = build_crate(
        files, study="d", title="", citation=read_citation(ROOT / "CITATION.cff"), versions={},
        times=None,
    )  # fmt: skip
    names = {entity["@id"]: entity["name"] for entity in crate["@graph"] if "name" in entity}
    assert names["figures/d/two%20words%20%C3%A9.svg"] == "two words é.svg"


def test_the_title_is_no_part_of_the_design():
    assert design_config({"study": "d", "title": "one"}) == design_config({"study": "d"})


# What the study names, and nothing else


NOT_NAMED = [
    "config/another.yaml",
    "config/config.yaml~",
    "participants.csv",
    "data/participants.csv",
    "data/problems/another.jsonl",
    "config/participants.csv",
    "results/demo/participants.csv",
    "results/demo/toy/notes.txt",
    "results/another/config.json",
    "figures/demo/draft.png",
    "figures/another/toy.svg",
    "workflow/.env",
    "workflow/keys.sqlite",
    "workflow/veridical/x.py.bak",
    "workflow/veridical/#x.py#",
    "profiles/default/profile.yaml~",
    "data/corpora/A/encounters.csv~",
    "data/corpora/A/.notes.csv",
    "envs/.venv/x.txt",
]


def test_what_the_study_does_not_name_stays_out(study):
    before = set(choose_files("demo", ["A"]))
    write(study, dict.fromkeys(NOT_NAMED, "participant,address\n"))
    assert set(choose_files("demo", ["A"])) == before


@pytest.mark.parametrize(
    "name", ["workflow/veridical/y.py", "data/corpora/A/more.txt", "figures/demo/y.svg"]
)
def test_a_link_that_leads_out_of_the_project_is_named(study, tmp_path_factory, name):
    outside = tmp_path_factory.mktemp("outside") / "private.txt"
    outside.write_text("private")
    Path(name).symlink_to(outside)
    with pytest.raises(ArchiveError, match=f"{name} is a link that leads out of the project"):
        build_archive("demo", "out")


def test_a_folder_that_leads_out_of_the_project_is_named(study, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "encounters.csv").write_text("x")
    Path("data/corpora/B").symlink_to(outside)
    with pytest.raises(ArchiveError, match="leads out of the project"):
        choose_files("demo", ["A", "B"])


def test_a_link_to_what_is_not_packed_is_named(study):
    Path("workflow/.env").write_text("private")
    Path("workflow/notes.md").symlink_to(".env")
    with pytest.raises(ArchiveError, match=r"notes\.md is a link to workflow/\.env"):
        choose_files("demo", ["A"])


def test_a_link_to_what_is_packed_is_packed_as_a_copy(study):
    Path("workflow/veridical/z.py").symlink_to("x.py")
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        assert archive.read("workflow/veridical/z.py") == b"X = 1\n"


@pytest.mark.parametrize(
    "name",
    ["notes.txt", "workflow/veridical/y.py", "data/corpora/A/more.csv", "config/mine.yaml",
     "results/demo/toy/more.csv", "data/freeze/demo/extra.json"],
)  # fmt: skip
def test_a_file_added_to_an_unzipped_archive_is_named(study, name, monkeypatch):
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        archive.extractall("unzipped")
    monkeypatch.chdir("unzipped")
    checks = {check.stage: check for check in verify("demo")}
    assert checks["archive"].holds
    write(Path(), {name: "x\n", "logs/demo/x.log": "", "data/ledger/demo/toy/x.txt": ""})
    checks = {check.stage: check for check in verify("demo")}
    assert [str(change) for change in checks["archive"].changes] == [f"added    {name}"]


def test_the_record_of_inputs_names_what_is_packed_alone(study):
    """Another study's corpus is in the project's record, and none of this reader's business."""
    rows = [
        f"data/corpora/{name}/encounters.csv,made up,CC0,{'0' * 64}" for name in ("A", "private")
    ]
    Path("data/sources.csv").write_text("\n".join(["path,origin,licence,sha256", *rows]) + "\n")
    facts = build_archive("demo", "out")
    with zipfile.ZipFile(Path("out", facts["archive"])) as archive:
        record = archive.read("data/sources.csv").decode()
        archive.extractall("unzipped")
    assert "data/corpora/A/encounters.csv" in record
    assert "private" not in record
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd="unzipped", check=True)
