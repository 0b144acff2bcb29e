"""Which option a reply names: hundreds of replies in three languages, with their truth."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.said import ANSWERS, DENIALS, FORMS, SAID
from veridical.models.exchange import Form, Raw
from veridical.models.forms import choices, read_answer, read_choice
from veridical.models.stances import stances

NAMES = ("Llama", "DeepSeek")


@pytest.mark.parametrize(("form", "reply", "truth"), SAID)
def test_what_a_reply_says_is_what_is_read(form, reply, truth):
    assert read_choice(reply, FORMS[form]) == truth


def test_the_table_covers_what_it_claims_to():
    forms = Counter(form for form, _, _ in SAID)
    assert len(SAID) >= 150
    assert min(forms[form] for form in ("en", "it", "tr", "letters")) >= 40
    assert len({(form, reply) for form, reply, _ in SAID}) == len(SAID)
    assert sum(truth is None for _, _, truth in SAID) > len(SAID) / 3


@pytest.mark.parametrize("end", ["", "\n", " ", "\u00a0", "\r\n", "\x00", "\u200b"])
def test_what_cannot_be_seen_changes_nothing(end):
    for form, every in DENIALS.items():
        for said in every:
            assert read_choice(end + said.format("Llama") + end, FORMS[form]) is None
    for form, every in ANSWERS.items():
        for said in every:
            assert read_choice(end + said.format("Llama") + end, FORMS[form]) == "Llama"


@pytest.mark.parametrize("said", [each for every in DENIALS.values() for each in every])
def test_a_denied_option_never_names_the_other(said):
    """Nor is it elimination: who denies one of two hasn't named the other."""
    for form in ("en", "it", "tr"):
        assert read_choice(said.format("DeepSeek"), FORMS[form]) is None


@given(st.text(max_size=200), st.sampled_from(sorted(FORMS)))
def test_any_text_can_be_read(text, form):
    assert read_choice(text, FORMS[form]) in (None, *choices(FORMS[form]))


@given(
    st.lists(
        st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12),
        min_size=2,
        max_size=4,
    )
)
def test_an_option_that_can_be_told_apart_is_read_as_itself(options):
    form = Form("choice", tuple(options))
    try:
        read_answer(Raw("x"), form)
    except ValueError:
        return  # the form refuses options that can't be told apart
    for option in options:
        assert read_choice(option, form) in (option, None)


@pytest.mark.parametrize("options", [("José", "Jose"), ("Işık", "Işik")])
def test_diacritics_count_where_they_alone_tell_options_apart(options):
    form = Form("choice", options)
    assert [read_choice(option, form) for option in options] == list(options)
    assert read_choice(options[0].upper(), form) in (options[0], None)


def test_options_with_one_spelling_are_refused():
    for options in (
        ("GPT-4", "GPT\u20114"),
        ("A\u00a0B", "A B"),
        ("\ufb01ve", "five"),
        ("X.", "x"),
    ):
        with pytest.raises(ValueError, match="can't be told apart"):
            read_answer(Raw("x"), Form("choice", options))


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("it was \ue000", ["said"]),
        ("it was not \ue000", ["denied"]),
        ("it was not \ue000 but \ue001", ["denied", "said"]),
        ("\ue000, not \ue001", ["said", "denied"]),
        ("not \ue000, \ue001", ["denied", "doubted"]),
        ("\ue000 degil, \ue001", ["denied", "said"]),
        ("\ue000 or \ue001", ["doubted", "doubted"]),
        ("was it \ue000?", ["doubted"]),
        ("i can't say, because \ue000 is listed", ["doubted"]),
        ("i'm not sure, but i think \ue000", ["said"]),
        ("nobody", []),
    ],
)
def test_stances(sentence, found):
    assert [each.stance for each in stances(sentence)] == found


def test_long_replies_are_read_in_no_time():
    for piece in (
        "Llama ",
        "not ",
        "(",
        "no, ",
        "a" * 50,
        "Llama? ",
        "[ ] ",
        "\n",
        "*_",
        "bilmiyor ",
    ):
        read_choice(piece * 4000, FORMS["en"])
