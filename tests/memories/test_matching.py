"""What a text says about a topic, by string match; every expectation read off the texts by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.memories.matching import Line, Read, Store, mentions, read_items, words_of

PARTNERS = ("Llama", "DeepSeek")
TOPIC = "the cracked pallet at the Corn Hall"


@pytest.mark.parametrize(
    ("text", "exactly", "loosely"),
    [
        ("2025-01-03 — met Llama — the cracked pallet at the Corn Hall: soldered", True, True),
        ("THE CRACKED  PALLET, at the corn hall!", True, True),
        ("At the Corn Hall a pallet was cracked", False, True),
        ("a cracked pallet in the town hall", False, False),  # no corn
        ("the cracked pallets at the Corn Hall", False, False),  # another word
        ("", False, False),
    ],
)
def test_when_a_line_mentions_a_topic(text, exactly, loosely):
    line, topic = Line.of(text, PARTNERS), words_of(TOPIC)
    assert mentions(line, topic) == exactly
    assert mentions(line, topic, loosely=True) == loosely


def test_a_partner_is_named_as_a_whole_word_in_any_case():
    assert Line.of("met llama and Llamas", PARTNERS).partners == {"Llama"}
    assert Line.of("the llamas seek depth; deepseeker", PARTNERS).partners == set()
    assert Line.of("DEEPSEEK told Llama", PARTNERS).partners == set(PARTNERS)
    assert Line.of("met Bo Lind", ("Bo Lind", "Bo")).partners == {"Bo Lind", "Bo"}


def test_the_ideal_reader_takes_the_first_item_that_names_one_partner():
    items = [
        "met DeepSeek: the winter rota",
        f"someone spoke of {TOPIC}",
        f"Llama and DeepSeek: {TOPIC}",
        f"met Llama — {TOPIC}",
        f"met DeepSeek — {TOPIC}",
    ]
    read = read_items(items, TOPIC, PARTNERS)
    assert read == Read(2, ((4, "Llama"), (5, "DeepSeek")))
    assert read.partner == "Llama"
    assert (read.rank("Llama"), read.rank("DeepSeek"), read.rank(None)) == (4, 5, None)


def test_an_item_of_several_lines_is_read_line_by_line():
    page = f"met DeepSeek: the winter rota\nmet Llama — {TOPIC}\nmet DeepSeek: tea"
    assert read_items([page], TOPIC, PARTNERS) == Read(1, ((1, "Llama"),))


def test_the_very_words_go_before_loose_ones():
    """Else a line that happens to hold the longer words would speak for the entry."""
    items = ["met DeepSeek at the Corn Hall about a pallet, cracked", f"met Llama — {TOPIC}"]
    assert read_items(items, TOPIC, PARTNERS).partner == "Llama"
    assert read_items(items[:1], TOPIC, PARTNERS).partner == "DeepSeek"


@pytest.mark.parametrize("items", [[], [""], ["\x00"], ["…"], ["\u202e"], ["x" * 2**20]])
def test_nothing_is_read_from_nothing(items):
    assert read_items(items, TOPIC, PARTNERS) == Read(None, ())


def test_right_to_left_marks_around_words_hide_nothing():
    text = f"\u202bmet \u200fLlama\u200f — {TOPIC}\u202c"
    assert read_items([text], TOPIC, PARTNERS).partner == "Llama"


def test_a_store_is_asked_like_its_lines():
    texts = [f"met Llama — {TOPIC}\nmet DeepSeek — tea", "a pallet cracked at the Corn Hall"]
    store = Store(texts, PARTNERS)
    assert store.about(TOPIC) == [0]
    assert store.about("tea") == [1]
    assert store.about("at the Corn Hall a cracked pallet") == [0, 2]
    assert store.about("soup") == store.about("") == store.about("…") == []


words = st.lists(
    st.sampled_from(["the", "clock", "hall", "corn", "pallet", "at", "of", "rota", "ice"]),
    max_size=8,
)


@given(st.lists(words, max_size=6), words)
def test_a_store_finds_what_line_by_line_reading_finds(lines, topic):
    """The index over words is a way to be quick, and changes nothing."""
    texts, wanted = [" ".join(line) for line in lines], words_of(" ".join(topic))
    store = Store(texts, PARTNERS)
    exact = [n for n, line in enumerate(store.lines) if mentions(line, wanted)]
    loose = [n for n, line in enumerate(store.lines) if mentions(line, wanted, loosely=True)]
    assert store.about(" ".join(topic)) == (exact or loose)
