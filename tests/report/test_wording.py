"""The report's words: the same in two languages, numbers in each one's marks."""

import json
import re

import pytest
import yaml
from veridical.report.wording import FOLDER, LANGUAGES, Wording

EN, IT = Wording.read("en"), Wording.read("it")


def leaves(entry, path=""):
    if isinstance(entry, dict):
        return {k: v for key in entry for k, v in leaves(entry[key], f"{path}.{key}").items()} or {
            path: {}
        }
    return {path: entry}


def test_both_languages_say_the_same_things():
    texts = [
        leaves(yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8")))
        for language in LANGUAGES
    ]
    assert set(texts[0]) == set(texts[1])
    for key, one in texts[0].items():
        two = texts[1][key]
        assert isinstance(one, (str, list, dict)), f"{key} is no text: {one!r}"
        places = [sorted(set(re.findall(r"\{(\w*)\}", str(text)))) for text in (one, two)]
        assert places[0] == places[1], key
        assert type(one) is type(two), key


def test_every_term_that_a_text_links_is_in_the_glossary():
    for words in (EN, IT):
        terms = set(re.findall(r"\[\[([a-z0-9-]+)", json.dumps(words.texts, ensure_ascii=False)))
        assert terms <= set(words.texts["glossary"])


@pytest.mark.parametrize(
    ("value", "digits", "sign", "english", "italian"),
    [
        (5332, 0, False, "5,332", "5.332"),
        (0.032, 3, True, "+0.032", "+0,032"),
        (-0.0061, 3, True, "−0.006", "−0,006"),
        (-0.0004, 3, True, "0.000", "0,000"),  # no sign where nothing is left to sign
        (float("nan"), 3, False, "–", "–"),
    ],
)
def test_numbers(value, digits, sign, english, italian):
    assert EN.number(value, digits, sign=sign) == english
    assert IT.number(value, digits, sign=sign) == italian


@pytest.mark.parametrize(
    ("p", "text"),
    [(8.3e-7, "< 0.00001"), (0.000244, "0.00024"), (0.01172, "0.012"), (0.5, "0.50"), (1, "1.00")],
)
def test_p_values_keep_two_digits(p, text):
    assert EN.p_value(p) == text


def test_spans_lists_and_counts():
    assert EN.span([0.79, 0.62], lambda share: EN.percent(share, 0)) == "62% to 79%"
    assert EN.span([0.5, 0.501], lambda share: EN.percent(share, 0)) == "50%"
    assert EN.join(["a", "b", "c"]) == "a, b and c"
    assert IT.count(7, "item") == "sette item"
    assert EN.count(1, "probe") == "one probe"
    assert IT.date("2025-09-14T10:00:00Z") == "14 settembre 2025"


def test_prose_escapes_before_it_marks():
    html = str(EN.prose("<b> **bold** [[judge|the <i>judge]]"))
    assert "<b>" not in html
    assert "<i>" not in html
    assert "<strong>bold</strong>" in html
    assert 'data-term="judge"' in html


def test_a_missing_text_or_place_is_named():
    with pytest.raises(KeyError, match=r"findings\.control9"):
        EN("findings.control9.x")
    with pytest.raises(KeyError, match="items"):
        EN.of("control1")("findings.unproven")
    with pytest.raises(ValueError, match=r"text\.tr\.yaml"):
        Wording.read("tr")


def test_a_kind_of_study_is_told_in_its_own_words_and_else_in_the_parts():
    texts = {
        "formats": {"locale": "en", "missing": "–"},
        "parts": {
            "p": {
                "findings": {"all": "swap the {things}", "none": "nothing"},
                "columns": {"same": "Same partner", "n": "n"},
                "values": {"habit": {"one": "one name", "two": "two names"}},
                "life": {
                    "findings": {"all": "exchange the {things}"},
                    "columns": {"same": "Same value"},
                    "values": {"habit": {"one": "one value"}},
                },
            }
        },
    }
    part, life = Wording(texts).of("p"), Wording(texts).of("p", "life")
    assert part("findings.all", things="names") == "Swap the names"
    assert life("findings.all", things="names") == "Exchange the names"
    assert life("findings.none") == "Nothing"
    assert [words.heading("same") for words in (part, life)] == ["Same partner", "Same value"]
    assert life.heading("n") == "n"
    assert [life.value("habit", key) for key in ("one", "two")] == ["one value", "two names"]
    named = life.naming("habit", {"two": "both"})
    assert named("findings.all", things="names") == "Exchange the names"
    with pytest.raises(KeyError, match=r"parts\.p\.lifes"):
        Wording(texts).of("p", "lifes")


def test_what_is_said_otherwise_of_a_life_is_said_of_the_part_with_the_same_places():
    """A key that the part doesn't have, or a place that its code doesn't fill, would be said never
    or end the report."""
    for words in (EN, IT):
        part = words.raw("parts.control3")
        for key, text in leaves(part["life"]).items():
            steps = key.strip(".").split(".")
            own = words.raw(steps[0]) if steps[0] == "columns" else part
            for step in steps[1:] if steps[0] == "columns" else steps:
                own = own[step]
            places = [set(re.findall(r"\{(\w+)\}", str(said))) for said in (text, own)]
            assert places[0] <= places[1], key
