"""Where the memory in front of a model comes from: whole or recalled, and never both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given as cases
from hypothesis import strategies as st
from veridical.documents.given import Recalled, Whole, given_of, read_recalled, write_recalled
from veridical.models.prompts import Document

MINE = Document("veridical", "the whole life\nin two lines")


def test_a_whole_document_is_the_same_whatever_is_asked():
    memory = Whole(MINE)
    assert memory.told("tea?") is memory.told("coffee?") is MINE
    assert (memory.name, memory.frame) == ("veridical", "memory")


def test_no_memory_is_none_and_has_a_name():
    assert (Whole(None).name, Whole(None).told("tea?")) == ("none", None)


def test_a_recall_is_the_questions_own_and_bears_the_documents_name():
    bank = Recalled("foreign-1", {"tea?": "met Bo: tea", "coffee?": "met Al: coffee"})
    assert bank.told("tea?") == Document("foreign-1", "met Bo: tea")
    assert bank.told("coffee?") == Document("foreign-1", "met Al: coffee")
    assert bank.frame == "recalled"


@pytest.mark.parametrize("blank", ["", " ", "\n\n"])
def test_where_nothing_came_back_nothing_is_at_hand(blank):
    assert Recalled("veridical", {"tea?": blank}).told("tea?") is None


def test_a_bank_that_is_not_admitted_gives_no_memory_and_says_why():
    bank = Recalled("shuffled-2", {"tea?": "met Bo: tea"}, "leak: gives back the canary of none")
    with pytest.raises(
        ValueError, match=r"bank 'shuffled-2' is not admitted: leak: .* take `memory` out"
    ):
        bank.told("tea?")


def test_a_question_never_put_to_the_bank_is_named():
    with pytest.raises(ValueError, match="bank 'veridical' was never asked 'cake"):
        Recalled("veridical", {"tea?": "x"}).told("cake?")


TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)


@cases(st.lists(st.tuples(st.dictionaries(TEXTS, TEXTS, max_size=3), TEXTS), max_size=4))
def test_recalls_survive_their_file(tmp_path_factory, drawn):
    """Line breaks, NUL, U+2028 and right-to-left marks too."""
    path = tmp_path_factory.mktemp("recalled") / "control1.jsonl"
    banks = [Recalled(f"foreign-{n}", *each) for n, each in enumerate(drawn)]
    write_recalled(path, banks)
    assert list(read_recalled(path).values()) == banks


@pytest.mark.parametrize("odd", ["a\u2028b", "a\0b", "a\nb", "\u202eabc"])
def test_an_odd_recall_is_given_as_it_stood(tmp_path, odd):
    write_recalled(tmp_path / "c.jsonl", [Recalled("veridical", {"q": odd})])
    assert read_recalled(tmp_path / "c.jsonl")["veridical"].told("q").text == odd


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        json.dumps({"bank": "veridical", "refused": ""}),
        json.dumps({"bank": "veridical", "refused": "", "contexts": "text"}),
    ],
)
def test_a_line_that_is_no_bank_is_named(tmp_path, line):
    path = tmp_path / "control2.jsonl"
    write_recalled(path, [Recalled("none")])
    path.write_text(path.read_text() + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"control2\.jsonl, line 2: no bank's recalls"):
        read_recalled(path)


def test_memories_are_whole_where_nothing_was_recalled():
    assert given_of([MINE, None], None) == [Whole(MINE), Whole(None)]


def test_memories_are_the_banks_of_their_documents_where_there_is_a_file(tmp_path):
    path: Path = tmp_path / "control1.jsonl"
    banks = [Recalled("none", {"q": ""}), Recalled("veridical", {"q": "met Bo"})]
    write_recalled(path, banks)
    assert given_of([MINE, None], path) == banks[::-1]
    with pytest.raises(ValueError, match=r"no bank 'foreign-7'; there are none, veridical"):
        given_of([Document("foreign-7", "x")], path)
