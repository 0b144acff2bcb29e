"""A life of events and facts: what is read of it, and how each mistake in it is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import EVENTS, FACTS, SETTINGS, write_history
from veridical.corpora.corpus import read_corpus
from veridical.corpora.history import History
from veridical.corpora.life_settings import life_words
from veridical.corpora.shapes import place
from veridical.corpora.tables import EVENTS as EVENT_COLUMNS
from veridical.corpora.tables import FACTS as FACT_COLUMNS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_history(tmp_path / "T")


def read(folder: Path) -> History:
    found = read_corpus(folder)
    assert isinstance(found, History)
    return found


def test_a_life_is_a_corpus_of_the_attribute_asked_for(folder):
    life = read(folder / "corpus.yaml")
    assert (life.name, life.agent, life.asked, life.today) == ("T", "Memo", "box", "2025-06-30")
    assert life.partners == ("blue", "green", "red")  # as they first occur among what holds
    rows = life.encounters[["encounter_id", "date", "topic", "partner", "stale", "in_memory"]]
    assert rows.to_numpy().tolist() == [
        ["F2", "2025-03-01", "the rope", "blue", "", True],
        ["F4", "2025-03-02", "the kite", "green", "", True],
        ["F5", "2025-04-01", "the lamp", "blue", "red", True],
        ["F6", "2025-05-01", "the drum", "red", "", True],
    ]
    assert list(life.asked_about()["topic"]) == ["the rope", "the kite", "the drum"]
    assert life.changed()[["topic", "partner", "stale"]].to_numpy().tolist() == [
        ["the lamp", "blue", "red"]
    ]


def test_the_latest_holds_what_it_replaced_is_superseded_and_what_is_to_come_unknown(folder):
    facts = read(folder).facts.set_index(["subject", "attribute", "value"])
    states = facts["state"].to_dict()
    assert states == {
        ("the lamp", "box", "red"): "superseded",
        ("the rope", "box", "blue"): "holds",  # e7 is after the test day
        ("the bell", "box", "red"): "ended",
        ("the kite", "box", "green"): "holds",
        ("the lamp", "box", "blue"): "holds",
        ("the drum", "box", "red"): "holds",
        ("the drum", "price", "40 crowns"): "holds",
        ("the rope", "box", "green"): "to come",
    }
    assert facts.loc[("the lamp", "box", "red"), "until"] == "2025-04-01T08:00"
    assert facts.loc[("the bell", "box", "red"), "until"] == "2025-05-05"
    assert facts.loc[("the bell", "box", "red"), "holder"] == -1
    lamp = facts.loc[("the lamp", "box", "red"), "holder"]
    assert read(folder).facts.loc[lamp, "value"] == "blue"


def test_another_test_day_is_another_life(folder):
    later = SETTINGS.replace("2025-06-30", "2025-07-01")
    (folder / "corpus.yaml").write_text(later)
    life = read(folder)
    assert dict(zip(life.encounters["topic"], life.encounters["partner"], strict=True)) == {
        "the kite": "green",
        "the lamp": "blue",
        "the drum": "red",
        "the rope": "green",
    }
    (folder / "corpus.yaml").write_text(SETTINGS.replace("today: 2025-06-30\n", ""))
    assert read(folder).today == "2025-07-01"  # that of the last event


def test_a_value_said_again_is_restated_and_replaces_nothing(tmp_path):
    more = FACTS + "the kite,box,green,e5,,\nthe lamp,box,red,e6,,\n"
    life = read(write_history(tmp_path / "T", facts_csv=more))
    own = life.facts[life.facts["subject"].isin(["the kite", "the lamp"])]
    found = own[["subject", "value", "state", "stale"]].to_numpy().tolist()
    assert found == [
        ["the lamp", "red", "superseded", ""],
        ["the kite", "green", "restated", ""],
        ["the lamp", "blue", "superseded", ""],
        ["the kite", "green", "holds", ""],
        ["the lamp", "red", "holds", "blue"],  # back where it was: blue is what it replaced
    ]


SHAPES = {
    "lines": """\
2025-03-01 — the lamp is in the red box
2025-03-01 — the rope is in the blue box
2025-03-01 — the bell is in the red box
2025-03-02 — the kite is in the green box
2025-04-01 — the lamp is in the blue box
2025-05-01 — the drum is in the red box
2025-05-01 — the drum, price: 40 crowns""",
    "paragraphs": """\
2025-03-01: the lamp is in the red box. the rope is in the blue box. the bell is in the red box.
2025-03-02: the kite is in the green box.
2025-04-01: the lamp is in the blue box.
2025-05-01: the drum is in the red box. the drum, price: 40 crowns.""",
    "profile": """\
the lamp
- the lamp is in the red box (until 2025-04-01)
- the lamp is in the blue box (since 2025-04-01)
the rope
- the rope is in the blue box (since 2025-03-01)
the bell
- the bell is in the red box (until 2025-05-05)
the kite
- the kite is in the green box (since 2025-03-02)
the drum
- the drum is in the red box (since 2025-05-01)
- the drum, price: 40 crowns (since 2025-05-01)""",
    "turns": """\
[2025-03-01T09:00] Ada: The lamp is in the red box.
[2025-03-01T09:05] Memo: Noted.
[2025-03-01T09:10] Ada: The rope goes into the blue box, the bell into the red one.

[2025-03-02] Ada: The kite is in the green box.

[2025-04-01T08:00] Ada: I moved the lamp: blue box.

[2025-05-01T08:00] Ada: The drum cost 40 crowns, it is in the red box.""",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_document_of_each_shape_keeps_a_place_for_each_fact(tmp_path, shape):
    life = read(write_history(tmp_path / "T", corpus_yaml=SETTINGS + f"memory: {shape}\n"))
    assert life.memory_block == SHAPES[shape] == life.written()
    numbered = life.written([f"<{number}>" for number in life.facts.index])
    for number in life.facts.index[life.facts["known"]]:
        assert numbered.count(f"<{number}>") == 1
    assert len(numbered.split("\n")) == len(life.memory_block.split("\n"))


BROUGHT = """\
What I know of Ada's things.

The lamp went from red to blue: the lamp is in the blue box. The rope, the kite: blue and green.
As for the drum, it is red. The bell is red too, is it not?
"""


def test_a_document_that_is_brought_along_is_searched_for_its_facts(tmp_path):
    folder = write_history(tmp_path / "T", memory_txt=BROUGHT)
    life = read(folder)
    assert life.shape == "brought"
    assert life.memory_block == BROUGHT.strip("\n")
    values = [f"<{value}>" for value in life.facts["value"]]
    # The lamp's blue stands in one sentence only; its red in none besides. `the bell` begins with
    # a capital, which counts in values alone.
    assert life.written(values).split("\n")[2:] == [
        "The lamp went from <red> to <blue>: the lamp is in the <blue> box. "
        "The rope, the kite: <blue> and <green>.",
        "As for the drum, it is <red>. The bell is <red> too, is it not?",
    ]
    assert list(life.remembered()["topic"]) == ["the rope", "the kite", "the lamp", "the drum"]


def test_a_fact_that_stands_in_two_sentences_is_none_that_can_be_exchanged(tmp_path):
    text = "The rope is blue. Yes, the rope: blue. The kite is green.\n"
    life = read(write_history(tmp_path / "T", memory_txt=text))
    assert list(life.remembered()["topic"]) == ["the kite"]
    assert (
        life.written(["?"] * len(life.facts))
        == "The rope is blue. Yes, the rope: blue. The kite is ?."
    )


def test_what_is_not_in_memory_is_in_no_document_and_can_be_recognised(tmp_path):
    lines = EVENTS.splitlines()
    flags = ["in_memory", "true", "true", "false", "true", "true", "false", "true"]
    events = "\n".join(f"{line},{flag}" for line, flag in zip(lines, flags, strict=True))
    life = read(write_history(tmp_path / "T", events_csv=events + "\n"))
    assert "drum" not in life.memory_block
    assert "rope" not in life.memory_block
    assert list(life.remembered()["topic"]) == ["the kite", "the lamp"]
    outside = life.records()[~life.records()["in_memory"]]
    assert list(outside["encounter_id"]) == ["e3", "e6"]
    assert life.log().count("\n") == SHAPES["turns"].count("\n")


def test_events_that_say_no_remembered_fact_are_outside_of_a_memory_of_facts(folder):
    life = read(folder)
    outside = life.records()[~life.records()["in_memory"]]
    assert list(outside["encounter_id"]) == ["e2"]  # e7 is after the test day


def test_who_said_it_is_an_attribute_with_its_place_before_the_text(tmp_path):
    facts = FACTS.splitlines()[0] + "\nnoted,speaker,Memo,e2,,\nthe kite,speaker,Ada,e4,,\n"
    settings = SETTINGS.split("asked")[0] + "memory: turns\nlicence: CC0-1.0\norigin: a test\n"
    life = read(write_history(tmp_path / "T", corpus_yaml=settings, facts_csv=facts))
    assert life.asked == "speaker"  # the only attribute there is
    swapped = life.written(["Ada", "Memo"]).split("\n")
    assert swapped[1] == "[2025-03-01T09:05] Ada: Noted."
    assert swapped[4] == "[2025-03-02] Memo: The kite is in the green box."


def test_rows_in_any_order_give_the_same_life(folder, tmp_path):
    turned = {}
    for name, text in (("events_csv", EVENTS), ("facts_csv", FACTS)):
        head, *rows = text.splitlines()
        turned[name] = "\n".join([head, *reversed(rows)]) + "\n"
    other = read(write_history(tmp_path / "U", **turned))
    # What happened at one time keeps the order of the file, so rows at one time may trade places.
    own = set(read(folder).memory_block.split("\n"))
    assert set(other.memory_block.split("\n")) == own
    assert dict(zip(other.encounters["topic"], other.encounters["partner"], strict=True)) == dict(
        zip(read(folder).encounters["topic"], read(folder).encounters["partner"], strict=True)
    )


def test_times_in_zones_are_put_in_one_order(tmp_path):
    events = (
        "id,time,speaker,text,session\n"
        "a,2025-03-01T09:00+02:00,Ada,It is red.,\n"
        "b,2025-03-01T08:30+01:00,Ada,It is blue.,\n"
    )
    facts = (
        "subject,attribute,value,event,valid_from,valid_to\nthe hat,box,red,a,,\n"
        "the hat,box,blue,b,,\n"
    )
    life = read(write_history(tmp_path / "T", events_csv=events, facts_csv=facts))
    assert list(life.encounters["partner"]) == ["blue"]  # 07:30 in Greenwich, after 07:00


def test_line_breaks_in_what_was_said_count_as_blanks(tmp_path):
    events = EVENTS.replace("Noted.", '"Noted.\n\nAll  of it."')
    life = read(write_history(tmp_path / "T", events_csv=events))
    assert life.events["text"][1] == "Noted. All of it."


def test_what_a_life_may_do_without(tmp_path):
    plain = "form: life\nagent: Memo\nlanguage: en\nlicence: x\norigin: y\nmemory: turns\n"
    life = read(
        write_history(
            tmp_path / "T", corpus_yaml=plain, facts_csv="", test_day_csv="", vocabulary_csv=""
        )
    )
    assert (life.asked, life.partners, len(life.encounters)) == ("", (), 0)
    assert len(life.test_day) == len(life.vocabulary) == 0
    assert life.memory_block == SHAPES["turns"] + (
        "\n\n[2025-07-01T08:00] Ada: The rope goes into the green box."
    )  # the test day is that of the last event
    assert life.settings["abstention"] == "I don't know"


def test_wordings_are_the_languages_own_where_the_life_has_none(tmp_path):
    settings = SETTINGS.replace("language: en", "language: it").split("attributes")[0]
    settings += "licence: x\norigin: y\nquestion: { or: oppure }\n"
    life = read(write_history(tmp_path / "T", corpus_yaml=settings))
    words = life_words("it")
    assert life.settings["question"]["recognise"] == words["recognise"]
    assert life.settings["question"]["or"] == "oppure"
    asked = "Per {topic}, che cosa ricordi alla voce «box»?"
    assert life.settings["question"]["with_whom"] == asked


@pytest.mark.parametrize("language", ["it", "tr"])
def test_every_language_words_the_same(language):
    assert set(life_words(language)) == set(life_words("en"))
    for key in ("question", "fact", "since", "until", "quote", "quote_begin"):
        for field in ("{subject}", "{attribute}", "{value}", "{date}", "{topic}"):
            assert (field in life_words(language)[key]) == (field in life_words("en")[key])


BROKEN = {
    "a test day before all events": (
        "corpus.yaml",
        ("2025-06-30", "2024-06-30"),
        r"key today: no event in events\.csv is as early as '2024-06-30'",
    ),
    "another form": (
        "corpus.yaml",
        ("form: life", "form: lives"),
        r"key form: must be life or enc",
    ),
    "no agent": ("corpus.yaml", ("agent: Memo\n", ""), r"corpus\.yaml, key agent: must be a text"),
    "unknown key": (
        "corpus.yaml",
        ("asked:", "aksed:"),
        r"unknown key 'aksed'; is 'asked' meant\?",
    ),
    "unknown key far off": (
        "corpus.yaml",
        ("asked:", "zzz:"),
        r"unknown key 'zzz'; known: form, a",
    ),
    "a test day that is none": (
        "corpus.yaml",
        ("2025-06-30", "June"),
        r"key today: 'June' is no d",
    ),
    "unknown shape": (
        "corpus.yaml",
        ("asked: box", "asked: box\nmemory: poem"),
        r"key memory: must be one of lines, paragraphs, profile, turns, brought, not 'poem'",
    ),
    "unknown language": (
        "corpus.yaml",
        ("language: en", "language: xx"),
        r"life-words\.xx\.yaml: no wordings in 'xx', only in en, it, tr; write them",
    ),
    "an attribute without facts": (
        "corpus.yaml",
        ("asked: box", "asked: colour"),
        r"key asked: no fact has the attribute 'colour'; facts\.csv has box, price",
    ),
    "a worded attribute without facts": (
        "corpus.yaml",
        ("  box:", "  crate:\n    question: 'Where is {subject}?'\n  box:"),
        r"key attributes: no fact has the attribute 'crate'",
    ),
    "attributes that are a list": (
        "corpus.yaml",
        (SETTINGS[SETTINGS.index("attributes") : SETTINGS.index("licence")], "attributes: [box]\n"),
        r"key attributes: must name attributes, not \['box'\]",
    ),
    "an attribute that is a text": (
        "corpus.yaml",
        (SETTINGS[SETTINGS.index("  box") : SETTINGS.index("licence")], "  box: red\n"),
        r"key attributes/box: must hold question, fact, values, not 'red'",
    ),
    "unknown key of an attribute": (
        "corpus.yaml",
        ("    fact:", "    facts:"),
        r"unknown key 'attributes/box/facts'; is 'fact' meant",
    ),
    "a question without its subject": (
        "corpus.yaml",
        ("is {subject} now", "is it now"),
        r"attributes/box/question: must contain \{subject\} exactly once",
    ),
    "a fact with another field": (
        "corpus.yaml",
        ("the {value} box", "the {value} {colour} box"),
        r"attributes/box/fact: must contain \{subject\} and \{value\} exactly once, and no other",
    ),
    "a single value": (
        "corpus.yaml",
        ("    fact:", "    values: [red]\n    fact:"),
        r"attributes/box/values: must list two values or more",
    ),
    "a value listed twice": (
        "corpus.yaml",
        ("    fact:", "    values: [red, Red]\n    fact:"),
        r"attributes/box/values: a value stands twice",
    ),
    "a value that is not listed": (
        "corpus.yaml",
        ("    fact:", "    values: [red, green]\n    fact:"),
        r"facts\.csv, line 3, column value: 'blue' is none of the values of box in corpus\.yaml",
    ),
    "an unknown wording": (
        "corpus.yaml",
        ("asked: box", "asked: box\nquestion: { whom: x }"),
        r"unknown key 'question/whom'",
    ),
    "a question that is a text": (
        "corpus.yaml",
        ("asked: box", "asked: box\nquestion: Where?"),
        r"key question: must hold texts by their name",
    ),
    "an empty abstention": (
        "corpus.yaml",
        ("asked: box", "asked: box\nabstention: ''"),
        r"key abstention: must be a text",
    ),
    "an abstention that is a value": (
        "corpus.yaml",
        ("asked: box", "asked: box\nabstention: Red"),
        r"key abstention: 'Red' is a value of box too",
    ),
    "a missing column": (
        "events.csv",
        ("speaker", "who"),
        r"events\.csv, line 1: column speaker is",
    ),
    "an unknown column": (
        "facts.csv",
        ("valid_to\n", "valid_to,note\n"),
        r"facts\.csv, line 1: column 'note' is unknown",
    ),
    "a time that is none": (
        "events.csv",
        ("2025-04-01T08:00", "1 April"),
        r"events\.csv, line 6, column time: '1 April' is no time of the form 2025-03-31 or",
    ),
    "a time without marks": (
        "events.csv",
        ("2025-03-02", "20250302"),
        r"line 5, column time: '2025",
    ),
    "a zone in one row": (
        "events.csv",
        ("2025-04-01T08:00", "2025-04-01T08:00+01:00"),
        r"line 6, column time: '2025-04-01T08:00\+01:00' and, in line 2, .*a zone or none",
    ),
    "an event twice": ("events.csv", ("e4,", "e3,"), r"line 5, column id: 'e3' stands in line 4"),
    "an event without a text": (
        "events.csv",
        ("Memo,Noted.", "Memo,"),
        r"line 3, column text: '' must not be empty",
    ),
    "a flag that is none": (
        "events.csv",
        (EVENTS, EVENTS.replace("session\n", "session,in_memory\n").replace("1\n", "1,yes\n")),
        r"events\.csv, line \d+(: 5 cells|, column in_memory: 'yes' is neither true nor false)",
    ),
    "a fact of no event": (
        "facts.csv",
        ("blue,e5", "blue,e9"),
        r"facts\.csv, line 6, column event: 'e9' is the id of no event in events\.csv; name",
    ),
    "a fact without a subject": (
        "facts.csv",
        ("the kite,", ","),
        r"facts\.csv, line 5, column subject: '' must not be empty",
    ),
    "a fact twice": (
        "facts.csv",
        ("the kite,box,green,e4,,\n", "the kite,box,green,e4,,\nThe kite,box,green,e4,,\n"),
        r"line 6, column subject and attribute and value and event: .* stands in line 5",
    ),
    "a beginning that is no time": (
        "facts.csv",
        ("red,e1,,", "red,e1,soon,"),
        r"facts\.csv, line 2, column valid_from: 'soon' is no time",
    ),
    "an end before the beginning": (
        "facts.csv",
        ("e3,,2025-05-05", "e3,,2025-02-05"),
        r"line 4, column valid_to: '2025-02-05' is not after '2025-03-01T09:10'",
    ),
    "two values at once": (
        "facts.csv",
        ("the lamp,box,red,e1,,", "the lamp,box,red,e1,,2025-04-09"),
        r"line 6, column value: 'the lamp' has the box 'blue' and, by line 2, 'red' at the",
    ),
    "two values from one moment": (
        "facts.csv",
        ("the kite,box,green,e4,,\n", "the kite,box,green,e4,,\nthe kite,box,red,e4,,\n"),
        r"line 6, column value: 'the kite' has the box 'red' and, by line 5, 'green' at the same",
    ),
    "a value in two spellings": (
        "facts.csv",
        ("the drum,box,red", "the drum,box,Red"),
        r"line 7, column value: 'Red' is written 'red' in line 2; write it in one way",
    ),
}


@pytest.mark.parametrize(("file", "change", "message"), BROKEN.values(), ids=BROKEN)
def test_every_mistake_is_named_with_its_place_and_what_to_do(folder, file, change, message):
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_corpus(folder)


def test_a_value_must_stand_in_what_was_said_to_be_exchanged_there(tmp_path):
    settings = SETTINGS + "memory: turns\n"
    facts = FACTS.replace("the kite,box,green,e4", "the kite,box,green,e5")
    folder = write_history(tmp_path / "T", corpus_yaml=settings, facts_csv=facts)
    with pytest.raises(
        ValueError, match=r"facts\.csv, line 5, column value: 'green' doesn't stand"
    ):
        read_corpus(folder)


def test_two_facts_of_one_value_in_one_turn_can_not_be_told_apart(tmp_path):
    facts = FACTS.replace("the rope,box,blue,e3", "the rope,box,red,e3").replace(
        "green,e7", "red,e7"
    )
    events = EVENTS.replace("rope goes into the green", "rope goes into the red")
    life = read(
        write_history(
            tmp_path / "T",
            corpus_yaml=SETTINGS + "memory: turns\n",
            facts_csv=facts,
            events_csv=events,
        )
    )
    assert "the rope" not in list(life.remembered()["topic"])
    assert "the kite" in list(life.remembered()["topic"])


def test_nothing_to_remember_is_said(tmp_path):
    settings = SETTINGS.split("asked")[0] + "licence: x\norigin: y\n"
    folder = write_history(tmp_path / "T", corpus_yaml=settings, facts_csv="")
    with pytest.raises(
        ValueError, match=r"facts\.csv: there is nothing to remember; write facts, or"
    ):
        read_corpus(folder)
    (folder / "memory.txt").write_text("\n")
    with pytest.raises(ValueError, match=r"memory\.txt: the memory document is empty"):
        read_corpus(folder)


@given(st.permutations(list(range(6))))
def test_the_latest_holds_in_whatever_order_the_values_come(tmp_path_factory, order):
    folder = tmp_path_factory.mktemp("life")
    days = [f"2025-01-0{day + 1}" for day in range(6)]
    events = "".join(f"e{n},{days[n]},Ada,It is v{n}.,\n" for n in range(6))
    facts = "".join(f"the hat,box,v{n},e{n},,\n" for n in order)
    life = read(
        write_history(
            folder,
            events_csv="id,time,speaker,text,session\n" + events,
            facts_csv=FACTS.splitlines()[0] + "\n" + facts,
        )
    )
    assert life.encounters[["partner", "stale"]].to_numpy().tolist() == [["v5", "v4"]]
    assert (life.facts["state"] == "superseded").sum() == 5


def test_the_contracts_name_the_columns_that_are_read():
    assert EVENT_COLUMNS.names == ["id", "time", "speaker", "text", "session", "in_memory"]
    assert FACT_COLUMNS.names == [
        "subject", "attribute", "value", "event", "valid_from", "valid_to",
    ]  # fmt: skip


def test_the_strict_form_may_say_that_it_is_one(tmp_path):
    path = tmp_path / "corpus.yaml"
    given = (ROOT / "data/corpora/A/corpus.yaml").read_text(encoding="utf-8")
    for name in ("encounters.csv", "memory_block.txt", "test_day.csv", "vocabulary.csv"):
        (tmp_path / name).write_bytes((ROOT / "data/corpora/A" / name).read_bytes())
    path.write_text(given + "form: encounters\n", encoding="utf-8")
    assert "form" not in read_corpus(path).settings
    assert read_corpus(path).memory_block == read_corpus(ROOT / "data/corpora/A").memory_block


def test_the_example_can_be_read():
    life = read(ROOT / "data/corpora/Livia")
    assert life.partners == ("verde", "grigia", "bianca")
    counts = life.remembered()["partner"].value_counts().to_dict()
    assert counts == {"verde": 6, "grigia": 5, "bianca": 4}
    assert len(life.changed()) == 3


@pytest.mark.parametrize("language", ["en", "it", "tr"])
def test_a_life_is_spoken_of_in_its_own_words_and_a_studys_go_before_them(tmp_path, language):
    settings = SETTINGS.replace("language: en", f"language: {language}")
    folder = write_history(tmp_path / "T", corpus_yaml=settings)
    shipped = read_corpus(folder).texts
    assert set(shipped) == {
        "memory", "no-memory", "positive-answer", "positive-input", "question-forced", "recalled",
        "task-partner", "task-recognition",
    }  # fmt: skip
    assert "{document}" in shipped["memory"]
    own = read_corpus(folder, {"memory": "Mine: {document}"}).texts
    assert own == {**shipped, "memory": "Mine: {document}"}


def test_a_value_inside_of_another_takes_no_place_in_it():
    text = "The pen is dark blue and the cup is blue."
    for facts in ([(1, "blue"), (2, "dark blue")], [(2, "dark blue"), (1, "blue")]):
        assert place(text, facts) == ("The pen is ", 2, " and the cup is ", 1, ".")
