"""What looks alike is read alike; what means another thing is not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.characters import alike, folded, visible


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("GPT\u20114", "GPT-4"),  # a hyphen that doesn't break
        ("GPT\u20104 \u22124 \ufe634 \uff0d4", "GPT-4 -4 -4 -4"),
        ("twenty\u2013one", "twenty-one"),  # an en dash in the place of a hyphen
        ("A \u2013 B \u2014 C", "A \u2013 B \u2014 C"),  # dashes stay dashes
        ("DeepSeek\u00ad and Deep\u00adSeek", "DeepSeek and DeepSeek"),  # soft hyphens
        ("a\u200bb\u200cc\u200dd\u2060e\ufefff", "abcdef"),
        ("\u202aLlama\u202c", "Llama"),  # marks of the direction of writing
        ("1\u00a0000\u202f000\u2009m\u3000x", "1 000 000 m x"),
        ("it\u2019s \u2018so\u2019 \u201cand\u201d \u00abso\u00bb", 'it\'s \'so\' "and" "so"'),
        ("\uff21\uff22\uff23\uff11\uff12\uff1a\uff08x\uff09", "ABC12:(x)"),
        ("\ufb01ve \ufb02ies \ufb03", "five flies ffi"),  # ligatures
        ("e\u0301cole", "\u00e9cole"),  # NFD
        ("\u2162 \u2026", "III ..."),
        ("\u0663\u0967", "31"),  # digits of other scripts
        ("10\u00b2 \u2460 \u00bd", "10\u00b2 \u2460 \u00bd"),  # no 102, no 1, no 1/2
        ("a\r\nb\rc\u2028d\u0085e\x0bf\x0cg", "a\nb\nc\nd\ne\nf\ng"),
        ("a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_one_spelling(text, plain):
    assert alike(text) == plain


@given(st.text(st.characters(max_codepoint=126, min_codepoint=32)))
def test_plain_text_is_left_as_it_is(text):
    assert alike(text) == text


@given(st.text())
def test_once_is_enough(text):
    assert alike(alike(text)) == alike(text)


@given(st.text())
def test_composed_or_not_is_the_same(text):
    forms = {alike(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}
    assert len(forms) == 1


@given(st.text())
def test_what_is_visible_holds_no_control_character_but_tabs_and_line_ends(text):
    shown = visible(text)
    assert all(character in "\t\n" or character >= " " for character in shown)
    assert visible(shown) == shown


@pytest.mark.parametrize(
    "names",
    [
        ("İSTANBUL", "istanbul", "ISTANBUL", "ıstanbul"),
        ("Çağla", "CAGLA", "cağla"),
        ("Élodie", "elodie", "E\u0301LODIE"),
        ("Straße", "STRASSE"),
        ("GPT\u20114o", "gpt-4O"),
    ],
)
def test_case_and_diacritics_fold(names):
    assert len({folded(name) for name in names}) == 1
