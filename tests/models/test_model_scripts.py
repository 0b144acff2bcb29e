"""The scripts of the models: the config as one file, and three questions to try a model with."""

from __future__ import annotations

import datetime
import hashlib
import json

import pytest
from support.scripts import load_script
from support.small_gguf import write_model
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Model
from veridical.models.prompts import read_prompts
from veridical.models.requantised import package_version, requantise


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


@pytest.fixture
def weights(tmp_path):
    """A models folder with one model's weights, and a table with them and what is made of them."""
    folder = tmp_path / "models"
    folder.mkdir()
    source = write_model(folder / "a.gguf").read_bytes()
    requantise(folder / "a.gguf", tmp_path / "made", lambda size: None)
    made = (tmp_path / "made").read_bytes()
    lines = ["model,file,bytes,sha256,licence,page,url,carriers,derived_from,requantised"]
    for name, content, end in (("a", source, ",,,,,"), ("b", made, ",,,,a,Q4_0")):
        digest = hashlib.sha256(content).hexdigest()
        lines.append(f"{name},{name}.gguf,{len(content)},{digest},MIT{end}")
    (tmp_path / "weights.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def receipt(weights, model: str) -> str:
    """What the script writes of one model's weights."""
    path = weights / f"{model}.json"
    places = {"folder": str(weights / "models"), "table": weights / "weights.csv"}
    load_script("models/fetch_weights.py").main(path, model=model, **places)
    return path.read_text(encoding="utf-8")


def test_the_receipt_of_published_weights_says_what_they_are(weights):
    content = (weights / "models/a.gguf").read_bytes()
    assert receipt(weights, "a") == (
        f'{{\n  "model": "a",\n  "file": "a.gguf",\n  "bytes": {len(content)},\n'
        f'  "sha256": "{hashlib.sha256(content).hexdigest()}",\n  "licence": "MIT"\n}}\n'
    )


def test_the_receipt_of_derived_weights_says_what_they_were_made_of_and_by_what(weights):
    told = json.loads(receipt(weights, "b"))
    made = (weights / "models/b.gguf").read_bytes()
    assert made == (weights / "made").read_bytes()
    assert (told["bytes"], told["sha256"]) == (len(made), hashlib.sha256(made).hexdigest())
    source = json.loads(receipt(weights, "a"))
    assert told["derived_from"] == {"model": "a", "sha256": source["sha256"]}
    assert told["requantised"] == {"to": "Q4_0", "by": f"gguf {package_version()}"}
    assert list(told)[:5] == list(source)


def test_the_receipt_is_the_same_whether_weights_were_made_or_there(weights):
    first = receipt(weights, "b")
    assert receipt(weights, "b") == first
