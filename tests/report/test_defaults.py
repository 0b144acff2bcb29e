"""What a study left at its defaults stands on its page, with the values, in both languages."""

from __future__ import annotations

import html

import pytest
from support.fixture_study import read
from veridical.base.brought import READ, idle
from veridical.base.schema import at_defaults, read_schema
from veridical.parts import PARTS
from veridical.report.page import render
from veridical.report.wording import Wording


def test_values_that_are_the_schemas_own_are_found():
    schema = {
        "properties": {
            "a": {"default": 1},
            "part": {"properties": {"x": {"default": []}, "y": {}, "z": {"default": True}}},
        }
    }
    assert at_defaults(schema, {"a": 2, "part": {"x": [], "y": 1, "z": True}}) == {
        "part/x": [],
        "part/z": True,
    }
    assert at_defaults(schema, {"a": 1}) == {"a": 1}


def test_a_filled_config_finds_what_it_was_filled_with():
    schema = read_schema()
    config = {"control2": {"probes": 24, "counterfeit": "foreign-2", "prior_samples": 1}}
    assert at_defaults(schema, config) == {"control2/probes": 24, "control2/prior_samples": 1}


def test_a_setting_that_a_brought_table_makes_idle_is_none_in_use():
    brought = {"control2": {"answers_csv": "x.csv"}, "documents": {}}
    assert idle(brought, "control2/probes")
    assert not idle(brought, "control2/validity/threshold")
    assert idle(brought, "documents/foreign_seeds")
    assert not idle({**brought, "control1": {"corpora": ["A"]}}, "documents/foreign_seeds")
    assert not idle({"control2": {}}, "control2/probes")
    assert not idle(brought, "seed")


def test_what_is_read_of_a_brought_part_is_a_setting_of_it():
    schema = read_schema()["properties"]
    for part, keys in READ.items():
        assert set(keys) <= set(schema[part]["properties"])


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "which says nothing of them"), ("it", "uno studio che non ne dice nulla")],
)
def test_the_page_lists_them(study_root, language, said):
    study = read(study_root)
    study.config["control2"]["prior_samples"] = 1
    page = html.unescape(render(study, Wording.read(language), PARTS))
    assert "control2/prior_samples 1" in page
    assert said in page
