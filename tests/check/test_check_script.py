"""The script of the check: all that is wrong at once, and an exit that says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.lives import life, write_life
from support.scripts import load_script

PRICES = Path(__file__).parents[2] / "data/prices.csv"


@pytest.fixture
def config(tmp_path, monkeypatch) -> dict:
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


def check(config: dict) -> int:
    return load_script("check/check_study.py").main(PRICES, config=config)


def test_where_nothing_is_wrong_it_says_what_it_looked_at_and_what_not(config, capsys):
    assert check(config) == 0
    out, said = capsys.readouterr()
    assert out == ""  # the engine's own words go to the terminal's other stream
    assert said.startswith("Nothing wrong was found in corpora, ")
    assert "Whether a server answers is not tried." in said


def test_every_problem_has_a_line_and_they_are_counted(config, capsys):
    config["control3"]["document_encounters"] = 30
    config["models"]["hosted"] = {"provider": "openai", "model": "gpt-x", "api_key_env": "NO_KEY"}
    config["control3"]["responders"] = ["any", "hosted"]
    assert check(config) == 1
    *lines, last = capsys.readouterr().err.splitlines()
    assert [line[:4] for line in lines] == ["  - ", "    ", "  - "]  # what belongs to one, below it
    assert "30" in lines[1]
    assert "NO_KEY" in lines[2]
    assert last == "2 things to mend before this study can run."
