"""What several tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(scope="session")
def small_model() -> str:
    """The 98 MB model, fetched into the models folder if it isn't there."""
    from veridical.weights import fetch, folder_of_models, read_weights

    name = "SmolLM2-135M-Instruct.Q4_1"
    folder = folder_of_models(str(ROOT / "data/models"))
    fetch(read_weights(name, ROOT / "data/weights.csv"), folder)
    return name


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project's files that a workflow needs, without results and records.

    The models folder is shared with the checkout, so that nothing is fetched twice.
    """
    for name in ("Snakefile", "pyproject.toml", "uv.lock", "LICENSE", "CITATION.cff", "README.md"):
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, tmp_path / name)
    skip = shutil.ignore_patterns("__pycache__", "models", "ledger", "freeze")
    for name in ("workflow", "config", "data", "profiles", "envs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skip)
    return tmp_path
