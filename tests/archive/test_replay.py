"""The study in miniature, sealed, changed, archived and replayed by the workflow engine."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.toy_study import calls, lay_out, snakemake
from support.zenodo_server import TOKEN, Zenodo

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """The study once run: two prompts asked, six stages sealed, archived."""
    folder = lay_out(tmp_path_factory.mktemp("toy"))
    done = snakemake(folder, "all", "archive")
    assert done.returncode == 0, done.stdout
    assert calls(folder) == 2
    return folder


@pytest.fixture
def study(finished, tmp_path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "study"))


def zip_of(folder: Path) -> Path:
    receipt = json.loads((folder / "results/toy/archive/archive.json").read_text())
    return folder / "results/toy/archive" / receipt["archive"]


def unzip(archive: Path, folder: Path) -> Path:
    with zipfile.ZipFile(archive) as content:
        content.extractall(folder)
    return folder


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for top in ("results/toy", "figures/toy", "data")
        for path in (folder / top).rglob("*")
        if path.is_file() and "archive" not in path.parts
    }


def deviate(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "veridical.freeze.deviations", "add", "--study", "toy", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "workflow"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_second_run_has_nothing_to_do_and_verify_holds(study):
    done = snakemake(study, "all", "verify")
    assert done.returncode == 0
    assert "1 of 1 steps" in done.stdout or "2 of 2 steps" in done.stdout  # verify, never a rerun
    assert calls(study) == 2
    own = [f"toy-{kind}" for kind in ("design", "responses", "verdicts", "results")]
    for stage in ("study", *own, "results"):
        assert f"{stage:<20} holds" in done.stdout


def test_one_word_of_the_design_stops_collecting_until_a_deviation_is_logged(study):
    corpus = study / "data/corpora/A/encounters.csv"
    corpus.write_text(corpus.read_text().replace("the roof", "the barn"))
    done = snakemake(study, "all")
    assert done.returncode == 1
    assert "changed  data/corpora/A/encounters.csv" in done.stdout
    assert "python -m veridical.freeze.deviations add --study toy --stage toy-design" in done.stdout
    assert calls(study) == 2
    unsaid = ("--what", "a word", "--why", "", "--effect", "x")
    refused = deviate(study, "--stage", "toy-design", *unsaid)
    assert refused.returncode == 1
    assert calls(study) == 2
    words = ("--what", "a barn for the roof", "--why", "there is no roof", "--effect", "none")
    logged = deviate(study, "--stage", "toy-design", *words)
    assert logged.returncode == 0, logged.stderr
    done = snakemake(study, "all")
    assert done.returncode == 0, done.stdout
    assert calls(study) == 3  # the one prompt that was never asked
    done = snakemake(study, "verify")
    assert done.returncode == 0
    assert "deviations           1 logged" in done.stdout


def test_undoing_the_change_needs_no_call(study):
    corpus = study / "data/corpora/A/encounters.csv"
    text = corpus.read_text()
    corpus.write_text(text.replace("the roof", "the barn"))
    assert snakemake(study, "all").returncode == 1
    corpus.write_text(text)
    assert snakemake(study, "all").returncode == 0
    assert snakemake(study, "verify").returncode == 0  # apart: together it may run first
    assert calls(study) == 2


def test_a_figure_may_be_restyled(study):
    script = study / "workflow/scripts/toy/draw_summary.py"
    script.write_text(script.read_text().replace("<svg>", "<svg class='bold'>"))
    done = snakemake(study, "all")
    assert done.returncode == 0, done.stdout
    assert "bold" in (study / "figures/toy/toy_summary.svg").read_text()


def test_the_code_of_the_analysis_is_part_of_the_design(study):
    script = study / "workflow/scripts/toy/score.py"
    script.write_text(script.read_text() + "# a thought\n")
    done = snakemake(study, "all")
    assert done.returncode == 1
    assert "changed  workflow/scripts/toy/score.py" in done.stdout
    again = snakemake(study, "all")
    assert again.returncode == 1
    assert "changed  workflow/scripts/toy/score.py" in again.stdout


def test_the_archive_is_the_same_when_built_again(study):
    first = zip_of(study)
    before = first.read_bytes()
    shutil.rmtree(first.parent)
    assert snakemake(study, "archive").returncode == 0
    assert zip_of(study).name == first.name
    assert zip_of(study).read_bytes() == before


def test_the_archive_replays_with_no_call_and_the_same_bytes(finished, tmp_path):
    reader = unzip(zip_of(finished), tmp_path / "reader")
    before = bytes_of(reader)
    assert snakemake(reader, "verify").returncode == 0
    done = snakemake(reader, "--forceall", "--configfile", "config/replay.yaml")
    assert done.returncode == 0, done.stdout
    assert calls(reader) == 0
    assert bytes_of(reader) == before
    done = snakemake(reader, "verify")
    assert done.returncode == 0
    assert "archive              holds" in done.stdout
    done = snakemake(reader, "archive", "--configfile", "config/replay.yaml")
    assert done.returncode == 0, done.stdout
    assert zip_of(reader).read_bytes() == zip_of(finished).read_bytes()


def test_a_replay_of_altered_replies_ends_with_their_name(finished, tmp_path):
    reader = unzip(zip_of(finished), tmp_path / "reader")
    replies = reader / "data/replies/toy/toy/replies/main/parrot.jsonl"
    replies.write_text(replies.read_text().replace('"value": ', '"value": 1'))
    done = snakemake(reader, "--forceall", "--configfile", "config/replay.yaml")
    assert done.returncode == 1
    assert "changed  results/toy/toy/replies/main/parrot.jsonl" in done.stdout
    done = snakemake(reader, "verify")
    assert done.returncode == 1
    assert "changed  data/replies/toy/toy/replies/main/parrot.jsonl" in done.stdout


def test_a_key_in_what_is_packed_stops_the_archive_with_file_and_line(study):
    (study / "workflow/notes.md").write_text("# mine\n# sk-" + "Zq4" * 10 + "\n")
    done = snakemake(study, "archive")
    assert done.returncode == 1
    assert "workflow/notes.md:2: key" in done.stdout
    assert not (study / "results/toy/archive/archive.json").exists()


def test_the_archive_is_deposited_as_it_is_and_once(study):
    archive = zip_of(study)
    with Zenodo() as zenodo:
        setting = f"deposit={{server: '{zenodo.url}', publish: true}}"
        for _ in range(2):
            done = snakemake(study, "deposit", "--config", setting, ZENODO_TOKEN=TOKEN)
            assert done.returncode == 0, done.stdout
        assert zip_of(study) == archive
        (files,) = zenodo.buckets.values()
        assert files == {archive.name: archive.read_bytes()}
        (deposition,) = zenodo.depositions.values()
        assert deposition["submitted"]
        assert deposition["metadata"]["creators"] == [{"name": "The Veridical authors"}]
    assert TOKEN not in done.stdout + (study / "logs/toy/archive/deposit.log").read_text()
    (entry,) = json.loads((study / "data/deposits/toy.json").read_text()).values()
    assert entry["doi"] == "10.5072/zenodo.1000"
