"""A life as a corpus: what is asked for where it isn't told, who said it, and times."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import converted
from support.converted import PEOPLE, talk, wish
from support.scripts import load_script
from veridical.converters.forms import convert
from veridical.converters.life import ConversionError, Event
from veridical.converters.moments import time_of
from veridical.converters.speakers import EACH, MOST, quotation, spread, who_said_it
from veridical.converters.writing import settings_of, write_life
from veridical.corpora.corpus import read_corpus
from veridical.corpora.moments import moment


def events(n: int = 15) -> list[Event]:
    turns = enumerate(talk(n), start=1)
    return [Event(t["time"], t["speaker"], t["text"], "", f"e{i}") for i, t in turns]


# ---------------------------------------------------------------- who said it


def test_as_many_turns_of_each_speaker_are_asked_about():
    told = events()
    more = [
        dataclasses.replace(told[0], id=f"m{n}", text=f"I went to the {w} by the river today.")
        for n, w in enumerate(("mill", "barn", "yard", "dock", "weir"))
    ]
    facts, why = who_said_it([*told, *more])
    counts = [sum(fact.value == name for fact in facts) for name in PEOPLE]
    assert counts == [15, 15]
    assert why == ""
    assert {fact.attribute for fact in facts} == {"speaker"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The boat that I have needs paint.", True),
        ("Ada, the boat that I have needs paint.", False),  # names who speaks or is spoken to
        ("Hey Bru, the boat that I have needs paint.", False),  # a short form of Bruno
        ("The boat needs paint.", False),  # four words are in many mouths
        ("hey bruno the boat that I have needs paint", False),  # without capitals as well
        ("The adage that I have needs no paint.", True),  # no name, whatever it begins with
    ],
)
def test_a_turn_that_names_a_speaker_or_says_little_is_not_asked_about(text, asked):
    own = dataclasses.replace(events()[0], id="own", text=text)
    facts, _ = who_said_it([*events(), own, *events_of_ada()])
    assert (text in {fact.subject for fact in facts}) == asked


def events_of_ada() -> list[Event]:
    """Enough turns of the other that none of those looked at is left out by the balance."""
    said = "{} was what I thought of all the way home."
    return [
        Event("2025-04-01", name, said.format(f"{name[0]}x{n}"), "", f"{name}{n}")
        for name in PEOPLE
        for n in range(3)
    ]


def test_what_two_say_alike_is_asked_about_of_neither():
    told = events()
    again = [dataclasses.replace(told[1], id="again", speaker=told[0].speaker)]
    facts, _ = who_said_it([*told, *again])
    assert told[1].text not in {fact.subject for fact in facts}


def test_what_stands_within_another_turn_or_twice_in_its_own_is_asked_about_of_neither():
    told = events()
    longer = f"So: {told[1].text} And that was all of it."
    again = dataclasses.replace(told[1], id="again", text=longer)
    facts, _ = who_said_it([*told, again])
    assert told[1].text not in {fact.subject for fact in facts}


def test_too_few_turns_are_no_question_and_it_says_how_many_there_are():
    facts, why = who_said_it(events(EACH - 1))
    assert facts == ()
    assert "there are Bruno 11, Ada 11" in why


def test_of_many_turns_some_are_taken_over_the_whole_time():
    many = [
        Event("2025-03-01", PEOPLE[n % 2], f"Thing {n} stands in row {n} of the shed.", "", f"e{n}")
        for n in range(4 * MOST)
    ]
    facts, _ = who_said_it(many)
    assert len(facts) == 2 * MOST
    places = [int(fact.event[1:]) for fact in facts]
    assert places == sorted(places)
    assert max(places) > 3.9 * MOST


def test_a_quotation_is_as_long_as_a_question_can_hold():
    assert quotation("One two three four five six. " * 20).count("six") == 2
    assert len(quotation("word " * 200).split()) == 28
    assert quotation("Too short.") == ""


@given(st.integers(1, 40), st.integers(1, 40))
def test_spread_takes_each_at_most_once_and_in_order(n, m):
    found = spread(list(range(max(n, m))), min(n, m))
    assert len(set(found)) == min(n, m)
    assert found == sorted(found)


# ---------------------------------------------------------------- times


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2025-03-31", "2025-03-31"),
        ("2025-03-31 14:05", "2025-03-31T14:05"),
        ("2025-03-31T14:05:09Z", "2025-03-31T14:05:09Z"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21"),
        ("March 5, 2024", "2024-03-05"),
        ("31/03/2025", "2025-03-31"),
        ("03/31/2025", "2025-03-31"),
        ("04/04/2025", "2025-04-04"),
        ("03/04/2025", None),  # March or April
        ("25/12/10", None),  # 1910, 2010 or 2025
        ("2025-03-31 14:05 CET", None),  # a zone by a name, of which the world has several
        ("2025-03-31 14:05 UTC", "2025-03-31T14:05+00:00"),
        ("May 2024", None),  # no day
        ("8 May", None),  # no year
        ("14:05", None),
        ("soon", None),
        ("", None),
        (None, None),
        (True, None),
        (0, None),
        (1_000_000_000, "2001-09-09T01:46:40+00:00"),
        ("1000000000", "2001-09-09T01:46:40+00:00"),
        (1_000_000_000_000, "2001-09-09T01:46:40+00:00"),
        (12, None),
    ],
)
def test_times_are_read_where_they_are_sure(value, time):
    assert time_of(value) == time


@given(st.datetimes().map(lambda when: when.replace(microsecond=0)))
def test_an_iso_time_stays_itself(when):
    found = time_of(when.isoformat())
    assert found is not None
    assert moment(found) == when


# ---------------------------------------------------------------- what is asked for


def test_exactly_what_neither_the_file_nor_the_wish_says_is_asked_for(tmp_path):
    path = converted.chat(tmp_path / "c.jsonl")
    bare = dataclasses.replace(wish(path, "chat"), given={"licence": "CC0-1.0"})
    with pytest.raises(ConversionError) as error:
        settings_of(convert(bare), bare)
    said = str(error.value)
    assert "language (the language it is in: en, it, tr)" in said
    assert "Add to convert: language: …, origin: …" in said
    assert "licence (" not in said  # given
    assert "agent (" not in said  # the first who speaks


def test_parts_are_nobodys_name(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(
        json.dumps({"role": "user", "content": "Hello there", "time": "2025-03-01"}),
        encoding="utf-8",
    )
    with pytest.raises(ConversionError, match=r"agent \(whose memory it is, a name\)"):
        settings_of(convert(wish(path, "chat")), wish(path, "chat"))
    found = convert(wish(path, "chat", names={"user": "Ada"}))
    assert found.names == ("Ada",)
    assert not any(text.startswith("names:") for text in found.lacking)


def test_a_folder_that_is_there_stays_as_it_is(tmp_path):
    path = converted.chat(tmp_path / "c.jsonl")
    (tmp_path / "Ada").mkdir()
    with pytest.raises(ConversionError, match=r"is there already; remove it, or name another"):
        list(write_life(convert(wish(path, "chat")), wish(path, "chat"), tmp_path / "Ada"))
    assert list((tmp_path / "Ada").iterdir()) == []


def test_a_life_that_the_corpus_refuses_leaves_nothing_behind(tmp_path):
    found = convert(wish(converted.chat(tmp_path / "c.jsonl"), "chat"))
    broken = dataclasses.replace(found, facts=(*found.facts, found.facts[0]))
    with pytest.raises(ValueError, match=r"facts\.csv, line"):
        list(write_life(broken, wish(tmp_path, "chat"), tmp_path / "corpora/Ada"))
    assert list((tmp_path / "corpora").iterdir()) == []


def test_a_name_that_no_corpus_can_bear(tmp_path):
    path = converted.chat(tmp_path / "c.jsonl")
    bad = dataclasses.replace(wish(path, "chat"), name="my agent")
    with pytest.raises(ConversionError, match=r"convert/to: 'my agent': a name has only letters"):
        list(write_life(convert(bad), bad, tmp_path / "x"))


def test_with_nothing_said_the_script_says_what_to_type():
    with pytest.raises(ValueError, match=r"say what to convert: snakemake convert --config"):
        load_script("converters/convert_life.py").main(settings=None)


@pytest.mark.parametrize("language", ["en", "it", "tr", "de"])
def test_who_said_it_is_asked_in_the_lifes_language(language, tmp_path):
    path = converted.chat(tmp_path / "c.jsonl")
    told = wish(path, "chat", language=language)
    if language == "de":  # no wordings: the corpus's reader says so
        with pytest.raises(ValueError, match=r"no wordings in 'de'"):
            list(write_life(convert(told), told, tmp_path / "corpora/Ada"))
        return
    list(write_life(convert(told), told, tmp_path / "corpora/Ada"))
    asked = read_corpus(tmp_path / "corpora/Ada").settings["question"]["with_whom"]
    assert (
        asked
        == {
            "en": "Who said this: “{topic}”?",
            "it": "Chi ha detto: «{topic}»?",
            "tr": "Bunu kim söyledi: “{topic}”?",
        }[language]
    )
