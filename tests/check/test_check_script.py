"""The script of the check: all that is wrong at once, and an exit that says so."""

from __future__ import annotations

from pathlib import Path

from support.scripts import load_script

PRICES = Path(__file__).parents[2] / "data/prices.csv"


def check(config: dict) -> int:
    return load_script("check/check_study.py").main(PRICES, config=config)


def test_where_nothing_is_wrong_it_says_what_it_looked_at_and_what_not(study, capsys):
    assert check(study) == 0
    out, said = capsys.readouterr()
    assert out == ""  # the engine's own words go to the terminal's other stream
    assert said.startswith("Nothing wrong was found in corpora, ")
    assert "Whether a server answers is not tried." in said


def test_every_problem_has_a_line_and_they_are_counted(study, capsys):
    study["control3"]["document_encounters"] = 30
    study["models"]["hosted"] = {"provider": "openai", "model": "gpt-x", "api_key_env": "NO_KEY"}
    study["control3"]["responders"] = ["any", "hosted"]
    assert check(study) == 1
    *lines, last = capsys.readouterr().err.splitlines()
    assert [line[:4] for line in lines] == ["  - ", "    ", "  - "]  # what belongs to one, below it
    assert "30" in lines[1]
    assert "NO_KEY" in lines[2]
    assert last == "2 things to mend before this study can run."
