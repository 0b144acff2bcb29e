"""Profiles for other machines: what is asked of them in their own terms."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "profiles/kubernetes"
KUBECTL = """#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$1" in
  create) cat > "$MANIFEST"; echo job.batch/veridical-x7k2p ;;
  get) [ "$SAYS" = unreachable ] && exit 1; printf '%s' "$SAYS" ;;
esac
"""


@pytest.fixture
def cluster(tmp_path):
    """An environment in which `kubectl` writes down what it is told; the API itself isn't here."""
    program = tmp_path / "bin/kubectl"
    program.parent.mkdir()
    program.write_text(KUBECTL)
    program.chmod(0o755)
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("VERIDICAL_")},
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "CALLS": str(tmp_path / "calls"),
        "MANIFEST": str(tmp_path / "manifest.yaml"),
        "VERIDICAL_IMAGE": "registry.example/veridical:1",
        "VERIDICAL_CLAIM": "study",
        "VERIDICAL_MOUNT": str(tmp_path),
    }


def submit(folder: Path, environ: dict[str, str]) -> subprocess.CompletedProcess:
    script = folder / "jobscript.sh"
    script.write_text("echo the job\n")
    return subprocess.run(
        ["sh", str(FOLDER / "submit.sh"), "2", "3000", "240", str(script)],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_job_stands_on_the_projects_volume_with_what_it_claims(cluster, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    done = submit(project, cluster)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "veridical-x7k2p\n"  # the name by which the engine asks for its state
    job = yaml.safe_load(Path(cluster["MANIFEST"]).read_text())
    assert job["kind"] == "Job"
    assert job["spec"]["activeDeadlineSeconds"] == 240 * 60
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["resources"]["requests"] == {"cpu": "2", "memory": "3000Mi"}
    assert container["workingDir"] == str(project)
    assert container["volumeMounts"] == [{"name": "project", "mountPath": str(tmp_path)}]
    assert pod["volumes"][0]["persistentVolumeClaim"] == {"claimName": "study"}
    (secret,) = container["envFrom"]
    assert secret["secretRef"] == {"name": "veridical", "optional": True}
    # the engine's own script is gone when a pod starts late: the job has a copy
    (project / "jobscript.sh").unlink()
    assert Path(container["command"][1]).read_text() == "echo the job\n"


@pytest.mark.parametrize("name", ["VERIDICAL_IMAGE", "VERIDICAL_CLAIM", "VERIDICAL_MOUNT"])
def test_what_is_not_set_is_named_and_nothing_is_asked(name, cluster, tmp_path):
    del cluster[name]
    done = submit(tmp_path, cluster)
    assert done.returncode != 0
    assert name in done.stderr
    assert not Path(cluster["CALLS"]).exists()


def test_a_project_off_the_volume_is_refused(cluster, tmp_path):
    cluster["VERIDICAL_MOUNT"] = "/mnt/other"
    done = submit(tmp_path, cluster)
    assert done.returncode == 1
    assert "does not lie below VERIDICAL_MOUNT (/mnt/other)" in done.stderr


@pytest.mark.parametrize(
    ("says", "state"),
    [
        ("", "running"),
        ("Complete", "success"),
        ("SuccessCriteriaMet Complete", "success"),
        ("FailureTarget Failed", "failed"),
        ("Suspended", "running"),
        ("unreachable", "running"),
    ],
)
def test_a_jobs_state_in_the_engines_words(says, state, cluster):
    done = subprocess.run(
        ["sh", str(FOLDER / "status.sh"), "veridical-x7k2p"],
        env={**cluster, "SAYS": says},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == state


@pytest.mark.parametrize("path", sorted(ROOT.glob("profiles/*/profile.yaml")), ids=str)
def test_every_profile_is_read_and_names_its_executor(path):
    profile = yaml.safe_load(path.read_text(encoding="utf-8"))
    local = path.parent.name == "default"
    assert ("executor" in profile) != local
    assert local or profile["latency-wait"] >= 30  # network file systems show files late
