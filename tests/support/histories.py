"""A small life of events and facts, as a folder, with any part of it exchanged."""

from __future__ import annotations

from pathlib import Path

SETTINGS = """\
form: life
agent: Memo
language: en
today: 2025-06-30
asked: box
attributes:
  box:
    question: "In which box is {subject} now?"
    fact: "{subject} is in the {value} box"
licence: CC0-1.0
origin: written for a test
"""
EVENTS = """\
id,time,speaker,text,session
e1,2025-03-01T09:00,Ada,The lamp is in the red box.,1
e2,2025-03-01T09:05,Memo,Noted.,1
e3,2025-03-01T09:10,Ada,"The rope goes into the blue box, the bell into the red one.",1
e4,2025-03-02,Ada,The kite is in the green box.,2
e5,2025-04-01T08:00,Ada,I moved the lamp: blue box.,3
e6,2025-05-01T08:00,Ada,"The drum cost 40 crowns, it is in the red box.",4
e7,2025-07-01T08:00,Ada,The rope goes into the green box.,5
"""
FACTS = """\
subject,attribute,value,event,valid_from,valid_to
the lamp,box,red,e1,,
the rope,box,blue,e3,,
the bell,box,red,e3,,2025-05-05
the kite,box,green,e4,,
the lamp,box,blue,e5,,
the drum,box,red,e6,,
the drum,price,40 crowns,e6,,
the rope,box,green,e7,,
"""
TEST_DAY = "item_id,input,anchor\nt1,Good morning.,\nt2,Where to begin?,\n"
VOCABULARY = "kind,term\nname,Ada\nthing,lamp\n"
FILES = {
    "corpus.yaml": SETTINGS,
    "events.csv": EVENTS,
    "facts.csv": FACTS,
    "test_day.csv": TEST_DAY,
    "vocabulary.csv": VOCABULARY,
}


def write_history(folder: Path, **changed: str) -> Path:
    """The life as a folder; `corpus_yaml=…` puts another text in a file's place, "" none."""
    folder.mkdir(parents=True, exist_ok=True)
    files = FILES | {name.replace("_", ".", 1): text for name, text in changed.items()}
    if "test.day_csv" in files:
        files["test_day.csv"] = files.pop("test.day_csv")
    for name, text in files.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")
    return folder
