"""A study's own metric under a name to be shown, a language each: ids stay what tables hold."""

from __future__ import annotations

import inspect
import re

import pytest
from support.control1_study import METRICS
from support.figures import words_of
from support.fixture_study import read
from support.scripts import load_script
from veridical.base.instrument import check_wording, metric_labels, metric_lines, resolve
from veridical.base.tables import write_table
from veridical.control1.tables import CONTRASTS
from veridical.parts import PARTS
from veridical.report.page import render
from veridical.report.wording import FOLDER, Wording

WARMTH = {"question": "how warm it is", "low": "cold", "high": "warm"}
LABEL = {"en": "Warmth – “felt”", "it": "Calore percepito"}


def config(language: str = "en", **words) -> dict:
    metrics = {"warmth": {**WARMTH, **words}, "identity_markers": None}
    return resolve({"language": language, "control1": {"metrics": metrics}})[0]


@pytest.mark.parametrize(
    ("label", "language", "found"),
    [
        (LABEL, "en", {"warmth": "Warmth – “felt”"}),
        (LABEL, "it", {"warmth": "Calore percepito"}),
        ("温かさ", "en", {"warmth": "温かさ"}),
        ("  Wärme ", "it", {"warmth": "Wärme"}),
        ({"it": "Calore"}, "en", {}),  # its name, where the page's language has no label
    ],
)
def test_a_label_is_any_text_in_the_pages_language(label, language, found):
    assert metric_labels(config(language, label=label)) == found


def test_a_metric_without_a_label_and_a_study_without_the_part_have_none():
    assert metric_labels(config()) == {}
    assert metric_labels({}) == {}
    assert metric_labels({"control1": "off"}) == {}


def test_a_label_is_no_part_of_what_the_judges_read():
    with_label, without = config(label=LABEL), config()
    for each in (with_label, without):
        part = each["control1"]
        assert part["metrics"] == ["warmth", "identity_markers"]
        lines, lacking = metric_lines(part["metrics"][:1], part["wording"], "en", {})
        assert lines == ["warmth: how warm it is; 0 = cold; 1 = warm"]
        assert lacking == []


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("", "control1/metrics/warmth/label: missing"),
        (7, "control1/metrics/warmth/label: 7 is no text"),
        ({"en": " "}, "control1/metrics/warmth/label/en: ' ' is no text"),
        ("two\nlines", "control1/metrics/warmth/label: more than one line"),
    ],
)
def test_a_label_that_is_none_is_refused(label, said):
    found = [*check_wording({"warmth": {**WARMTH, "label": label}}, "control1/metrics")]
    assert len(found) == 1
    assert found[0].startswith(said)


def test_a_key_near_label_is_told():
    found = [*check_wording({"warmth": {**WARMTH, "lable": "x"}}, "control1/metrics")]
    assert "did you mean 'label'?" in found[0]


def test_the_id_stays_ascii():
    found = [*check_wording({"wärme": {**WARMTH, "label": "Wärme"}}, "control1/metrics")]
    assert "no metric's name" in found[0]


def test_names_go_before_those_known_and_change_no_other_wording():
    words = Wording.read("en")
    named = words.naming("metric", {METRICS[0]: "Who it is", "warmth": "Warmth"})
    assert named.value("metric", METRICS[0]) == "Who it is"
    assert named.of("control1").value("metric", "warmth") == "Warmth"
    assert named.value("metric", METRICS[1]) == "memory reference"
    assert words.value("metric", METRICS[0]) == "identity markers"
    assert words.naming("metric", None).value("metric", "own_one") == "own one"


def test_the_page_shows_the_label_and_its_tables_keep_the_id(study_root):
    study = read(study_root)
    named = Wording.read("en").naming("metric", {METRICS[0]: "Qui-est-ce & co."})
    page = render(study, named, PARTS)
    assert "Qui-est-ce &amp; co." in page
    told = re.sub(r"<(script|svg).*?</\1>", "", page, flags=re.DOTALL)
    assert "identity markers" not in told
    assert METRICS[0] in set(study.tables["control1/contrasts"]["metric"])


def test_figures_name_a_metric_by_its_label(study_root, tmp_path):
    study = read(study_root)
    write_table(study.tables["control1/contrasts"], tmp_path / "c.csv", CONTRASTS)
    load_script("control1/draw_forest.py").main(
        tmp_path / "c.csv", tmp_path / "f.svg", tmp_path / "f.pdf", 0.1,
        texts=FOLDER / "text.it.yaml", labels={METRICS[0]: "Perché è lui"},
    )  # fmt: skip
    said = " ".join(words_of(tmp_path / "f.svg"))
    assert "Perché è lui" in said
    assert "riferimento" in said.lower() or "memoria" in said.lower()


@pytest.mark.parametrize("name", ["forest", "drift", "scores", "power"])
def test_every_figure_with_metrics_takes_labels(name):
    main = load_script(f"control1/draw_{name}.py").main
    assert inspect.signature(main).parameters["labels"].default is None
