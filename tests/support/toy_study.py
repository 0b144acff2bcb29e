"""Lays out and runs the study in miniature of `tests/support/toy`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"


def lay_out(folder: Path) -> Path:
    """The toy study with the real library, sealing and archiving rules, and lock, in a folder."""
    shutil.copytree(TOY, folder, dirs_exist_ok=True)
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "workflow/veridical", folder / "workflow/veridical", ignore=skip)
    shutil.copytree(ROOT / "workflow/schemas", folder / "workflow/schemas")
    (folder / "workflow/rules").mkdir(exist_ok=True)
    shutil.copy(ROOT / "workflow/rules/common.smk", folder / "workflow/rules")
    for part in ("freeze", "archive"):
        shutil.copytree(ROOT / f"workflow/scripts/{part}", folder / f"workflow/scripts/{part}")
        shutil.copy(ROOT / f"workflow/rules/{part}.smk", folder / "workflow/rules")
    for name in ("CITATION.cff", "pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "LICENSE").write_text("MIT\n")
    (folder / "README.md").write_text("# The toy study\n")
    return folder


def snakemake(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Run the workflow in a folder with that folder's own library; output as text, never raises."""
    env = {**os.environ, "PYTHONPATH": str(folder / "workflow"), **environment}
    env["XDG_CACHE_HOME"] = str(folder / ".cache")
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", *arguments],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )


def calls(folder: Path) -> int:
    """How often the model was asked."""
    log = folder / "calls.log"
    return len(log.read_text().splitlines()) if log.is_file() else 0
