"""Adapters whose packages are optional: skipped, with the command that installs them, where they
are not there; weights fetched as the rule fetches them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from veridical.memories.adapters import adapter_module, find_missing
from veridical.memories.systems import System, environment
from veridical.models.weights import fetch, folder_of_models
from veridical.models.weights_table import read_weights

ROOT = Path(__file__).parents[2]
MODELS = folder_of_models(str(ROOT / "data/models"))


def ready(adapter: str) -> None:
    """Skip where the adapter's packages are missing; have its weights."""
    if missing := find_missing(adapter):
        pytest.skip(str(missing))
    for name in getattr(adapter_module(adapter), "NEEDS", ()):
        have(name)


def have(weights: str) -> None:
    """Have weights in the models folder."""
    row = read_weights(weights, ROOT / "data/weights.csv")
    if not (MODELS / row.file).is_file():
        fetch(row, MODELS)


def start(system: System, folder: Path, **environ: str):
    """The system in a process of its own, as the workflow starts it, in the project's folder."""
    return system.start(folder, environment(str(MODELS)) | dict(os.environ) | environ)
