"""The study that the checks look at: Control 3 on a balanced life, a model that needs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.lives import life, write_life


@pytest.fixture
def study(tmp_path, monkeypatch) -> dict:
    """A config with nothing wrong, in a folder of its own that holds its corpus T."""
    monkeypatch.chdir(tmp_path)
    write_life(life(), Path("data/corpora/T"))
    return {
        "study": "s",
        "seed": 1,
        "models": {"any": {"provider": "scripted", "model": "any"}},
        "documents": {"foreign_seeds": [1], "shuffled_seeds": [1]},
        "control3": {
            "corpora": ["T"],
            "responders": ["any"],
            "probes": 24,
            "document_encounters": 24,
        },
    }
