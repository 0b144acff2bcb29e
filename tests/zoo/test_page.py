"""The zoo on the page: every name in words of its language, what was noticed in front."""

from __future__ import annotations

import pytest
from support.fixture_zoo import zoo_tables
from veridical.report.part import make_section
from veridical.report.study import Study
from veridical.report.wording import Wording
from veridical.zoo.page import PART, _curves, _reported

CONFIG = {"study": "s", "control3": {"document_encounters": 30, "probes": 24}}


def section(language: str):
    study = Study("s", CONFIG, zoo_tables())
    return make_section(PART, study, Wording.read(language))


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_name_has_a_word(language):
    """No key of the code is left in a table: each fault, instrument, side and group is worded."""
    values = Wording.read(language).raw("parts.zoo.values")
    for column, group in (
        ("subject", "subject"),
        ("instrument", "instrument"),
        ("side", "side"),
        ("group", "group"),
    ):
        for key in zoo_tables()["zoo/rates"][column].unique():
            assert key in values[group] or key == "yours", (group, key)


def test_the_method_tells_the_size_of_the_studies():
    said = " ".join(section("en").method)
    assert "23 faults" in said
    assert "four sound memories" in said
    assert "30 entries" in said
    assert "24 probes" in said


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_section_is_whole(language):
    made = section(language)
    assert len(made.tables) == 5
    assert made.finding.sure == "descriptive"


def test_what_is_used_together_and_what_others_report_come_first():
    table = _reported(zoo_tables()["zoo/instruments"])
    assert list(table["instrument"][:6]) == [
        "controls",
        "scores",
        "recall",
        "accuracy",
        "judged",
        "gap",
    ]
    assert len(table) == len(zoo_tables()["zoo/instruments"])


def test_the_page_shows_two_curves_a_fault_and_the_file_all():
    power = zoo_tables()["zoo/power"]
    assert set(_curves(power)["instrument"]) == {"controls", "recall"}
    assert len(power["instrument"].unique()) == 20


def test_shares_and_their_intervals_are_columns_of_their_own():
    from veridical.zoo.tables import INSTRUMENTS, RATES

    assert {"share", "interval"} <= {shown.name for shown in RATES.shown()}
    assert {"false_share", "false"} <= {shown.name for shown in INSTRUMENTS.shown()}


def test_the_controls_together_notice_the_faults_and_leave_sound_memories_alone():
    """Every fault in both studies of the fixture, of which at least 95 % are asked for; the 200 of
    the notes are measured by `snakemake zoo`."""
    table = zoo_tables()["zoo/instruments"].set_index("instrument")
    assert table.loc["controls", "seen"] >= 0.95 * table.loc["controls", "faults"]
    assert table.loc["controls", "false_share"] == 0
    sound = zoo_tables()["zoo/rates"].query("side == 'sound' and group == 'ours'")
    assert sound["noticed"].sum() == 0


def test_three_faults_are_seen_by_what_was_built_for_them_alone():
    by = zoo_tables()["zoo/faults"].set_index("subject")["by"]
    assert by["merges"] == by["keeps-last"] == "updates"
    assert "dates" in by["moves-dates"]
    assert set(by["moves-dates"].split(", ")) <= {"dates", "updates"}
