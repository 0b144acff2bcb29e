"""Long texts of a file of JSON lines: written out once, then given by hash, and read back whole."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.repeated import LONG, WINDOW, Repeated, through_messages

TEXT = "An entry — met Llama. " * 20
GIVEN = {"sha256": hashlib.sha256(TEXT.encode()).hexdigest()}


def line(*contents, **more) -> dict:
    messages = [{"role": "user", "content": each} for each in contents]
    return {"exchanges": [{"request": {"messages": messages}, "reply": {"text": "yes"}}], **more}


def test_a_long_text_is_written_out_once():
    writer = Repeated()
    assert [writer.short(text) for text in (TEXT, "why?", TEXT, TEXT)] == [
        TEXT, "why?", GIVEN, GIVEN,
    ]  # fmt: skip


@pytest.mark.parametrize(("length", "by_hash"), [(LONG - 1, False), (LONG, True)])
def test_short_texts_are_never_given_by_hash(length, by_hash):
    writer = Repeated()
    writer.short("x" * length)
    assert isinstance(writer.short("x" * length), dict) == by_hash


@given(st.lists(st.integers(0, WINDOW + 40), max_size=700))
def test_whatever_the_order_what_is_read_is_what_was_written(order):
    texts = [f"{number} " * LONG for number in order]
    writer, reader = Repeated(), Repeated()
    kept = json.loads(json.dumps([writer.short(text) for text in texts]))
    assert [reader.whole(each) for each in kept] == texts


def test_a_text_long_ago_is_written_out_again_and_the_memory_stays_small():
    writer = Repeated()
    others = [f"{number} " * LONG for number in range(WINDOW)]
    writer.short(TEXT)
    for text in others[:-1]:
        writer.short(text)
    assert writer.short(TEXT) == GIVEN  # the oldest of those remembered, and now the newest
    for text in others:
        writer.short(text)
    assert writer.short(TEXT) == TEXT
    assert len(writer._texts) == WINDOW


def test_texts_with_half_a_character_are_refused_by_hashing_as_they_were_by_writing():
    with pytest.raises(UnicodeEncodeError):
        Repeated().short("\ud800" * LONG)


def test_a_text_that_stands_in_no_line_before_is_named():
    with pytest.raises(ValueError, match=rf"{GIVEN['sha256']} stands in no line before: lines"):
        Repeated().whole(GIVEN)


def test_a_line_is_changed_in_its_messages_alone_and_stays_as_it_was():
    kept = line(TEXT, "why?", TEXT, text=TEXT)
    before = json.dumps(kept)
    short = through_messages(kept, Repeated().short)
    assert [each["content"] for each in short["exchanges"][0]["request"]["messages"]] == [
        TEXT, "why?", GIVEN,
    ]  # fmt: skip
    assert short["text"] == TEXT
    assert list(short) == list(kept)  # in the same order: the same bytes where nothing repeats
    assert json.dumps(kept) == before
    assert through_messages(short, Repeated().whole) == kept


@pytest.mark.parametrize(
    "entry",
    [
        {"exchanges": []},
        {"text": "a"},
        {"exchanges": [{"reply": {}}]},
        {"exchanges": [{"request": {"model": "m"}}]},
    ],
)
def test_a_line_without_messages_passes(entry):
    assert through_messages(entry, Repeated().short) == entry
