"""The environments beside the lock hold what the lock holds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_requirements_are_the_locks():
    """After a change to the lock: uv export --locked --no-dev --no-hashes --no-emit-project
    --no-header -o envs/requirements.txt"""
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    locked = {(entry["name"], entry["version"]) for entry in lock["package"]}
    lines = (ROOT / "envs/requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = {
        match.groups() for line in lines if (match := re.match(r"([\w.-]+)==([^\s;]+)", line))
    }
    assert len(pinned) > 50
    assert pinned <= locked
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w.-]+", each)[0] for each in project["dependencies"]}
    assert needed <= {name for name, _ in pinned}


def test_runtime_is_pinned_to_one_version():
    """Embedded texts depend on the runtime's version, so pyproject names it exactly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [d for d in project["dependencies"] if d.startswith("xllamacpp==")]
