"""The scripts of the models: the config as one file, and three questions to try a model with."""

from __future__ import annotations

import datetime
import json

import pytest
from support.scripts import load_script
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts


def resolved(tmp_path, config: dict) -> str:
    path = tmp_path / "study" / "config.json"
    load_script("models/resolve_config.py").main(path, config=config)
    return path.read_text(encoding="utf-8")


def test_the_config_keeps_its_order_which_is_also_that_of_a_prompts_parameters(tmp_path):
    config = {"study": "s", "models": {"b": {"top_p": 1, "seed": 2}, "a": {}}, "control1": {}}
    text = resolved(tmp_path, config)
    assert list(json.loads(text)) == ["study", "models", "control1"]
    assert list(json.loads(text)["models"]) == ["b", "a"]
    assert list(json.loads(text)["models"]["b"]) == ["top_p", "seed"]
    assert text.endswith("}\n")


def test_dates_become_text_and_letters_stay_as_they_are(tmp_path):
    text = resolved(tmp_path, {"title": "Là è così", "day": datetime.date(2025, 8, 11)})
    assert json.loads(text) == {"title": "Là è così", "day": "2025-08-11"}
    assert "Là è così" in text


def test_the_same_config_gives_the_same_bytes(tmp_path):
    config = {"b": [1, 2.5, None, True], "a": "x"}
    assert resolved(tmp_path / "one", config) == resolved(tmp_path / "two", config)


def test_a_trial_asks_in_every_form_once(tmp_path):
    path = tmp_path / "trial.jsonl"
    load_script("models/write_trial.py").main(path)
    prompts = read_prompts(path)
    assert [prompt.id for prompt in prompts] == ["text", "choice", "json"]
    assert [turn.form.kind for prompt in prompts for turn in prompt.turns] == [
        "text",
        "choice",
        "json",
    ]
    assert len({turn.system for prompt in prompts for turn in prompt.turns}) == 1
    (choice,) = prompts[1].turns
    for option in (*choice.form.options, choice.form.abstention):
        assert option in choice.user  # what is offered stands in the question


@pytest.mark.parametrize("structured", ["grammar", "text"])
def test_a_model_that_answers_the_trial_has_three_readable_replies(tmp_path, structured):
    path, out = tmp_path / "trial.jsonl", tmp_path / "replies.jsonl"
    load_script("models/write_trial.py").main(path)
    entry = {"provider": "scripted", "model": "any", "structured": structured}
    collect(path, Model.from_config("any", entry), tmp_path / "l.sqlite", out=out)
    replies = read_replies(out).set_index("id")
    assert set(replies["state"]) <= {"ok", "abstained"}
    assert replies.loc["choice", "value"] in ("Llama", "DeepSeek", "I don't know", None)
    assert 1 <= replies.loc["json", "value"]["month"] <= 12
