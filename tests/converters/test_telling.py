"""A converted chat whose words tell the speaker says so at once, and what to do."""

from __future__ import annotations

import json

import pytest
import yaml
from support.converted import wish
from veridical.converters.forms import convert
from veridical.converters.telling import PLANT, advice, hint_of
from veridical.converters.writing import write_life
from veridical.corpora.corpus import read_corpus

THINGS = [
    "lamp",
    "kettle",
    "ladder",
    "bicycle",
    "anchor",
    "drawer",
    "pillow",
    "candle",
    "hammer",
    "basket",
    "mirror",
    "carpet",
]
PLACES = ("cellar", "attic")
ASKS = "Could you please tell me where the {} in my {} should go today?"
TELLS = "Certainly, here is one suggestion regarding that {} within its {} for now."
ALIKE = "I thought about the {} in the {} all of the way home."


def chat(tmp_path, user: str, assistant: str, things=THINGS):
    """The chat converted: its folder, and the closing lines. Each thing is named once by each."""
    lines = [
        {"role": role, "content": said.format(thing, place), "time": f"2025-03-{day:02}T{hour}:00"}
        for day, thing in enumerate(things, start=1)
        for role, said, place, hour in (
            ("user", user, PLACES[day % 2], 10),
            ("assistant", assistant, PLACES[1 - day % 2], 11),
        )
    ]
    file = tmp_path / "chat.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    given = {"agent": "Ada", "language": "en", "licence": "private", "origin": "a test"}
    asked = wish(file, "chat", **given)
    folder = tmp_path / "corpora" / asked.name
    return folder, list(write_life(convert(asked), asked, folder))


def test_where_the_words_tell_the_speaker_it_says_so_with_the_figure(tmp_path):
    _, told = chat(tmp_path, ASKS, TELLS)
    [line] = [line for line in told if line.startswith("Can be told from the words")]
    assert "who said it, 100.0% foretold" in line  # no word but things and places is in both
    assert "p = 0.002" in line  # 1 of 500, the least that 499 shufflings give
    assert PLANT in line
    assert told.index(line) == len(told) - 2  # after what wasn't derived, before what to do next


def test_where_both_talk_alike_nothing_is_said(tmp_path):
    folder, told = chat(tmp_path, ALIKE, ALIKE)
    assert hint_of(read_corpus(folder)).p > 0.05
    assert not [line for line in told if "plant" in line]


def test_what_it_says_to_write_plants_facts_that_no_words_tell(tmp_path):
    folder, _ = chat(tmp_path, ASKS, TELLS)
    path = folder / "corpus.yaml"
    text = path.read_text(encoding="utf-8")
    assert 'asked: "speaker"' in text
    path.write_text(text.replace('asked: "speaker"', PLANT), encoding="utf-8")
    life = read_corpus(folder)
    assert len(life.encounters) == 24
    assert set(life.partners).isdisjoint({"user", "assistant"})
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["plant"] == {"facts": 24, "seed": 3}
    assert list(advice(life, "box")) == []


@pytest.mark.parametrize("few", [1, 5])
def test_of_too_few_turns_nothing_is_foretold(tmp_path, few):
    folder, told = chat(tmp_path, ASKS, TELLS, THINGS[:few])
    assert hint_of(read_corpus(folder)) is None
    assert not [line for line in told if "foretold" in line]


def test_a_life_of_fewer_facts_than_folds_is_written_all_the_same(tmp_path):
    folder = tmp_path / "Ada"
    folder.mkdir()
    days = range(1, 6)
    events = [f"e{day},2025-03-{day:02},Ada,We met in the {PLACES[day % 2]}.,s" for day in days]
    facts = [f"meeting {day},place,{PLACES[day % 2]},e{day},," for day in days]
    keys = "form: life\nagent: Ada\nlanguage: en\nlicence: private\norigin: a test\n"
    (folder / "corpus.yaml").write_text(keys, encoding="utf-8")
    for name, rows in (
        ("events.csv", ["id,time,speaker,text,session", *events]),
        ("facts.csv", ["subject,attribute,value,event,valid_from,valid_to", *facts]),
    ):
        (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    life = read_corpus(folder)
    assert len(life.encounters) == 5
    assert hint_of(life) is None  # twelve folds of five facts can't be made
    assert list(advice(life, "place")) == []
