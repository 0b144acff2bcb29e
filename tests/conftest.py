"""What several tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
os.environ.setdefault("MPLBACKEND", "Agg")
# A copy of the project that a test changes runs its own library, not that of this environment.
os.environ.setdefault("PYTHONPATH", "workflow")

# The machine may be busy, so no deadline. The examples are the same in each run: a test turns red
# for a change and never for luck. `pytest --hypothesis-profile=search` draws others.
settings.register_profile("veridical", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1_000)
settings.load_profile("veridical")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Studies from end to end first: begun last, they would keep one core busy alone."""
    items.sort(key=lambda item: item.path.parent != ROOT / "tests")


@pytest.fixture(scope="session")
def small_model() -> str:
    """The 98 MB model, fetched into the models folder if it isn't there."""
    from veridical.models.weights import fetch, folder_of_models
    from veridical.models.weights_table import read_weights

    name = "SmolLM2-135M-Instruct.Q4_1"
    folder = folder_of_models(str(ROOT / "data/models"))
    fetch(read_weights(name, ROOT / "data/weights.csv"), folder)
    return name


@pytest.fixture
def write(tmp_path: Path) -> Callable[[pd.DataFrame], Path]:
    """Writes a table of a study's own, as a stranger brings it; returns its path."""

    def put(table: pd.DataFrame) -> Path:
        path = tmp_path / "own.csv"
        table.to_csv(path, index=False)
        return path

    return put


def copy_project(folder: Path) -> Path:
    """Copy what a workflow needs into a folder: no results, no records, no weights."""
    for name in ("Snakefile", "pyproject.toml", "uv.lock", "LICENSE", "CITATION.cff", "README.md"):
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder / name)
    left = ("__pycache__", "node_modules", "models", "memories", "ledger", "freeze")
    skip = shutil.ignore_patterns(*left)
    for name in ("config", "data", "profiles", "envs"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=skip)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project to change at will."""
    return copy_project(tmp_path)


@pytest.fixture(scope="session")
def study_root(tmp_path_factory):
    """A study in tables only, built once; a test that changes it reads it anew."""
    from support.fixture_study import build

    root = tmp_path_factory.mktemp("study")
    build(root)
    return root
