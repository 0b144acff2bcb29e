"""The image of envs/Containerfile: what it installs is the lock's, and what it copies is there."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "envs/Containerfile").read_text(encoding="utf-8").splitlines()
LOCK = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHON = re.match(r"FROM docker\.io/library/python:(\d+)\.(\d+)-slim$", LINES[3])


def said(instruction: str) -> list[str]:
    """What stands behind every such instruction."""
    return [line.split(maxsplit=1)[1] for line in LINES if line.startswith(f"{instruction} ")]


def tags(machine: str) -> set[Tag]:
    """What the image's pip can install: Debian 12 has glibc 2.36."""
    version = (int(PYTHON[1]), int(PYTHON[2]))
    old = {"x86_64": "manylinux2014_x86_64", "aarch64": "manylinux2014_aarch64"}[machine]
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(36, 16, -1)] + [old]
    return {
        *cpython_tags(version, platforms=platforms),
        *compatible_tags(version, platforms=platforms),
    }


def asked(machine: str) -> list[Requirement]:
    """The pinned requirements that hold in the image, on a kind of machine."""
    inside = default_environment() | {
        "python_version": f"{PYTHON[1]}.{PYTHON[2]}",
        "python_full_version": f"{PYTHON[1]}.{PYTHON[2]}.0",
        "platform_machine": machine,
        "platform_system": "Linux",
        "sys_platform": "linux",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }
    lines = (ROOT / "envs/requirements.txt").read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and line[0] not in " #"]
    return [each for each in found if each.marker is None or each.marker.evaluate(inside)]


def test_the_base_image_has_a_python_that_the_project_takes():
    assert PYTHON
    assert f"{PYTHON[1]}.{PYTHON[2]}" in SpecifierSet(PROJECT["requires-python"])
    assert f"{PYTHON[1]}.{PYTHON[2]}" in SpecifierSet(LOCK["requires-python"])


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_all_that_is_installed_has_a_wheel_for_the_image(machine):
    """A slim image has no compiler, so each pinned version needs a wheel in the lock; of one
    there is only the source, in Python alone."""
    fitting = tags(machine)
    wheels = {
        (entry["name"], entry["version"]): [
            wheel.get("filename") or wheel.get("url", "").rpartition("/")[2] or wheel["path"]
            for wheel in entry.get("wheels", [])
        ]
        for entry in LOCK["package"]
    }
    lacking = []
    for each in asked(machine):
        version = str(each.specifier).removeprefix("==")
        names = wheels[each.name, version]
        if not any(fitting & parse_wheel_filename(name)[3] for name in names):
            lacking.append(each.name)
    assert len(asked(machine)) > 80
    assert lacking == ["connection-pool"]


def test_each_package_is_pinned_once_in_the_image():
    """Two pins of one name differ by their markers; of numpy's two, one holds in the image."""
    names = [each.name for each in asked("x86_64")]
    assert sorted(names) == sorted(set(names))
    assert {"snakemake", "xllamacpp", "numpy", "pip"} <= set(names)


def test_the_program_that_starts_is_installed_and_so_is_what_the_runtime_needs():
    (entry,) = said("ENTRYPOINT")
    assert re.match(r'\["(\w+)"', entry)[1] == "snakemake"
    assert any("libgomp1" in line for line in said("RUN"))  # llama.cpp's
    assert not any("uv" in line.split() for line in said("RUN"))  # pip alone, from what uv exported


def test_what_is_copied_is_there_and_the_list_before_the_rest():
    copied = [words.split()[0] for words in said("COPY")]
    assert copied == ["envs/requirements.txt", "."]  # so an edited script installs nothing anew
    assert all((ROOT / each).exists() for each in copied)
    installed = [line for line in said("RUN") if line.startswith("pip install")]
    assert installed[0].endswith("-r envs/requirements.txt")
    assert "--no-deps -e ." in installed[1]  # nothing beside the list is fetched


# --- what the image is made without --------------------------------------------------------------


def left_out(path: str) -> bool:
    """Whether .dockerignore leaves a file out; the last pattern that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = re.escape(line.removeprefix("!")).replace(r"\*\*/", "(?:.*/)?")
        pattern = pattern.replace(r"\*", "[^/]*") + "(?:/.*)?"
        if re.fullmatch(pattern, path):
            out = not line.startswith("!")
    return out


def test_nothing_that_the_project_keeps_is_left_out():
    done = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("no git here")
    assert len(done.stdout.split("\n")) > 500
    assert [path for path in done.stdout.splitlines() if left_out(path)] == []


@pytest.mark.parametrize(
    "path",
    [
        "data/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        "data/ledger/demo/author/qwen.sqlite",
        "data/memories/demo/full-text/A/bank.sqlite",
        "data/freeze/demo/seals/design.json",
        "results/demo/report/index.html",
        "figures/demo/control1_forest.svg",
        "workflow/veridical/base/__pycache__/code.cpython-312.pyc",
        "envs/mcp/node_modules/x/package.json",
        ".git/HEAD",
        ".env",
        ".env.local",
        ".venv/bin/python",
    ],
)
def test_what_was_collected_and_what_is_secret_is_left_out(path):
    assert left_out(path)


def test_all_that_git_leaves_out_is_left_out():
    """Line by line; a folder that may stand anywhere has the pattern for that."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    given = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    git = {line.rstrip("/") for line in lines if line and not line.startswith("#")}
    assert git <= {line.removeprefix("**/") for line in given}


def test_what_is_paid_for_outlives_the_container():
    """The command at the file's head mounts where ledgers, seals and weights lie."""
    command = next(line for line in LINES if line.startswith("# podman run"))
    assert '"$PWD/data:/study/data"' in command
    assert said("WORKDIR") == ["/study"]


def test_a_name_that_only_begins_alike_is_kept():
    assert not left_out("results/.gitkeep")
    assert not left_out("data/models.csv")
    assert not left_out("workflow/scripts/logs.py")
    assert not left_out(".environment")
